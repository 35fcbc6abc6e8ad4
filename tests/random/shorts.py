"""Random kernels of short rows, as points, pixels and small records of one type are: each thread has one, or a few, in
arrays that may be one array or its halves, reads, writes and reads again their elements by number, by a loop's counter
or by an index from memory, and goes through tables of such rows, beside arrays of its own. Built of nest.py: no thread
comes to another's row, and tables are only read."""
import random

from nest import FLOATS, Nest, module, relaunched

COUNTS = [1, 2, 7, 31, 32, 33, 64, 65, 100, 129, 300, 1000]
ROWS = [1, 2, 3, 4, 5, 8, 16, 17, 33, 64, 65, 100]


class Shorts(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.own_luck = random.Random(f"shorts {seed}")
        self.kind = self.pick("float32", "float32", "int32", "int64", "float64", "uint8", "uint8", "int16", "uint32")
        self.sums, self.counters, self.privates = [], [], []

    def drawn(self, *things):
        """Drawn anew for each launch."""
        return (self.other or self.own_luck).choice(things)

    def bounds(self):
        return (None, None) if self.kind in FLOATS else (0 if self.kind[0] == "u" else -9, 9)

    # ---- arguments -------------------------------------------------------------------------------
    def arguments(self):
        self.width = self.pick(1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 8)
        self.each = self.pick(1, 1, 1, 2, 4)             # rows of a thread
        self.threads, self.length = self.pick(*COUNTS), self.pick(*ROWS)
        self.flat = self.chance(0.35)
        rows = self.threads * self.each
        room = self.width + self.drawn(0, 0, 0, 0, 1, 2, 4)     # of rows that are not in one piece in the text
        shape = f"({rows * self.width},)" if self.flat else f"({rows}, {room})"
        wide = f"({2 * rows * self.width},)" if self.flat else f"({rows}, {2 * room})"
        bases = [self.give("x", self.data(self.kind, shape, *self.bounds()), True) for _ in "ab"]
        base = self.give("w", self.data(self.kind, wide, *self.bounds()), True)
        half = rows * self.width
        views = [f"{base}[:{half}]", f"{base}[{half}:]"] if self.flat else \
            [f"{base}[:, :{room}]", f"{base}[:, {room}:]", f"{base}[:, ::2]", f"{base}[:, ::-2]"]
        self.names = [self.give("v", self.drawn(*bases, *bases, *views), True) for _ in range(self.pick(1, 2, 2, 3))]
        total = self.length * self.width
        table = f"({total},)" if self.flat else f"({self.length}, {room})"
        cut = self.drawn("", "", "", "[::-1]", *(["[1:]"] if self.flat else []))
        if cut == "[1:]":
            table = f"({total + 1},)"
        self.table = self.give("q", self.data(self.kind, table, *self.bounds()) + cut)
        self.where = self.give("at", self.data(self.pick("int32", "int64", "uint8"), f"({self.threads},)", 0, self.width - 1))

    # ---- text ------------------------------------------------------------------------------------
    def cell(self, name, row, c):
        if not self.flat:
            return f"{name}[{row}, {c}]"
        return self.pick(f"{name}[{row} * {self.width} + {c}]", f"{name}[{c} + {self.width} * {row}]") \
            if row.isidentifier() else f"{name}[({row}) * {self.width} + {c}]"

    def column(self):
        numbers = [str(self.random.randrange(self.width))] * 4
        return self.pick(*numbers, *[c for c, _ in self.columns] * 2, f"{self.where}[i]" if self.chance(0.3) else numbers[0])

    def mine(self):
        row = self.first if self.each == 1 else self.pick("r", "r", f"i * {self.each} + {self.random.randrange(self.each)}")
        return self.cell(self.pick(*self.names), row, self.column())

    def term(self):
        forms = [self.mine] * 3
        if self.rows:
            forms += [lambda: self.cell(self.table, self.pick(*self.rows), self.column())] * 3
        if self.sums:
            forms += [lambda: self.pick(*self.sums)] * 2
        if self.privates:
            forms += [lambda: f"{self.pick(*self.privates)}[{self.column()}]"] * 2
        return self.pick(*forms)()

    def some(self, depth=2):
        if depth == 0 or self.chance(0.35):
            return self.term()
        a, b = self.some(depth - 1), self.some(depth - 1)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"({a} if {self.asks()} else {b})", f"max({a}, {b})")

    def asks(self):
        forms = [f"{self.term()} {self.pick('<', '>', '!=')} {self.term()}"]
        if self.rows:
            k = self.pick(*self.rows)
            forms += [f"{k} != i", f"{k} % 2 == {self.pick(0, 1)}", f"{k} < {self.pick(1, 3, 10)}"]
        return self.pick(*forms)

    def set(self):
        into = [self.mine] * 3 + [lambda: self.pick(*self.sums)] * (3 if self.sums else 0)
        into += [lambda: f"{self.pick(*self.privates)}[{self.column()}]"] * (2 if self.privates else 0)
        into = self.pick(*into)()
        self.put(f"{into} = {self.kind}({self.pick(self.some(), f'{into} + {self.some(1)}', f'{into} - {self.some(1)}')})")

    def swap(self):
        a, b = self.mine(), self.mine()
        self.put(f"{a}, {b} = {b}, {a}")

    def statement(self, depth):
        roll = self.random.random()
        if roll < 0.55 or not depth:
            self.set()
        elif roll < 0.63:
            self.swap()
        elif roll < 0.75:
            self.put(f"if {self.asks()}:")
            self.inside(depth - 1)
            if self.chance(0.4):
                self.put("else:")
                self.inside(depth - 1)
        elif roll < 0.87:
            c = self.fresh("c")
            self.put(f"for {c} in range({self.pick(self.width, self.width, f'{self.width} - 1, -1, -1')}):")
            self.columns.append((c, self.width))
            self.inside(depth - 1)
            self.columns.pop()
        elif len(self.rows) < 2:
            self.walk(depth - 1)
        else:
            self.set()

    def inside(self, depth, most=2):
        self.depth += 1
        for _ in range(self.pick(*range(1, most + 1))):
            self.statement(depth)
        self.depth -= 1

    def walk(self, depth):
        k, n = self.fresh("k"), self.size(self.length)
        self.put(f"for {k} in range({self.pick(n, n, n, f'0, {n}, 2', f'{n} - 1, -1, -1', f'1, {n}')}):")
        self.rows.append(k)
        if self.chance(0.25):
            self.put(f"    if {self.asks()}:")
            self.put(f"        {self.pick('continue', 'continue', 'break')}")
        self.inside(depth, 3)
        self.rows.pop()

    def body(self):
        self.columns, self.rows = [], []
        self.first = 'i' if self.each == 1 else f'i * {self.each}'
        self.put(f"i = {self.pick('cuda.grid(1)', 'cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x')}")
        n = self.give("n", f"{self.pick('int64', 'int32')}({self.threads})")
        self.blockshape = self.or_else((self.pick(32, 64, 128, 256, 100, 7, 1),), (32,), (64,), (33,))
        self.grid = [-(-self.threads // self.blockshape[0]) + self.pick(0, 0, 1)]
        if self.chance(0.5):
            self.put(f"if i >= {n}:")
            self.put("    return")
        else:
            self.put(f"if i < {n}:")
            self.depth += 1
        if self.chance(0.35):
            p, s = self.fresh("p"), self.fresh("c")
            self.put(f"{p} = cuda.local.array({self.width}, {self.kind})")
            self.put(f"for {s} in range({self.width}):")
            self.put(f"    {p}[{s}] = {self.pick(f'{self.kind}(0)', self.cell(self.names[0], self.first, s))}")
            self.privates.append(p)
        for _ in range(self.pick(0, 1, 2, 3)):
            s = self.fresh("s")
            self.put(f"{s} = {self.pick(f'{self.kind}(0)', self.cell(self.names[0], self.first, self.random.randrange(self.width)))}")
            self.sums.append(s)
        if self.each > 1:
            self.put(f"for r in range(i * {self.each}, {self.pick(f'(i + 1) * {self.each}', f'i * {self.each} + {self.each}')}):")
            self.depth += 1
        for _ in range(self.pick(1, 1, 2, 3)):
            self.walk(2) if self.chance(0.7) else self.statement(2)
        if self.each > 1:
            self.depth -= 1
        for s in self.sums:
            self.put(f"{self.cell(self.pick(*self.names), self.first, self.random.randrange(self.width))} {self.pick('=', '+=')} {s}")
        for p in self.privates:
            self.put(f"{self.cell(self.names[-1], self.first, 0)} = {p}[{self.column()}]")


@relaunched
def program(seed, options="", without=()):
    g = Shorts(seed, without)
    g.arguments()
    g.body()
    return module(g, options, ["fma=False"])
