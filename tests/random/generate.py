"""Random kernels that are well typed and whose results nothing leaves open.

    text, outputs = program(seed)

A program reads arrays of every dtype and writes what its threads hold in the end. Whatever
compiler and device runs it, the bits it leaves are the same:

- Every float is a multiple of a power of two and small enough that each operation on it is exact,
  so that neither the order of rounding nor fused multiply-add shows. An Expr carries the bounds
  that this rests on: `most`, its greatest magnitude, and `grain`, the bits behind its point.
- Signed integers stay inside int64, unsigned ones and casts wrap.
- A thread writes where it alone does, or by atomics that commute; what it reads of others lies
  behind a barrier.

The types follow numba's rules, as far as bounds depend on them: result_type().
"""
import random

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = SIGNED + UNSIGNED + FLOATS
BITS = {name: int(name.strip("uintfloa")) for name in DTYPES}
MANTISSA = {"float16": 11, "float32": 24, "float64": 53}
EXACT_IN_FLOAT = {"bool": 16, "int8": 16, "uint8": 32, "int16": 32}   # others make float64
THREADS, BLOCKS, SLOTS = 64, 2, 16
KEPT_MOST, KEPT_GRAIN = 8, 2                       # of a float variable: multiples of 1/4 below 8


class Expr:
    def __init__(self, text, kind, most=0, grain=0):
        self.text, self.kind, self.most, self.grain = text, kind, most, grain

    def is_float(self):
        return self.kind in FLOATS


def range_of(kind):
    """The greatest magnitude an integer type holds."""
    if kind == "bool":
        return 1
    return 2 ** (BITS[kind] - 1) if kind in SIGNED else 2 ** BITS[kind] - 1


def result_type(a, b):
    """numba's type of an arithmetic operation."""
    if a.is_float() and b.is_float():
        return max(a.kind, b.kind, key=BITS.get)
    if a.is_float() or b.is_float():
        real, whole = (a, b) if a.is_float() else (b, a)
        if whole.kind == "bool":
            return real.kind
        least = EXACT_IN_FLOAT.get(whole.kind, 64)
        return f"float{max(least, BITS[real.kind])}"
    return "uint64" if a.kind in UNSIGNED and b.kind in UNSIGNED else "int64"


def fits(kind, most, grain):
    if kind in FLOATS:
        room = 10 if kind == "float16" else MANTISSA[kind] - 1
        return grain <= room - 3 and most * 2 ** grain < 2 ** room
    return kind in UNSIGNED or most < 2 ** 62


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []          # (name, parameter kinds, result kind)
        self.variables = {}          # name: kind
        self.loops = []              # around the present statement: do all threads turn together?
        self.count = 0
        self.threads_part = False    # threads may come here one by one
        self.inputs = True           # whether the input arrays are in scope

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *things):
        return self.random.choice(things)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    # ---- expressions ---------------------------------------------------------------------

    def leaf(self, kind):
        names = [name for name, its in self.variables.items() if its == kind]
        if names and self.chance(0.7):
            return self.variable(self.random.choice(names))
        if self.inputs and self.chance(0.6):
            text = f"in_{kind}[{self.index(0)}]"
            return (Expr(text, kind, KEPT_MOST, KEPT_GRAIN) if kind in FLOATS
                    else Expr(text, kind, range_of(kind)))
        if kind in FLOATS:
            return Expr(f"{kind}({self.random.randrange(-16, 17) / 4})", kind, 4, 2)
        low = 0 if kind in UNSIGNED else -100
        return Expr(f"{kind}({self.random.randrange(low, 101)})", kind, 100)

    def variable(self, name):
        kind = self.variables[name]
        if kind in FLOATS:
            return Expr(name, kind, KEPT_MOST, KEPT_GRAIN)
        return Expr(name, kind, range_of(kind))

    def literal(self):
        if self.chance(0.5):
            number = self.random.randrange(-20, 21)
            return Expr(f"({number})" if number < 0 else str(number), "int64", abs(number))
        number = self.random.randrange(0, 17) / 4
        return Expr(str(number), "float64", 4, 2)

    def number(self, depth):
        """A number of any type."""
        if depth <= 0 or self.chance(0.15):
            return self.literal() if self.chance(0.2) else self.leaf(self.pick(*DTYPES))
        form = self.pick(self.arithmetic, self.arithmetic, self.arithmetic, self.division,
                         self.bitwise, self.unary, self.cast, self.choice, self.call,
                         self.extreme, self.rounded, self.boolean)
        return form(depth - 1)

    def whole(self, depth):
        """An integer."""
        for _ in range(4):
            made = self.number(depth)
            if not made.is_float() and made.kind != "bool":
                return made
        return self.leaf(self.pick(*SIGNED, *UNSIGNED))

    def index(self, depth):
        whole = self.whole(depth).text
        return self.pick(f"{whole} % {SLOTS}", f"-1 - {whole} % {SLOTS}", f"{whole} & {SLOTS - 1}",
                         str(self.random.randrange(-SLOTS, SLOTS)))

    def arithmetic(self, depth):
        a, b, op = self.number(depth), self.number(depth), self.pick("+", "-", "*")
        kind = result_type(a, b)
        most = a.most * b.most if op == "*" else a.most + b.most
        grain = a.grain + b.grain if op == "*" else max(a.grain, b.grain)
        if kind in FLOATS and not (fits(kind, a.most, a.grain) and fits(kind, b.most, b.grain)):
            return a
        if not fits(kind, most, grain) or (kind == "int64" and "uint64" in (a.kind, b.kind)):
            return a
        return Expr(f"({a.text} {op} {b.text})", kind, most if kind != "uint64" else 2 ** 64, grain)

    def division(self, depth):
        a, op = self.number(depth), self.pick("//", "%")
        if a.is_float():
            shift = self.random.randrange(0, 4)
            most, grain = (a.most / 2 ** shift + 1, 0) if op == "//" else (2 ** shift, a.grain)
            if not fits(a.kind, a.most, a.grain):
                return a
            return Expr(f"({a.text} {op} {a.kind}({2 ** shift}))", a.kind, most, grain)
        b = self.whole(depth)
        kind = result_type(a, b)
        if kind == "int64" and "uint64" in (a.kind, b.kind):
            return b
        most = a.most if op == "//" else min(b.most, max(a.most, b.most))
        text = f"({a.text} {op} {b.text})"
        if self.chance(0.2):
            text = f"divmod({a.text}, {b.text})[{0 if op == '//' else 1}]"
        return Expr(text, kind, most)

    def bitwise(self, depth):
        a = self.whole(depth)
        if self.chance(0.4):
            places = self.random.randrange(0, 9)
            if self.chance(0.5):
                return Expr(f"({a.text} >> {places})", "uint64" if a.kind in UNSIGNED else "int64",
                            a.most)
            return Expr(f"(({a.text} & 0xffff) << {places})", "int64", 2 ** 24)
        b, op = self.whole(depth), self.pick("&", "|", "^")
        kind = result_type(a, b)
        most = 2 ** max(int(a.most).bit_length(), int(b.most).bit_length())
        return Expr(f"({a.text} {op} {b.text})", kind, most)

    def unary(self, depth):
        a = self.number(depth)
        if a.is_float() or a.kind in SIGNED:
            if a.kind in SIGNED and a.most >= range_of(a.kind) or a.kind == "float16":
                return a         # -int8(-128) and the like stay as they are
            return Expr(self.pick(f"(-{a.text})", f"abs({a.text})"),
                        a.kind if a.is_float() else "int64", a.most, a.grain)
        if a.kind in ("uint64", "bool"):
            return a
        return Expr(f"(~{a.text})", "uint64", range_of(a.kind))

    def cast(self, depth):
        a, kind = self.number(depth), self.pick(*DTYPES)
        if kind in FLOATS:
            return Expr(f"{kind}({a.text})", kind, a.most, a.grain) if fits(kind, a.most, a.grain) \
                else a
        if a.is_float() and a.most >= range_of(kind) / 2 or a.kind == "bool":
            return a
        if a.is_float() and kind in UNSIGNED:
            return a
        return Expr(f"{kind}({a.text})", kind, range_of(kind))

    def choice(self, depth):
        kind = self.pick(*DTYPES)
        a, b = self.leaf(kind), self.leaf(kind)
        return Expr(f"({a.text} if {self.condition(depth)} else {b.text})", kind,
                    max(a.most, b.most), max(a.grain, b.grain))

    def extreme(self, depth):
        kind = self.pick(*DTYPES)
        parts = [self.leaf(kind) for _ in range(self.pick(2, 2, 3))]
        return Expr(f"{self.pick('min', 'max')}({', '.join(part.text for part in parts)})", kind,
                    max(part.most for part in parts), max(part.grain for part in parts))

    def rounded(self, depth):
        a = self.number(depth)
        if a.kind not in ("float32", "float64"):
            return a
        if self.chance(0.3) and a.most < 2 ** 62:
            return Expr(f"{self.pick('int', 'round')}({a.text})", "int64", a.most + 1)
        return Expr(f"math.{self.pick('floor', 'ceil', 'trunc')}({a.text})", a.kind, a.most + 1)

    def boolean(self, depth):
        return Expr(f"({self.condition(depth)})", "bool", 1)

    def condition(self, depth):
        roll = self.random.random()
        if depth > 0 and roll < 0.2:
            return f"({self.condition(depth - 1)} {self.pick('and', 'or')} " \
                   f"{self.condition(depth - 1)})"
        if depth > 0 and roll < 0.3:
            return f"(not {self.condition(depth - 1)})"
        a, b = self.number(depth - 1), self.number(depth - 1)
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        if roll < 0.4:
            return f"({a.text} {op} {b.text} < {self.number(0).text})"
        return f"({a.text} {op} {b.text})"

    def call(self, depth):
        if not self.functions:
            return self.leaf(self.pick(*DTYPES))
        name, kinds, kind = self.random.choice(self.functions)
        args = ", ".join(self.of_kind(its, depth) for its in kinds)
        return (Expr(f"{name}({args})", kind, KEPT_MOST, KEPT_GRAIN) if kind in FLOATS
                else Expr(f"{name}({args})", kind, range_of(kind)))

    def of_kind(self, kind, depth):
        """The text of an expression of that type; floats within what variables keep."""
        made = self.number(depth)
        if kind not in FLOATS:
            if made.is_float() and (made.most >= range_of(kind) / 2 or kind in UNSIGNED):
                return self.leaf(kind).text
            return f"{kind}({made.text})"
        if made.is_float() and fits("float64", made.most, made.grain + 2):
            return f"{kind}(math.floor({made.text} % 8.0 * 4.0) * 0.25)"
        if made.is_float() or made.kind == "bool":
            return self.leaf_kept(kind)
        return f"{kind}(({made.text} & 31) * 0.25)"

    def leaf_kept(self, kind):
        return f"{kind}({self.random.randrange(0, 32) / 4})"

    # ---- statements -----------------------------------------------------------------------

    def block(self, depth, indent, uniform):
        before = dict(self.variables)
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            lines += self.statement(depth, indent, uniform)
        self.variables = before
        return lines

    def statement(self, depth, indent, uniform):
        forms = [self.assign] * 4 + [self.store] * 2 + [self.atomic, self.unpack]
        if depth > 0:
            forms += [self.branch] * 3 + [self.count_loop] * 2 + [self.while_loop, self.walk]
        if self.loops and not self.loops[-1]:
            forms += [self.leave]
        if uniform and self.inputs:
            forms += [self.exchange, self.warp, self.vote]
        made = self.random.choice(forms)(depth, uniform)
        return ["    " * indent + line if isinstance(line, str) else line for line in
                self.laid(made, indent)]

    def laid(self, lines, indent):
        """Nested blocks come as (extra indent, function making their lines)."""
        out = []
        for line in lines:
            if isinstance(line, str):
                out.append(line)
            else:
                depth, uniform = line
                out += [text[4 * indent:] for text in self.block(depth, indent + 1, uniform)]
        return out

    def assign(self, depth, uniform):
        names = [name for name in self.variables if name.startswith("v")]
        if not names or self.chance(0.2):
            kind = self.pick(*DTYPES)
            value = self.of_kind(kind, 2)
            name = self.fresh("v")
            self.variables[name] = kind
            return [f"{name} = {value}"]
        name = self.random.choice(names)
        return [f"{name} = {self.of_kind(self.variables[name], 3)}"]

    def unpack(self, depth, uniform):
        names = [name for name in self.variables if name.startswith("v")]
        if len(names) < 2:
            return self.assign(depth, uniform)
        a, b = self.random.sample(names, 2)
        return [f"{a}, {b} = {self.of_kind(self.variables[a], 2)}, "
                f"{self.of_kind(self.variables[b], 2)}"]

    def store(self, depth, uniform):
        kind = self.pick(*DTYPES)
        if kind not in FLOATS and self.chance(0.3):
            return [f"own_{kind}[{self.index(1)}] {self.pick('+', '-', '^')}= {self.whole(2).text}"]
        return [f"own_{kind}[{self.index(1)}] = {self.of_kind(kind, 2)}"]

    def atomic(self, depth, uniform):
        if not self.inputs:
            return ["pass"]
        kind = self.pick("int32", "int64", "uint32", "uint64")
        op = self.pick("add", "max")
        return [f"cuda.atomic.{op}({op}_{kind}, {self.index(1)}, {self.of_kind(kind, 1)})"]

    def branch(self, depth, uniform):
        together = uniform and self.chance(0.3)
        condition = self.uniform_condition() if together else self.condition(2)
        lines = [f"if {condition}:", (depth - 1, together)]
        if self.chance(0.3):
            lines += [f"elif {self.condition(1)}:", (depth - 1, False)]
        if self.chance(0.5):
            lines += ["else:", (depth - 1, together and len(lines) == 2)]
        return lines

    def uniform_condition(self):
        return self.pick("cuda.blockIdx.x == 0", "cuda.blockIdx.x > 0", f"cuda.gridDim.x > 1",
                         "cuda.blockDim.x == 64", f"in_int32[{self.random.randrange(SLOTS)}] > 0")

    def count_loop(self, depth, uniform):
        name = self.fresh("i")
        low, high, step = self.pick((0, 3, 1), (5, 0, -2), (1, 2, 1), (2, 2, 1), (-2, 3, 2))
        together = uniform and self.chance(0.5)
        stop = str(high) if together else self.pick(str(high), f"{self.whole(1).text} % 4")
        bounds = f"{low}, {stop}, {step}" if self.chance(0.6) else stop
        return self.turned(f"for {name} in range({bounds}):", name, depth, together)

    def walk(self, depth, uniform):
        name, position = self.fresh("e"), self.fresh("i")
        parts = ", ".join(self.leaf("int32").text for _ in range(3))
        header = self.pick(f"for {position}, {name} in enumerate(({parts})):",
                           f"for {position}, {name} in zip(range(4), own_int32):",
                           f"for {name} in own_int16[::5]:")
        return self.turned(header, "", depth, False)

    def while_loop(self, depth, uniform):
        name = self.fresh("w")
        lines = self.turned(f"while {name} > 0:", "", depth, False)
        return [f"{name} = {self.random.randrange(4)}", lines[0], f"    {name} -= 1", *lines[1:]]

    def turned(self, header, name, depth, together):
        self.loops.append(together)
        if name:
            self.variables[name] = "int64"
        body = self.block_now(depth - 1, together)
        self.loops.pop()
        self.variables.pop(name, None)
        lines = [header, *body]
        if self.chance(0.25):
            lines += ["else:", *self.block_now(depth - 1, together)]
        return lines

    def block_now(self, depth, together):
        return self.block(depth, 1, together)

    def leave(self, depth, uniform):
        return [f"if {self.condition(1)}:", f"    {self.pick('break', 'continue')}"]

    # ---- what threads do together ------------------------------------------------------------

    def exchange(self, depth, uniform):
        kind = self.pick(*DTYPES)
        name = self.fresh("v")
        value = self.of_kind(kind, 2)
        self.variables[name] = kind
        return ["cuda.syncthreads()", f"pool_{kind}[cuda.threadIdx.x] = {value}",
                "cuda.syncthreads()",
                f"{name} = pool_{kind}[(cuda.threadIdx.x + {self.random.randrange(THREADS)}) "
                f"% {THREADS}]"]

    def warp(self, depth, uniform):
        kind = self.pick("int32", "int64", "uint32", "uint64", "float32", "float64")
        name = self.fresh("v")
        value = self.of_kind(kind, 2)
        self.variables[name] = kind
        form = self.pick("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync")
        return [f"{name} = cuda.{form}(0xffffffff, {value}, {self.random.randrange(32)})"]

    def vote(self, depth, uniform):
        name = self.fresh("v")
        condition = self.condition(2)
        self.variables[name] = "int32"
        return [f"{name} = " + self.pick(
            f"cuda.ballot_sync(0xffffffff, {condition})",
            f"int32(cuda.any_sync(0xffffffff, {condition}))",
            f"int32(cuda.all_sync(0xffffffff, {condition}))",
            f"cuda.syncthreads_count(int32({condition}))")]

    # ---- functions ------------------------------------------------------------------------

    def function(self):
        name, result = self.fresh("f"), self.pick(*DTYPES)
        kinds = [self.pick(*DTYPES) for _ in range(self.random.randrange(1, 4))]
        self.variables = {f"p{i}": kind for i, kind in enumerate(kinds)}
        self.inputs = False
        lines = [f"def {name}({', '.join(self.variables)}):"]
        for kind in self.random.sample(DTYPES, 2):
            value = self.of_kind(kind, 1)
            own = self.fresh("v")
            self.variables[own] = kind
            lines.append(f"    {own} = {value}")
        for _ in range(self.random.randrange(1, 4)):
            roll = self.random.random()
            if roll < 0.5:
                lines += ["    " + line for line in self.assign(0, False)]
            else:
                lines += [f"    if {self.condition(1)}:", f"        return {self.of_kind(result, 1)}"]
        lines += [f"    return {self.of_kind(result, 2)}", "", ""]
        self.functions.append((name, kinds, result))
        self.variables, self.inputs = {}, True
        return lines

    def kernel(self):
        ins = [f"in_{kind}" for kind in DTYPES]
        outs = [f"out_{kind}" for kind in DTYPES]
        sums = [f"{op}_{kind}" for op in ("add", "max")
                for kind in ("int32", "int64", "uint32", "uint64")]
        example = [f"    in_{kind}={self.data(kind)}," for kind in DTYPES]
        example += [f"    out_{kind}=zeros({THREADS * BLOCKS}, dtype={kind})," for kind in DTYPES]
        example += [f"    {name}=zeros({SLOTS}, dtype={name[4:]})," for name in sums]
        lines = ["@example(", *example, f"    grid={BLOCKS}, block={THREADS})", "@cuda.jit",
                 f"def k({', '.join(ins + outs + sums)}):", "    thread = cuda.grid(1)"]
        for kind in DTYPES:
            lines += [f"    own_{kind} = cuda.local.array({SLOTS}, {kind})",
                      f"    pool_{kind} = cuda.shared.array({THREADS}, {kind})"]
        lines += [f"    for slot in range({SLOTS}):"]
        lines += [f"        own_{kind}[slot] = in_{kind}[(slot + thread) % {SLOTS}]"
                  for kind in DTYPES]
        self.variables = {"thread": "int64"}
        for kind in DTYPES:
            name = f"v_{kind}"
            lines.append(f"    {name} = in_{kind}[thread % {SLOTS}]")
            self.variables[name] = kind
        for _ in range(self.random.randrange(5, 12)):
            lines += self.statement(3, 1, True)
        for kind in DTYPES:
            lines += [f"    for slot in range({SLOTS}):"]
            lines += [f"        out_{kind}[thread] = out_{kind}[thread] / 2 + own_{kind}[slot] / 16"
                      if kind == "float64" else
                      f"        out_{kind}[thread] = max(out_{kind}[thread], own_{kind}[slot])"
                      if kind in FLOATS else
                      f"        out_{kind}[thread] = out_{kind}[thread] * 3 ^ own_{kind}[slot]"]
            lines += [f"    out_{kind}[thread] "
                      + (f"+= v_{kind}" if kind in FLOATS else f"^= v_{kind}")]
        return lines, outs + sums

    def data(self, kind):
        seed = self.random.randrange(10 ** 6)
        if kind in FLOATS:
            low = self.random.randrange(0, 17) / 4
            return f"arange({low}, {low + 4}, 0.25, dtype={kind})"
        low = 0 if kind in UNSIGNED else -(2 ** min(BITS[kind] - 1, 40))
        high = 2 ** min(BITS[kind] - 1, 40)
        return f"randint({low}, {high}, {SLOTS}, seed={seed}, dtype={kind})"


def program(seed):
    """The text of a module with one kernel `k`, and the names of the arrays it writes."""
    generator = Generator(seed)
    lines = ["import math", "from numba import cuda", "", ""]
    for _ in range(generator.random.randrange(0, 4)):
        lines += generator.function()
    kernel, outputs = generator.kernel()
    return "\n".join(lines + kernel) + "\n", outputs
