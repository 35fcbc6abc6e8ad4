"""Constants of the module, made of others, in expressions and in loops."""
from arith import condition, of_kind, whole
from values import FLOATS, SIGNED, UNSIGNED, Expr, range_of

TABLE = 5                                         # elements of a constant array


def constant(g, depth):
    name, kind, most = g.random.choice(g.constants)
    if kind == "tuple":
        return Expr(f"{name}[{g.random.randrange(-3, 3)}]", "int64", most)
    if kind == "table":
        return Expr(f"int64({name}[{whole(g, 0).text} % {TABLE}])", "int64", most)
    return Expr(name, kind, most, 2 if kind in FLOATS else 0)


def whole_constant(g):
    return g.random.choice([name for name, kind, _ in g.constants if kind == "int64"])


def summed(g, depth, together):
    """A variable that one path alone has changed, and a loop that adds to it."""
    name, k = g.fresh("v"), g.fresh("k")
    value, asked = of_kind(g, "int64", 1), condition(g, 1)
    step = g.pick(f"{name} = int64(int32({name})) + {whole_constant(g)}",
                  f"{name} = {whole_constant(g)} - int64(int32({name}))",
                  f"{name} ^= {whole_constant(g)}")
    loop = g.pick(f"for {k} in range({g.pick('3', whole_constant(g) + ' & 7', 'SHORT')}):",
                  f"for {k} in range({whole(g, 0).text} & 3):")
    g.variables[name] = "int64"
    return [f"{name} = {g.pick('0', whole_constant(g))}", f"if {asked}:", f"    {name} = {value}", loop, f"    {step}"]


def chosen(g, depth, together):
    """A constant condition, of which one branch is never taken."""
    asked = f"{whole_constant(g)} {g.pick('<', '>', '==')} {g.pick(3, 50)}"
    return [f"if {asked}:", *g.block(depth - 1, False), "else:", *g.block(depth - 1, False)]


def begin(g):
    g.constants = [("W0", "int64", 7)]
    lines = ["W0 = 3 + 4", "SHORT = 2"]
    for i in range(1, g.pick(3, 5, 7)):
        before, whole_kinds = whole_constant(g), SIGNED[:3] + UNSIGNED[:3]
        kind = g.pick("int64", "int64", "tuple", "table", "float32", "float64", *whole_kinds)
        number = g.random.randrange(1, 100)
        if kind == "int64":
            text = g.pick(f"{before} * {number % 5} - 3", f"max({before}, {number})", f"{before} % 13 + {number}",
                          f"({before} << 2) ^ {number}", f"-{before}", f"{number} if {before} > 20 else {before}")
        elif kind == "tuple":
            text = f"({before}, {number}, -{number})"
        elif kind == "table":
            inside = g.pick("int8", "int32", "int64", "uint16")
            text = f"np.array([{', '.join(str((number * k) % 97) for k in range(TABLE))}], np.{inside})"
        else:
            text = f"{kind}({number % 16 / 4 if kind in FLOATS else number})"
        most = 2 ** 20 if kind in ("int64", "tuple", "table") else 4 if kind in FLOATS else range_of(kind)
        g.constants.append((f"W{i}", kind, most))
        lines.append(f"W{i} = {text}")
    g.definitions += [*lines, "", ""]


EXPRESSIONS = [constant, constant]
STATEMENTS = [summed, summed]
NESTING = [chosen]
TOGETHER = []
