"""Patterns in which a thread goes along a row, or along several: sums, counts, what is written on the way,
what is done in place, neighbours, and what keeps rows from being staged."""
from naive_lines import length
from naive_places import Place, guarded, many, one, returned, thread
from values import FLOATS

WIDTHS = (0, 1, 31, 63, 64, 65, 95, 96, 97, 128, 130, 200)


def kinds(g):
    return g.pick("float32", "float32", "float64", "int32", "int64", "uint8", "int16", "uint64", "float16")


def matrix(g, stem, kind, rows, cols, written=False, plain=None):
    most = 2 if kind == "float16" else 7
    return g.array(stem, kind, (rows, cols), written, most=most, plain=g.chance(0.8) if plain is None else plain)


def row_of(g, rows, array, axis=0):
    i, n = g.fresh("i"), length(g, array, axis)
    if array.shape[axis] >= g.threads() and g.chance(0.5):
        return i, Place([f"{i} = {thread(g)}"], 0)
    if g.chance(0.2):
        return i, one(g, i, n)
    return i, g.pick(guarded, returned)(g, i, n, thread(g))


def height(g, width):
    """Of a matrix: at times as long as its rows, where lanes may share these out."""
    n = g.size()
    return max(n, 128 + g.pick(0, 1, 40)) if width >= 128 and g.chance(0.6) else n


def bounds(g, a):
    """Of a loop along the rows of a matrix."""
    m = f"{a.name}.shape[1]"
    return g.pick(m, m, m, f"1, {m}", f"2, {m} - 1", f"max(0, {m} - 70), {m}", f"0, {m}, 2", f"{m} - 1, -1, -1")


def summed(g):
    kind, m = kinds(g), g.pick(*WIDTHS)
    n = height(g, m)
    a, out, k, acc = matrix(g, "a", kind, n, m), g.array("out", kind, n, True), g.fresh("k"), g.fresh("acc")
    i, place = row_of(g, n, a)
    at = g.pick(f"{a.name}[{i}, {k}]", f"{a.name}[{i}, {k}]", f"{a.name}[({i} + {k} % 2) % {a.name}.shape[0], {k}]", f"{a.name}[{i}, -1 - {k}]", f"{a.name}[-1 - {i}, {k}]",
                f"{a.name}[{i} // 2, {k}]")
    guard = f"if {i} < {out.name}.size:"
    term = g.pick([f"{acc} += {at}"], [f"{acc} = max({acc}, {at})"], [f"if {at} > 3:", f"    {acc} += {at}"],
                  [f"{acc} += {at} * {a.name}[{i}, {k}]"], [f"{acc} += {at}", f"if {acc} > 60:", "    break"],
                  [f"if {k} % 3 == 1:", "    continue", f"{acc} += {at}"], [f"{acc} += {at} * {k}"])
    if kind == "float16":
        term = [f"{acc} = max({acc}, {at})"]
    return place.around([guard, f"    {acc} = {g.zero(kind)}", f"    for {k} in range({bounds(g, a)}):",
                         *("        " + line for line in term), f"    {out.name}[{i}] = {acc}"])


def running(g):
    """What is written on the way: also to the array that is read, to one that overlaps it, or not always."""
    kind, n, m = g.pick("float32", "int32", "float64", "int64", "int16"), g.size(), g.pick(*WIDTHS)
    a, k, acc = matrix(g, "a", kind, n, m), g.fresh("k"), g.fresh("acc")
    out = matrix(g, "out", kind, n, m, True)
    i, place = row_of(g, n, a)
    A, O = f"{a.name}[{i}, {k}]", f"{out.name}[{i}, {k}]"
    work = g.pick([f"{acc} += {A}", f"{O} = {acc}"], [f"{O} = {A}", f"{acc} += 1"], [f"{O} += {A}"],
                  [f"{acc} += {A}", f"if {A} > 2:", f"    {O} = {acc}"], [f"{O} = {A} * 2", f"{acc} += {O}"],
                  [f"{acc} += {A}", f"{O} = {acc}", f"{O} += 1"],
                  [f"{acc} += {out.name}[{i}, 0]", f"{O} = {A}"],
                  [f"if {k} > 0 and {A} == {a.name}[{i}, {k} - 1]:", f"    {acc} += 1", "else:", f"    {acc} = {g.zero(kind)}", f"{O} = {acc}"],
                  [f"if {k} {g.pick('>', '<', '!=')} {g.pick(i, '40')}:", f"    {acc} += {A}", f"{O} = {acc}"],
                  [f"{O} = {A} + {out.name}[{i}, {k} - 1]"])
    part = g.fresh("part")
    named = g.pick([], [], [f"{part} = {g.pick(a.name, out.name)}[{i}]"])
    if named:
        work = g.pick([f"{O} = {A} + {part}[{k}]"], [f"{acc} += {part}[{k} - 1]", f"{O} = {acc}"],
                      [f"{O} = {A}", f"{part}[0] = {acc}"] if out.name in named[0] else [f"{O} = {part}[{k}]"])
    return place.around(named + [f"{acc} = {g.zero(kind)}", f"for {k} in range({bounds(g, a)}):", *("    " + line for line in work),
                         *g.pick([], [f"if {out.name}.shape[1] > 0:", f"    {out.name}[{i}, 0] = {acc}"])])


def phases(g):
    """Loop after loop over the same rows, as a softmax has them."""
    kind, m = g.pick("float32", "int32", "int64"), g.pick(*WIDTHS)
    n = height(g, m)
    a, out = matrix(g, "a", kind, n, m), matrix(g, "out", kind, n, m, True)
    k, top, total = g.fresh("k"), g.fresh("top"), g.fresh("total")
    i, place = row_of(g, n, a)
    A, O = f"{a.name}[{i}, {k}]", f"{out.name}[{i}, {k}]"
    loop = f"for {k} in range({a.name}.shape[1]):"
    return place.around([f"{top} = {total} = {g.zero(kind)}", loop, f"    {top} = max({top}, {A})",
                         *g.pick([], [f"if {top} < 4:", f"    {top} += 1"]),
                         loop, f"    {O} = {A} - {top}", f"    {total} += {O}" if g.chance(0.5) else f"    {total} += {A}",
                         loop, f"    {O} {g.pick('+=', '-=', '*=')} {g.pick(total, top, '2')}"])


def again(g):
    """Loop after loop that store to the same elements, counted otherwise, of which the last counts."""
    kind, m = g.pick("float32", "int32", "int64", "uint8"), g.pick(*WIDTHS, 128, 200)
    a, k, acc = matrix(g, "a", kind, height(g, m), m), g.fresh("k"), g.fresh("acc")
    out = matrix(g, "out", kind, *a.shape, True)
    i, place = row_of(g, a.shape[0], a)
    width, A = f"{a.name}.shape[1]", f"{a.name}[{i}, {k}]"
    body = [f"{acc} = {g.zero(kind)}"]
    for _ in range(g.pick(2, 2, 3)):
        at = g.pick(f"{k}", f"{k}", f"{width} - 1 - {k}", f"-1 - {k}")
        loop = g.pick(f"{width}", f"{width}", f"1, {width}", f"3, {width} - 1", f"0, {width}, 2")
        body += [f"for {k} in range({loop}):", f"    {out.name}[{i}, {at}] = {g.pick(A, f'{A} * 2', f'{A} + {k} % 3')}"]
        body += g.pick([], [f"    {acc} = max({acc}, {A})"], [] if kind in FLOATS else [f"    {acc} += {A}"])
    last = g.pick([], [f"if {width} > 0:", f"    {out.name}[{i}, {g.pick(0, -1, f'{width} // 2')}] = {acc}"])
    return place.around(body + last)


def against(g):
    """A row against a vector, or against all rows of a small matrix."""
    kind, n, m = g.pick("float32", "int32", "float64"), g.size(), g.pick(*WIDTHS)
    a, k, q, acc, best = matrix(g, "a", kind, n, m), g.fresh("k"), g.fresh("q"), g.fresh("acc"), g.fresh("best")
    i, place = row_of(g, n, a)
    A, loop = f"{a.name}[{i}, {k}]", f"for {k} in range({a.name}.shape[1]):"
    if g.chance(0.5):
        x, out = g.array("x", kind, m, most=7), g.array("out", kind, n, True)
        work = [f"{acc} = {g.zero(kind)}", loop, f"    {acc} += {A} * {x.name}[{k}]"]
    else:
        x, out = matrix(g, "x", kind, g.pick(1, 3, 4, 5, 9, 13), m), g.array("out", kind, n, True)
        loop = g.pick(loop, loop, loop, f"for {k} in range({q} % 2, {a.name}.shape[1]):")
        add = g.pick(f"{best} += {A} * {x.name}[{q}, {k}]", f"{best} += {A} * {x.name}[{q}, {k}]",
                     f"{best} = max({best}, {A} + {acc})", f"{best} += {A} * {x.name}[{q} // 2, {k}]")
        behind = g.pick([f"if {best} > {acc}:", f"    {acc} = {best}"], [f"{acc} = max({acc}, {best})"],
                        [f"if {best} > 50:", "    break", f"{acc} = {best}"])
        work = [f"{acc} = {g.zero(kind)}", *g.pick([], [f"{best} = {g.zero(kind)}"]),
                f"for {q} in range({g.pick('', '', '1, ', '2, ')}{x.name}.shape[0]):", f"    {best} = {g.zero(kind)}",
                "    " + loop, "        " + add, *("    " + line for line in behind)]
    return place.around(work + [f"if {i} < {out.name}.size:", f"    {out.name}[{i}] = {acc}"])


def neighbours(g):
    """Rows beside one's own, elements beside the present one; and the matrix twice."""
    kind, n, m = g.pick("float32", "int32", "int16"), max(3, g.size()), max(3, g.pick(*WIDTHS))
    a, out, k = matrix(g, "a", kind, n, m), matrix(g, "out", kind, n, m, True), g.fresh("k")
    b = g.give(g.fresh("b"), a.name) if g.chance(0.3) else a.name
    i, place = row_of(g, n, a)
    near = [f"{a.name}[{i}, {k} - 1]", f"{b}[{i}, {k} + 1]", f"{a.name}[{i} - 1, {k}]", f"{b}[{i}, {k}]"]
    return place.around([f"for {k} in range(1, {a.name}.shape[1] - 1):",
                         f"    {out.name}[{i}, {k}] = {' + '.join(g.random.sample(near, g.pick(1, 2, 3)))}"])


def deep(g):
    """Rows of a volume, one plane after the other."""
    kind, n, m, d = g.pick("float32", "int32"), g.size(), g.pick(*WIDTHS), g.pick(1, 2, 3)
    a, out = g.array("a", kind, (d, n, m), most=7, plain=True), g.array("out", kind, (n, d), True, plain=True)
    k, q, acc = g.fresh("k"), g.fresh("q"), g.fresh("acc")
    i, place = row_of(g, n, a, 1)
    return place.around([f"for {q} in range({a.name}.shape[0]):", f"    {acc} = {g.zero(kind)}",
                         f"    for {k} in range({a.name}.shape[2]):", f"        {acc} += {a.name}[{q}, {i}, {k}]",
                         f"    {out.name}[{i}, {q}] = {acc}"])


def columns(g):
    """Down a column: what is found in any order, what is handed on, what is written on the way."""
    kind, n, m = g.pick("int32", "int32", "int64", "uint32", "float32"), g.pick(1, 127, 128, 131, 300), g.size()
    a, out, k = matrix(g, "a", kind, n, m), matrix(g, "out", kind, n, m, True), g.fresh("k")
    acc, other, last = g.fresh("acc"), g.fresh("other"), g.fresh("last")
    j, place = row_of(g, m, a, 1)
    A, O = f"{a.name}[{k}, {j}]", f"{out.name}[{k}, {j}]"
    tail = g.pick("", f" + {last}")
    work = [line for lines in g.random.sample([
        [f"{acc} = {g.pick('min', 'max')}({acc}, {A})"], [f"{other} += {A}"], [f"{other} -= {A}"],
        [f"if {A} > 2:", f"    {other} += {A}"], [f"{last} = {A}", f"{other} += {last} * {last}"], [f"{O} = {A}"],
        [f"if {A} == 1:", f"    {last} = {A}"], [f"{O} = {acc}"], [f"{last} ^= {A}" if kind != "float32" else f"{last} = 5"],
    ], g.pick(1, 2, 2, 3)) for line in lines]
    return place.around([f"{acc} = {other} = {last} = {g.zero(kind)}", f"for {k} in range({g.pick('', '', '1, ')}{a.name}.shape[0]):",
                         *("    " + line for line in work),
                         f"if {out.name}.shape[0] > 2 and {j} < {out.name}.shape[1]:",
                         f"    {out.name}[0, {j}] = {acc}", f"    {out.name}[1, {j}] = {other}{tail}"])


def parts(g):
    """A part of one axis for each thread, or rows in one axis whose length the kernel computes."""
    kind, part = g.pick("float32", "int32", "float64", "uint8"), g.pick(*WIDTHS)
    threads = g.threads() + g.pick(-2, 0, 0, 3)
    size = max(0, threads * part + g.pick(-part - 1, -part // 2, -1, 0, 0, 1, part))
    x, y, out = g.array("x", kind, size, most=7, plain=True), g.array("y", kind, size, True, plain=True), g.array("out", kind, g.size(), True)
    i, c, k, acc, end, start = (g.fresh(stem) for stem in ("i", "c", "k", "acc", "end", "start"))
    n = g.pick(f"{x.name}.size", f"{x.name}.shape[0]", g.scalar("n", g.pick("int64", "int32"), size))
    w = g.scalar("w", g.pick("int64", "int64", "int32"), g.pick(part, 2 * part))
    head = [f"{i} = {thread(g)}", f"{c} = {g.pick(w, w, str(part), f'{w} // 2', f'{w} + 3', f'({n} + cuda.gridsize(1) - 1) // cuda.gridsize(1)')}"]
    first = g.pick(f"{i} * {c}", f"{c} * {i}")
    if g.chance(0.5):
        head, first = head + [f"{start} = {first}"], start
    last = g.pick(f"{first} + {c}", f"({i} + 1) * {c}")
    form = g.pick("least", "least", "named", "less", "whole", "off")
    loop = f"for {k} in range({first}, min({last}, {n})):"
    if form == "named":
        head, loop = head + [f"{end} = min({n}, {last})"], f"for {k} in range({first}, {end}):"
    elif form == "less":
        head, loop = head + [f"{end} = {last}", f"if {end} > {n}:", f"    {end} = {n}"], f"for {k} in range({first}, {end}):"
    elif form == "whole":
        head, loop = head + [f"if {last} > {n}:", "    return"] if g.last else head, \
            f"for {k} in range({first}, {last}):" if g.last else loop
    at = k
    if form == "off":
        loop, at = f"for {k} in range({c} if {last} <= {n} else 0):", f"{first} + {k}"
    A = f"{x.name}[{at}]"
    work = g.pick([f"{acc} += {A}"], [f"{acc} += {A}", f"{y.name}[{at}] = {acc}"], [f"if {A} > 3:", f"    {acc} += {A}"],
                  [f"{y.name}[{at}] += {A}"], [f"{y.name}[{at}] = {A} + {k} % 3"])
    return head + [f"{acc} = {g.zero(kind)}", loop, *("    " + line for line in work),
                   f"if {i} < {out.name}.size:", f"    {out.name}[{i}] = {acc}"]


def apart(g):
    """A row or a column of its own for each thread along several axes, and what those along one share."""
    kind, m, axes = g.pick("float32", "float32", "float64", "int32", "int64"), g.pick(3, 64, 127, 128, 130, 200), range(g.axes)
    sides, names = [min(g.side(axis), (40, 40, 4)[axis]) for axis in axes], [g.fresh("ijl"[axis]) for axis in axes]
    k, acc, out = g.fresh("k"), g.fresh("acc"), g.array("out", kind, tuple(sides), True, most=7)
    across = g.chance(0.3)
    a = g.array("a", kind, (*sides[:-1], m, sides[-1]) if across else (*sides, m), most=7)
    shared, y = g.array("shared", kind, (sides[-1], m), most=7), g.array("y", kind, (*sides, m), True, most=7)
    place = many(g, tuple(names), [length(g, out, axis) for axis in axes])
    at = ", ".join([*names[:-1], k, names[-1]] if across else [*names, k])
    A, S, Y = f"{a.name}[{at}]", f"{shared.name}[{names[-1]}, {k}]", f"{y.name}[{', '.join(names)}, {k}]"
    loop = f"for {k} in range({length(g, y, len(sides))}):"
    works = [[f"{acc} += {A}"], [f"{acc} += {A} * {S}"], [f"{acc} = max({acc}, {A})"], [f"{acc} += {A}", f"{Y} = {acc}"],
             [f"{Y} = {A} - {acc}"], [f"if {S} > 3:", f"    {acc} += {A}"]]
    lines = [f"{acc} = {g.zero(kind)}"]
    for _ in range(g.pick(1, 1, 2)):
        lines += [loop, *("    " + line for line in g.pick(*works))]
    return place.around([*lines, f"{out.name}[{', '.join(names)}] = {acc}"])


def tallied(g):
    """What each row has is counted: in an array, or in the thread's own, or by atomics of rows that threads share."""
    kind, m, bins = g.pick("int32", "int64", "uint32", "uint64", "int16", "int32"), g.pick(*WIDTHS), g.pick(1, 3, 16, 33, 100)
    n = height(g, m)
    x, h = matrix(g, "x", g.pick("int32", "int64", "uint8"), n, m), g.array("h", kind, (n, bins), True)
    i, place = row_of(g, n, x)
    k, v, b, own = g.fresh("k"), g.fresh("v"), g.fresh("b"), g.fresh("own")
    bin_of = g.pick(f"{x.name}[{i}, {k}] % {bins}", f"-1 - {x.name}[{i}, {k}] % {bins}", f"({x.name}[{i}, {k}] + {k}) % {h.name}.shape[1]")
    weight = g.pick("1", "1", "2", f"{x.name}[{i}, {k}]", k)
    counts = own if g.chance(0.35) else f"{h.name}[{i}]" if g.chance(0.1) else h.name
    at = f"{counts}[{b}]" if counts != h.name else f"{counts}[{g.pick(i, i, i, f'{i} // 1')}, {b}]"
    add = [f"{at} {g.pick('+=', '+=', '-=')} {weight}"]
    if counts == h.name and kind != "int16" and g.chance(0.3):
        add = [f"cuda.atomic.{g.pick('add', 'sub')}({h.name}, ({g.pick(i, f'{i} // 2')}, {b}), {kind}({weight}))"]
    add = g.pick(add, add, [f"if {x.name}[{i}, {k}] > 2:", *("    " + line for line in add)], [*add, *add])
    lines = [f"for {k} in range({bounds(g, x)}):", f"    {b} = {bin_of}", *("    " + line for line in add)]
    if counts == own:
        back = g.pick([f"for {v} in range({bins}):", f"    {h.name}[{i}, {v}] = {own}[{v}]"],
                      [f"{b} = 0", f"for {v} in range(1, {bins}):", f"    if {own}[{v}] > {own}[{b}]:", f"        {b} = {v}", f"{h.name}[{i}, 0] = {b}"])
        lines = [f"{own} = cuda.local.array({bins}, {kind})", f"for {v} in range({bins}):", f"    {own}[{v}] = {g.pick('0', v)}", *lines, *back]
    elif g.chance(0.3):
        lines = [f"for {v} in range({h.name}.shape[1]):", f"    {h.name}[{i}, {v}] = {g.pick('0', v)}", *lines] if "atomic" not in "".join(lines) else lines
    return place.around([f"if {i} < {h.name}.shape[0]:", *("    " + line for line in lines)])


AXES_1 = [summed, summed, running, again, running, phases, against, neighbours, deep, columns, parts, parts, tallied, tallied]
AXES_2 = [apart, apart]
AXES_3 = [apart]
