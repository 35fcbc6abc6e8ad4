"""Which elements a thread has: guards, early returns and walks with the grid's stride."""


class Place:
    """Lines that come before the work of an element, how deep that lies, what comes behind it, and
    how to be done with the element early."""

    def __init__(self, head, depth, tail=(), leave=None):
        self.head, self.depth, self.tail, self.leave = list(head), depth, list(tail), leave

    def around(self, lines):
        return self.head + ["    " * self.depth + line for line in lines] + self.tail


def thread(g, axis=0):
    """The thread's number along an axis, which is its block's where blocks have one thread along it."""
    letter = "xyz"[axis]
    if g.block[axis] == 1 and g.chance(0.5):
        return f"cuda.blockIdx.{letter}"
    wide = f"cuda.blockIdx.{letter} * cuda.blockDim.{letter} + cuda.threadIdx.{letter}"
    other = f"cuda.threadIdx.{letter} + cuda.blockDim.{letter} * cuda.blockIdx.{letter}"
    whole = "cuda.grid(1)" if g.axes == 1 else f"cuda.grid({g.axes})[{axis}]"
    return g.pick(whole, whole, wide, other)


def stride(g, axis=0):
    letter = "xyz"[axis]
    if g.block[axis] == 1 and g.chance(0.5):
        return f"cuda.gridDim.{letter}"
    whole = "cuda.gridsize(1)" if g.axes == 1 else f"cuda.gridsize({g.axes})[{axis}]"
    return g.pick(whole, f"cuda.blockDim.{letter} * cuda.gridDim.{letter}")


def one(g, i, n):
    """A place for each `i` below `n`, a text, in a launch of one axis."""
    t = thread(g)
    forms = [guarded, guarded, returned, strided, strided, turning, backwards, counted_down, chunks]
    return g.pick(*forms)(g, i, n, t)


def guarded(g, i, n, t):
    guard = g.pick(f"{i} < {n}", f"{i} < {n}", f"0 <= {i} < {n}", f"{n} > {i}", f"not {i} >= {n}",
                   f"{i} <= {n} - 1")
    return Place([f"{i} = {t}", f"if {guard}:"], 1, leave="return" if g.last else None)


def returned(g, i, n, t):
    if not g.last:
        return guarded(g, i, n, t)
    return Place([f"{i} = {t}", f"if {i} >= {n}:", "    return"], 0, leave="return")


def strided(g, i, n, t):
    return Place([f"for {i} in range({t}, {n}, {stride(g)}):"], 1, leave="continue")


def turning(g, i, n, t):
    return Place([f"{i} = {t}", f"while {i} < {n}:"], 1, [f"    {i} += {stride(g)}"])


def backwards(g, i, n, t):
    """From the end: thread 0 has the last."""
    if g.chance(0.5):
        return Place([f"{i} = {n} - 1 - ({t})", f"if {i} >= 0:"], 1)
    return Place([f"for {i} in range({n} - 1 - ({t}), -1, -({stride(g)})):"], 1, leave="continue")


def counted_down(g, i, n, t):
    return Place([f"for {i} in range({n} - 1 - ({t}), -1, 0 - ({stride(g)})):"], 1, leave="continue")


def chunks(g, i, n, t):
    """Neighbouring elements for a thread."""
    most, first = g.fresh("most"), g.fresh("first")
    return Place([f"{most} = ({n} + cuda.gridsize(1) - 1) // cuda.gridsize(1)", f"{first} = ({t}) * {most}",
                  f"for {i} in range({first}, min({first} + {most}, {n})):"], 1, leave="continue")


def many(g, names, limits):
    """The same for launches of several axes: names[k] below limits[k]; which axis of the launch a
    name goes with is as it comes."""
    order = list(range(len(names)))
    g.random.shuffle(order)
    places = ", ".join(names[order.index(axis)] for axis in range(len(names)))
    ask = [f"{places} = cuda.grid({len(names)})"] if g.chance(0.6) else \
        [f"{name} = {thread(g, axis)}" for name, axis in zip(names, order)]
    form = g.random.random()
    if form < 0.55:
        guard = " and ".join(f"{name} < {limit}" for name, limit in zip(names, limits))
        return Place(ask + [f"if {guard}:"], 1, leave="return" if g.last else None)
    if form < 0.75 and g.last:
        guard = " or ".join(f"{name} >= {limit}" for name, limit in zip(names, limits))
        return Place(ask + [f"if {guard}:", "    return"], 0, leave="return")
    lines, depth = [], 0
    for name, limit, axis in zip(names, limits, order):
        lines.append("    " * depth + f"for {name} in range({thread(g, axis)}, {limit}, {stride(g, axis)}):")
        depth += 1
    return Place(lines, depth, leave="continue")
