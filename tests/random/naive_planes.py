"""Patterns of two and three axes: matrices and volumes."""
from naive_lines import length, left_early, stored
from naive_places import many
from values import DTYPES, FLOATS


def elements(g):
    kind, h, w = g.pick(*DTYPES), g.side(0), g.side(1)
    i, j = g.fresh("i"), g.fresh("j")
    out = g.array("out", kind, (h, w), True)
    inputs = [g.array("x", kind, (h, w)) for _ in range(g.pick(1, 2))]
    row, column = g.array("row", kind, w), g.array("column", kind, h)
    place = many(g, (i, j), (length(g, out), length(g, out, 1)))
    texts = [f"{x.name}[{i}, {j}]" for x in inputs] + [f"{row.name}[{j}]", f"{column.name}[{i}]"]
    lines = left_early(g, place, texts[0])
    return place.around(lines + stored(g, f"{out.name}[{i}, {j}]", kind, g.value(kind, texts, {i: "int64", j: "int64"})))


def transpose(g):
    kind, h, w = g.pick(*DTYPES), g.side(0), g.side(1)
    i, j = g.fresh("i"), g.fresh("j")
    x, out = g.array("x", kind, (h, w)), g.array("out", kind, (w, h), True)
    place = many(g, (i, j), (length(g, x), length(g, x, 1)))
    value = g.pick(f"{x.name}[{i}, {j}]", f"{x.name}[{i}, {j}] * 2", f"{x.name}[-1 - {i}, {j}]")
    return place.around([f"{out.name}[{j}, {i}] = {value}"])


def product(g):
    """out[i, j] = sum of a[i, k] b[k, j], the naive way."""
    kind = g.pick("float32", "float64", "int32", "int64", "uint8", "float16", "int16")
    h, w, m = g.side(0), g.side(1), g.pick(0, 1, 2, 5, 16, 17, 31)
    i, j, k, acc = (g.fresh(stem) for stem in ("i", "j", "k", "acc"))
    most = 2 if kind == "float16" else 7 if kind in FLOATS else 100
    a, b = g.array("a", kind, (h, m), most=most), g.array("b", kind, (m, w), most=most)
    out = g.array("out", kind, (h, w), True, most=most)
    A, B, O = f"{a.name}[{i}, {k}]", f"{b.name}[{k}, {j}]", f"{out.name}[{i}, {j}]"
    if g.chance(0.2) and h == m:
        A = f"{a.name}[{k}, {i}]"
    place = many(g, (i, j), (length(g, out), length(g, out, 1)))
    loop = f"for {k} in range({length(g, a, 1) if 'k, i' not in A else length(g, b)}):"
    loop = f"for {k} in range({length(g, b)}):" if A.startswith(f"{a.name}[{k}") else loop
    work = g.pick([loop, f"    {O} += {A} * {B}"], [f"{O} = 0", loop, f"    {O} += {A} * {B}"],
                  [f"{acc} = {g.zero(kind)}", loop, f"    {acc} += {A} * {B}", f"{O} = {acc}"],
                  [f"{acc} = {g.zero(kind)}", loop, f"    {acc} += {A} * {B}", f"{O} += {acc}"],
                  [loop, f"    {O} = {O} + {A} * {B}"], [loop, f"    if {A} > {B}:", f"        {O} += {A}"])
    return place.around(left_early(g, place, O) + work)


def contracted(g):
    """A product of many threads, its factors made of elements, by any way of adding up."""
    kind = g.pick("float64", "float64", "float64", "float32", "int32")
    if not g.parameters:  # patterns in front have sized their arrays
        g.grid = tuple(max(blocks, -(-64 // threads)) for blocks, threads in zip(g.grid, g.block))
    h, w = (g.pick(g.threads(axis), max(0, g.threads(axis) + g.pick(-9, -1, 3))) for axis in (0, 1))
    m = g.pick(0, 1, 7, 8, 15, 16, 17, 31, 32, 40)
    i, j, k, acc = (g.fresh(stem) for stem in ("i", "j", "k", "acc"))
    turned, itself = g.chance(0.3), g.chance(0.2) and h == w
    a = g.array("a", kind, (m, h) if turned else (h, m), most=7)
    b = a if itself else g.array("b", kind, (w, m) if g.chance(0.3) else (m, w), most=7)
    bias, out = g.array("bias", kind, w, most=7), g.array("out", kind, (h, w), True, most=7)
    A = f"{a.name}[{k}, {i}]" if turned else f"{a.name}[{i}, {k}]"
    along = g.shapes[b.name] == (m, w) and not (itself and not turned)
    B = f"{b.name}[{k}, {j}]" if along else f"{b.name}[{j}, {k}]"
    O = f"{out.name}[{i}, {j}]"
    mean = g.array("mean", kind, h, most=7)
    A = g.pick(A, A, f"({A} + {bias.name}[0])" if w else A, f"2 * {A}", f"max({A}, {kind}(3))", f"({A} - {mean.name}[{i}])")
    A, B = g.pick((A, B), (B, A))
    begin = g.pick(g.zero(kind), g.zero(kind), f"{bias.name}[{j}]", O, f"{kind}(-5)")
    step = g.pick(f"{acc} += {A} * {B}", f"{acc} = {A} * {B} + {acc}", f"{acc} -= {A} * {B}")
    end = g.pick(acc, acc, f"max({acc}, {kind}(9)) + {bias.name}[{j}]", f"{O} - {acc}")
    loop = f"for {k} in range({g.pick(length(g, a, 0 if turned else 1), 'max(0, ' + str(m - 1) + ')')}):"
    place, work = many(g, (i, j), (length(g, out), length(g, out, 1))), [f"{acc} = {begin}", loop, f"    {step}", f"{O} = {end}"]
    if g.chance(0.25):  # one side of a slant alone
        work = [f"if {i} {g.pick('<', '>', '<=')} {g.pick(j, j, j + ' + 3')}:", f"    {O} = {g.pick(acc + ' + ' + acc, kind + '(3)')}",
                "else:", *("    " + line for line in work)]
        work = [f"{acc} = {kind}(2)", *work] if acc + " + " in work[1] else work
    return place.around(left_early(g, place, O) + work)


def gathered_rows(g):
    """Sums over rows of a table: as many, and which, as other arrays say, or those around."""
    kind, h, w = g.pick("float32", "float64", "int32", "uint8"), g.side(0), g.side(1)
    i, j, k, acc, rows = *(g.fresh(stem) for stem in ("i", "j", "k", "acc")), g.pick(2, 5, 40)
    starts = [0]
    for _ in range(h):
        starts.append(starts[-1] + g.random.randrange(0, 5))
    start = g.give(g.fresh("start"), f"array({starts}, dtype={g.pick('int32', 'int64')})")
    which = g.array("which", g.pick("int32", "int64"), max(1, starts[-1]), most=rows - 1)
    weight, table = g.array("weight", kind, max(1, starts[-1]), most=3), g.array("table", kind, (rows, w), most=7)
    out, around = g.array("out", kind, (h, w), True, most=7), g.chance(0.3)
    head = f"for {k} in range({start}[{i}], {start}[{i} + 1]):"
    row = g.pick(f"{which.name}[{k}]", f"abs({which.name}[{k}])")
    term = f"{table.name}[{row}, {j}]" + g.pick("", f" * {weight.name}[{k}]")
    if around:
        head, term = f"for {k} in range(max(0, {i} - 2), min({i} + 3, {rows})):", f"{table.name}[{k}, {j}]"
    work = g.pick([f"    {acc} += {term}"], [f"    {acc} += {term}", f"    {acc} -= {kind}({k} % 3)"],
                  [f"    if {weight.name}[0] > 1:", f"        {acc} += {term}"])
    place = many(g, (i, j), (length(g, out), length(g, out, 1)))
    return place.around([f"{acc} = {g.zero(kind)}", head, *work, f"{out.name}[{i}, {j}] = {acc}"])


def overlapped(g):
    """A matrix and its transpose or a part of it, both arguments; each thread stays with its own."""
    kind, side = g.pick("int32", "float32", "int64", "int16"), max(1, g.side(0))
    i, j, k = g.fresh("i"), g.fresh("j"), g.fresh("k")
    a = g.array("a", kind, (side, side), True, plain=g.chance(0.6))
    cut, at = g.pick((".T", f"{j}, {i}"), ("[::-1]", f"{a.name}.shape[0] - 1 - {i}, {j}"), ("[:, ::-1]", f"{i}, -1 - {j}"),
                     ("[:]", f"{i}, {j}"))
    b = g.give(g.fresh("b"), f"{a.name}{cut}", True)
    A, B = f"{a.name}[{i}, {j}]", f"{b}[{at}]"
    work = g.pick([f"{A} = {B} + 1", f"{B} += {A}"], [f"for {k} in range(2):", f"    {A} += {B}", f"    {B} += 1"])
    return many(g, (i, j), (length(g, a), length(g, a, 1))).around(work)


def parts_of_one(g):
    """Arguments that lie side by side or by turns in one array, or are one; what a thread has of each is its
    own, and it reads some of it after another was written."""
    kind, h, w = g.pick("int32", "float32", "int64", "int16", "float64"), g.side(0), g.side(1)
    i, j, k = g.fresh("i"), g.fresh("j"), g.fresh("k")
    cuts = g.pick([f"[:, {c}::3]" for c in range(3)], [f"[{c}::3]" for c in range(3)],
                  [f"[:, {c} * {w}:{c + 1} * {w}]" for c in range(3)], [f"[{c} * {h}:{c + 1} * {h}]" for c in range(3)],
                  ["[:]", "[:]", "[:]"])
    shape = (h, 3 * w) if cuts[0].startswith("[:, ") else (h, w) if cuts[0] == "[:]" else (3 * h, w)
    base = g.array("base", kind, shape, True, plain=g.chance(0.5))
    x, y, z = (g.give(g.fresh("part"), f"{base.name}{g.pick(*cuts) if g.chance(0.2) else cut}", True) for cut in cuts)
    X, Y, Z = (f"{part}[{i}, {j}]" for part in (x, y, z))
    work = g.pick([f"{Z} = {X} + 1", f"{X} = {Z} - {Y}", f"{Z} = {X}"],
                  [f"for {k} in range({g.random.randrange(0, 4)}):", f"    {Z} += {X}", f"    {Y} = {Z} - {k}"],
                  [f"{X}, {Y} = {Y}, {X}", f"{Z} += {X} - {Y}"],
                  [f"for {k} in range(3, 0, -1):", f"    if {Y} > {k}:", f"        {X} = {k}", "        break",
                   f"    {Z} = {X} + {Y}", "else:", f"    {Z} = {Y} - {X}"])
    return many(g, (i, j), (f"{z}.shape[0]", f"{z}.shape[1]")).around(work)


def product_in_place(g):
    """The result overlaps a factor's memory, not what is read of it."""
    kind, side, m = g.pick("float32", "int32", "float64"), max(1, g.side(0)), g.pick(1, 3, 16)
    i, j, k = g.fresh("i"), g.fresh("j"), g.fresh("k")
    both = g.array("both", kind, (side, side + m), True, most=7, plain=True)
    a = g.give(g.fresh("a"), f"{both.name}[:, :{m}]")
    out = g.give(g.fresh("out"), f"{both.name}[:, {m}:]", True)
    b = g.array("b", kind, (m, side), most=7)
    return many(g, (i, j), (f"{out}.shape[0]", f"{out}.shape[1]")).around(
        [f"for {k} in range({a}.shape[1]):", f"    {out}[{i}, {j}] += {a}[{i}, {k}] * {b.name}[{k}, {j}]"])


def stencil(g):
    kind, h, w = g.pick(*DTYPES), max(1, g.side(0)), max(1, g.side(1))
    i, j = g.fresh("i"), g.fresh("j")
    x, out = g.array("x", kind, (h, w)), g.array("out", kind, (h, w), True)
    place, X = many(g, (i, j), (length(g, out), length(g, out, 1))), x.name
    near = [f"{X}[{i}, {j}]", f"{X}[{i} - 1, {j}]", f"{X}[{i} + 1, {j}]", f"{X}[{i}, {j} - 1]", f"{X}[{i}, {j} + 1]"]
    if g.chance(0.4):
        wrapped = [f"{X}[({i} + 1) % {X}.shape[0], {j}]", f"{X}[{i} - 1, {j}]", f"{X}[{i}, {j} - 1]", f"{X}[{i}, {j}]"]
        return place.around([f"{out.name}[{i}, {j}] = " + g.value(kind, wrapped)])
    guard = f"if 0 < {i} < {X}.shape[0] - 1 and 0 < {j} < {X}.shape[1] - 1:"
    return place.around([guard, f"    {out.name}[{i}, {j}] = " + g.value(kind, near)])


def window(g):
    """Loops over a small window around each element."""
    kind, h, w = g.pick("int32", "int16", "float32", "float64", "uint8"), g.side(0), g.side(1)
    i, j, a, b, acc = (g.fresh(stem) for stem in ("i", "j", "a", "b", "acc"))
    x, f = g.array("x", kind, (h, w), most=7), g.array("f", kind, (3, g.pick(1, 3, 5)), most=7)
    out = g.array("out", kind, (h, w), True, most=7)
    inside = f"0 <= {i} + {a} - 1 < {x.name}.shape[0] and 0 <= {j} + {b} < {x.name}.shape[1]"
    term = f"{x.name}[{i} + {a} - 1, {j} + {b}] * {f.name}[{a}, {b}]"
    target = g.pick(acc, f"{out.name}[{i}, {j}]")
    return many(g, (i, j), (length(g, out), length(g, out, 1))).around(
        [f"{target} = {g.zero(kind)}", f"for {a} in range({f.name}.shape[0]):", f"    for {b} in range({f.name}.shape[1]):",
         f"        if {inside}:", f"            {target} += {term}", f"{out.name}[{i}, {j}] = {target}"])


def sampled(g):
    """Elements found by coordinates that are computed, of a flat picture too, between a channel's numbers."""
    kind, h, w = g.pick("int32", "float32", "float64", "uint8"), max(1, g.side(0)), max(1, g.side(1))
    i, j, y, x = (g.fresh(stem) for stem in "ijyx")
    picture, out = g.array("x", kind, h * w), g.array("out", kind, (h, w), True)
    scale = g.array("scale", kind, w)
    rows, columns = length(g, out), length(g, out, 1)
    place = many(g, (i, j), (rows, columns))
    at = g.pick([f"{y} = int({i} * 0.75)", f"{x} = min(int({j} * {g.pick(0.5, 1.25)}), {columns} - 1)"],
                [f"{y} = ({i} * {g.pick(2, 3)} + {j}) % {rows}", f"{x} = ({j} * 3 + {i}) % {columns}"],
                [f"{y} = {i}", f"{x} = {j} // {g.pick(2, 3)} % {columns}"])
    texts = [f"{picture.name}[{y} * {columns} + {x}]", f"{scale.name}[{j} // {rows} % {columns}]"]
    return place.around(at + stored(g, f"{out.name}[{i}, {j}]", kind, g.value(kind, texts)))


def one_of_two(g):
    """A launch of two axes for an array of one."""
    kind, n = g.pick(*DTYPES), g.size()
    x, out, i, y, wide = g.array("x", kind, n), g.array("out", kind, n, True), g.fresh("i"), g.fresh("y"), g.fresh("wide")
    return [f"{i}, {y} = cuda.grid(2)", f"{wide}, _ = cuda.gridsize(2)", f"{i} += {y} * {wide}", f"if {i} < {out.name}.size:",
            f"    {out.name}[{i}] = " + g.value(kind, [f"{x.name}[{i}]"])]


def volume(g):
    kind, shape = g.pick(*DTYPES), tuple(min(g.side(axis), 20) for axis in range(3))
    names = tuple(g.fresh(stem) for stem in "ijk")
    x, out = g.array("x", kind, shape), g.array("out", kind, shape, True)
    at = ", ".join(names)
    place = many(g, names, [length(g, out, axis) for axis in range(3)])
    texts = [f"{x.name}[{at}]", f"{x.name}[{names[0]}, -1 - {names[1]}, {names[2]}]"]
    return place.around(stored(g, f"{out.name}[{at}]", kind, g.value(kind, texts, {name: "int64" for name in names})))


def turned_volume(g):
    kind, shape = g.pick(*DTYPES), tuple(min(g.side(axis), 20) for axis in range(3))
    names, order = tuple(g.fresh(stem) for stem in "ijk"), [0, 1, 2]
    g.random.shuffle(order)
    x = g.array("x", kind, shape)
    out = g.array("out", kind, tuple(shape[axis] for axis in order), True)
    place = many(g, names, [length(g, x, axis) for axis in range(3)])
    return place.around([f"{out.name}[{', '.join(names[axis] for axis in order)}] = {x.name}[{', '.join(names)}]"])


def batched(g):
    """A product for each of several pairs of matrices."""
    kind, (n, h, w), m = g.pick("float32", "float64", "int32"), (min(g.side(axis), 12) for axis in range(3)), g.pick(1, 4, 9)
    b, i, j, k = (g.fresh(stem) for stem in "bijk")
    x, y = g.array("x", kind, (n, h, m), most=7), g.array("y", kind, (n, m, w), most=7)
    out = g.array("out", kind, (n, h, w), True, most=7)
    place = many(g, (b, i, j), [length(g, out, axis) for axis in range(3)])
    O = f"{out.name}[{b}, {i}, {j}]"
    return place.around([f"for {k} in range({length(g, y, 1)}):", f"    {O} += {x.name}[{b}, {i}, {k}] * {y.name}[{b}, {k}, {j}]"])


AXES_2 = [elements, elements, transpose, transpose, product, product, product, contracted, contracted, gathered_rows,
          gathered_rows, overlapped, parts_of_one, product_in_place, stencil, window, sampled, sampled, one_of_two]
AXES_3 = [volume, turned_volume, batched]
