"""Random kernels of numbers that nothing bounds: sums that round, overflow and wrap, NaN, infinities and zeros
of either sign, in every mixture of types.

    made = program(seed); made.text, made.outputs

generate.py keeps floats exact and casts most of what it makes, so that few orders and types can show. Here
each thread computes alone, products and sums are rounded one by one (`fma=False`), and types are those that
numba's rules give, at joins of branches and loops too, so that every device must leave the same bits. Functions
are those that all machines round alike. Options of `without`, for oracle.py: "undefined" leaves out what numba
leaves open; "half" float16.
"""
import re

from draw import Draw, Program
from values import BITS, DTYPES, EXACT_IN_FLOAT, FLOATS, SIGNED, UNSIGNED

COUNT = 24       # elements of an input
THREADS, BLOCKS = 64, 2   # as oracle.py launches
COLUMNS = 12     # of what is kept of floats
INTEGERS = SIGNED + UNSIGNED
SMALL = [0, 1, 2, 3, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 100, 127, 128, 129, 255, 256, 1000]
REAL = [0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 1 / 3, 3.0, 7.0, 10.0, 100.25, 0.999999, 8388609.0, 16777217.0, 4503599627370497.0,
        2147483648.0, 9007199254740993.0, 1e10, 9.2e18, 1e-3, 65504.0, 1e-10]
FAR = [1e30, 3.4e38, 1e300, 1e-40, 1e-310, 5e-324]


class Value:
    def __init__(self, text, kind):
        self.text, self.kind = text, kind

    def is_constant(self):
        """Whether kjit computes it before it types what hangs on it."""
        return not re.search(r"\b(in_|own_|thread|[fgpvwinacx]\d*\b)", self.text)

    def is_literal(self):
        """Whether it may be computed without bounds."""
        return not re.search(r"[a-z]", self.text)


# ---- types ---------------------------------------------------------------------------------------------

def arithmetic_type(a, b):
    """Of a sum or product."""
    if a in FLOATS and b in FLOATS:
        return max(a, b, key=BITS.get)
    if a in FLOATS or b in FLOATS:
        real, whole = (a, b) if a in FLOATS else (b, a)
        return real if whole == "bool" else f"float{max(EXACT_IN_FLOAT.get(whole, 64), BITS[real])}"
    return "uint64" if a in UNSIGNED and b in UNSIGNED else "int64"


def joined_type(a, b):
    """Where branches meet."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if a in FLOATS or b in FLOATS:
        return arithmetic_type(a, b)
    if (a in SIGNED) == (b in SIGNED):
        return max(a, b, key=BITS.get)
    signed, other = (a, b) if a in SIGNED else (b, a)
    bits = max(BITS[signed], 2 * BITS[other])
    return f"int{bits}" if bits <= 64 else "float64"


def widened(kind):
    return kind if kind in FLOATS else "uint64" if kind in UNSIGNED else "int64"


# ---- leaves ----------------------------------------------------------------------------------------------

def ends(kind):
    """Numbers at the edges of a type of integers."""
    bits = BITS[kind]
    low, high = (0, 2 ** bits - 1) if kind in UNSIGNED else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    near = [low, low + 1, high, high - 1, high // 2, high // 2 + 1, high // 3, 2 ** (bits // 2), 2 ** (bits // 2) - 1]
    small = [sign * number for number in SMALL for sign in ((1,) if kind in UNSIGNED else (1, -1))]
    return near + [number for number in small if low <= number <= high]


def written(number, kind):
    """A number as a text of that type."""
    if kind in INTEGERS:
        text = f"({number})" if number < 0 else str(number)
        return f"{kind}({'-0x7fffffffffffffff - 1' if number == -2 ** 63 else text})"
    special = {"inf": "math.inf", "-inf": "-math.inf", "nan": "math.nan"}
    return f"{kind}({special.get(str(number), repr(number))})"


def number_of(g, kind):
    if kind in INTEGERS:
        return g.pick(*ends(kind)) if g.chance(0.5) else g.pick(*(n for n in ends(kind) if abs(n) <= 16))
    if g.chance(0.12):
        return float(g.pick("inf", "-inf", "nan", "-0.0", "-0.0"))
    return g.pick(*(FAR if g.chance(0.15) else REAL)) * g.pick(1, 1, -1)


def literal(g):
    if g.chance(0.6):
        number = g.pick(*SMALL) * g.pick(1, 1, -1)
        return Value(f"({number})" if number < 0 else str(number), "int64")
    number = g.pick(*REAL) * g.pick(1, 1, -1)
    return Value(f"({number!r})" if number < 0 else repr(number), "float64")


def leaf(g, kind=None):
    if not kind and g.chance(0.15):
        return literal(g)
    kind = kind or g.pick(*g.dtypes)
    names = [name for name, its in g.variables.items() if its == kind]
    if names and g.chance(0.6):
        return Value(g.pick(*names), kind)
    if g.in_kernel and g.chance(0.6):
        place = f"(thread * {g.pick(1, 5, 7, 11)} + {g.random.randrange(COUNT)}) % {COUNT}"
        return Value(f"in_{kind}[{place}]", kind)
    return Value(written(number_of(g, kind), kind), kind)


def bounded(a):
    return Value(f"{a.kind}({a.text})", a.kind) if a.is_literal() else a


# ---- operations --------------------------------------------------------------------------------------------

def arithmetic(g, depth):
    a, b = value(g, depth), bounded(value(g, depth))
    if g.chance(0.1):
        b = a
    return Value(f"({a.text} {g.pick('+', '-', '*')} {b.text})", arithmetic_type(a.kind, b.kind))


def division(g, depth):
    a, b, op = value(g, depth), value(g, depth), g.pick("//", "%", "//", "%", "/")
    if g.chance(0.3):
        b = Value(*g.pick((str(g.pick(1, 2, 3, 5, 7, 8, 10, 64)), "int64"), ("(-1)", "int64"), ("(-8)", "int64"),
                          ("0.5", "float64"), ("3.0", "float64"), ("(-2.0)", "float64")))
    kind = arithmetic_type(a.kind, b.kind)
    if op == "/" and kind in INTEGERS:
        kind = "float64"
    if "bool" in (a.kind, b.kind) or kind == "float16" or ("undefined" in g.without and a.kind != b.kind and
                                                           "uint64" in (a.kind, b.kind)):
        return None
    if g.chance(0.15) and op != "/" and (a.kind == b.kind or "uint64" not in (a.kind, b.kind)):
        return Value(f"divmod({a.text}, {b.text})[{'//%'.index(op) // 2}]", kind)
    return Value(f"({a.text} {op} {b.text})", kind)


def bitwise(g, depth):
    a, b = whole(g, depth), whole(g, depth)
    return Value(f"({a.text} {g.pick('&', '|', '^')} {b.text})", arithmetic_type(a.kind, b.kind))


def shift(g, depth):
    a, b = bounded(whole(g, depth)), whole(g, depth)
    count = g.pick(str(g.random.randrange(64)), f"({b.text} & {g.pick(7, 31, 63)})")
    return Value(f"({a.text} {g.pick('<<', '>>')} {count})", widened(a.kind))


def unary(g, depth):
    a = value(g, depth)
    if a.kind == "bool":
        return Value(f"(not {a.text})", "bool")
    if a.kind not in FLOATS and g.chance(0.4):
        return Value(f"(~{a.text})", widened(a.kind))
    if g.chance(0.3):
        return Value(f"abs({a.text})", a.kind)
    return Value(f"(-{a.text})", widened(a.kind))


def power(g, depth):
    a = bounded(value(g, depth))
    if a.kind in ("bool", "float16"):
        return None
    return Value(f"({a.text} ** {g.random.randrange(5)})", a.kind if a.kind in FLOATS else "int64")


def cast(g, depth):
    a, kind = value(g, depth), g.pick(*g.dtypes)
    if "undefined" in g.without and kind in INTEGERS and a.kind in FLOATS:
        most = "100.0" if kind in SIGNED else "0.0"
        return Value(f"({kind}({a.text}) if {'-' if most != '0.0' else ''}{most} <= {a.text} <= 100.0 else {kind}(3))", kind)
    return Value(f"{g.pick('', '', 'np.')}{kind}({a.text})", kind)


def limit(g, depth):
    """A float within a few of an integer type's ends, made one of that type."""
    if "undefined" in g.without:
        return None
    floats, integers = ([kind for kind in g.dtypes if kind in group] for group in (FLOATS, INTEGERS))
    if not floats or not integers:
        return None
    a, kind = leaf(g, g.pick(*floats)), g.pick(*integers)
    near = float(g.pick(*ends(kind)[:4])) + g.pick(-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
    text = f"({a.text} * 0.0 + {g.pick(written(near, 'float64'), written(near, 'float32'))})"
    return Value(f"{kind}({text})", kind)


def choice(g, depth):
    a, b = value(g, depth), value(g, depth)
    return Value(f"({a.text} if {condition(g, depth)} else {b.text})", joined_type(a.kind, b.kind))


def either(g, depth):
    a, b = value(g, depth), value(g, depth)
    if a.is_constant():
        return None
    return Value(f"({a.text} {g.pick('and', 'or')} {b.text})", joined_type(a.kind, b.kind))


def extreme(g, depth):
    parts = [value(g, depth) for _ in range(g.pick(2, 2, 2, 3))]
    if any(part.kind == "bool" for part in parts):
        return None
    kind = parts[0].kind
    for part in parts[1:]:
        kind = joined_type(kind, part.kind)
    if len(parts) == 2 and {part.kind for part in parts} <= {"float32", "float64"}:
        # numba's compilers differ in NaN there, and which zero it is, is left open
        parts = [Value(f"({p.text} + 0.0 if {p.text} == {p.text} else 1.5)", p.kind) for p in parts]
    listed = ", ".join(part.text for part in parts)
    return Value(f"{kind}({g.pick('min', 'max')}({g.pick(listed, f'({listed})') if len(parts) > 2 else listed}))", kind)


def rounded(g, depth):
    a = value(g, depth)
    if a.kind not in ("float32", "float64"):
        return None
    form = g.pick("np.ceil({})", "np.trunc({})", "np.floor({})", "np.rint({})", "math.fabs({})",
                  "math.sqrt({})", "math.copysign({}, {})", "round({}, 2)", "round({}, 0)")
    if g.chance(0.3):
        form = g.pick("math.floor({})", "math.ceil({})", "math.trunc({})")
    other = value(g, 0)
    second = f"({a.kind}({other.text}) if {other.text} == {other.text} else {a.kind}(1.0))"    # NaN has any sign
    return Value(form.replace("{}", a.text, 1).replace("{}", second), a.kind)


def boolean(g, depth):
    return Value(f"({condition(g, depth)})", "bool")


def called(g, depth):
    if not g.functions:
        return None
    name, kinds, result = g.pick(*g.functions)
    return Value(f"{name}({', '.join(of_kind(g, kind, depth) for kind in kinds)})", result)


OPERATIONS = 4 * [arithmetic] + 2 * [division] + 2 * [cast] + [limit, bitwise, shift, unary, power, choice, either, extreme,
                                                               rounded, boolean, called]


def value(g, depth):
    if depth <= 0 or g.chance(0.1):
        return leaf(g)
    for _ in range(4):
        made = g.pick(*OPERATIONS)(g, depth - 1)
        if made and len(made.text) < 400 and (made.kind == "bool" or made.kind in g.dtypes):
            return made
    return leaf(g)


def whole(g, depth):
    for _ in range(4):
        made = value(g, depth)
        if made.kind in INTEGERS:
            return made
    return leaf(g, g.pick(*INTEGERS)) if g.in_kernel else Value("int32(5)", "int32")


def of_kind(g, kind, depth):
    a = value(g, depth)
    if "undefined" in g.without and kind in INTEGERS and a.kind in FLOATS:
        a = whole(g, 0)
    return f"{kind}({a.text})"


def condition(g, depth):
    if depth > 0 and g.chance(0.25):
        return f"({condition(g, depth - 1)} {g.pick('and', 'or')} {condition(g, depth - 1)})"
    if depth > 0 and g.chance(0.15):
        return f"(not {condition(g, depth - 1)})"
    a, b = value(g, depth - 1), value(g, depth - 1)
    if a.is_constant():
        names = [name for name, kind in g.variables.items() if kind != "bool"]
        a = Value(names[0], g.variables[names[0]])
    op = g.pick("<", "<=", ">", ">=", "==", "!=")
    if "undefined" in g.without and "uint64" in (a.kind, b.kind) and a.kind != b.kind:
        return f"({a.text} {op} {a.kind}(7))"
    if g.chance(0.15):
        c = leaf(g, a.kind) if a.kind != "bool" else a
        return f"({b.text if 'undefined' not in g.without else a.text} {op} {a.text} {g.pick('<', '<=', '>')} {c.text})"
    if g.chance(0.1) and a.kind in FLOATS:
        return f"{g.pick('math.isnan', 'math.isinf', 'math.isfinite')}({a.text})"
    return f"({a.text} {op} {b.text})"


# ---- statements ------------------------------------------------------------------------------------------

def block(g, depth, new=True):
    """Statements, indented; what they name is gone behind them."""
    before, lines = dict(g.variables), []
    for _ in range(g.random.randrange(1, 4)):
        lines += statement(g, depth)
    g.variables = before
    return ["    " + line for line in lines]


def assign(g, depth):
    made = value(g, 3)
    name = g.fresh("v")
    g.variables[name] = made.kind
    return [f"{name} = {made.text}"]


def update(g, depth):
    """Of the type that the name has."""
    names = [name for name, kind in g.variables.items() if name[0] in "vw" and kind != "bool"]
    if not names:
        return assign(g, depth)
    name = g.pick(*names)
    kind = g.variables[name]
    if kind in ("int64", "float64") and g.chance(0.5):
        made = value(g, 2)
        if arithmetic_type(kind, made.kind) == kind:
            return [f"{name} {g.pick('+', '-', '*')}= {made.text}"]
    return [f"{name} = {of_kind(g, kind, 3)}"]


def store(g, depth):
    """In an array, by an implicit conversion."""
    if not g.in_kernel:
        return None
    kind = g.pick(*g.own)
    made = value(g, 3)
    if "undefined" in g.without and kind in INTEGERS and made.kind in FLOATS or made.kind == "bool":
        made = whole(g, 2)
    op = g.pick("", "", "+", "-", "*") if kind in FLOATS + ["int64"] and made.kind in INTEGERS else ""
    return [f"own_{kind}[{g.pick(str(g.random.randrange(4)), f'{whole(g, 1).text} % 4', '-1')}] {op}= {made.text}"]


def load(g, depth):
    if not g.in_kernel:
        return None
    kind, name = g.pick(*g.own), g.fresh("v")
    lines = [f"{name} = own_{kind}[{g.pick('0', '2', f'{whole(g, 1).text} & 3', '-2')}]"]
    g.variables[name] = kind
    return lines


def pair(g, depth):
    a, b = value(g, 2), value(g, 2)
    if g.chance(0.4):
        kind = a.kind
        names = [name for name, its in g.variables.items() if its == kind and name[0] in "vw"]
        if len(names) > 1:
            one, other = g.random.sample(names, 2)
            return [f"{one}, {other} = {other}, {one}"]
    one, other, both = g.fresh("v"), g.fresh("v"), g.fresh("t")
    g.variables.update({one: a.kind, other: b.kind})
    return [f"{both} = ({a.text}, {b.text})", f"{one}, {other} = {both}"]


def branch(g, depth):
    """A name of the type that both branches give."""
    name, asked = g.fresh("v"), condition(g, 2)
    a, b = value(g, 2), value(g, 2)
    lines = [f"if {asked}:", f"    {name} = {a.text}", *block(g, depth - 1), "else:", f"    {name} = {b.text}"]
    if g.chance(0.5):
        lines += block(g, depth - 1)
    g.variables[name] = joined_type(a.kind, b.kind)
    return lines


def perhaps(g, depth):
    lines = [f"if {condition(g, 2)}:", *block(g, depth - 1)]
    if g.chance(0.3):
        lines += [f"elif {condition(g, 2)}:", *block(g, depth - 1)]
    return lines


def turned(g, header, names, depth):
    before = dict(g.variables)
    g.variables.update(names)
    g.loops.append(True)
    lines = [header, *block(g, depth - 1)]
    g.loops.pop()
    g.variables = before
    if g.chance(0.3):
        lines += ["else:", *block(g, depth - 1)]
    return lines


def count_loop(g, depth):
    name, stop = g.fresh("i"), g.pick("3", "4", f"{whole(g, 1).text} % 4")
    bounds, kind = g.pick((stop, "int64"), (f"5, {stop}, -2", "int64"), ("int32(-2), int32(1)", "int32"),
                          ("uint8(250), 254", "int64"), ("0x7ffffffffffffff0, 0x7fffffffffffffff, 7", "int64"))
    return turned(g, f"for {name} in range({bounds}):", {name: kind}, depth)


def far_loop(g, depth):
    """Counters near the ends of what they hold, and steps that go beyond them."""
    name, step, far = g.fresh("i"), g.pick(1, 3, 7, 100), f"({whole(g, 1).text} & 15)"
    low, high = "-0x7fffffffffffffff - 1", "0x7fffffffffffffff"
    bounds, kind = g.pick((f"0x7ffffffffffffff0 + {far}, {high}, {step}", "int64"),
                          (f"-0x7ffffffffffffff0 - {far}, {low}, -{step}", "int64"),
                          (f"{low}, -0x7ffffffffffffff0 - {far}, {step}", "int64"),
                          (f"{low}, {high}, 0x3ffffffffffffff0 + {far}", "int64"),
                          (f"{high}, {low}, -0x3ffffffffffffff0 - {far}", "int64"),
                          (f"int32(2147483640), int32(2147483647), int32({step})", "int32"),
                          (f"int32(-2147483640), int32(-2147483648), int32(-{step})", "int32"),
                          (f"uint64(0xfffffffffffffff0), uint64(0xffffffffffffffff), uint64({step})", "uint64"))
    if "undefined" in g.without and "0x3f" in bounds:   # numba's count of iterations wraps
        return None
    return turned(g, f"for {name} in range({bounds}):", {name: kind}, depth)


def while_loop(g, depth):
    name = g.fresh("n")
    header, *lines = turned(g, f"while {name} < {g.random.randrange(1, 5)}{g.pick('', f' and {condition(g, 1)}')}:",
                            {}, depth)
    return [f"{name} = 0", header, f"    {name} += 1", *lines]


def leave(g, depth):
    if g.loops:
        return [f"if {condition(g, 2)}:", f"    {g.pick('break', 'continue')}"]
    return [f"if {condition(g, 2)}:", "    return"] if g.in_kernel and g.chance(0.15) else None


def closure(g, depth):
    """A function that sees the names around it."""
    if not g.in_kernel or g.loops:
        return None
    name, kind, around, place, given = g.fresh("g"), g.pick(*g.dtypes), g.fresh("c"), g.fresh("v"), g.fresh("a")
    seen, argument = value(g, 1), of_kind(g, kind, 2)
    if seen.kind == "bool":
        return None
    outer, g.variables, g.in_kernel = g.variables, {"x": kind, around: seen.kind}, False
    made = value(g, 3)
    g.variables, g.in_kernel = outer, True
    g.variables[place] = made.kind
    return [f"{around} = {seen.text}", f"def {name}(x):", f"    return {made.text}", f"{given} = {argument}",
            f"{place} = {name}({given})"]


STATEMENTS = 5 * [assign] + 3 * [update, store] + [load, load, pair, leave, closure]
NESTING = 2 * [branch, perhaps, count_loop] + [while_loop, far_loop]


def statement(g, depth):
    while True:
        made = g.pick(*STATEMENTS, *(NESTING if depth > 0 else []))(g, depth)
        if made:
            return made


# ---- programs ----------------------------------------------------------------------------------------------

class Inexact(Draw):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.dtypes = [kind for kind in DTYPES if kind != "float16" or "half" not in without]
        self.own = self.random.sample(self.dtypes, 3)

    def function(self):
        """One that returns early, and what its returns join to."""
        name, kinds = self.fresh("f"), [self.pick(*self.dtypes) for _ in range(self.random.randrange(1, 4))]
        self.variables, lines, result = {f"p{i}": kind for i, kind in enumerate(kinds)}, [], None
        for _ in range(self.random.randrange(1, 4)):
            lines += assign(self, 0) if self.chance(0.5) else perhaps(self, 1)
            if self.chance(0.4):
                early = value(self, 2)
                result = joined_type(result or early.kind, early.kind)
                lines += [f"if {condition(self, 2)}:", f"    return {early.text}"]
        last = value(self, 3)
        result = joined_type(result or last.kind, last.kind)
        lines.append(f"return {last.text}")
        self.functions.append((name, kinds, result))
        return [f"def {name}({', '.join(self.variables_of(kinds))}):", *("    " + line for line in lines), "", ""]

    @staticmethod
    def variables_of(kinds):
        return [f"p{i}" for i in range(len(kinds))]

    def kernel(self):
        lines = ["thread = cuda.grid(1)"]
        for kind in self.own:
            lines += [f"own_{kind} = cuda.local.array(4, {kind})", "for slot in range(4):",
                      f"    own_{kind}[slot] = in_{kind}[(slot * 5 + thread) % {COUNT}]"]
        self.variables = {"thread": "int64"}
        self.in_kernel = True
        for kind in self.random.sample(self.dtypes, 4):
            name = self.fresh("w")
            self.variables[name] = kind
            lines.append(f"{name} = in_{kind}[thread % {COUNT}]")
        for _ in range(self.random.randrange(4, 10)):
            lines += statement(self, 2)
        return lines + self.collected()

    def collected(self):
        """Lines that keep what the thread holds, the signs of zeros included."""
        lines, column = [], 0
        held = [(name, kind) for name, kind in self.variables.items() if kind in FLOATS][-COLUMNS + 2:]
        held += [(f"own_{kind}[{slot}]", kind) for kind in self.own if kind in FLOATS for slot in range(2)]
        for name, kind in held[-COLUMNS:]:
            lines += [f"floats[thread, {column}] = {name}",
                      f"if {name} == 0:", f"    seen[thread] = seen[thread] * 7 + int64(math.copysign(2.0, float64({name})))"]
            column += 1
        for name, kind in self.variables.items():
            if kind in INTEGERS + ["bool"]:
                lines.append(f"seen[thread] = seen[thread] * 31 ^ int64({name})")
        for kind in self.own:
            if kind in INTEGERS:
                lines += ["for slot in range(4):", f"    seen[thread] = seen[thread] * 33 ^ int64(own_{kind}[slot])"]
        return lines


def program(seed, options="", without=(), families=()):
    g = Inexact(seed, without)
    definitions = [line for _ in range(g.random.randrange(0, 3)) for line in g.function()]
    body = g.kernel()
    threads = THREADS * BLOCKS
    parameters = [(f"in_{kind}", f"array([{', '.join(element(number_of(g, kind)) for _ in range(COUNT))}], "
                                 f"dtype={kind})") for kind in g.dtypes]
    parameters += [("seen", f"zeros({threads}, dtype=int64)"),
                   ("floats", f"zeros(({threads}, {COLUMNS}), dtype=float64)")]
    words = ", ".join(word for word in (options, "fma=False") if word)
    head = ["import math", "import operator", "import numpy as np", "from numba import cuda, types", "", ""]
    lines = head + definitions + ["@example(", *(f"    {name}={text}," for name, text in parameters),
                                  f"    grid={BLOCKS}, block={THREADS})", f"@cuda.jit({words})",
                                  f"def k({', '.join(name for name, _ in parameters)}):"]
    text = "\n".join(lines + ["    " + line for line in body]) + "\n"
    return Program(text, ["seen", "floats"])


def element(number):
    """A number in an @example."""
    if number == -2 ** 63:
        return "-0x7fffffffffffffff - 1"
    return {"inf": "math.inf", "-inf": "-math.inf", "nan": "math.nan"}.get(str(number), repr(number))
