"""Device functions and calls of them: defaults, keywords, *args, arrays, functions and types as
arguments, tuples as results, recursion; functions inside the kernel.
"""
from arith import condition, leaf, of_kind, whole
from values import DTYPES, FLOATS, SIGNED, UNSIGNED, Expr, kept, range_of


class Function:
    """`call(g, depth)` gives the text of a call, and `kind` is what that gives."""

    def __init__(self, kind, call):
        self.kind, self.call = kind, call


def call(g, depth):
    if not g.functions:
        return None
    function = g.random.choice(g.functions)
    return kept(function.call(g, depth), function.kind)


# ---- at module level -----------------------------------------------------------------------------

def in_function(g, parameters, body):
    """The lines of a function whose scope holds the parameters, a name and a kind each."""
    outer = g.variables, g.in_kernel, g.loops
    g.variables, g.in_kernel, g.loops = dict(parameters), False, []
    lines = body()
    g.variables, g.in_kernel, g.loops = outer
    return ["    " + line for line in lines]


def plain(g):
    """Parameters of numbers, some with defaults; locals, early returns."""
    name, result = g.fresh("f"), g.pick(*DTYPES)
    kinds = [g.pick(*DTYPES) for _ in range(g.random.randrange(1, 4))]
    names = [f"p{i}" for i in range(len(kinds))]
    defaults = g.random.randrange(0, len(kinds))
    required = len(kinds) - defaults

    def body():
        lines = []
        for kind in g.random.sample(DTYPES, 2):
            value, own = of_kind(g, kind, 1), g.fresh("v")
            g.variables[own] = kind
            lines.append(f"{own} = {value}")
        for _ in range(g.random.randrange(1, 3)):
            lines += g.statement(1, False)
            if g.chance(0.5):
                lines += [f"if {condition(g, 1)}:", f"    return {of_kind(g, result, 1)}"]
        return lines + [f"return {of_kind(g, result, 2)}"]

    lines = in_function(g, zip(names, kinds), body)
    values = [f"{kind}({g.random.randrange(0, 8)})" for kind in kinds]
    head = ", ".join(names[:required] + [f"{names[i]}={values[i]}" for i in range(required, len(kinds))])

    def made(g, depth):
        args = [of_kind(g, kind, depth) for kind in kinds]
        if g.chance(0.3):
            words = [f"{p}={arg}" for p, arg in zip(names, args)]
            return f"{name}({', '.join(g.random.sample(words, len(words)))})"
        return f"{name}({', '.join(args[:g.random.randrange(required, len(kinds) + 1)])})"

    g.functions.append(Function(result, made))
    return [f"def {name}({head}):", *lines]


def starred(g):
    """As many arguments as the call gives."""
    name, result = g.fresh("f"), g.pick("int64", "uint64", "float64")
    kind = {"int64": "int32", "uint64": "uint32", "float64": "float32"}[result]
    fold = g.pick("max", "min")

    def made(g, depth):
        args = [of_kind(g, kind, depth) for _ in range(g.random.randrange(1, 4))]
        if g.chance(0.3):
            return f"{name}(*({', '.join(args)},))"
        return f"{name}({', '.join(args)})"

    g.functions.append(Function(result, made))
    return [f"def {name}(first, *rest):", f"    best = {result}(first)", "    for value in rest:",
            f"        best = {fold}(best, {result}(value))", "    return best"]


def paired(g):
    """Two results, of which a call takes one."""
    name, kinds = g.fresh("f"), g.random.sample(DTYPES, 2)
    wanted = g.random.randrange(2)
    lines = in_function(g, {"a": kinds[0], "b": kinds[1]}, lambda: [
        f"if {condition(g, 1)}:", f"    return {of_kind(g, kinds[0], 1)}, {of_kind(g, kinds[1], 1)}",
        f"return {of_kind(g, kinds[0], 1)}, b"])
    g.functions.append(Function(kinds[wanted], lambda g, depth:
                                f"{name}({of_kind(g, kinds[0], depth)}, "
                                f"{of_kind(g, kinds[1], depth)})[{wanted}]"))
    return [f"def {name}(a, b):", *lines]


def recursive(g):
    """Down to zero, with an accumulator."""
    name, kind = g.fresh("f"), g.pick("int64", "uint64")
    lines = in_function(g, {"n": "int64", "acc": kind}, lambda: [
        "if n <= 0:", "    return acc", f"return {name}(n - 1, {of_kind(g, kind, 1)})"])
    g.functions.append(Function(kind, lambda g, depth: f"{name}(int64({whole(g, 0).text}) % 6, "
                                                       f"{of_kind(g, kind, depth)})"))
    return [f"def {name}(n, acc):", *lines]


def of_array(g):
    """An array or a view of one, which the function reads."""
    name, kind = g.fresh("f"), g.pick(*g.kinds)
    start, step = g.random.randrange(0, 3), g.pick(1, 2, -1)
    fold = "max" if g.chance(0.5) else "min"
    lines = [f"def {name}(a, n):", f"    best = a[n % {4}]", f"    for value in a[{start}::{step}]:",
             f"        best = {fold}(best, value)", "    return best"]

    def made(g, depth):
        if not g.in_kernel:
            return leaf(g, kind).text
        view = g.pick(f"own_{kind}", f"own_{kind}[2:]", f"in_{kind}", f"in_{kind}[::-1]",
                      f"own_{kind}[4:12]", f"in_{kind}[::3]")
        return f"{name}({view}, {whole(g, 0).text})"

    g.functions.append(Function(kind, made))
    return lines


def of_function(g):
    """A function or a lambda as an argument, and a type."""
    name, kind = g.fresh("f"), g.pick(*SIGNED, *UNSIGNED)
    lines = [f"def {name}(function, dtype, a, b):", "    return dtype(function(a, b))"]

    def made(g, depth):
        a, b = (leaf(g, g.pick("int8", "int16", "int32")).text for _ in range(2))
        function = g.pick("max", "min", "operator.and_", "operator.xor", "lambda x, y: x - y",
                          "lambda x, y: (x ^ y) + 1", "lambda x, y=3: y if x > y else x")
        return f"{name}({function}, {kind}, {a}, {b})"

    g.functions.append(Function(kind, made))
    return lines


def with_scratch(g):
    """A local array whose length and type the call says."""
    name, kind = g.fresh("f"), g.pick("int8", "int16", "int32", *UNSIGNED)
    lines = [f"def {name}(count, dtype, seed):", "    scratch = cuda.local.array(count, dtype)",
             "    for j in range(count):", "        scratch[j] = seed * j + 1",
             "    total = int64(0)", "    for value in scratch:", "        total ^= int64(value)",
             "    return total"]
    g.functions.append(Function("int64", lambda g, depth: f"{name}({g.random.randrange(1, 9)}, {kind}, "
                                                          f"{leaf(g, kind).text})"))
    return lines


# ---- inside the kernel -----------------------------------------------------------------------------

def nested(g, depth, together):
    """A function that sees what is around it, and a name for what it gives."""
    if not g.in_kernel or g.loops:
        return None
    name, kind, outer, result = g.fresh("g"), g.pick(*DTYPES), g.fresh("c"), g.pick(*DTYPES)
    around = leaf(g, kind).text
    given = g.pick(*DTYPES)
    lines = in_function(g, {"x": given, outer: kind}, lambda: g.statement(0, False) + [
        f"return {of_kind(g, result, 2)}"])
    place = g.fresh("v")
    value = of_kind(g, given, 1)
    first = []
    if g.chance(0.5) or "closure keywords" in g.without:
        argument = g.fresh("a")
        first, value = [f"{argument} = {value}"], argument
    g.variables[place] = result
    return [f"{outer} = {around}", f"def {name}(x):", *lines, *first, f"{place} = {name}({value})"]


def short(g, depth, together):
    """A lambda under a name, called twice."""
    name, kind, place = g.fresh("g"), g.pick("int8", "int16", "int32", *UNSIGNED), g.fresh("v")
    a, b = of_kind(g, kind, 1), of_kind(g, kind, 1)
    op = g.pick("+", "^", "-", "//" if not g.debug else "|")
    word = "" if "closure keywords" in g.without else "y="      # which numba forgets
    lines = [f"{name} = lambda x, y={g.random.randrange(1, 5)}: x {op} y",
             f"{place} = {kind}({name}({a}) + {name}({b}, {word}{g.random.randrange(1, 9)}))"]
    g.variables[place] = kind
    return lines


def begin(g):
    for _ in range(g.random.randrange(0, 5)):
        form = g.pick(plain, plain, plain, starred, paired, recursive, of_array, of_function, with_scratch)
        lines = form(g)
        decorator = g.pick([], [], ["@cuda.jit(device=True)"], ["@njit"], ["@device"])
        g.definitions += [*decorator, *lines, "", ""]


EXPRESSIONS = [call, call]
STATEMENTS = [nested, short]
NESTING = []
TOGETHER = []
