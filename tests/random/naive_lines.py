"""Patterns of one axis: element by element, neighbours, gathers, rows that a thread walks along,
arguments that overlap."""
from naive_places import one
from values import DTYPES, FLOATS, SIGNED, UNSIGNED


def length(g, array, axis=0):
    """An array's extent as people write it."""
    forms = [f"{array.name}.shape[{axis}]"]
    if len(array.shape) == 1:
        forms += [f"{array.name}.size", f"len({array.name})"]
    if g.chance(0.2):
        kind = g.pick("int64", "int64", "int32", "uint32")
        forms = [g.scalar("n", kind, array.shape[axis])]
    return g.pick(*forms)


def stored(g, target, kind, value):
    """A store, at times on condition, or added to what is there."""
    roll = g.random.random()
    if roll < 0.2:
        return [f"{target} += {value}"] if kind not in ("float16",) else [f"{target} = {value}"]
    if roll < 0.3:
        return [f"if {value} > 2:", f"    {target} = {value}"]
    if roll < 0.36:
        return [f"if {value} > 2:", f"    {target} = {value}", "else:", f"    {target} = {g.random.randrange(9)}"]
    return [f"{target} = {value}"]


def left_early(g, place, text):
    """A way out of the element, where there is one."""
    if not place.leave or g.chance(0.75):
        return []
    return [f"if {text} {g.pick('>', '<', '==')} 3:", f"    {place.leave}"]


def elements(g):
    """out[i] from x[i], y[i] and scalars."""
    kind, n, i = g.pick(*DTYPES), g.size(), g.fresh("i")
    inputs = [g.array("x", g.pick(kind, kind, g.pick(*DTYPES)), n) for _ in range(g.pick(1, 2, 2, 3))]
    outs = [g.array("out", kind, n, True) for _ in range(g.pick(1, 1, 2))]
    same = [f"{x.name}[{i}]" for x in inputs if x.kind == kind] or [f"{kind}(3)"]
    numbers = {i: "int64", **{f"{x.name}[{i}]": x.kind for x in inputs}}
    if g.chance(0.4):
        numbers[scalar_of(g)] = "int64"
    place = one(g, i, length(g, g.pick(*outs, *inputs)))
    lines = left_early(g, place, same[0])
    for out in outs:
        lines += stored(g, f"{out.name}[{i}]", kind, g.value(kind, same, numbers))
    return place.around(lines)


def filtered(g):
    """Weights along a stretch, of as many as there are."""
    kind, n, i = g.pick("float32", "float32", "int32", "float64", "int16", "uint8"), g.size(), g.fresh("i")
    k, acc, taps, before = g.fresh("k"), g.fresh("acc"), g.pick(1, 4, 9, 12, 15, 23), g.pick(0, 0, 1, 3)
    x = g.array("x", kind, n + taps + before, most=7, plain=g.chance(0.5))
    out = g.array("out", kind, n, True)
    f = g.array("f", g.pick(kind, "float32") if kind in FLOATS else kind, taps, most=7)
    last = g.pick("", f" + {g.pick(1, before)}" if before else "")
    begin = g.pick(0, 0, 0, 1)
    at = g.pick(f"{i} + {k}{last}", f"{k} + {i}", f"{i} + ({k}{last})")
    term = g.pick(f"{x.name}[{at}] * {f.name}[{k}]", f"{x.name}[{at}]",
                  f"{x.name}[{at}] * {f.name}[{k}] + {x.name}[{i} + {k}]")
    place = one(g, i, length(g, out))
    return place.around([f"{acc} = {g.zero(kind)}",
                         f"for {k} in range({begin}, {length(g, f)}):", f"    {acc} += {term}",
                         f"{out.name}[{i}] = {acc}"])


def taken_apart(g):
    """Two axes change places, by divisions of the one index; at times with rows of odd lengths."""
    kind, i = g.pick(*DTYPES), g.fresh("i")
    sides = [g.pick(1, 2, 3, 5), g.pick(2, 3, 4, 7), g.pick(3, 4, 8, 12, 16, 16, 32)]
    count = sides[0] * sides[1] * sides[2]
    x, out = g.array("x", kind, count), g.array("out", kind, count, True)
    w, h = (g.scalar(name, "int64", side) for name, side in (("w", sides[2]), ("h", sides[1])))
    b = g.scalar("b", "int64", sides[0])
    area = g.pick(f"({w} * {h})", f"({h} * {w})")
    last = g.pick(f"{i} // {area}", f"{i} // {w} // {h}", f"{i} // {area} % {b}")
    place = one(g, i, length(g, out))
    return place.around([
        f"{out.name}[(({i} // {w} % {h}) * {b} + ({last})) * {w} + {i} % {w}] = {x.name}[{i}]"])


def turned(g):
    """Three parts of the one index in another order, of what is stored or loaded, however they are found."""
    kind, i, rest = g.pick(*DTYPES), g.fresh("i"), g.fresh("rest")
    sides = [g.pick(1, 2, 3, 5, 33) for _ in range(3)]
    count = sides[0] * sides[1] * sides[2]
    x, out = g.array("x", kind, count), g.array("out", kind, count, True)
    sizes, parts = [g.scalar("n", g.pick("int64", "int64", "int32"), side) for side in sides], [g.fresh("p") for _ in sides]
    (a, b, c), (p, q, r) = sizes, parts
    apart = g.pick([f"{p} = {i} // ({b} * {c})", f"{q} = {i} // {c} % {b}", f"{r} = {i} % {c}"],
                   [f"{p} = {i} // ({b} * {c})", f"{rest} = {i} - {p} * ({b} * {c})", f"{q} = {rest} // {c}", f"{r} = {rest} % {c}"],
                   [f"{r} = {i} % {c}", f"{rest} = {i} // {c}", f"{q} = {rest} % {b}", f"{p} = {rest} // {b}"],
                   [f"{rest} = {i} % ({c} * {b})", f"{p} = {i} // ({b} * {c})", f"{r} = {rest} % {c}", f"{q} = {rest} // {c}"])
    first, second, third = g.random.sample(range(3), 3)
    at = f"({parts[first]} * {sizes[second]} + {parts[second]}) * {sizes[third]} + {parts[third]}"
    place = one(g, i, length(g, out))
    move = f"{out.name}[{at}] = {x.name}[{i}]" if place.leave or g.chance(0.6) else f"{out.name}[{i}] = {x.name}[{at}]"
    return place.around([*apart, *g.pick([move], [move], [f"if {x.name}[{i}] > 2:", f"    {move}"])])


def scalar_of(g):
    """An int64 at the edge of what 32 bits hold, or a small one."""
    return g.scalar("s", "int64", g.pick(2 ** 31 - 1, 2 ** 31, -2 ** 31, 2 ** 31 - 3, -2 ** 31 - 1,
                                         2 ** 32 + 1, 2 ** 30, -1, 0, 5, 1 - 2 ** 30))


def large(g):
    """Indices and sums that pass through numbers beyond 32 bits."""
    n, i = g.size(), g.fresh("i")
    out, x = g.array("out", "int64", n, True), g.array("x", "int32", n)
    s = scalar_of(g)
    place = one(g, i, length(g, out))
    other = g.scalar("u", "uint64", g.pick(2 ** 63 + 1, 2 ** 64 - 5, 2 ** 31, 3))
    small = g.scalar("b", g.pick("int8", "int16", "int32"), g.pick(-1, -100, 100))
    value = g.pick(f"{x.name}[{i}] + {s}", f"{i} + {s}", f"{i} * {s}", f"({i} + {s}) // 2",
                   f"({i} + {s}) % 7", f"{x.name}[({i} + {s}) - {s}]", f"({s} - {i}) * 3",
                   f"{i} * {small}", f"{i} * 100000 * {small}", f"int64({other} + uint64({i}))",
                   f"int64(({other} // uint64(3)) ^ uint64({i}))", f"{s} if {i} > {s} else {i}",
                   f"{x.name}[{i}] * {s} >> 3", f"({i} << 33) + {s}")
    return place.around([f"{out.name}[{i}] = {value}"])


def neighbours(g):
    """Neighbouring elements, with a margin or with indices that wrap or are held back."""
    kind, n, i = g.pick(*DTYPES), g.size(), g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    place = one(g, i, length(g, out))
    if n == 0:
        return place.around([f"{out.name}[{i}] = {kind}(1)"])
    form, X = g.pick("margin", "wrap", "below", "held"), x.name
    if form == "margin":
        lines = [f"if {i} >= 1 and {i} < {out.name}.size - 1:",
                 "    " + f"{out.name}[{i}] = " + g.value(kind, [f"{X}[{i} - 1]", f"{X}[{i}]", f"{X}[{i} + 1]"])]
        return place.around(lines)
    near = {"wrap": [f"{X}[({i} + 1) % {X}.size]", f"{X}[{i}]", f"{X}[({i} + {X}.size - 1) % {X}.size]"],
            "below": [f"{X}[{i} - {X}.size]", f"{X}[-1 - {i}]", f"{X}[{i} - 1]", f"{X}[-1]"],
            "held": [f"{X}[max({i} - 1, 0)]", f"{X}[min({i} + 1, {X}.size - 1)]", f"{X}[held({i} + 2, {X}.size)]"]}
    if form == "held":
        g.definitions += ["def held(i, n):", "    if i < 0:", "        return 0",
                          "    return i if i < n else n - 1", "", ""] \
            if "def held(i, n):" not in g.definitions else []
    return place.around([f"{out.name}[{i}] = " + g.value(kind, near[form])])


def views_of_one(g):
    """Several inputs that are pieces of one array."""
    kind, n, i = g.pick(*DTYPES), max(g.size(), 3), g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    y, z = (g.give(g.fresh("y"), f"{x.name}[{g.pick('1:', ':-1', '2:', '::-1', ':', '1:-1', '::2')}]") for _ in "ab")
    place = one(g, i, f"min({y}.size, {z}.size)")
    return place.around(stored(g, f"{out.name}[{i}]", kind, g.value(kind, [f"{x.name}[{i}]", f"{y}[{i}]", f"{z}[{i}]"])))


def gathered(g):
    kind, n, m, i = g.pick(*DTYPES), g.size(), max(1, g.size()), g.fresh("i")
    x, out = g.array("x", kind, m), g.array("out", kind, n, True)
    places = g.array("at", g.pick("int32", "int64", "uint8", "uint32", "int16"), n, most=100)
    at = f"{places.name}[{i}] % {x.name}.size" if places.kind[0] == "i" else \
        f"{places.name}[{i}] % uint32({x.name}.size)"
    place = one(g, i, length(g, out))
    return place.around(stored(g, f"{out.name}[{i}]", kind, g.value(kind, [f"{x.name}[{at}]", f"{x.name}[-1]", f"{x.name}[0]"])))


def around_a_ring(g):
    """Elements as far away as data or a number say, around the end and on from the other one."""
    kind, n, i, k = g.pick(*DTYPES), max(g.size(), 1), g.fresh("i"), g.fresh("k")
    x, out, s = g.array("x", kind, n), g.array("out", kind, n, True), g.fresh("s")
    by = g.array("by", g.pick("int32", "int32", "int16", "int64", "int8"), g.random.randrange(1, 6), most=g.pick(3, 100))
    size = g.pick(f"{x.name}.size", str(n))
    far = g.pick(f"{i} + {by.name}[{k}]", f"{i} - {by.name}[{k}] + {size}", f"{i} + {k} - 1 - {by.name}[{k}]",
                 f"{by.name}[{k}] - {i}", f"{i} + {by.name}[{k}] + {by.name}[0]", f"{size} - 1 - {i} + {by.name}[{k}]")
    near = g.pick(f"{i} - 1", f"{i} + 1", f"{i} + 1 + {size}", f"{i} + {size} - 1", f"{i} - 2", f"2 * {i}")
    return one(g, i, length(g, x)).around(
        [f"{s} = {kind}(0)", f"for {k} in range({by.name}.size):", f"    {s} += " +
         g.value(kind, [f"{x.name}[({far}) % {size}]", f"{x.name}[({near}) % {size}]"]), f"{out.name}[{i}] = {s}"])


def all_others(g):
    """What all elements but the thread's own make of it."""
    kind, n, i, j, s = g.pick("int32", "int64", "float32", "float64", "int16"), g.size(), g.fresh("i"), g.fresh("j"), g.fresh("s")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    at, end = f"{x.name}[{j}]", g.pick(length(g, x), f"min({length(g, x)}, 100)")
    lines = g.pick([f"if {j} != {i}:", f"    {s} += {at} - {x.name}[{i}]"], [f"if {i} == {j}:", "    continue", f"{s} += {at}"],
                   [f"if {j} != {i}:", f"    if {at} > {x.name}[{i}]:", f"        {s} += 1"],
                   [f"if {i} == {j}:", f"    {s} += 1", "else:", f"    {s} = max({s}, {at})"],
                   [f"if {j} != {i} and {at} > 2:", f"    {s} += {at}"])
    return one(g, i, length(g, out)).around(
        [f"{s} = {kind}(0)", f"for {j} in range({g.pick('0', '0', '1', i + ' // 2')}, {end}):",
         *("    " + line for line in lines), f"{out.name}[{i}] = {s}"])


def scattered(g):
    """Where only one thread writes: every third element, from an offset."""
    kind, n, i = g.pick(*DTYPES), g.size() // 3, g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, 3 * n + 2, True)
    step, first = g.random.randrange(1, 4), g.random.randrange(0, 3)
    place = one(g, i, length(g, x))
    return place.around(stored(g, f"{out.name}[{i} * {step} + {first}]", kind, g.value(kind, [f"{x.name}[{i}]"])))


def overlapping(g):
    """Two names for the same elements, which the thread reads and writes by turns."""
    kind, n, i, k = g.pick(*SIGNED, *UNSIGNED, "float32", "float64"), max(g.size(), 3), g.fresh("i"), g.fresh("k")
    a = g.array("a", kind, n, True, plain=g.chance(0.7))
    cut, at, least = g.pick(("1:", f"{i} - 1", 1), (":", f"{i}", 0), ("::-1", f"{a.name}.size - 1 - {i}", 0),
                            (":-1", f"{i}", -1), ("2:", f"{i} - 2", 2), ("::-1", f"-1 - {i}", 0))
    b = g.give(g.fresh("b"), f"{a.name}[{cut}]", True)
    A, B = f"{a.name}[{i}]", f"{b}[{at}]"
    guard = f"if {i} >= {least}:" if least >= 0 else f"if {i} < {b}.size:"
    work = g.pick([f"{A} = {B} + 1", f"{B} = {A} + 2", f"{A} += {B}"],
                  [f"for {k} in range({g.random.randrange(1, 4)}):", f"    {A} += {B}", f"    {B} += 1"],
                  [f"{A} = 3", f"if {B} == 3:", f"    {B} = 4", f"{A} += 1"],
                  [f"{k} = {A}", f"{B} = 5", f"{A} = {k} + {A}"],
                  [f"for {k} in range({b}.size % 4):", f"    {A} = {B} % 5 + {B}"])
    if kind in FLOATS:
        work = [line.replace("% 5", "* 0") for line in work]
    return one(g, i, length(g, a)).around([guard, *("    " + line for line in work)])


def rows(g):
    """A thread walks along a row, or down a column, and sums."""
    kind, n, m = g.pick(*DTYPES), min(g.size(), 300), g.pick(0, 1, 3, 8, 16, 17, 33)
    i, k, acc = g.fresh("i"), g.fresh("k"), g.fresh("acc")
    down = g.chance(0.4)
    most = 2 if kind == "float16" else 7
    x = g.array("x", kind, (m, n) if down else (n, m), most=most)
    w = g.array("w", kind, m, most=most)
    out = g.array("out", kind, n, True, most=most)
    item = f"{x.name}[{k}, {i}]" if down else f"{x.name}[{i}, {k}]"
    term = g.pick(item, f"{item} * {w.name}[{k}]", f"{w.name}[{k}] * {item}")
    O, M = f"{out.name}[{i}]", length(g, w)
    loop = g.pick(f"for {k} in range({M}):", f"for {k} in range({M} - 1, -1, -1):",
                  f"for {k} in range(0, {M}, 2):")
    place = one(g, i, length(g, out))
    work = g.pick(
        [f"{O} = 0", loop, f"    {O} += {term}"],
        [loop, f"    {O} += {term}"],
        [f"{acc} = {g.zero(kind)}", loop, f"    {acc} += {term}", f"{O} = {acc}"],
        [loop, f"    if {item} > 2:", f"        {O} += {term}"],
        [loop, f"    if {O} > 30:", "        break", f"    {O} += {term}"],
        [loop, f"    {O} = max({O}, {item})"],
        [loop, f"    {O} += {term}", f"    if {item} == 1:", "        continue", f"    {O} += {item}"],
        [f"{acc} = {g.zero(kind)}", f"{k} = 0", f"while {k} < {M} and {acc} < 50:",
         f"    {acc} += {term}", f"    {k} += 1", f"{O} = {acc}"],
        [loop, f"    {acc} = {k} * 3 & 63", f"    if {item} > 2:", f"        {O} = {acc}"],
        [f"for {acc}, {k} in enumerate(range({M})):", f"    if {item} > 2:", f"        {O} = {acc}"])
    return place.around(left_early(g, place, O) + work)


def running(g):
    """What a thread writes is what it reads in the next turn."""
    kind, n, m = g.pick("int32", "int64", "uint8", "float32", "float64"), min(g.size(), 300), g.pick(1, 2, 8, 17)
    i, k = g.fresh("i"), g.fresh("k")
    x, out = g.array("x", kind, (n, m)), g.array("out", kind, (n, m), True, plain=g.chance(0.6))
    O = f"{out.name}[{i}"
    work = g.pick([f"    {O}, {k}] = {O}, {k} - 1] + {x.name}[{i}, {k}]"],
                  [f"    {O}, {k} - 1] += {x.name}[{i}, {k}]", f"    {O}, {k}] += {O}, {k} - 1]"],
                  [f"    {O}, {k} % 2] += {x.name}[{i}, {k}]"], [f"    {O}, 0] += {O}, {k}]", f"    {O}, {k}] = {O}, 0]"])
    return one(g, i, length(g, out)).around([f"for {k} in range(1, {out.name}.shape[1]):", *work])


def several(g):
    """Two sums at once, into two arrays or two places of one."""
    kind, n, m = g.pick("int32", "int64", "float32", "float64", "uint16"), min(g.size(), 300), g.pick(1, 4, 9)
    i, k = g.fresh("i"), g.fresh("k")
    x, low, high = g.array("x", kind, (n, m)), g.array("low", kind, n, True), g.array("high", kind, (n, 2), True)
    item = f"{x.name}[{i}, {k}]"
    return one(g, i, length(g, low)).around(
        [f"for {k} in range({length(g, x, 1)}):", f"    {low.name}[{i}] += {item}",
         g.pick(f"    {high.name}[{i}, 1] -= {item}", f"    {high.name}[{i}, {k} % 2] += {low.name}[{i}]",
                f"    {high.name}[{i}, 0] = {item}"),
         g.pick(f"    {high.name}[{i}, 0] += {low.name}[{i}]", f"    {low.name}[{i}] += 1")])


def through_functions(g):
    """A device function that writes, and leaves early."""
    kind, n, i, name = g.pick(*DTYPES), g.size(), g.fresh("i"), g.fresh("put")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    g.definitions += [f"def {name}(out, i, value):", "    if value > 3:", "        out[i] = value",
                      "        return 1", *g.pick(["    for k in range(2):", "        out[i] = value"],
                                                  ["    out[i] = 2"], []), "    return 0", "", ""]
    seen = g.array("seen", "int32", n, True)
    return one(g, i, length(g, out)).around(
        [f"{seen.name}[{i}] += {name}({out.name}, {i}, {g.value(kind, [f'{x.name}[{i}]'])})"])


def twice(g):
    """An element written, and read again by the same thread later."""
    kind, n, i = g.pick("int32", "int64", "float32", "float64", "int8"), g.size(), g.fresh("i")
    x, a, out = g.array("x", kind, n), g.array("a", kind, n, True), g.array("out", kind, n, True)
    lines = [f"{a.name}[{i}] = {x.name}[{i}] + 1", f"{out.name}[{i}] = {a.name}[{i}]",
             f"{a.name}[{i}] = {out.name}[{i}] + {a.name}[{i}]"]
    return one(g, i, length(g, out)).around(lines)


AXES_1 = 3 * [elements] + [filtered, large, large, neighbours, views_of_one, gathered, around_a_ring, all_others, scattered, overlapping,
                           overlapping, rows, rows, rows, running, several, through_functions, twice,
                           taken_apart, turned]
