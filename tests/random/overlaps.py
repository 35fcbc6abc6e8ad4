"""Random kernels whose arguments are one array, or views of one that overlap: of a row that a thread owns, from another
element on, backwards, every second element, the half beside. In other launches of a kernel they lie elsewhere. Threads
go along their rows, up and down, store and load again what the names may share, by tuples of offsets, in branches and
loops that end early. Built of nest.py: no thread comes to another's row."""
import random

from nest import FLOATS, Nest, module, relaunched

WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 65]
COUNTS = [1, 2, 7, 31, 32, 33, 64, 65, 100, 129, 300, 1000]


class Overlaps(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.own_luck = random.Random(f"overlaps {seed}")
        self.kind = self.pick("float32", "float32", "int32", "int64", "float64", "uint8", "int16", "uint32")
        self.names, self.sums = [], []

    # ---- arguments -------------------------------------------------------------------------------
    def view(self, base, along):
        """A look at the base in which a thread's row is a part of its row there."""
        w, ahead = self.width, self.drawn(0, 1, 2, self.width)
        ahead = min(ahead, w)
        if self.form == "flat":
            return f"{base}[{ahead}:]" if ahead else base
        part = self.drawn(f":{w}", f"{ahead}:{w + ahead}", f"{ahead}:{w + ahead}", f"{w}:", "::2", "1::2",
                        f"{w - 1}::-1" if w > 1 else ":1", f":{w - 1}:-1")
        return f"{base}[:, {part}]" if along == 1 else f"{base}[{part}]"

    def drawn(self, *things):
        """Of launches alike, and others alike, drawn anew for each launch."""
        return (self.other or self.own_luck).choice(things)

    def arguments(self):
        self.width, self.rows = self.pick(*WIDTHS), self.pick(*COUNTS)
        self.form = self.pick("rows", "rows", "columns", "flat", "flat")
        along = 0 if self.form == "columns" else 1
        shape = {"rows": f"({self.rows}, {2 * self.width})", "columns": f"({2 * self.width}, {self.rows})",
                 "flat": f"({2 * self.width * self.rows},)"}[self.form]
        base = self.give("x", self.data(self.kind, shape, *self.bounds()), True)
        other = self.give("o", self.data(self.kind, shape, *self.bounds()), True)
        self.names = []
        for _ in range(self.pick(2, 2, 3)):
            self.names.append(self.give("v", self.view(base if self.drawn(0, 0, 0, 1) == 0 else other, along), True))
        if self.chance(0.4):
            self.names.append(base)

    def bounds(self):
        return (None, None) if self.kind in FLOATS else (0 if self.kind[0] == "u" else -9, 9)

    # ---- text ------------------------------------------------------------------------------------
    def cell(self, index, name=None):
        name = name or self.pick(*self.names)
        if self.form == "rows":
            return f"{name}[i, {index}]"
        if self.form == "columns":
            return f"{name}[{index}, i]"
        return f"{name}[i * {self.row} + {index}]" if self.chance(0.7) else f"{name}[{index} + {self.row} * i]"

    def place(self):
        """An index of the thread's row."""
        if not self.counters or self.chance(0.1):
            return self.pick("0", f"{self.end} - 1")
        j = self.pick(*self.counters)
        c = self.pick(1, 1, 2, 3)
        return self.pick(j, j, j, j, f"max({j} - {c}, 0)", f"min({j} + {c}, {self.end} - 1)", f"{self.end} - 1 - {j}",
                         f"({j} + {c}) % {self.end}", f"{j} // 2", f"({j} ^ 1) % {self.end}")

    def term(self):
        if self.sums and self.chance(0.3):
            return self.pick(*self.sums)
        if self.counters and self.chance(0.1):
            return f"{self.kind}({self.pick(*self.counters)} & 7)"
        return self.cell(self.place())

    def some(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.term()
        a, b = self.some(depth - 1), self.some(depth - 1)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"max({a}, {b})", f"({a} if {self.asks()} else {b})",
                         f"({a} + {b})")

    def asks(self):
        if self.counters and self.chance(0.35):
            j = self.pick(*self.counters)
            return self.pick(f"{j} % {self.pick(2, 3)} == {self.pick(0, 1)}", f"{j} {self.pick('<', '>=')} {self.pick(1, 2, 5)}",
                             f"{j} == {self.end} - 1")
        return f"{self.term()} {self.pick('<', '>', '<=', '!=')} {self.term()}"

    def store(self):
        self.put(f"{self.cell(self.place())} {self.pick('=', '=', '=', '+=', '-=')} {self.cast(self.some())}")

    def cast(self, value):
        return f"{self.kind}({value})"

    def statement(self, depth):
        roll = self.random.random()
        if roll < 0.45:
            self.store()
        elif roll < 0.65 and self.sums:
            s = self.pick(*self.sums)
            self.put(f"{s} = {self.cast(self.pick(f'{s} + {self.some(1)}', self.some(1), f'max({s}, {self.some(1)})'))}")
        elif roll < 0.8 and depth:
            self.branch(depth)
        elif roll < 0.9 and depth and len(self.counters) < 3:
            self.loop(depth - 1)
        elif roll < 0.95 and self.counters:
            self.put(f"if {self.asks()}:")
            self.put(f"    {self.pick('continue', 'break', 'continue')}")
        else:
            self.store()

    def branch(self, depth):
        self.put(f"if {self.asks()}:")
        self.within(depth - 1)
        if self.chance(0.5):
            self.put("else:")
            self.within(depth - 1)

    def within(self, depth):
        self.depth += 1
        for _ in range(self.pick(1, 1, 2)):
            self.statement(depth)
        self.depth -= 1

    def loop(self, depth):
        j, kept = self.fresh("j"), list(self.counters)
        end, first = self.end, self.pick(1, 1, 2)
        form = self.pick("up", "up", "up", "down", "some", "step", "tuples", "pairs", "while", "parts")
        if form == "while":
            self.put(f"{j} = 0")
            self.put(f"while {j} < {end}:")
            self.depth += 1
            q = self.fresh("j")
            self.put(f"{q} = {j}")
            self.put(f"{j} += {self.pick(1, 1, 2)}")
            j = q
        elif form in ("tuples", "pairs"):
            offsets = [self.pick(0, 1, 2, 3) for _ in range(self.pick(2, 3))]
            a, b = self.fresh("d"), self.fresh("c")
            pairs = ", ".join(f"({o}, {self.pick(0, 1, 2)})" for o in offsets)
            plain = ", ".join(map(str, offsets))
            self.put(f"for {a}, {b} in {self.pick(f'({pairs})', f'enumerate(({plain}))', f'zip(({plain}), ({plain[::-1]}))')}:"
                     if form == "pairs" else f"for {a} in ({plain}):")
            self.depth += 1
            self.put(f"{j} = ({a}{f' + {b}' if form == 'pairs' else ''}) % {end}")
        elif form == "parts":
            q = self.fresh("q")
            self.put(f"for {q} in range(0, {end}, {self.pick(2, 4)}):")
            self.depth += 1
            self.put(f"for {j} in range({q}, min({q} + {self.pick(2, 3, 4)}, {end})):")
        else:
            self.put(f"for {j} in range({ {'up': end, 'down': f'{end} - 1, -1, -1', 'some': f'{first}, {end} - {first}', 'step': f'{first - 1}, {end}, {first + 1}'}[form]}):")
        self.depth += 1 if form not in ("while", "tuples", "pairs") else 0
        self.counters.append(j)
        for _ in range(self.pick(1, 2, 2, 3)):
            self.statement(depth)
        self.depth -= 2 if form == "parts" else 1
        self.counters = kept

    def body(self):
        self.counters = []
        self.put(f"i = {self.pick('cuda.grid(1)', 'cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x')}")
        n, w = (self.give(stem, f"{self.pick('int64', 'int64', 'int32')}({value})")
                for stem, value in (("n", self.rows), ("w", self.width)))
        self.end = w if self.form != "rows" or self.chance(0.7) else f"min({w}, {self.names[0]}.shape[1])"
        self.row = f"(2 * {w})" if self.chance(0.5) else self.give("r", f"int64({2 * self.width})")
        self.blockshape = self.or_else((self.pick(32, 64, 100, 128, 256, 7, 1),), (32,), (64,), (33,))
        self.grid = [-(-self.rows // self.blockshape[0]) + self.pick(0, 0, 1)]
        if self.chance(0.5):
            self.put(f"if i >= {n}:")
            self.put("    return")
        else:
            self.put(f"if i < {n}:")
            self.depth += 1
        for _ in range(self.pick(0, 1, 1, 2)):
            s = self.fresh("s")
            self.put(f"{s} = {self.kind}({self.pick(0, 1)})")
            self.sums.append(s)
        for _ in range(self.pick(1, 1, 2, 3)):
            self.loop(self.pick(1, 2, 2))
        for s in self.sums:
            self.put(f"{self.cell(self.pick('0', f'{self.end} - 1'))} = {s}")


@relaunched
def program(seed, options="", without=()):
    g = Overlaps(seed, without)
    g.luck = __import__("random").Random(f"overlaps {seed}")
    g.arguments()
    g.body()
    return module(g, options, ["fma=False"])
