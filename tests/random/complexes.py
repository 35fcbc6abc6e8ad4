"""Complex numbers whose parts are multiples of 1/4 below 8.

Names beginning with `c` hold them, each of one kind. Two that meet are of one kind, or of
complex128.
"""
from arith import condition, index, leaf, of_kind
from values import COMPLEXES, Expr, fits, kept

PART = {"complex64": "float32", "complex128": "float64"}


def simple(g, kind):
    """A name, an element, or one made of its parts."""
    names = [name for name, its in g.variables.items() if its == kind]
    if names and g.chance(0.5):
        return kept(g.random.choice(names), kind)
    if g.in_kernel and "complexes" in g.families and g.chance(0.5):
        return kept(f"in_{kind}[{index(g, 0)}]", kind)
    a, b = of_kind(g, PART[kind], 1), of_kind(g, PART[kind], 0)
    return kept(g.pick(f"{kind}(complex({a}, {b}))", f"complex({a}, {b})"), kind)


def combined(g, kind, depth):
    """An Expr of the kind."""
    if depth <= 0:
        return simple(g, kind)
    a = combined(g, kind, depth - 1)
    roll = g.random.random()
    if roll < 0.2:
        return Expr(g.pick(f"(-{a.text})", f"{a.text}.conjugate()", f"(+{a.text})",
                           f"np.conj({a.text})"), kind, a.most, a.grain)
    if roll < 0.3:
        text = f"({a.text} / {g.pick(kind, PART[kind])}(2))"
        return Expr(text, kind, a.most, a.grain + 1) if fits(kind, a.most, a.grain + 1) else a
    b = combined(g, kind, depth - 1)
    if g.chance(0.2):
        b = leaf(g, PART[kind])
    op = g.pick("+", "-", "*")
    most = 2 * a.most * b.most if op == "*" else a.most + b.most
    grain = a.grain + b.grain if op == "*" else max(a.grain, b.grain)
    if not fits(kind, most, grain):
        return a
    return Expr(f"({a.text} {op} {b.text})", kind, most, grain)


def part(g, depth):
    """A part of one, or a comparison of two."""
    kind = g.pick(*COMPLEXES)
    a = combined(g, kind, min(depth, 2))
    if g.chance(0.2):
        b = combined(g, g.pick(*COMPLEXES), 1)
        return Expr(f"({a.text} {g.pick('==', '!=')} {b.text})", "bool", 1)
    return Expr(f"{a.text}.{g.pick('real', 'imag')}", PART[kind], a.most, a.grain)


def assign(g, depth, together):
    """By way of a name for the whole, whose parts are then cut to what is kept."""
    kind, whole = g.pick(*COMPLEXES), g.fresh("z")
    value = combined(g, kind, 2)
    if not fits("float64", value.most, value.grain + 2):
        return None
    name = g.random.choice([name for name, its in g.variables.items() if its == kind] + [g.fresh("c")])
    g.variables[name] = kind
    parts = [f"math.floor({whole}.{its} % 8.0 * 4.0) * 0.25" for its in ("real", "imag")]
    return [f"{whole} = {value.text}", f"{name} = {kind}(complex({', '.join(parts)}))"]


def choose(g, depth, together):
    kind, name = g.pick(*COMPLEXES), g.fresh("c")
    a, b = simple(g, kind), simple(g, kind)
    lines = [f"{name} = {a.text} if {condition(g, 1)} else {b.text}"]
    g.variables[name] = kind
    return lines


def store(g, depth, together):
    if not g.in_kernel or "complexes" not in g.families:
        return None
    kind = g.pick(*COMPLEXES)
    place, value = index(g, 1), simple(g, kind).text
    if g.chance(0.25) and "stores into fields" not in g.without:
        return [f"own_{kind}.{g.pick('real', 'imag')}[{place}] = {of_kind(g, PART[kind], 1)}"]
    return [g.pick(f"own_{kind}[{place}] = {value}",
                   f"own_{kind}[2:5] = {value}", f"own_{kind}[1:4] = in_{kind}[::5][:3]")]


def begin(g):
    for kind in COMPLEXES:
        base = g.random.randrange(0, 16) / 4
        g.parameters.append((f"in_{kind}", f"arange({base}, {base + 4}, 0.25, dtype={kind})", False))
        g.parameters.append((f"out_{kind}", f"zeros({g.threads}, dtype={kind})", True))
        g.start += [f"own_{kind} = cuda.local.array(16, {kind})", f"own_{kind}[:] = in_{kind}",
                    f"c_{kind} = in_{kind}[thread % 16] * {kind}({g.pick('1j', '-1j', '-1')})"]
        g.end += ["for slot in range(16):",
                  f"    out_{kind}[thread] = out_{kind}[thread] / {kind}(2) + own_{kind}[slot] / {kind}(64)"
                  if kind == "complex128" else
                  f"    out_{kind}[thread] += own_{kind}[slot]",
                  f"out_{kind}[thread] += c_{kind}"]
        g.outer[f"c_{kind}"] = kind


EXPRESSIONS = [part]
STATEMENTS = [assign, choose, store]
NESTING = []
TOGETHER = []
