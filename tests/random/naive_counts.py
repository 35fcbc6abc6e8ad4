"""Patterns with atomics: histograms of many kinds, and what keeps them from being privatised."""
from naive_lines import left_early, length
from naive_places import many, one

COUNTED = ["int32", "int32", "int64", "uint32", "uint64", "float32", "float64"]


def bins(g, kind, count=None, most=None):
    return g.array("h", kind, count or g.pick(1, 2, 10, 33, 150, 256, 1000, 5000), True, most=most or 7)


def bin_of(g, x, i, h, axis=0):
    return g.pick(f"{x.name}[{i}] % {h.name}.shape[{axis}]", f"{x.name}[{i}] % {h.shape[axis]}",
                  f"-1 - {x.name}[{i}] % {h.name}.shape[{axis}]", f"{i} % {h.name}.shape[{axis}]")


def counted(g):
    """The plain histogram, with weights, conditions, ways out."""
    kind, n, i, b = g.pick(*COUNTED), g.size(), g.fresh("i"), g.fresh("b")
    x, h = g.array("x", g.pick("int32", "int64", "int16"), n, most=10000), bins(g, kind)
    place = one(g, i, length(g, x))
    weight = g.pick("1", "1", f"{kind}(2)", f"weight{x.name}[{i}]")
    if weight.startswith("weight"):
        g.give(f"weight{x.name}", g.data(kind, n, 7))
    op = g.pick("add", "add", "add", "sub", "max", "min")
    lines = left_early(g, place, f"{x.name}[{i}]") + [f"{b} = {bin_of(g, x, i, h)}"]
    add = f"cuda.atomic.{op}({h.name}, {b}, {weight})"
    lines += g.pick([add], [add], [f"if {b} > 0 and {b} < 50:", f"    {add}"], [f"for _ in range({x.name}[{i}] & 3):", f"    {add}"],
                    [add, f"if {b} > 2:", f"    cuda.atomic.{op}({h.name}, 0, 1)"])
    return place.around(lines)


def bitwise(g):
    kind, n, i = g.pick("int32", "int64", "uint32", "uint64"), g.size(), g.fresh("i")
    x, h = g.array("x", kind, n, most=2 ** 30), bins(g, kind, g.pick(1, 16))
    return one(g, i, length(g, x)).around(
        [f"cuda.atomic.{g.pick('and_', 'or_', 'xor')}({h.name}, {i} % {h.shape[0]}, {x.name}[{i}])"])


def scalar(g):
    """All threads meet in one element, or in a few that are known."""
    kind, n, i, acc = g.pick(*COUNTED), g.size(), g.fresh("i"), g.fresh("acc")
    x, h = g.array("x", kind, n, most=7), bins(g, kind, g.pick(1, 3))
    op = g.pick("add", "add", "max", "min")
    place = one(g, i, length(g, x))
    if g.chance(0.5) or kind.startswith("uint"):
        return place.around([f"cuda.atomic.{op}({h.name}, {g.pick('0', '-1', 'cuda.blockIdx.x % ' + h.name + '.size')}, {x.name}[{i}])"])
    start = f"{acc} = {g.zero(kind)}"
    return [start, *place.around([f"{acc} += {x.name}[{i}]"]), f"cuda.atomic.{op}({h.name}, 0, {acc})"] \
        if not any("return" in line for line in place.head) else \
        place.around([f"cuda.atomic.{op}({h.name}, 0, {x.name}[{i}])"])


def tickets(g):
    """The old value is used: every thread gets another number."""
    n, i, old = g.size(), g.fresh("i"), g.fresh("old")
    kind = g.pick("int32", "int64", "uint32")
    x, counter = g.array("x", "int32", n, most=10), g.give(g.fresh("counter"), f"zeros(3, dtype={kind})", True)
    seen = g.give(g.fresh("seen"), f"zeros({n + 1}, dtype=int32)", True)
    total = g.give(g.fresh("total"), "zeros(2, dtype=int64)", True)
    use = g.pick([f"{seen}[{old}] += 1"], [f"cuda.atomic.add({total}, 1, {old})"],
                 [f"if {old} == 2:", f"    {total}[0] = 7"])
    return one(g, i, length(g, x)).around(
        [f"if {x.name}[{i}] > -3:", f"    {old} = cuda.atomic.add({counter}, 0, 1)", *("    " + line for line in use)])


def claimed(g):
    """Numbers drawn from counters that threads share: each is drawn once, and a thread's own rise."""
    n, i, old, top, key = g.size(), *(g.fresh(name) for name in ("i", "old", "top", "key"))
    kind, by = g.pick("int32", "int64", "uint32", "uint64"), g.pick(1, 1, 3)
    x = g.array("x", "int32", n, most=10)
    counter = g.give(g.fresh("counter"), f"zeros(5, dtype={kind})", True)
    seen, others, falls = (g.give(g.fresh("seen"), f"zeros({size}, dtype=int32)", True) for size in (3 * n + 1, n + 1, 1))
    place = one(g, i, length(g, x))
    at = g.pick("0", "0", "1", f"{x.name}[{i}] % 2")
    alone, walks = len(at) == 1, any(word in line for line in place.head for word in ("for ", "while "))
    lines = left_early(g, place, f"{x.name}[{i}]")
    lines += g.pick([f"{key} = {x.name}[{i}] & 3"], [f"{key} = {i} & 3", f"if {x.name}[{i}] < 0:", f"    {key} = 3"])
    lines += [f"if {key} != 2:", f"    {old} = cuda.atomic.add({counter}, {at}, {by})"]
    lines += g.pick([], [f"    {seen}[{old}] += 1"] if alone else [f"    cuda.atomic.add({seen}, {old}, 1)"])
    if alone and walks:
        lines += [f"    if {old} < {top}:", f"        {falls}[0] = 1", f"    {top} = {old}"]
    lines += g.pick([], ["else:", f"    cuda.atomic.add({others}, 0, 1)"],
                    ["else:", f"    {old} = cuda.atomic.add({counter}, 4, 1)", f"    {others}[{old}] += 1"])
    return ([f"{top} = {kind}(0)"] if alone and walks else []) + place.around(lines)


def touched(g):
    """The array is used otherwise too, in elements that no atomic touches."""
    kind, n, i = g.pick("int32", "int64", "float32"), g.size(), g.fresh("i")
    x, h = g.array("x", "int32", n, most=1000), bins(g, kind, g.pick(4, 20))
    at = f"2 + {x.name}[{i}] % ({h.name}.size - 2)"
    place = one(g, i, length(g, x))
    work = g.pick([f"cuda.atomic.add({h.name}, {at}, {h.name}[0])"],
                  [f"cuda.atomic.add({h.name}, {at}, 1)", f"if {i} == 0:", f"    {h.name}[1] = 9"],
                  [f"cuda.atomic.add({h.name}, {at}, 1)", f"if {i} == 0:", f"    {h.name}[1] = {h.name}[0] + {h.name}[1]"],
                  [f"cuda.atomic.add({h.name}, {at}, {h.name}.shape[0])"])
    return place.around(work)


def mixed(g):
    """Operations that do not go together in general, on elements of their own."""
    kind, n, i = g.pick("int32", "uint32", "int64"), g.size(), g.fresh("i")
    x, h = g.array("x", kind, n, most=1000), bins(g, kind, 8)
    first, second = g.random.sample(["add", "max", "min", "xor", "or_"], 2)
    return one(g, i, length(g, x)).around(
        [f"if {i} % 2 == 0:", f"    cuda.atomic.{first}({h.name}, {i} % 4, {x.name}[{i}])",
         "else:", f"    cuda.atomic.{second}({h.name}, 4 + {i} % 4, {x.name}[{i}])"])


def overlapping(g):
    """The counters lie in an array that is another argument too, or in two arguments."""
    kind, n, i = g.pick("int32", "float32", "int64"), g.size(), g.fresh("i")
    x, base = g.array("x", "int32", n, most=1000), bins(g, kind, g.pick(6, 40))
    h = g.give(g.fresh("h"), f"{base.name}[{g.pick('2:', '2:-1', ':1:-1')}]", True)
    at = f"{x.name}[{i}] % {h}.size"
    work = g.pick([f"cuda.atomic.add({h}, {at}, {base.name}[0])"], [f"cuda.atomic.add({h}, {at}, 1)", f"cuda.atomic.add({base.name}, 2 + {at}, 2)"],
                  [f"cuda.atomic.add({h}, {at}, 1)", f"if {i} == 0:", f"    {base.name}[0] = 11"])
    return one(g, i, length(g, x)).around(work)


def in_function(g):
    kind, n, i, name = g.pick(*COUNTED), g.size(), g.fresh("i"), g.fresh("count")
    x, h = g.array("x", "int32", n, most=1000), bins(g, kind, g.pick(3, 60))
    g.definitions += [f"def {name}(h, b):", "    if b % 5 == 4:", "        return", "    cuda.atomic.add(h, b % h.size, 1)",
                      *g.pick(["    if b % 2 == 0:", "        cuda.atomic.add(h, 0, 1)"], []), "", ""]
    return one(g, i, length(g, x)).around([f"{name}({h.name}, {x.name}[{i}])"])


def two(g):
    """Two histograms at once, one of them perhaps too large."""
    n, i = g.size(), g.fresh("i")
    x, a, b = g.array("x", "int32", n, most=10000), bins(g, "int32"), bins(g, g.pick(*COUNTED))
    return one(g, i, length(g, x)).around(
        [f"cuda.atomic.add({h.name}, {bin_of(g, x, i, h)}, 1)" for h in (a, b)])


def divergent(g):
    """Loops of as many turns as the data say, with breaks."""
    kind, n, i, k = g.pick(*COUNTED), g.size(), g.fresh("i"), g.fresh("k")
    x, h = g.array("x", "int32", n, most=1000), bins(g, kind, g.pick(5, 64))
    loop = g.pick([f"for {k} in range(abs({x.name}[{i}]) % 7):"], [f"{k} = abs({x.name}[{i}]) % 9", f"while {k} > 0:", f"    {k} -= 2"])
    end = g.pick([f"    if {k} == 3:", "        break"], [f"    if ({k} + {i}) % 3 == 0:", "        continue"], [])
    return one(g, i, length(g, x)).around(loop + end + [f"    cuda.atomic.add({h.name}, ({x.name}[{i}] + {k}) % {h.shape[0]}, 1)"])


def wrapped(g):
    """inc wraps."""
    n, i, kind = g.size(), g.fresh("i"), g.pick("uint32", "uint64")
    x, h = g.array("x", "int32", n, most=1000), g.give(g.fresh("h"), f"zeros(4, dtype={kind})", True)
    return one(g, i, length(g, x)).around([f"cuda.atomic.inc({h}, {x.name}[{i}] % 4, {kind}({g.random.randrange(1, 9)}))"])


def plane(g):
    """A histogram of two axes, of the elements of a matrix."""
    kind, rows, columns = g.pick(*COUNTED), g.side(0), g.side(1)
    i, j = g.fresh("i"), g.fresh("j")
    x = g.array("x", "int32", (rows, columns), most=1000)
    h = g.array("h", kind, (g.pick(1, 3, 16), g.pick(1, 5, 33)), True, most=7)
    place = many(g, (i, j), (length(g, x), length(g, x, 1)))
    item = f"{x.name}[{i}, {j}]"
    at = g.pick(f"({item} % {h.shape[0]}, {j} % {h.shape[1]})", f"({item} % {h.name}.shape[0], {item} % {h.name}.shape[1])", f"({i} % {h.shape[0]}, -1)")
    return place.around(left_early(g, place, item) + [f"cuda.atomic.{g.pick('add', 'add', 'max')}({h.name}, {at}, {g.pick('1', f'{kind}(3)')})"])


def quotients(g):
    """Neighbours that add to one element, as their indices have one quotient."""
    kind, n, i = g.pick(*COUNTED), g.size(), g.fresh("i")
    x, h = g.array("x", kind, n, most=7), g.array("h", kind, 2 * n + 3, True, most=7)
    by, other = (g.pick("2", "3", "4", "7", "100", g.scalar("by", "int64", g.pick(1, 5, 8, 33))) for _ in range(2))
    at = g.pick(f"{i} // {by}", f"{i} // {by}", f"{i} // {by} + {i} // {other}", f"abs({i} // {by} - {i} // {other})", f"({n} - {i}) // {by}")
    op = g.pick("add", "add", "sub", "max", "min")
    place, item = one(g, i, length(g, x)), f"{x.name}[{i}]"
    add = f"cuda.atomic.{op}({h.name}, {at}, {g.pick(item, f'{kind}(3)')})"
    return place.around(g.pick([add], [add], [f"if {item} > 2:", f"    {add}"]))


def sums(g):
    """Sums of rows, columns or squares of a matrix, a thread an element; maxima and bits, too."""
    kind, rows, columns = g.pick(*COUNTED), g.side(0), g.side(1)
    i, j, axis = g.fresh("i"), g.fresh("j"), g.random.randrange(2)
    x = g.array("x", kind, (rows, columns), most=7)
    item = f"{x.name}[{i}, {j}]"
    if g.chance(0.5):
        h = g.array("h", kind, max(1, (rows, columns)[axis]), True, most=7)
        at = (i, j)[axis]
    else:
        high, wide = g.pick(2, 3, 8, 16), g.pick(1, 4, 8, 10)
        h = g.array("h", kind, (rows // high + 1, columns // wide + 1), True, most=7)
        at = f"({i} // {high}, {j} // {wide})"
    op = g.pick("add", "add", "sub", "max", "min") if kind.startswith("float") else \
        g.pick("add", "add", "sub", "max", "min", "and_", "or_", "xor")
    add = f"cuda.atomic.{op}({h.name}, {at}, {g.pick(item, item, f'{kind}(3)', f'{item} * {kind}(2)')})"
    place = many(g, (i, j), (length(g, x), length(g, x, 1)))
    return place.around(g.pick([add], [add], [f"if {item} > 2:", f"    {add}"], left_early(g, place, item) + [add]))


AXES_1 = [quotients, counted, counted, counted, bitwise, scalar, scalar, tickets, claimed, claimed, touched, mixed, overlapping, in_function, two, divergent, wrapped]
AXES_2 = [plane, sums, sums]
