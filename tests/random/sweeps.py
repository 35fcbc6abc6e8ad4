"""Random kernels of recurrences: each thread goes along its row, or column, several times, forward and back, with up to
three states, in place or from one array into another, as filters, substitutions, scans and tridiagonal systems do.
Arguments may be one array, or views of it that leave a row where it is: shifted, backward, every second element.
Built of nest.py: no thread comes to another's row, and tables are only read."""
import random

from nest import FLOATS, Nest, module, relaunched

ROWS = [1, 2, 7, 31, 32, 33, 64, 65, 100, 129, 256, 300, 1000, 2100]
LONG = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129, 200]


class Sweeps(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.own_luck = random.Random(f"sweeps {seed}")
        self.kind = self.pick("float32", "float32", "float32", "float64", "int32", "int64", "uint8", "int16")
        self.sum_kind = self.kind if self.kind in FLOATS else "int64"
        self.exact = False
        self.rings = self.chance(0.25)
        self.states, self.fresh_values = [], []

    def drawn(self, *things):
        """Drawn anew for each launch."""
        return (self.other or self.own_luck).choice(things)

    def place(self):
        rows, self.batch = self.pick(*ROWS), self.pick(0, 0, 0, 2, 3)
        self.rows, self.n = rows, self.pick(*LONG)
        self.blockshape = self.or_else(self.pick((32,), (64,), (128,), (256,), (100,), (1,)), (32,), (128,), (33,), (256,), (7,))
        threads = rows * max(1, self.batch)
        self.grid = [-(-threads // self.blockshape[0]) + self.pick(0, 0, 0, 1)]
        self.put(f"i = {self.pick('cuda.grid(1)', 'cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x')}")
        limit = f"{self.size(rows)} * {self.batch}" if self.batch else self.size(rows)
        if self.chance(0.5):
            self.put(f"if i >= {limit}:")
            self.put("    return")
        else:
            self.put(f"if i < {limit}:")
            self.depth = 1
        if self.batch:
            self.put(self.pick(f"z = i // {self.size(rows)}", f"z, i = divmod(i, {self.size(rows)})"))
            if "divmod" not in self.lines[-1]:
                self.put(f"i = i - z * {self.size(rows)}" if self.chance(0.5) else f"i = i % {self.size(rows)}")

    # ---- arguments -------------------------------------------------------------------------------
    def arguments(self):
        self.form = self.pick("row", "row", "column", "column", "flat row", "flat column")
        n, rows, batch = self.n, self.rows, self.batch
        room = n + (0 if self.form.startswith("flat") else self.drawn(0, 0, 0, 1, 4))
        across = "row" not in self.form
        shape = (room, rows) if across else (rows, room)
        wide = (2 * room, rows) if across else (rows, 2 * room)
        bounds = (None, None) if self.kind in FLOATS else (0 if self.kind[0] == "u" else -9, 9)

        def base(stem, shape):
            text = f"({batch * shape[0] * shape[1] if batch else shape[0] * shape[1]},)" if self.form.startswith("flat") \
                else f"({f'{batch}, ' if batch else ''}{shape[0]}, {shape[1]})"
            return self.give(stem, self.data(self.kind, text, *bounds), True)

        bases = [base("x", shape) for _ in "ab"]
        views = []
        if not self.form.startswith("flat"):
            whole = base("w", wide)
            lead = ":, " if batch else ""
            cut = (lambda part: f"{whole}[{lead}{part}]") if across else (lambda part: f"{whole}[{lead}:, {part}]")
            views = [cut(f":{room}"), cut(f"{room}:"), cut(f"1:{room + 1}"), cut("::2"), cut("::-2"), cut(f"{room - 1}::-1")]
        self.names = [self.give("v", self.drawn(*bases, *bases, *bases, *views), True) for _ in range(self.pick(1, 2, 2, 3))]
        self.table = self.give("f", self.data(self.kind, f"({n},)", *bounds))
        self.square = self.give("l", self.data(self.kind, f"({n}, {n})", *bounds))
        self.where = self.give("at", self.data(self.pick("int32", "int64", "uint8"), f"({n},)", 0, n - 1))
        self.weight = self.give("c", f"{self.kind}({self.pick(1, 2, 3)})" if self.kind not in FLOATS or self.chance(0.3)
                                else f"{self.kind}({self.pick(0.5, 0.25, -0.75, 1.5)})")
        kind = self.pick("int64", "int32", "uint32", "uint8")
        self.pace = self.give("m", f"{kind}({self.or_else(self.pick(1, 2, 3, 7), 0, 5, 100, 255)})")
        self.phase = self.give("m", f"{self.pick(kind, 'int64')}({self.or_else(self.pick(0, 1, 5), 2, 9, 200)})")
        self.out = self.give("out", f"zeros(({2 * rows * max(1, batch)},), dtype={self.sum_kind})", True)

    # ---- text ------------------------------------------------------------------------------------
    def cell(self, name, k):
        rows, n = self.size(self.rows), self.size(self.n)
        term = k if k.isidentifier() else f"({k})"
        z = "z, " if self.batch else ""
        if self.form == "flat row":
            row = f"(z * {rows} + i)" if self.batch else "i"
            return f"{name}[{row} * {n} + {k}]" if self.chance(0.7) else f"{name}[{k} + {n} * {row}]"
        if self.form == "flat column":
            row = f"(z * {n} + {k})" if self.batch else term
            return f"{name}[{row} * {rows} + i]"
        return f"{name}[{z}i, {k}]" if self.form == "row" else f"{name}[{z}{k}, i]"

    def near(self):
        """An index that lies in the row while the counter is what it is."""
        low, high = self.env["k"]
        forms = ["k"] * 4
        forms += ["k - 1"] * 3 if low >= 1 else []
        forms += ["k - 2"] if low >= 2 else []
        forms += ["k + 1"] * 2 if high < self.n - 1 else []
        forms += [f"{self.size(self.n)} - 1 - k", f"{self.where}[k]", "0", "max(k - 1, 0)",
                  f"min(k + 1, {self.size(self.n)} - 1)", "k // 2"] if self.chance(0.4) else []
        forms += [self.ring()] if self.rings else []
        return self.pick(*forms)

    def ring(self):
        """An element of the row, along which iterations walk in steps of any length."""
        n = self.size(self.n)
        return self.pick(f"(k * {self.pace} + {self.phase}) % {n}", f"(k * {self.pace}) % {n}",
                         f"(uint32(k) * uint32({self.pace}) + uint32({self.phase})) % uint32({n})",
                         f"uint32(k * {self.pace} + i) % uint32({n})", f"(i + k * {self.pace}) % {n}",
                         f"uint64(k * {self.pace} + {self.phase}) % uint64({n})", f"({self.phase} - k * int64({self.pace})) % {n}")

    def leaf(self, _=None):
        forms = [self.cell(self.pick(*self.names), self.near()) for _ in range(3)]
        forms += [f"{self.table}[k]", self.weight, self.pick(*self.states)]
        forms += self.fresh_values[-2:]
        if self.chance(0.15):
            forms.append(f"{self.square}[k, {self.pick('k', '0', f'{self.where}[k]')}]")
        text = self.pick(*forms)
        return text if self.kind in FLOATS or text in self.states or text in self.fresh_values else f"{self.sum_kind}({text})"

    def expression(self, depth=2):
        if depth <= 0 or self.chance(0.25):
            return self.leaf()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        if self.kind in FLOATS:
            return self.pick(f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"{a} * {self.weight}", f"{a} / ({self.kind}(2) + abs({b}))",
                             f"max({a}, {b})", f"min({a}, {b})", f"({a} if {b} > {self.kind}(0) else {b})")
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"max({a}, {b})", f"min({a}, {b})",
                         f"({a} // {self.pick(2, 3, 7)})", f"({a} % {self.pick(5, 16, 100)})", f"({a} ^ {b})", f"({a} if {b} > 1 else {b})")

    # ---- sweeps ----------------------------------------------------------------------------------
    def header(self):
        n, size = self.n, self.size(self.n)
        forms = [(f"range({size})", 0, n - 1)] * 3 + [(f"range({size} - 1, -1, -1)", 0, n - 1)] * 2
        forms += [(f"range(1, {size})", 1, n - 1), (f"range({size} - 2, -1, -1)", 0, n - 2)] * 2 if n > 1 else []
        forms += [(f"range(2, {size})", 2, n - 1), (f"range({size} - 1)", 0, n - 2), (f"range(1, {size} - 1)", 1, n - 2),
                  (f"range(0, {size}, 2)", 0, n - 1)] if n > 2 else []
        forms += [(f"range(min(i, {size}))", 0, n - 1), (f"range(min(i, {size} - 1), {size})", 0, n - 1)] if self.chance(0.2) else []
        text, low, high = self.pick(*forms)
        if text.count(",") == 0 and "min" not in text and self.chance(0.12):
            self.put("k = 0")
            self.put(f"while k < {text[6:-1]}:")
            self.counted = False
        else:
            self.put(f"for k in {text}:")
            self.counted = True
        self.env["k"] = low, high

    def statement(self):
        state = self.pick(*self.states)
        form = self.pick("state", "state", "state", "store", "store", "store", "value", "value", "shift", "if", "inner", "leave", "own")
        if form == "state":
            self.put(self.pick(f"{state} += {self.expression()}", f"{state} = {state} * {self.weight} + {self.expression()}",
                               f"{state} = {self.expression()}", f"{state} = max({state}, {self.expression(1)})", f"{state} -= {self.expression(1)}"))
        elif form == "store":
            value = self.expression() if self.chance(0.6) else state
            value = value if self.kind in FLOATS else f"{self.kind}({value})"
            self.put(f"{self.cell(self.pick(*self.names), self.near())} {self.pick('=', '=', '=', '+=', '-=')} {value}")
        elif form == "value":
            name = self.fresh("t")
            self.put(f"{name} = {self.sum_kind}({self.expression()})")
            self.fresh_values.append(name)
        elif form == "shift" and len(self.states) > 1:
            self.put(f"{', '.join(self.states)} = {', '.join([self.expression(1), *self.states[:-1]])}")
        elif form == "if":
            self.put(f"if {self.expression(1)} {self.pick('>', '<', '>=')} {self.expression(1)}:")
            self.put(f"    {self.pick(f'{state} = {self.sum_kind}(0)', f'{state} += {self.expression(1)}')}")
            if self.chance(0.4):
                self.put("else:")
                self.put(f"    {state} = {self.expression(1)}")
        elif form == "inner":
            last = self.pick("k", "k", f"min(k, {self.pick(2, 3, 4)})")
            self.put(f"for q in range({last}):")
            a = self.cell(self.pick(*self.names), self.pick("q", "q", "k - 1 - q"))
            b = self.pick(f"{self.square}[k, q]", f"{self.table}[q]", f"{self.square}[q, k]", self.cell(self.names[0], "q"))
            a, b = (x if self.kind in FLOATS else f"{self.sum_kind}({x})" for x in (a, b))
            self.put(f"    {state} {self.pick('+=', '-=')} {a} * {b}")
        elif form == "leave" and self.counted:
            self.put(f"if {state} > {self.sum_kind}({self.pick(3, 40, 1000)}):")
            self.put(f"    {self.pick('break', 'continue', 'return' if self.chance(0.3) else 'continue')}")
        elif form == "own":
            v = self.pick(*self.names)
            value = state if self.kind in FLOATS else f"{self.kind}({state})"
            self.put(f"{self.cell(v, 'k')} = {value}")

    def sweep(self):
        self.fresh_values = []
        if self.chance(0.3):
            self.put(f"{self.pick(*self.states)} = {self.sum_kind}({self.pick(0, 1)})")
        elif self.chance(0.2):
            first = self.cell(self.names[0], self.pick("0", "0", f"{self.size(self.n)} - 1"))
            self.put(f"{self.pick(*self.states)} = {self.sum_kind}({first})")
        self.header()
        self.depth += 1
        for _ in range(self.pick(1, 2, 2, 3, 4)):
            self.statement()
        if not self.counted:
            self.put("k += 1")
        elif self.lines[-1].strip().startswith("for k"):
            self.put("pass")
        self.depth -= 1

    def body(self):
        self.states = [self.fresh("s") for _ in range(self.pick(1, 1, 2, 3))]
        self.put("k = 0")
        for name in self.states:
            self.put(f"{name} = {self.sum_kind}({self.pick(0, 0, 1)})")
        for _ in range(self.pick(1, 2, 2, 3, 4)):
            if self.chance(0.12):
                self.put(f"for r in range({self.pick(2, 3)}):")
                self.depth += 1
                self.sweep()
                self.depth -= 1
            else:
                self.sweep()
        row = f"z * {self.size(self.rows)} + i" if self.batch else "i"
        for number, name in enumerate(self.states[:2]):
            if self.chance(0.7):
                self.put(f"{self.out}[{row if not number else f'{self.size(self.rows)} * {max(1, self.batch)} + {row}'}] = {name}")


@relaunched
def program(seed, options="", without=()):
    g = Sweeps(seed, without)
    g.place()
    g.arguments()
    g.body()
    return module(g, options, ["fma=False"])
