"""Numbers held between bounds, and slices whose bounds only the launch knows: their lengths, which are
such numbers, are compared with others and with constants.

`n` below is a place from 0 to SLOTS; slices of eight elements meet their like.
"""
from arith import SLOTS, leaf, of_kind, whole
from values import FLOATS, SIGNED, Expr, kept

FUNCTIONS = ["maximum", "minimum"]
WRAPPING = FUNCTIONS + ["add", "subtract", "bitwise_xor", "multiply"]


def bound(g, kind):
    """A bound's text: a constant, or a small number that is not known before."""
    number = g.pick(0, 1, 3, 7, 8, 15, 16, 31, 127, -1, -8)
    return g.pick(str(number), str(number), f"{kind}({number})", f"{kind}({leaf(g, g.pick(*SIGNED)).text} & 15)")


def held(g, kind):
    """A number of at most 64 bits between two bounds, which may be the wrong way round."""
    low, high = bound(g, kind), bound(g, kind)
    number = f"{kind}({whole(g, 1).text})"
    return g.pick(f"max(min({number}, {high}), {low})", f"min(max({number}, {low}), {high})",
                  f"max({low}, min({high}, {number}))"), low, high


def cut(g, depth):
    """What is left of a float between two bounds, or beyond one."""
    number, high = of_kind(g, g.pick("float64", "float64", "float32"), max(depth - 1, 0)), g.pick("7.5", "15.0", "3.25")
    inner = g.pick(f"min(max({number}, {g.pick('0.0', '-1.5')}), {high})", f"max(0.0, min({high}, {number}))",
                   f"max(min({number}, float64({leaf(g, g.pick(*SIGNED)).text} & 7) - 1.5), 0.0)")
    return Expr(f"int64({inner})", "int64", 16)


def clamped(g, depth):
    if g.chance(0.3):
        return cut(g, depth)
    kind = g.pick("int32", "int64", "int16", "int8")
    return Expr(f"int64({held(g, kind)[0]})", "int64", 2 ** 63)


def compared(g, depth):
    kind = g.pick("int32", "int32", "int64")
    number, low, high = held(g, kind)
    op = g.pick("==", "==", "!=", "<", "<=", ">", ">=")
    return Expr(f"({number} {op} {g.pick(low, high, high, bound(g, kind))})", "bool", 1)


def within(g, kind):
    """A slice of eight elements of an array of that kind, as texts of several makings."""
    array, n = g.pick("in", "own"), f"({leaf(g, g.pick(*SIGNED)).text} & 7)"
    start = g.random.randrange(0, SLOTS - 7)
    return f"{array}_{kind}[" + g.pick(f"{start}:{start + 8}", "8:", f"8:{g.pick(16, 40, 1000)}", ":8", "-8:",
                                       f"{n}:{n} + 8", f"{n}:{n} - 8", f"{-SLOTS}:8") + "]"


def length(g, depth):
    """Of a slice whose bounds may lie anywhere."""
    if not g.in_kernel:
        return None
    first, last = (g.pick("", str(g.random.randrange(-20, 21)), f"int32({whole(g, 0).text})", whole(g, 0).text)
                   for _ in range(2))
    text = f"{g.pick('in', 'own')}_{g.pick(*g.kinds)}[{first}:{last}]"
    if g.chance(0.5):
        return Expr(f"int64(len({text}))", "int64", SLOTS)
    return Expr(f"(len({text}) {g.pick('==', '<', '>=')} {g.random.randrange(0, SLOTS + 1)})", "bool", 1)


def combined(g, depth, together):
    """Eight elements from others, by a function of NumPy's or by an operator; arrays of inputs may be
    shorter than their slices ask for, as far as the compiler knows."""
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    target = f"own_{kind}[{g.pick('8:', ':8', '4:12', '8:99')}]"
    a, b = (within(g, kind).replace("own", "in") for _ in range(2))
    if g.chance(0.3):
        a = target
    if g.chance(0.3):
        return [f"{target} = {a}"]
    name = g.pick(*FUNCTIONS) if kind in FLOATS else g.pick(*WRAPPING)
    return [f"np.{name}({a}, {b}, {target})"]


def part(g, depth, together):
    """As many elements as the bounds happen to leave."""
    if not g.in_kernel:
        return None
    kind, n, name = g.pick(*g.kinds), g.fresh("n"), g.fresh("v")
    lines = [f"{n} = {g.pick('int32', 'int64')}({whole(g, 1).text}) % {g.pick(5, 17, 40)}",
             g.pick(f"own_{kind}[{n}:] = {of_kind(g, kind, 1)}", f"own_{kind}[:{n}] = in_{kind}[:{n}]",
                    f"own_{kind}[{n}:{n} + 3] = {of_kind(g, kind, 0)}"),
             f"{name} = in_{kind}[max(min({n}, {SLOTS} - 1), 0)]"]
    g.variables[name] = kind
    return lines


def begin(g):
    pass


EXPRESSIONS = [clamped, compared, compared, length]
STATEMENTS = [combined, combined, part]
NESTING = []
TOGETHER = []
