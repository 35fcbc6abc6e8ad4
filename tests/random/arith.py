"""Expressions of numbers: leaves, operators, casts, choices and conditions.

A form takes the generator and a depth; it gives an Expr, or None if it cannot this time.
"""
from values import (BITS, DTYPES, FLOATS, KEPT_GRAIN, KEPT_MOST, SIGNED, UNSIGNED, Expr, fits, kept,
                    range_of, result_type, widened)

SLOTS = 16


def leaf(g, kind):
    """A variable, an element of an input, or a constant of that kind."""
    names = [name for name, its in g.variables.items() if its == kind]
    if names and g.chance(0.7):
        return kept(g.random.choice(names), kind)
    if g.in_kernel and kind in g.kinds and g.chance(0.6):
        if "hints" not in g.without and g.chance(0.15):
            hint = g.pick("ldca", "ldcg", "ldcs", "ldcv", "ldlu")
            return kept(f"cuda.{hint}(in_{kind}, {index(g, 0)})", kind)
        return kept(f"in_{kind}[{index(g, 0)}]", kind)
    if kind in FLOATS:
        return Expr(f"{kind}({g.random.randrange(-16, 17) / 4})", kind, 4, 2)
    low = 0 if kind in UNSIGNED else -100
    return Expr(f"{kind}({g.random.randrange(low, 101)})", kind, 100)


def literal(g):
    if g.chance(0.5):
        number = g.random.randrange(-20, 21)
        return Expr(f"({number})" if number < 0 else str(number), "int64", abs(number))
    number = g.random.randrange(0, 17) / 4
    return Expr(str(number), "float64", 4, 2)


def whole(g, depth):
    """An integer."""
    for _ in range(4):
        made = g.number(depth)
        if not made.is_float() and made.kind != "bool":
            return made
    return leaf(g, g.pick(*SIGNED, *UNSIGNED))


def index(g, depth, slots=SLOTS):
    text = whole(g, depth).text
    return g.pick(f"{text} % {slots}", f"-1 - {text} % {slots}", f"({text} & {slots - 1})",
                  str(g.random.randrange(-slots, slots)))


def of_kind(g, kind, depth):
    """The text of an expression of that type; floats within what variables keep."""
    made = g.number(depth)
    if kind not in FLOATS:
        if made.is_float() and (made.most >= range_of(kind) / 2 or kind in UNSIGNED):
            return leaf(g, kind).text
        return f"{kind}({made.text})"
    if made.is_float() and fits("float64", made.most, made.grain + 2):
        return f"{kind}(math.floor({made.text} % 8.0 * 4.0) * 0.25)"
    if made.is_float() or made.kind == "bool":
        return f"{kind}({g.random.randrange(0, 32) / 4})"
    return f"{kind}(({made.text} & 31) * 0.25)"


# ---- operators ---------------------------------------------------------------------------------

def arithmetic(g, depth):
    a, b, op = g.number(depth), g.number(depth), g.pick("+", "-", "*")
    kind = result_type(a, b)
    most = a.most * b.most if op == "*" else a.most + b.most
    grain = a.grain + b.grain if op == "*" else max(a.grain, b.grain)
    if kind in FLOATS and not (fits(kind, a.most, a.grain) and fits(kind, b.most, b.grain)):
        return a
    if not fits(kind, most, grain) or (kind == "int64" and "uint64" in (a.kind, b.kind)):
        return a
    text = f"({a.text} {op} {b.text})"
    if g.chance(0.1):
        text = f"operator.{ {'+': 'add', '-': 'sub', '*': 'mul'}[op]}({a.text}, {b.text})"
    return Expr(text, kind, most if kind != "uint64" else 2 ** 64, grain)


def division(g, depth):
    a, op = g.number(depth), g.pick("//", "%")
    if a.is_float():
        shift = g.random.randrange(0, 4)
        most, grain = (a.most / 2 ** shift + 1, 0) if op == "//" else (2 ** shift, a.grain)
        if not fits(a.kind, a.most, a.grain):
            return a
        return Expr(f"({a.text} {op} {a.kind}({2 ** shift}))", a.kind, most, grain)
    b = whole(g, depth)
    kind = result_type(a, b)
    if kind == "int64" and "uint64" in (a.kind, b.kind):
        return b
    divisor, divisor_most = b.text, b.most
    if g.debug:                                     # which reports a division by zero
        divisor, divisor_most = f"({b.text} | 1)", b.most + 1
        kind = result_type(a, Expr("", "int64"))
    most = a.most if op == "//" else min(divisor_most, max(a.most, divisor_most))
    if kind == "int64" and "uint64" in (a.kind, b.kind):
        return b
    text = f"({a.text} {op} {divisor})"
    if g.chance(0.2):
        text = f"divmod({a.text}, {divisor})[{0 if op == '//' else 1}]"
    return Expr(text, kind, most)


def true_division(g, depth):
    """By a power of two, which is exact."""
    a, shift = g.number(depth), g.random.randrange(0, 4)
    kind = a.kind if a.is_float() else "float64"
    if kind == "float16" or not fits(kind, a.most, a.grain + shift):
        return None
    by = f"{kind}({2 ** shift})" if a.is_float() else str(2 ** shift)
    return Expr(f"({a.text} / {by})", kind, a.most, a.grain + shift)


def power(g, depth):
    a, exponent = g.number(depth), g.random.randrange(0, 4)
    if a.kind in ("bool", "float16"):
        return None
    kind = a.kind if a.is_float() else "int64"
    most, grain = max(a.most, 1) ** exponent, a.grain * exponent
    if a.kind == "uint64" or not fits(kind, most, grain) or not fits(kind, a.most, a.grain):
        return None
    if a.kind == "float32" and g.chance(0.5):
        return Expr(f"({a.text} ** int32({exponent}))", kind, most, grain)
    if a.kind == "float32":
        kind = "float32"
    return Expr(f"({a.text} ** {exponent})", kind, most, grain)


def bitwise(g, depth):
    a = whole(g, depth)
    if g.chance(0.4):
        places = g.random.randrange(0, 9)
        if g.chance(0.5):
            return Expr(f"({a.text} >> {places})", widened(a.kind), a.most)
        return Expr(f"(({a.text} & 0xffff) << {places})", "int64", 2 ** 24)
    b, op = whole(g, depth), g.pick("&", "|", "^")
    kind = result_type(a, b)
    most = 2 ** max(int(a.most).bit_length(), int(b.most).bit_length())
    return Expr(f"({a.text} {op} {b.text})", kind, most)


def unary(g, depth):
    a = g.number(depth)
    if a.is_float() or a.kind in SIGNED:
        if a.kind in SIGNED and a.most >= range_of(a.kind) or a.kind == "float16":
            return a         # -int8(-128) and the like stay as they are
        return Expr(g.pick(f"(-{a.text})", f"abs({a.text})"),
                    a.kind if a.is_float() else "int64", a.most, a.grain)
    if a.kind in ("uint64", "bool"):
        return a
    return Expr(f"(~{a.text})", "uint64", range_of(a.kind))


def bits(g, depth):
    kind = g.pick(*SIGNED, *UNSIGNED)
    if kind in ("uint32", "uint64") and g.chance(0.3):
        return Expr(f"cuda.brev({leaf(g, kind).text})", kind, range_of(kind))
    form = g.pick("popc", "clz", "ffs") if BITS[kind] >= 32 else g.pick("popc", "clz")
    return Expr(f"int64(cuda.{form}({leaf(g, kind).text}))", "int64", 64)


# ---- types -------------------------------------------------------------------------------------

def cast(g, depth):
    a, kind = g.number(depth), g.pick(*DTYPES)
    if kind in FLOATS:
        return Expr(f"{kind}({a.text})", kind, a.most, a.grain) if fits(kind, a.most, a.grain) \
            else a
    if a.is_float() and a.most >= range_of(kind) / 2 or a.kind == "bool":
        return a
    if a.is_float() and kind in UNSIGNED:
        return a
    return Expr(f"{g.pick('', 'np.', 'types.')}{kind}({a.text})", kind, range_of(kind))


def reinterpretation(g, depth):
    """The same bits as another integer type."""
    kind = g.pick(*SIGNED, *UNSIGNED)
    other = kind[1:] if kind in UNSIGNED else f"u{kind}"
    return Expr(f"{leaf(g, kind).text}.view(np.{other})", other, range_of(other))


def instance(g, depth):
    """A choice by the type of what is asked about."""
    a, kind = leaf(g, g.pick(*DTYPES)), g.pick(*DTYPES)
    asked = g.pick("int", "float", "int", "(float, bool)", "complex",
                   *([] if "kinds" in g.without else ["np.integer", "(np.floating, bool)", "np.ndarray", a.kind]))
    b, c = leaf(g, kind), leaf(g, kind)
    return Expr(f"({b.text} if isinstance({a.text}, {asked}) else {c.text})", kind,
                max(b.most, c.most), max(b.grain, c.grain))


# ---- choices -----------------------------------------------------------------------------------

def choice(g, depth):
    kind = g.pick(*DTYPES)
    a, b = leaf(g, kind), leaf(g, kind)
    return Expr(f"({a.text} if {condition(g, depth)} else {b.text})", kind,
                max(a.most, b.most), max(a.grain, b.grain))


def either(g, depth):
    """The operand that `and` or `or` gives."""
    kind = g.pick(*DTYPES)
    a, b = leaf(g, kind), leaf(g, kind)
    return Expr(f"({a.text} {g.pick('and', 'or')} {b.text})", kind, max(a.most, b.most),
                max(a.grain, b.grain))


def extreme(g, depth):
    kind = g.pick(*DTYPES)
    parts = [leaf(g, kind) for _ in range(g.pick(2, 2, 3))]
    return Expr(f"{g.pick('min', 'max')}({', '.join(part.text for part in parts)})", kind,
                max(part.most for part in parts), max(part.grain for part in parts))


def boolean(g, depth):
    return Expr(f"({condition(g, depth)})", "bool", 1)


def condition(g, depth):
    roll = g.random.random()
    if depth > 0 and roll < 0.2:
        return f"({condition(g, depth - 1)} {g.pick('and', 'or')} {condition(g, depth - 1)})"
    if depth > 0 and roll < 0.3:
        return f"(not {condition(g, depth - 1)})"
    if roll < 0.35:
        return f"bool({g.number(depth - 1).text})"
    a, b = g.number(depth - 1), g.number(depth - 1)
    op = g.pick("<", "<=", ">", ">=", "==", "!=")
    if roll < 0.45:
        return f"({a.text} {op} {b.text} < {g.number(0).text})"
    return f"({a.text} {op} {b.text})"


def begin(g):
    pass


EXPRESSIONS = 3 * [arithmetic] + [division, bitwise, unary, cast, choice, extreme, boolean, either,
                                  true_division, power, bits, instance, reinterpretation]
STATEMENTS = []
NESTING = []
TOGETHER = []
