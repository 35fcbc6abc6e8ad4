"""Arrays of packed records, local and shared, of one axis and of two: copied whole and by field.

Each program has two dtypes whose fields lie at any offset, one of them with a nested record that has
a nested record. `bag_I` are the thread's own records of dtype PACKED_I, `pile_I` the block's.
"""
from arith import index, of_kind
from together import THREADS
from values import DTYPES, FLOATS, kept

SIZE = 4


class Packed:
    """The paths of fields that are numbers, and the lines of the definition."""

    def __init__(self, g, name, deep):
        self.name, self.fields, self.lines = name, {}, []
        own = [(f"a{i}", g.pick(*DTYPES, "int64", "int64", "float64", "int8")) for i in range(g.random.randrange(1, 5))]
        texts = [f'("{field}", np.{kind})' for field, kind in own]
        self.fields.update({f".{field}": kind for field, kind in own})
        if deep:
            middle = Packed(g, f"{name}_IN", deep - 1)
            self.lines += middle.lines
            self.fields.update({f".part{path}": kind for path, kind in middle.fields.items()})
            texts.insert(g.random.randrange(len(texts) + 1), f'("part", {middle.name})')
        self.lines.append(f"{name} = np.dtype([{', '.join(texts)}])")


def whole_record(g, which):
    """A record of that dtype, to be read or written."""
    if which == 1:
        return g.pick(f"bag_1[{index(g, 0, 2)}, {index(g, 0, 2)}]", "out_packed_1[thread]")
    return g.pick(f"bag_0[{index(g, 0, SIZE)}]", f"bag_0[{index(g, 0, SIZE)}]", "out_packed_0[thread]")


def read(g, depth):
    if not g.in_kernel:
        return None
    which = g.pick(0, 1)
    path, kind = g.random.choice(list(g.packed[which].fields.items()))
    if path.count(".") == 1 and which == 0 and g.chance(0.3):
        return kept(f"bag_0{path}[{index(g, 0, SIZE)}]", kind)
    return kept(whole_record(g, which) + path, kind)


def write(g, depth, together):
    if not g.in_kernel:
        return None
    which = g.pick(0, 1)
    path, kind = g.random.choice(list(g.packed[which].fields.items()))
    return [f"{whole_record(g, which)}{path} = {of_kind(g, kind, 1)}"]


def copy(g, depth, together):
    """A record, or the nested one of it, or all of them in turn."""
    if not g.in_kernel:
        return None
    which, slot = g.pick(0, 1), g.fresh("slot")
    a, b = whole_record(g, which), whole_record(g, which)
    if which == 0 and g.chance(0.3):
        return [f"for {slot} in range({SIZE}):", f"    bag_0[{slot}] = bag_0[({slot} + 1) % {SIZE}]"]
    if which == 1 and g.chance(0.3):
        return [f"{a}.part = {b}.part"]
    return [f"{a} = {b}"]


def through(g, depth, together):
    """Into shared memory whole, and out of a neighbour's, whole or by field."""
    if "together" in g.without:
        return None
    which, name = g.pick(0, 1), g.fresh("v")
    shift = g.random.randrange(THREADS)
    theirs = f"pile_{which}[(cuda.threadIdx.x + {shift}) % {THREADS}]"
    path, kind = g.random.choice(list(g.packed[which].fields.items()))
    first = f"pile_{which}[cuda.threadIdx.x]{path} = {of_kind(g, kind, 1)}"
    lines = ["cuda.syncthreads()", f"pile_{which}[cuda.threadIdx.x] = {whole_record(g, which)}",
             *g.pick([first], []), "cuda.syncthreads()", f"{whole_record(g, which)} = {theirs}",
             f"{name} = {theirs}{path}"]
    g.variables[name] = kind
    return lines


def begin(g):
    g.packed = [Packed(g, "PACKED_0", 0), Packed(g, "PACKED_1", g.pick(1, 2))]
    slot, row = "slot", "row"
    for which, dtype in enumerate(g.packed):
        g.definitions += [*dtype.lines, "", ""]
        g.parameters.append((f"out_packed_{which}", f"zeros({g.threads}, dtype={dtype.name})", True))
        shape = SIZE if which == 0 else "(2, 2)"
        g.start += [f"bag_{which} = cuda.local.array({shape}, {dtype.name})",
                    f"for {slot} in range({SIZE if which == 0 else 2}):"]
        place = slot
        if which == 1:
            g.start.append(f"    for {row} in range(2):")
            place = f"{slot}, {row}"
        margin = "        " if which else "    "
        for i, (path, kind) in enumerate(dtype.fields.items()):
            value = f"({slot} * 3 + {i} + thread) & 7" if kind in FLOATS else f"(thread << 3) + {slot} * 5 - {i}"
            g.start.append(f"{margin}bag_{which}[{place}]{path} = {kind}({value})")
        if "together" not in g.without:
            g.start += [f"pile_{which} = cuda.shared.array({THREADS}, {dtype.name})",
                        f"pile_{which}[cuda.threadIdx.x] = bag_{which}[{'0, 0' if which else '0'}]"]
        for path, kind in dtype.fields.items():
            value = f"bag_{which}[{'1, 0' if which else '2'}]{path}"
            g.end.append(f"seen[thread] = seen[thread] * 31 + int64({value}{f' * {kind}(4)' if kind in FLOATS else ''})")
    if "together" not in g.without:
        g.start.append("cuda.syncthreads()")


EXPRESSIONS = [read, read]
STATEMENTS = [write, write, copy, copy]
NESTING = []
TOGETHER = [through, through]
