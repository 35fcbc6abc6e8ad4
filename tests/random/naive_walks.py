"""A thread a row or a column that is long: counters of its own by what it reads, sums in place along
rows and down columns, columns of few threads, rows as long as other arrays say."""
from naive_lines import length
from naive_places import one

LONG = (0, 1, 2, 15, 16, 17, 63, 64, 65, 96, 130, 200, 333)


def counters(g):
    """An array of the thread's own, at indices that it reads."""
    kind, n, m = g.pick("uint8", "int32", "int64", "uint16"), min(g.size(), 300), g.pick(*LONG)
    i, k, v, best = (g.fresh(name) for name in ("i", "k", "v", "best"))
    slots, of = g.pick(2, 7, 16, 31), g.pick("int32", "int64", "uint8", "float32", "float64", "uint16")
    x = g.array("x", kind, (n, m), most=slots - 1)
    out, counts = g.array("out", "int64", n, True), g.fresh("counts")
    item = f"abs({x.name}[{i}, {k}])" if kind.startswith("int") else f"{x.name}[{i}, {k}]"
    form = g.pick("count", "last", "below", "table")
    zero = g.zero(of) if form != "table" else f"{of}({v})"
    lines = [f"{counts} = cuda.local.array({slots}, {of})", f"for {v} in range({slots}):",
             f"    {counts}[{v}] = {zero}", f"for {k} in range({length(g, x, 1)}):"]
    lines += {"count": [f"    {counts}[{item}] += {of}(1)"],
              "last": [f"    {counts}[{item}] = {of}({k} % 100)"],
              "below": [f"    {counts}[-1 - int64({item})] += {of}(1)"],
              "table": [f"    {counts}[{item}] = {counts}[({item} + {k}) % {slots}]"]}[form]
    lines += [f"{best} = 0", f"for {v} in range(1, {slots}):",
              f"    if {counts}[{v}] > {counts}[{best}]:", f"        {best} = {v}",
              f"{out.name}[{i}] = {best} * 1000 + int64({counts}[0])"]
    return one(g, i, length(g, out)).around(lines)


def in_place(g):
    """Each element becomes something of it and of the one before, or of the one before that."""
    kind = g.pick("int32", "int64", "uint8", "float32", "float64", "int16")
    n, m, i, k = min(g.size(), 300), g.pick(*LONG), g.fresh("i"), g.fresh("k")
    down, back = g.chance(0.4), g.pick(1, 1, 1, 2)
    x = g.array("x", kind, (m, n) if down else (n, m), True, most=1, plain=g.chance(0.6))
    w = g.array("w", kind, (m, n) if down else (n, m), most=1)

    def at(array, index):
        return f"{array.name}[{index}, {i}]" if down else f"{array.name}[{i}, {index}]"
    X, before, W = at(x, k), at(x, f"{k} - {back}"), at(w, k)
    axis = 0 if down else 1
    first = g.pick(back, back, back, 0, back + 2) if m >= back else back
    work = g.pick([f"{X} += {before}"], [f"{X} = {before} + {W}"], [f"{X} = {before} - {X}"],
                  [f"{X} = max({X}, {before})"], [f"if {W} > 0:", f"    {X} = {before} + {W}"],
                  [f"{X} += {before}", f"{X} -= {W}"], [f"{X} = {W}", f"{before} += {X}"],
                  [f"{X} = max({before}, {at(x, f'{k} - 1')})"])
    loop = f"for {k} in range({first}, {length(g, x, axis)}{g.pick('', '', f', {back}')}):"
    return one(g, i, length(g, x, 1 - axis)).around([loop, *("    " + line for line in work)])


def columns(g):
    """Down a column each, with what all threads read beside it."""
    kind = g.pick("int32", "int64", "float32", "float64", "uint8", "uint32", "float16")
    n, m, i, k = min(g.size(), 300), g.pick(*LONG), g.fresh("i"), g.fresh("k")
    most = 1 if kind == "float16" else 7
    x, w = g.array("x", kind, (m, n), most=most), g.array("w", kind, m, most=most)
    out, acc, low = g.array("out", kind, n, True), g.fresh("acc"), g.fresh("low")
    item, loop = f"{x.name}[{k}, {i}]", g.pick(f"for {k} in range({length(g, w)}):",
                                               f"for {k} in range(1, {length(g, x)}):",
                                               f"for {k} in range(0, {length(g, w)}, 3):")
    start = [f"{acc} = {g.zero(kind)}", f"{low} = {kind}(100)"]
    work = g.pick([f"    {acc} += {item}"], [f"    {acc} += {item} * {w.name}[{k}]"],
                  [f"    {acc} += {item}", f"    {low} = min({low}, {item})"],
                  [f"    if {item} > {w.name}[{k}]:", f"        {acc} += {item}"],
                  [f"    {acc} += {x.name}[{k} // 2, {i}]", f"    {low} = min({low}, {w.name}[{k}])"])
    return one(g, i, length(g, out)).around(
        start + [loop, *work, f"{out.name}[{i}] = {acc} + {low}"])


def rounded_down(g):
    """Elements where groups begin, of which some may lie before the first and count from the end."""
    kind, n, i, u = g.pick("int32", "float32", "uint8", "int64"), min(g.size(), 300), g.fresh("i"), g.fresh("u")
    c, w = g.pick(2, 4, 7, 8), g.scalar("w", "int64", g.pick(1, 1, 2, -1))
    x, out = g.array("x", kind, 2 * n + 20, most=7), g.array("out", kind, n, True)
    m = g.scalar("m", "int64", c)
    by, of = g.pick(f"{c}", m), g.pick(i, i, f"({i} - 3)", f"({i} + 1)")
    first = g.fresh("first")
    lines = [f"{u} = {of} % {by}", f"{first} = {of} - {u}"]
    if g.chance(0.3):
        lines = [f"{u} = {of} & {g.pick(3, 8)}", f"{first} = {of} - {u}"]
    at = g.pick(first, f"{first} * {w}", f"{first} + {u}", f"{of} - {of} % {by}", f"{first} * {w} + 1")
    return one(g, i, length(g, out)).around([*lines, f"{out.name}[{i}] = {x.name}[{at}]"])


def bounded(g):
    """A variable that a condition bounds: it is added to until it is this large, and set back then."""
    kind, n, m = g.pick("uint8", "int32", "int16"), min(g.size(), 300), g.pick(*LONG)
    i, k, v, s, total = (g.fresh(name) for name in ("i", "k", "v", "s", "total"))
    x, out, w = g.array("x", kind, (n, m)), g.array("out", "int64", n, True), g.array("w", "int32", 64)
    most, step = g.pick(1, 7, 56, 63), g.pick(1, 1, 3, 7)
    item = f"{x.name}[{i}, {k}]"
    below = f"{s} < {most - step + 1}" if step <= most else f"{s} < 1"
    test = g.pick(below, f"{item} > 1 and {below}", f"{below} and {item} != 2")
    use = g.pick(f"{total} += {s}", f"{total} += {w.name}[min({s}, 63)]", f"{total} ^= int64({item}) << {s}",
                 f"{total} += {item} * {s}", f"{total} = {total} // 2 + {s} % 5")
    lines = [f"{s} = {g.pick(0, 0, 1, -3)}", f"{total} = 0", f"for {k} in range({length(g, x, 1)}):",
             f"    {v} = {item}", f"    if {test}:", f"        {s} += {step}", "    else:",
             f"        {g.pick(f'{s} = 0', f'{s} = 0', f'{s} -= 2', f'{s} = int64({v}) % 8')}",
             f"    if {s} >= 0:", f"        {use}", f"{out.name}[{i}] = {total} + {s}"]
    return one(g, i, length(g, out)).around(lines)


def found(g):
    """What lies around a place that is found in front of a loop, and that may count from the end."""
    n, sides = min(g.size(), 300), [g.pick(3, 5, 8, 17) for _ in range(g.pick(1, 2, 2, 3))]
    i, total = g.fresh("i"), g.fresh("total")
    flat, near = len(sides) == 2 and g.chance(0.5), g.pick(1, 2, 2, 3)
    kind = g.pick("int32", "int64", "float32")
    x = g.array("x", kind, (sides[0] * sides[1],) if flat else tuple(sides))
    at = g.array("at", g.pick("int32", "int64", "float32"), (n, len(sides)), most=9)
    out, lines, loops, index = g.array("out", kind, n, True), [], [], []
    for axis, side in enumerate(sides):
        p, c = g.fresh("p"), g.fresh("c")
        low = 0 if flat and axis else g.pick(0, -side)
        lines.append(f"{p} = abs({g.pick('int32', 'int64')}({at.name}[{i}, {axis}])) % {side - near + 1} + {low}")
        if low:
            lines.append(f"{p} = min({p}, {-near})")
        loops.append("    " * axis + f"for {c} in range({near}):")
        index.append(f"{p} + {c}")
    where = f"({index[0]}) * {sides[1]} + {index[1]}" if flat else ", ".join(index)
    lines += [f"{total} = {g.zero(kind)}", *loops, "    " * len(sides) + f"{total} += {x.name}[{where}]",
              f"{out.name}[{i}] = {total}"]
    return one(g, i, length(g, out)).around(lines)


def ragged(g):
    """Rows of one array from where another says to where it says."""
    kind = g.pick("int32", "int64", "float32", "float64", "uint8")
    n, i, k, acc = min(g.size(), 300), g.fresh("i"), g.fresh("k"), g.fresh("acc")
    ends, long = g.pick("int32", "int64"), g.pick(1, 3, 24, 70)
    total, at, starts = (n + 1) * long, 0, []
    for _ in range(n + 1):
        starts.append(at)
        at += g.random.randrange(0, long + 1)
    start = g.give(g.fresh("start"), f"array({starts}, dtype={ends})")
    value = g.array("value", kind, total + long, True, most=3)
    x, out = g.array("x", kind, 64, most=1), g.array("out", kind, n, True)
    column = g.array("column", g.pick("int32", "int64"), total + long, most=63)
    V, first, end = f"{value.name}[{k}]", g.fresh("first"), g.fresh("end")
    work = g.pick([f"    {acc} += {V} * {x.name}[abs({column.name}[{k}])]"], [f"    {acc} += {V}"],
                  [f"    {V} += {kind}(1)", f"    {acc} += {V}"],
                  [f"    if {V} > 1:", f"        {acc} += {V}"])
    if g.chance(0.5):
        head = [f"for {k} in range({start}[{i}], {start}[{i} + 1]):"]
    else:
        head = [f"{first} = {start}[{i}]", f"{end} = {start}[{i} + 1]",
                f"for {k} in range({first}, {end}):"]
    again = g.pick([], [f"if {acc} > 0:", f"    {head[-1]}", f"        {V} = {V} + {kind}({acc} > 3)"])
    return one(g, i, length(g, out)).around(
        [f"{acc} = {g.zero(kind)}", *head, *work, f"{out.name}[{i}] = {acc}", *again])


def states(g):
    """A few numbers of the thread's own, each of which all become others at every step along a row."""
    kind, n, m, count = g.pick("int32", "int64", "float32"), min(g.size(), 300), g.pick(*LONG), g.pick(3, 4, 12, 33)
    i, k, s, o, up, last = (g.fresh(name) for name in ("i", "k", "s", "o", "up", "last"))
    x, w = g.array("x", kind, (n, m), most=3), g.array("w", kind, count, most=3)
    out, now, then = g.array("out", kind, n, True), g.fresh("now"), g.fresh("then")
    own = [f"{array} = cuda.local.array({count}, {kind})" for array in (now, then)]
    step = g.pick(
        [f"{last} = {o}", f"for {s} in range({count - 1}):", f"    {up} = {now}[{s} + 1]",
         f"    {last} = min({last}, {up}) + {w.name}[{s}]", f"    {now}[{s} + 1] = {last}"],
        [f"for {s} in range({count}):", f"    {then}[{s}] = max({now}[{s}], {now}[0]) - {o}",
         f"for {s} in range({count}):", f"    {now}[{s}] = {then}[{s}] + {w.name}[{s}]"])
    lines = [*own[:1 if len(step) == 5 else 2], f"for {s} in range({count}):", f"    {now}[{s}] = {w.name}[{s}]",
             f"for {k} in range({length(g, x, 1)}):", f"    {o} = {x.name}[{i}, {k}]", *("    " + line for line in step)]
    return one(g, i, length(g, out)).around(lines + [f"{out.name}[{i}] = {now}[{count - 1}]"])


def running(g):
    """A sum of what lies around, down a column or along a row: what enters is added, what leaves is taken off."""
    kind, n, m, r = g.pick("int32", "int64", "float32", "uint8"), min(g.size(), 300), g.pick(*LONG), g.pick(0, 1, 3, 9)
    i, k, s, down = g.fresh("i"), g.fresh("k"), g.fresh("s"), g.chance(0.6)
    x, far = g.array("x", kind, (m, n) if down else (n, m), most=3), g.scalar("r", g.pick("int64", "int32"), r)
    out = g.array("out", "float32" if kind == "float32" else "int64", (m, n) if down else (n, m), True)
    axis, of = (0 if down else 1), (lambda a, at: f"{a.name}[{at}, {i}]" if down else f"{a.name}[{i}, {at}]")
    enters = g.pick([f"if {k} + {far} < {length(g, x, axis)}:", f"    {s} += {of(x, f'{k} + {far}')}"],
                    [f"if {k} != {far}:", f"    {s} += {of(x, k)}", "else:", f"    {s} -= {of(x, k)}"])
    leaves = g.pick([f"if {k} - {far} - 1 >= 0:", f"    {s} -= {of(x, f'{k} - {far} - 1')}"],
                    [f"if {k} > {far}:", f"    if {k} % 2 == 0:", f"        {s} -= {of(x, f'{k} - {far}')}"],
                    [f"if {s} > 5:", f"    {s} -= {of(x, k)}"])
    lines = [f"{s} = {g.zero('float32' if kind == 'float32' else 'int64')}", f"for {k} in range({length(g, x, axis)}):",
             *("    " + line for line in enters + leaves), f"    {of(out, k)} = {s}"]
    return one(g, i, length(g, x, 1 - axis)).around(lines)


AXES_1 = [rounded_down, running, running, bounded, found, states, states, counters, counters, in_place, in_place,
          in_place, columns, columns, ragged, ragged]
