"""Pairs of neighbouring operations on integers of one width, at the edges of what it holds.

`edges_KIND` holds the ends of the type's range, what lies beside them, and powers of two.
"""
from values import BITS, SIGNED, UNSIGNED, Expr, range_of

WIDE = ["int32", "int64", "uint32", "uint64"]
COUNT = 16


def numbers(kind):
    bits = BITS[kind]
    if kind in UNSIGNED:
        return [0, 1, 2, 3, 7, 8, 31, 32, 33, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2 ** (bits - 1) + 1,
                2 ** bits - 2, 2 ** bits - 1, 2 ** (bits // 2), 2 ** (bits // 2) - 1]
    top = 2 ** (bits - 1)
    return [0, 1, -1, 2, -2, 3, 7, 8, 32, -32, top - 1, top - 2, -top, -top + 1, 2 ** (bits // 2), -2 ** (bits // 2)]


def operand(g, kind):
    """An element that is not known before, or a constant."""
    if not g.in_kernel or g.chance(0.3):
        number = g.pick(*numbers(kind))
        return f"{kind}({number})" if number != -2 ** 63 else f"{kind}(-0x7fffffffffffffff - 1)"
    place = f"(thread + {g.random.randrange(COUNT)}) % {COUNT}" if g.chance(0.5) else \
        f"(thread * {g.pick(3, 5, 7)} >> {g.pick(0, 1, 2)}) % {COUNT}"
    return f"edges_{kind}[{place}]"


def step(g, kind, a, b):
    """The text of one operation, of that type."""
    most = BITS[kind] - 1
    nonzero = f"({b} | {kind}(1))" if g.debug else b
    forms = [f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"~{a}", f"-{a}",
             f"min({a}, {b})", f"max({a}, {b})", f"{a} << ({b} & {kind}({most}))", f"{a} >> ({b} & {kind}({most}))",
             f"{a} // {nonzero}", f"{a} % {nonzero}", f"{a} if {a} < {b} else {b}", f"{a} >> {g.random.randrange(most)}",
             f"{a} * {kind}({g.pick(2, 3, 5, 8, 10)})", f"{a} // {kind}({g.pick(2, 3, 7, 8, 10)})",
             f"{a} % {kind}({g.pick(2, 3, 7, 8, 10)})", f"min({a}, {kind}(8))", f"max({a}, {kind}(0))"]
    if kind in SIGNED:
        forms += [f"abs({a})", f"{a} // {kind}(-3)", f"{a} % {kind}(-8)"]
    return f"{kind}({g.pick(*forms)})"


def pair(g, depth):
    kind = g.pick(*WIDE, *WIDE, *SIGNED, *UNSIGNED)
    first = step(g, kind, operand(g, kind), operand(g, kind))
    other = operand(g, kind)
    text = step(g, kind, *((first, other) if g.chance(0.6) else (other, first)))
    return Expr(text, kind, range_of(kind))


def met(g, depth):
    """A pair compared with a constant or with one of its own operands."""
    kind = g.pick(*WIDE)
    a, b, c = (operand(g, kind) for _ in range(3))
    text = step(g, kind, step(g, kind, a, b), c)
    return Expr(f"({text} {g.pick('==', '!=', '<', '<=', '>', '>=')} {g.pick(a, b, c, operand(g, kind))})", "bool", 1)


def mixed(g, depth):
    """A pair of one width, and what it is in another."""
    inner, outer = g.pick(*WIDE), g.pick(*SIGNED, *UNSIGNED)
    value = step(g, inner, operand(g, inner), operand(g, inner))
    return Expr(step(g, outer, f"{outer}({value})", operand(g, outer)), outer, range_of(outer))


def begin(g):
    for kind in SIGNED + UNSIGNED:
        texts = [str(number) if number != -2 ** 63 else "-0x7fffffffffffffff - 1" for number in numbers(kind)]
        g.parameters.append((f"edges_{kind}", f"array([{', '.join(texts)}], dtype={kind})", False))


EXPRESSIONS = 2 * [pair] + [met, mixed]
STATEMENTS = []
NESTING = []
TOGETHER = []
