"""math's, NumPy's and cuda's functions: those that are exact, wherever; the others where only
what they leave is compared, with a tolerance."""
from arith import leaf, of_kind, whole
from values import FLOATS, SIGNED, UNSIGNED, Expr, fits, range_of, result_type, widened

NEAR = ["math.sin({})", "math.cos({})", "math.atan({})", "math.tanh({})", "math.exp({} * -0.5)",
        "math.log({} + 1.5)", "math.sqrt({} + 0.25)", "math.erf({} * 0.5)", "math.hypot({}, 2.0)",
        "math.pow({} + 0.5, 0.75)", "math.atan2({}, 3.0)", "math.log1p({})", "np.arcsinh({})",
        "math.cbrt({})" if False else "cuda.cbrt({})", "math.lgamma({} + 1.0)", "np.exp2({} * 0.5)",
        "math.sinh({} * 0.25)", "abs(complex({}, 1.5))", "cmath.exp(complex({} * 0.25, 0.5)).real",
        "cmath.sqrt(complex({}, -2.0)).imag", "({} + 1.0) ** 0.4", "math.degrees({})"]


def near(g, depth, together):
    """A function that devices need not agree on to the last bit."""
    if not g.in_kernel:
        return None
    kind = g.pick("float32", "float64")
    return [f"near[thread] = near[thread] * 0.5 + {g.pick(*NEAR).format(of_kind(g, kind, 1))}"]


def rounded(g, depth):
    a = g.number(depth)
    if a.kind not in ("float32", "float64"):
        return None
    if g.chance(0.3) and a.most < 2 ** 62:
        return Expr(f"{g.pick('int', 'round')}({a.text})", "int64", a.most + 1)
    return Expr(f"{g.pick('math.', 'np.')}{g.pick('floor', 'ceil', 'trunc')}({a.text})", a.kind, a.most + 1)


def of_float(g, depth):
    kind = g.pick("float32", "float64")
    a, b = leaf(g, kind), leaf(g, kind)
    form = g.pick("math.fabs({})", "math.copysign({}, {})", "np.rint({})", "np.maximum({}, {})",
                  "np.minimum({}, {})", "np.fmax({}, {})", "np.sign({})", "np.absolute({})",
                  "np.positive({})", "np.negative({})", "math.modf({})[0]", "math.modf({})[1]",
                  "math.ldexp({}, 0)", "np.fmin({}, {})", "np.copysign({}, {})")
    args = [a.text, b.text][:form.count("{}")]
    return Expr(form.format(*args), kind, max(a.most, b.most) + 1, max(a.grain, b.grain))


def multiplied(g, depth):
    """The three that are exact as long as what they give is."""
    kind = g.pick("float32", "float64")
    a, b, c = leaf(g, kind), leaf(g, kind), leaf(g, kind)
    text, most, grain = g.pick(
        (f"cuda.fma({a.text}, {b.text}, {c.text})", a.most * b.most + c.most, a.grain + b.grain + c.grain),
        (f"np.square({a.text})", a.most ** 2, a.grain * 2),
        (f"math.fmod({a.text}, {kind}(2.0))", 2, a.grain),
        (f"math.sqrt({a.text} * {a.text})", a.most, a.grain),
        (f"math.ldexp({a.text}, 3)", a.most * 8, a.grain),
        (f"np.multiply({a.text}, {b.text})", a.most * b.most, a.grain + b.grain),
        (f"np.subtract({a.text}, {b.text})", a.most + b.most, a.grain + b.grain))
    return Expr(text, kind, most, grain) if fits(kind, most, grain) else None


def of_integer(g, depth):
    kind = g.pick("int16", "int32", "uint8", "uint16", "uint32")
    a, b = leaf(g, kind), leaf(g, kind)
    form = g.pick("np.bitwise_and({}, {})", "np.bitwise_or({}, {})", "np.bitwise_xor({}, {})",
                  "np.gcd({}, {})", "np.maximum({}, {})", "np.minimum({}, {})", "np.add({}, {})",
                  "np.subtract({}, {})", "math.fabs({})", "np.invert({})")
    return Expr(f"int64({form.format(*[a.text, b.text][:form.count('{}')])})", "int64",
                2 * range_of(kind) + 1)


def asked(g, depth):
    a, b = g.number(depth), leaf(g, g.pick("float32", "float64"))
    form = g.pick("math.isnan({b})", "math.isinf({b})", "math.isfinite({b})", "np.signbit({b})",
                  "np.logical_and({a}, {b})", "np.logical_or({a}, {b})", "np.logical_not({a})",
                  "np.less({b}, {b})", "np.equal({a}, {a})", "np.greater_equal({b}, 2.5)")
    return Expr(f"({form.format(a=a.text, b=b.text)})", "bool", 1)


def chosen(g, depth):
    kind = g.pick("int32", "uint32", "int64", "uint64", "float32", "float64")
    a, b = leaf(g, kind), leaf(g, kind)
    return Expr(f"cuda.selp({g.number(0).text} > 3, {a.text}, {b.text})", kind, max(a.most, b.most),
                max(a.grain, b.grain))


def ufunc(g, depth, together):
    """NumPy's functions on whole views, into one."""
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    if kind == "float16":
        return None
    start = g.random.randrange(8)
    a, b, to = f"in_{kind}[{start}:{start + 8}]", f"own_{kind}[:8]", f"own_{kind}[8:]"
    form = g.pick("np.maximum({a}, {b}, {to})", "np.minimum({a}, {b}, {to})", "np.positive({a}, {to})",
                  "np.maximum({a}, {a}[0], {to})")
    if kind in UNSIGNED + SIGNED and g.chance(0.5):
        form = g.pick("np.bitwise_xor({a}, {b}, {to})", "np.add({a}, {b}, {to})", "np.invert({a}, {to})")
    return [form.format(a=a, b=b, to=to)]


def half(g, depth):
    """bfloat16, whose eight bits hold what is kept."""
    a, b = (f"bfloat16({of_kind(g, 'float32', 0)})" for _ in range(2))
    text = g.pick(f"bf16.hadd({a}, {b})", f"bf16.hsub({a}, {b})", f"bf16.hmax({a}, {b})", f"-{a}",
                  f"bf16.habs({a})", a)
    return Expr(f"float32({text})", "float32", 16, 2)


def begin(g):
    g.parameters.append(("near", f"zeros({g.threads})", True))
    g.imports += ["import cmath", "from numba.cuda import bf16"]


EXPRESSIONS = [rounded, rounded, of_float, multiplied, of_integer, asked, chosen, half]
STATEMENTS = [near, ufunc]
NESTING = []
TOGETHER = []
