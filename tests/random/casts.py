"""Casts of casts, between all types, of numbers at the edges of types, in the places where C's own
conversions might be taken for them.

`edge_KIND` are such numbers. What comes of a chain of casts is written to arrays of any type, and
the sign of a float, zero's too, beside it. Chains round, overflow and saturate as kjit says, which
numba leaves open in part.
"""
from arith import SLOTS, condition, index
from values import BITS, FLOATS, SIGNED, UNSIGNED, Expr

INTEGERS = SIGNED + UNSIGNED
KINDS = ["bool", "bfloat16", *INTEGERS, *FLOATS]
WHOLE = [0, 1, -1, 127, 128, -129, 255, 256, 2049, 32767, -32769, 65535, 65536, 2 ** 24 + 1, 2 ** 31 - 1,
         2 ** 31, -2 ** 31 - 1, 2 ** 32 - 1, 2 ** 32 + 1, 2 ** 53 + 1, -2 ** 53 - 1, 2 ** 60 + 2 ** 36 + 1,
         2 ** 62 + 2 ** 54 + 1, 2 ** 63 - 1, -2 ** 63]
FRACTIONS = [0.0, -0.0, 0.25, -0.5, 0.5, -0.999, 1.5, -1.5, 2.5, 127.5, -128.5, 255.5, 1.00048828125,
             1.0004882812500002, 65519.0, 65520.0, -65536.0, 16777218.0, 2147483647.5, -2147483649.0,
             9007199254740994.0, 9.3e18, -9.3e18, 2e19, 1e30, -3.41e38, 1e-40, -1e-46, 6e-8, -5e-324]


def spelled(g, kind):
    if kind == "bfloat16":
        return "cuda.bfloat16"
    if kind == "bool":
        return "np.bool_"
    return g.pick("", "np.", "types.") + kind


def start_of(g):
    """A number at an edge, or any."""
    if g.in_kernel and "casts" in g.families and g.chance(0.8):
        return f"edge_{g.pick('int64', 'float64')}[{index(g, 0)}]"
    return g.number(1).text


def chain(g, kinds=None):
    """The text of a number cast to these types in turn."""
    text = start_of(g)
    for kind in kinds or [g.pick(*KINDS) for _ in range(g.random.randrange(1, 5))]:
        text = f"{spelled(g, kind)}({text})"
    return text


def rounded_whole(g, depth):
    """An integer, of a chain that ends in one."""
    kind = g.pick(*INTEGERS)
    most = 2 ** BITS[kind]
    return Expr(chain(g, [g.pick(*KINDS), g.pick(*KINDS), kind]), kind, most)


def noted(g, value):
    """Lines that keep a value, in an array of another type, and its sign."""
    kind = g.pick(*g.cast_kinds)
    return [f"cast_{kind}[thread] = {value}",
            f"signs[thread] = signs[thread] * 3 + int64(math.copysign(2.0, float64(cast_{kind}[thread])))",
            f"chains[thread] = chains[thread] * 31 ^ int64(cast_{kind}[thread])"]


def stored(g, depth, together):
    if not g.in_kernel or "casts" not in g.families:
        return None
    return noted(g, chain(g))


def named(g, depth, together):
    """By way of a name, a choice, a tuple, an operator or a condition."""
    if not g.in_kernel or "casts" not in g.families:
        return None
    kinds, name = [g.pick(*KINDS), g.pick(*KINDS)], g.fresh("cast")
    value = chain(g, kinds)
    form = g.pick("name", "choice", "tuple", "operator", "condition", "comparison", "sum")
    if form == "choice":
        return [f"{name} = {value} if {condition(g, 1)} else {chain(g, kinds)}", *noted(g, name)]
    if form == "tuple":
        return [f"{name} = (thread, {value})", *noted(g, f"{name}[1]")]
    if form == "operator":
        return [f"{name} = float64({value}) * float64(1.0)", *noted(g, name)]
    if form == "condition":
        return [f"if {value}:", *("    " + line for line in noted(g, chain(g)))]
    if form == "comparison":
        op = g.pick("==", "!=", "<", "<=", ">", ">=")
        return [f"signs[thread] = signs[thread] * 3 + int64({value} {op} {chain(g, kinds)})"]
    if form == "sum":
        return [f"{name} = float64(-0.0)", f"{name} += {value}", *noted(g, name)]
    return [f"{name} = {value}", *noted(g, name)]


def begin(g):
    if "casts" in g.without:
        return
    g.cast_kinds = g.random.sample(KINDS, 4)
    whole = g.random.sample(WHOLE, SLOTS)
    fractions = g.random.sample(FRACTIONS, SLOTS)
    g.parameters += [("edge_int64", f"array({whole}, dtype=int64)", False),
                     ("edge_float64", f"array({fractions}, dtype=float64)", False),
                     ("signs", f"zeros({g.threads}, dtype=int64)", True),
                     ("chains", f"zeros({g.threads}, dtype=int64)", True)]
    g.parameters += [(f"cast_{kind}", f"zeros({g.threads}, dtype={kind})", True)
                     for kind in g.cast_kinds]


EXPRESSIONS = [rounded_whole]
STATEMENTS = [stored, named]
NESTING = []
TOGETHER = []
