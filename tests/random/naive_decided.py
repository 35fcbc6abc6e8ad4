"""Elements at indices that hang on what a thread decides: on a bool, a branch, a choice, the smaller of two. There
are two or four of them, and compilers know it."""
from naive_lines import length, stored
from naive_places import one
from values import DTYPES

ABOVE = ["def above(a, b):", "    return 1 if a > b else 0", "", ""]


def condition(g, x, i):
    return g.pick(f"{i} > {g.random.randrange(40)}", f"{i} % 3 == 1", f"{x}[{i}] > 2", f"{x}[{i}] > {x}[0]",
                  f"{x}[{i}] != 3")


def decided(g, x, k, i):
    """Lines that come first, and a number from 0 to 3."""
    q, p, z = g.fresh("q"), g.fresh("p"), g.fresh("z")
    a, b = condition(g, x, i), condition(g, x, i)
    if g.chance(0.1):
        g.definitions += ABOVE if ABOVE[0] not in g.definitions else []
        return [], f"above({x}[{i}], 2)"
    return g.pick(([f"{q} = {a}"], f"int({q})"), ([f"{q} = {a}", f"{z} = int({q})"], z),
                  ([], f"(1 if {a} else 0)"), ([], f"(3 if {a} else 2)"), ([], f"int({a})"),
                  ([f"{z} = 0", f"if {a}:", f"    {z} = 1"], z), ([f"{z} = 1", f"if {a}:", f"    {z} += 1"], z),
                  ([f"{q} = {a}", f"{p} = {b}"], f"(int({q}) {g.pick('&', '*', '|', '^', '+')} int({p}))"),
                  ([f"{q} = {a}"], f"(1 - int({q}))"), ([f"{q} = {a}"], f"int(not {q})"), ([], f"min({i}, 1)"),
                  ([f"{q} = {a} and {b}"], f"int({q})"), ([f"{z} = uint8({a})"], z), ([f"{z} = int8({a})"], z),
                  ([f"{k}[{i}] = {a}"], f"{k}[{i}]"), ([f"{z} = float32({a})"], f"int({z})"),
                  ([f"{z} = 0", f"for _ in range({g.pick(2, 3)}):", f"    {z} ^= int({a})"], z))


def chosen(g):
    kind, n, i = g.pick("float32", "int32", *DTYPES), g.size(), g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    k = g.array("k", g.pick("int32", "uint8", "int64"), n, True, plain=True)
    table = g.array("t", kind, 16, plain=g.chance(0.8))
    place = one(g, i, length(g, g.pick(out, x)))
    lines, number = decided(g, x.name, k.name, i)
    of = g.pick(f"{table.name}[{number}]", f"{table.name}[{number} + 2]", f"{table.name}[2 * {number}]",
                f"{table.name}[{number} * 4 + 1]", f"{table.name}[9 - {number}]", f"{table.name}[{number}:][3]",
                f"{table.name}[{number} - 8]")
    return place.around(lines + stored(g, f"{out.name}[{i}]", kind, g.value(kind, [f"{x.name}[{i}]", of, of])))


AXES_1 = [chosen]
