"""Threads that read a window around their element, by loops of few iterations, with borders of all
kinds; pictures of several channels, and stores that go to one element either way."""
from naive_lines import length
from naive_places import many, one
from values import DTYPES

KINDS = ("int32", "int16", "float32", "float64", "uint8", "int64")


def picture(g):
    """A matrix and one for the results, a place for each of its elements, and what it is asked by."""
    kind, h, w = g.pick(*KINDS), g.side(0), g.side(1)
    i, j = g.fresh("i"), g.fresh("j")
    x, out = g.array("x", kind, (h, w), most=7), g.array("out", kind, (h, w), True, most=7)
    return kind, i, j, x, out, many(g, (i, j), (length(g, out), length(g, out, 1)))


def loops(g, a, b, lines):
    """Around lines that are to be done for a, b from -1 or so on."""
    low = g.pick(-1, -1, -2, 0)
    first = f"range({low}, {low + g.pick(2, 3)})"
    second = g.pick(first, "range(-1, 2)", "range(1, -2, -1)")
    return [f"for {a} in {first}:", f"    for {b} in {second}:"] + ["        " + line for line in lines]


def summed(g, kind, out, term, before=()):
    """The lines of a sum over a window, `term` of a and b; `before` stands around the term."""
    acc = g.fresh("acc")
    lines = [*before, "    " * len(before) + g.pick(f"{acc} += {term}", f"{acc} += {term} * 2",
                                                    f"{acc} = max({acc}, {term})")]
    return acc, [f"{acc} = {g.zero(kind)}"], lines, [f"{out} = {acc}"]


def inside(g):
    kind, i, j, x, out, place = picture(g)
    a, b, X = g.fresh("a"), g.fresh("b"), x.name
    f = g.array("f", kind, (5, 5), most=7)
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]",
                                  f"{X}[{i} + {a}, {j} + {b}] * {f.name}[{a} + 2, {b} + 2]")
    guard = g.pick(f"if 2 <= {i} < {X}.shape[0] - 2 and 2 <= {j} < {X}.shape[1] - 2:",
                   f"if {i} > 1 and {j} >= 2 and {i} < {X}.shape[0] - 2 and {j} + 2 < {X}.shape[1]:")
    return place.around([guard] + ["    " + line for line in begin + loops(g, a, b, lines) + end])


def bordered(g):
    """Each term asks whether it is there."""
    kind, i, j, x, out, place = picture(g)
    a, b, X = g.fresh("a"), g.fresh("b"), x.name
    guards = [f"0 <= {i} + {a} < {X}.shape[0]", f"0 <= {j} + {b} < {X}.shape[1]"]
    before = g.pick([f"if {guards[0]} and {guards[1]}:"], [f"if {guards[0]}:", f"    if {guards[1]}:"],
                    [f"if {guards[1]} and {guards[0]} and ({a} != 0 or {b} != 0):"])
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]", f"{X}[{i} + {a}, {j} + {b}]", before)
    return place.around(begin + loops(g, a, b, lines) + end)


def as_long_as(g):
    """A window as long as an argument says, or a small array is, each term asked whether it is there."""
    kind, i, j, x, out, place = picture(g)
    a, b, X, acc = g.fresh("a"), g.fresh("b"), x.name, g.fresh("acc")
    f = g.array("f", kind, (g.pick(1, 3, 5), g.pick(1, 2, 7)), most=7)
    m, n = (g.scalar(stem, g.pick("int64", "int32"), g.pick(0, 1, 2, 5, 7)) for stem in ("m", "n"))
    down, across = (g.pick(f"range({m})", f"range({f.name}.shape[0])", f"range(-{m}, {m} + 1)", f"range(1, {m} - 1)"),
                    g.pick(f"range({n})", f"range({f.name}.shape[1])", f"range({n} // 2 + 1)"))
    y, z = (g.pick(f"{i} + {a}", f"{i} - {a}", f"{i} + {a} - {m} // 2"), g.pick(f"{j} - {b}", f"{j} + {b} - {n} // 2", f"{j} + {b}"))
    rows, columns = f"{X}.shape[0]", f"{X}.shape[1]"
    asks = g.pick([f"if 0 <= {y} and {y} < {rows} and 0 <= {z} < {columns}:", f"    {acc} += {X}[{y}, {z}]"],
                  [f"if {y} >= 0 and {z} >= 0:", f"    if {y} < {rows} and {columns} > {z}:", f"        {acc} += {X}[{y}, {z}] * 2"],
                  [f"if not ({y} < 0 or {y} >= {rows} or {z} < 0 or {z} > {columns} - 1):", f"    {acc} = max({acc}, {X}[{y}, {z}])"],
                  [f"if {y} < 0 or {rows} <= {y} or {z} < 0 or {z} >= {columns}:", "    continue", f"{acc} += {X}[{y}, {z}]"])
    lines = [f"for {a} in {down}:", f"    for {b} in {across}:", *("        " + line for line in asks)]
    return place.around([f"{acc} = {g.zero(kind)}", *lines, f"{out.name}[{i}, {j}] = {acc}"])


def mirrored(g):
    """Indices that branches bring back from behind the borders, by sets or in a function; channels, too."""
    channels = g.pick(1, 1, 3)
    kind, h, w = g.pick(*KINDS), g.side(0), g.side(1)
    i, j, a, b, c, u, v = (g.fresh(stem) for stem in "ijabcuv")
    shape = (h, w) + ((3,) if channels == 3 else ())
    x, out = g.array("x", kind, shape, most=7), g.array("out", kind, shape, True, most=7)
    last = f", {c}" if channels == 3 else ""

    def back(at, n):
        low = g.pick([f"if {at} < 0:", f"    {at} = -{at}"], [f"if {at} < 0:", f"    {at} = 0"],
                     [f"if {at} == -1:", f"    {at} += {n}"], [f"{at} = -{at} if {at} < 0 else {at}"])
        high = g.pick([f"if {at} >= {n}:", f"    {at} = 2 * {n} - 2 - {at}"], [f"if {at} > {n} - 1:", f"    {at} = {n} - 1"],
                      [f"if {n} <= {at}:", f"    {at} -= {n}"])
        return low + high

    rows, columns = f"{x.name}.shape[0]", f"{x.name}.shape[1]"
    if g.chance(0.3):
        name, lines = g.fresh("back"), back("i", "n")
        g.definitions += [f"def {name}(i, n):", *("    " + line for line in lines), "    return i", "", ""]
        bring = [f"{u} = {name}({i} + {a}, {rows})", f"{v} = {name}({j} + {b}, {columns})"]
    else:
        bring = [f"{u} = {i} + {a}", *back(u, rows), f"{v} = {j} + {b}", *back(v, columns)]
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}{last}]", f"{x.name}[{u}, {v}{last}]")
    body = begin + [f"for {a} in range(-1, 2):", f"    for {b} in {g.pick('range(-1, 2)', 'range(2)')}:",
                    *("        " + line for line in bring + lines)] + end
    if channels == 3:
        body = [f"for {c} in range(3):"] + ["    " + line for line in body]
    return many(g, (i, j), (length(g, out), length(g, out, 1))).around(body)


def clipped(g):
    """A window that ends at the borders, as wide as a number or an argument says."""
    kind, i, j, x, out, place = picture(g)
    a, b, X, acc = g.fresh("a"), g.fresh("b"), x.name, g.fresh("acc")
    r = g.pick("1", "2", g.scalar("r", g.pick("int64", "int32"), g.pick(0, 1, 2, 4)))

    def ends(at, n):
        low = g.pick(f"max({at} - {r}, 0)", f"max(0, {at} - {r})", f"max({at} - 1, 0)", at)
        return f"range({low}, " + g.pick(f"min({at} + {r} + 1, {n})", f"min({n}, {at} + {r})", f"min({at} + 2, {n} - 1)", f"{at} + 1") + ")"
    term = g.pick(f"{acc} += {X}[{a}, {b}]", f"{acc} = max({acc}, {X}[{a}, {b}])", f"{acc} += 1")
    return place.around([f"{acc} = {g.zero(kind)}", f"for {a} in {ends(i, X + '.shape[0]')}:",
                         f"    for {b} in {ends(j, X + '.shape[1]')}:", f"        {term}", f"{out.name}[{i}, {j}] = {acc}"])


def around(g):
    """Indices that wrap around, or are held at the ends."""
    kind, i, j, x, out, place = picture(g)
    a, b, X = g.fresh("a"), g.fresh("b"), x.name

    def index(of, by, n):
        return g.pick(f"({of} + {by}) % {n}", f"({of} + {n} + {by}) % {n}", f"min(max({of} + {by}, 0), {n} - 1)",
                      f"({of} + {by} if 0 <= {of} + {by} < {n} else {of})")

    term = f"{X}[{index(i, a, X + '.shape[0]')}, {index(j, b, X + '.shape[1]')}]"
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]", term)
    if g.chance(0.5):
        return place.around(begin + loops(g, a, b, lines) + end)
    r = g.scalar("r", g.pick("int64", "int32"), g.pick(0, 1, 2, 5))
    down, across = (g.pick(f"range(-{r}, {r} + 1)", f"range({r})", f"range(1 - {r}, 2)") for _ in range(2))
    return place.around(begin + [f"for {a} in {down}:", f"    for {b} in {across}:"] + ["        " + line for line in lines] + end)


def banks(g):
    """Several filters over several channels, which end at the borders."""
    kind, filters, size, channels, taps = g.pick(*KINDS), g.side(0), g.side(1), g.pick(1, 2, 5, 17), g.pick(1, 2, 3)
    f, t, c, k, at, acc = (g.fresh(stem) for stem in ("f", "t", "c", "k", "at", "acc"))
    x, w = g.array("x", kind, (channels, size), most=7), g.array("w", kind, (filters, channels, taps), most=7)
    out = g.array("out", kind, (filters, size), True, most=7)
    by = g.pick("1", "2", g.scalar("by", "int64", g.pick(1, 3, 4)))
    where = g.pick(f"{t} - {k} * {by}", f"{t} + {k} - 1", f"{t} + {k} * {by} - {w.name}.shape[2] // 2")
    asks = g.pick(f"if {at} >= 0 and {at} < {size}:", f"if 0 <= {at} < {x.name}.shape[1]:", f"if {at} >= 0 and {at} + {f} < {size}:")
    lines = [f"{acc} = {g.zero(kind)}", f"for {c} in range({x.name}.shape[0]):", f"    for {k} in range({g.pick(taps, f'{w.name}.shape[2]')}):",
             f"        {at} = {where}", f"        {asks}", f"            {acc} += {w.name}[{f}, {c}, {k}] * {x.name}[{c}, {at}]",
             f"{out.name}[{f}, {t}] = {acc}"]
    return many(g, (f, t), (length(g, out), length(g, out, 1))).around(lines)


def placed(g):
    """Loops that count places of the picture, from some before the thread's own to some behind it."""
    kind, i, j, x, out, place = picture(g)
    y, z, w, X = g.fresh("y"), g.fresh("z"), g.fresh("w"), x.name
    r = g.scalar("r", "int64", g.pick(1, 2)) if g.chance(0.5) else str(g.pick(1, 2))
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]", f"{X}[{y}, {z}]")
    first = g.pick(f"range({i} - {r}, {i} + {r} + 1)", f"range({i} + {r}, {i} - {r} - 1, -1)", f"range({w}, {w} + 2)",
                   f"range({i}, {i} + {r})")
    second = g.pick(f"range({j} - {r}, {j} + {r} + 1)", f"range({j} - {r}, {j} + 2)", f"range({j} - 1, {j} + 2, 2)")
    guard = f"if {r} <= {i} < {X}.shape[0] - {r} and 1 <= {j} - {r} + 1 and {j} < {X}.shape[1] - 2:"
    lines = [f"for {y} in {first}:", f"    for {z} in {second}:"] + ["        " + line for line in lines]
    return place.around([guard] + ["    " + line for line in begin + [f"{w} = {i} - 1"] + lines + end])


def smaller(g):
    """Windows that go by several elements, as where pictures get smaller, with borders of all kinds."""
    kind, h, w, step = g.pick(*KINDS), g.side(0), g.side(1), g.pick(2, 2, 3, 4)
    i, j, a, b = g.fresh("i"), g.fresh("j"), g.fresh("a"), g.fresh("b")
    x, out = g.array("x", kind, (h * step - 1, w * step + 1), most=7), g.array("out", kind, (h, w), True, most=7)
    X, low = x.name, g.pick(0, 1)
    places = [f"{of} * {step} + {by} - {low}" if g.chance(0.5) else f"{step} * {of} - {low} + {by}"
              for of, by in ((i, a), (j, b))]
    ends = [f"{X}.shape[{axis}]" for axis in range(2)]
    held = [f"min(max({place}, 0), {end} - 1)" for place, end in zip(places, ends)]
    there = f"if {places[0]} >= 0 and {places[1]} >= 0 and {places[0]} < {ends[0]} and {places[1]} < {ends[1]}:"
    asks = g.chance(0.5)
    _, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]", f"{X}[{', '.join(places if asks else held)}]",
                                  [there] if asks else ())
    loops = [f"for {a} in range({g.pick(2, 3, 5)}):", f"    for {b} in range({g.pick(1, 2, 3)}):"]
    place = many(g, (i, j), (length(g, out), length(g, out, 1)))
    return place.around(begin + loops + ["        " + line for line in lines] + end)


def edges(g):
    """Neighbours where there are any, one by one."""
    kind, i, j, x, out, place = picture(g)
    acc, X = g.fresh("acc"), x.name
    ways = [(f"{i} > 0", f"{X}[{i} - 1, {j}]"), (f"{i} < {X}.shape[0] - 1", f"{X}[{i} + 1, {j}]"),
            (f"{j} != 0", f"{X}[{i}, {j} - 1]"), (f"{j} + 1 != {X}.shape[1]", f"{X}[{i}, {j} + 1]"),
            (f"not ({i} == 0 or {j} == {X}.shape[1] - 1)", f"{X}[{i} - 1, {j} + 1]")]
    lines = [f"{acc} = {X}[{i}, {j}]"]
    for condition, value in g.random.sample(ways, g.pick(2, 3, 5)):
        lines += g.pick([f"if {condition}:", f"    {acc} += {value}"],
                        [f"{acc} += {value} if {condition} else {X}[{i}, {j}]"])
    return place.around(lines + [f"{out.name}[{i}, {j}] = {acc}"])


def viewed(g):
    """The window is a slice, which holds its ends in the array."""
    kind, i, j, x, out, place = picture(g)
    a, b, near, X = g.fresh("a"), g.fresh("b"), g.fresh("near"), x.name
    low, high = g.pick(0, 1), g.pick(1, 2)
    acc, begin, lines, end = summed(g, kind, f"{out.name}[{i}, {j}]", f"{near}[{a}, {b}]")
    step = g.pick("", "", ":2")
    body = [f"{near} = {X}[{i} - {low}:{i} + {high}, {j} - {low}:{j} + {high}{step}]", *begin,
            f"for {a} in range({near}.shape[0]):", f"    for {b} in range({near}.shape[1]):",
            *["        " + line for line in lines], *end]
    guard = f"if {low} <= {i} < {X}.shape[0] - {high - 1} and {low} <= {j} < {X}.shape[1] - {high - 1}:"
    if g.chance(0.7) or low:
        body = [guard] + ["    " + line for line in body]
    return place.around(body)


def either(g):
    """Whichever way is taken, one element is stored."""
    kind, i, j, x, out, place = picture(g)
    X, O = f"{x.name}[{i}, {j}]", f"{out.name}[{i}, {j}]"
    inner = g.pick([f"    {O} = {X} * 2"], [f"    if {X} > 5:", f"        {O} = {X}", "    else:", f"        {O} = 1"])
    return place.around([g.pick(f"if {X} > 3:", f"if {i} < {j}:", f"if {O} > 2:"),
                         g.pick(f"    {O} = {X}", f"    {O} += {X}"), "else:", *inner])


def channels(g):
    kind, h, w, deep = g.pick(*DTYPES), g.side(0), g.side(1), g.pick(2, 3, 4)
    i, j, c, acc = g.fresh("i"), g.fresh("j"), g.fresh("c"), g.fresh("acc")
    most = 2 if kind == "float16" else 7
    x, out = g.array("x", kind, (h, w, deep), most=most), g.array("out", kind, (h, w), True, most=most)
    place, X = many(g, (i, j), (length(g, out), length(g, out, 1))), x.name
    terms = [f"{X}[{i}, {j}, {k}]" for k in range(deep)]
    plain = [f"{out.name}[{i}, {j}] = " + g.value(kind, terms)]
    summing = [f"{acc} = {g.zero(kind)}", f"for {c} in range({deep}):", f"    {acc} += {X}[{i}, {j}, {c}]",
               f"{out.name}[{i}, {j}] = {acc}"]
    each = g.array("each", kind, (h, w, deep), True, most=most)
    filtered = [f"if 0 < {i} < {X}.shape[0] - 1:", f"    for {c} in range({deep}):",
                f"        {each.name}[{i}, {j}, {c}] = {X}[{i} - 1, {j}, {c}] + {X}[{i} + 1, {j}, {c}]"]
    return place.around(g.pick(plain, summing, filtered))


def star(g):
    """Neighbours in three axes."""
    kind, shape = g.pick(*KINDS), tuple(min(g.side(axis), 20) for axis in range(3))
    names, d, acc = tuple(g.fresh(stem) for stem in "ijk"), g.fresh("d"), g.fresh("acc")
    x, out = g.array("x", kind, shape, most=7), g.array("out", kind, shape, True, most=7)
    place = many(g, names, [length(g, out, axis) for axis in range(3)])
    lines = [f"{acc} = {g.zero(kind)}", f"for {d} in range(-1, 2):"]
    for axis in range(3):
        n, at = f"{x.name}.shape[{axis}]", list(names)
        at[axis] = g.pick(f"({names[axis]} + {d}) % {n}", f"max(min({names[axis]} + {d}, {n} - 1), 0)", None)
        if at[axis] is None:
            at[axis] = f"{names[axis]} + {d}"
            lines += [f"    if 0 <= {at[axis]} < {n}:", f"        {acc} += {x.name}[{', '.join(at)}]"]
        else:
            lines += [f"    {acc} += {x.name}[{', '.join(at)}]"]
    return place.around(lines + [f"{out.name}[{', '.join(names)}] = {acc}"])


def listed(g, near, v, k, count):
    """Around `v`, which goes where it belongs in a list of `count`, sorted so far."""
    forms = [[f"while {k} > 0 and {near}[{k} - 1] > {v}:", f"    {near}[{k}] = {near}[{k} - 1]", f"    {k} -= 1"],
             [f"while {k} >= 1:", f"    if {near}[{k} - 1] <= {v}:", "        break",
              f"    {near}[{k}] = {near}[{k} - 1]", f"    {k} = {k} - 1"],
             ["while True:", f"    if {k} == 0 or {v} >= {near}[{k} - 1]:", "        break", f"    {k} -= 1",
              f"    {near}[{k} + 1] = {near}[{k}]"]]
    best = [f"if {v} > {near}[0]:", f"    {k} = 0", f"    while {k} < {count - 1} and {near}[{k} + 1] < {v}:",
            f"        {near}[{k}] = {near}[{k} + 1]", f"        {k} += 1", f"    {near}[{k}] = {v}"]
    return best if g.chance(0.3) else g.pick(*forms) + [f"{near}[{k}] = {v}"]


def inserted(g):
    """The middle of a few neighbours, or the largest, by insertion into an array of the thread's own."""
    kind, n, count = g.pick(*KINDS), g.size(), g.pick(2, 3, 5, 7)
    i, near, v, k, d, c = (g.fresh(stem) for stem in ("i", "near", "v", "k", "d", "c"))
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    loop = listed(g, near, v, k, count)
    counted = loop[0].startswith("while")
    turns = count if counted else count + g.pick(0, 2, 3)
    lines = [f"{near} = cuda.local.array({count}, {kind})", f"for {d} in range({count}):", f"    {near}[{d}] = 0",
             f"{c} = 0", f"for {d} in range({turns}):", f"    {v} = {x.name}[min({i} + {d}, {x.name}.shape[0] - 1)]",
             f"    {k} = {g.pick(c, d) if counted else 0}"] + ["    " + line for line in loop] + [f"    {c} += 1"]
    last = g.pick(f"{near}[{count // 2}]", f"{near}[0]", f"{near}[{count - 1}]", f"max({near}[0], {near}[1])")
    return one(g, i, length(g, out)).around(lines + [f"{out.name}[{i}] = {last}"])


def sorted_column(g):
    """The middle of what lies above and below, sorted in an array of the thread's own."""
    kind, i, j, x, out, place = picture(g)
    near, k, d, v, X = g.fresh("near"), g.fresh("k"), g.fresh("d"), g.fresh("v"), x.name
    lines = [f"{near} = cuda.local.array(3, {kind})", f"for {d} in range(3):",
             f"    {near}[{d}] = {X}[min(max({i} + {d} - 1, 0), {X}.shape[0] - 1), {j}]", f"for {d} in range(1, 3):",
             f"    {v} = {near}[{d}]", f"    {k} = {d} - 1", f"    while {k} >= 0 and {near}[{k}] > {v}:",
             f"        {near}[{k} + 1] = {near}[{k}]", f"        {k} -= 1", f"    {near}[{k} + 1] = {v}"]
    return place.around(lines + [f"{out.name}[{i}, {j}] = {near}[1]"])


AXES_1 = [inserted]
AXES_2 = [inside, bordered, banks, clipped, mirrored, mirrored, as_long_as, as_long_as, around, placed, smaller, edges, viewed, either, channels, sorted_column]
AXES_3 = [star]
