"""Random kernels of a flat index of which a thread makes rows, columns, channels and images, as people write them
first: `i % w`, `i // w % h`, in 64 or 32 bits, signed or not, with windows around it whose borders are asked for in
each tap, taps of which every s-th counts, searches that end early, and stores at the flat index or at another that no
other thread has. Arguments may be one array where only read. Built of nest.py."""
import random

from nest import FLOATS, Nest, module, relaunched

SIDES = [1, 2, 3, 5, 7, 8, 16, 17, 31, 32, 33, 40, 64, 65, 100]


class Flats(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.own_luck = random.Random(f"flats {seed}")
        self.kind = self.pick("float32", "float32", "float32", "float64", "int32", "uint8", "int16", "int64")
        self.sum_kind = self.kind if self.kind in FLOATS else self.pick("int64", "int32")
        self.returned = False        # some threads have stored to their flat index and are gone

    def drawn(self, *things):
        """Drawn anew for each launch."""
        return (self.other or self.own_luck).choice(things)

    # ---- where a thread is -----------------------------------------------------------------------
    def place(self):
        self.w, self.h = self.pick(*SIDES), self.pick(*SIDES)
        self.channels = self.pick(0, 0, 2, 3, 4)
        total = self.w * self.h * max(1, self.channels)
        self.total = total
        self.blockshape = self.or_else(self.pick((32,), (64,), (128,), (256,), (100,)), (32,), (128,), (33,), (256,), (7,), (512,))
        self.grid = [-(-total // self.blockshape[0]) + self.drawn(0, 0, 0, 1)]
        w, h = self.width, self.height = self.size(self.w), self.size(self.h)
        limit = f"{w} * {h}" + (f" * {self.channels}" if self.channels else "")
        whole = self.pick("cuda.grid(1)", "cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x")
        whole = self.pick(whole, whole, whole, f"types.int32({whole})", f"types.uint32({whole})", f"np.int32({whole})")
        stride = self.chance(0.2)
        if stride:
            self.put(f"for i in range(cuda.grid(1), {limit}, cuda.gridsize(1)):")
            self.depth, self.leave = 1, "continue"
            self.grid = [max(1, self.grid[0] // self.drawn(1, 2, 3))]
        else:
            self.put(f"i = {whole}")
            self.leave = "return"
            if self.chance(0.5):
                self.put(f"if i >= {limit}:")
                self.put("    return")
            else:
                self.put(f"if i < {limit}:")
                self.depth = 1
        if self.channels:
            form = self.pick("planes", "planes", "pixels")
            lines = {"planes": [f"x = i % {w}", f"y = i // {w} % {h}", f"c = i // ({w} * {h})"],
                     "pixels": [f"c = i % {self.channels}", f"x = i // {self.channels} % {w}", f"y = i // ({self.channels} * {w})"]}[form]
            self.layout = form
        else:
            lines = self.pick([f"x = i % {w}", f"y = i // {w}"], [f"y = i // {w}", f"x = i - y * {w}"], [f"y, x = divmod(i, {w})"])
            self.layout = "plane"
        if lines[0][0] != "y":
            self.random.shuffle(lines)
        for line in lines:
            self.put(line)
        self.narrow = "int32" in whole and not stride

    def flat_index(self, x, y, c="c"):
        """The flat index of an element."""
        x, y = (v if v.isidentifier() else f"({v})" for v in (x, y))
        if self.layout == "plane":
            return self.pick(f"{y} * {self.width} + {x}", f"{x} + {self.width} * {y}")
        if self.layout == "pixels":
            return f"({y} * {self.width} + {x}) * {self.channels} + {c}"
        return self.pick(f"({c} * {self.height} + {y}) * {self.width} + {x}",
                         f"{c} * {self.height} * {self.width} + {y} * {self.width} + {x}")

    # ---- arguments -------------------------------------------------------------------------------
    def arguments(self):
        bounds = (None, None) if self.kind in FLOATS else (0 if self.kind[0] == "u" else -9, 9)
        base = self.give("a", self.data(self.kind, f"({self.total},)", *bounds))
        other = self.give("b", self.drawn(base, f"{base}[::-1]", self.data(self.kind, f"({self.total},)", *bounds)))
        self.reads = [base, base, other] if self.chance(0.6) else [base]
        self.radius = self.pick(0, 1, 1, 1, 2, 2, 3)
        self.table = self.give("f", self.data(self.kind, f"({(2 * self.radius + 1) ** 2 * max(1, self.channels)},)", *bounds))
        self.out = self.give("out", f"{self.drawn('zeros', 'ones')}({self.total}, dtype={self.sum_kind})", True)
        self.reach = self.give("r", f"{self.pick('int64', 'int64', 'int32')}({self.or_else(self.radius, *range(self.radius + 1))})") \
            if self.chance(0.4) else str(self.radius)

    def term(self, at, tap):
        value = f"{self.pick(*self.reads)}[{at}]"
        weight = f"{self.table}[{tap}]"
        if self.kind in FLOATS:
            return self.pick(f"{value} * {weight}", f"{value} * {weight}", value, f"({value} - {weight})", f"abs({value})")
        value, weight = (f"{self.sum_kind}({v})" for v in (value, weight))
        return self.pick(f"{value} * {weight}", f"{value} * {weight}", value, f"({value} ^ {weight})", f"abs({value})")

    # ---- bodies ----------------------------------------------------------------------------------
    def window(self):
        """A window of (2 r + 1)^2 taps, of which each asks for the borders, or is clamped to them."""
        w, h, r = self.width, self.height, self.reach
        kept = self.depth
        steps = self.pick(1, 1, 1, 1, 2, 3)
        by = "" if steps == 1 else f"{steps} * "
        begin = self.pick("around", "around", "from 0")
        heads = (f"range(-{r}, {r} + 1)",) * 2 if begin == "around" else (f"range(2 * {r} + 1)",) * 2
        shift = "" if begin == "around" else f" - {by}{r}"
        if begin == "around" and self.chance(0.2):
            heads = (f"range(max(-{r}, -y), min({r} + 1, {h} - y))", heads[1]) if steps == 1 else heads
        form = self.pick("ask", "ask", "ask", "leave", "clamp", "wrap", "value", "both")
        self.put(f"for v in {heads[0]}:")
        self.depth += 1
        ys, xs = f"y + {by}v{shift}", f"x + {by}u{shift}"
        early = form in ("ask", "leave") and self.chance(0.5)
        self.put(f"yy = {ys}")
        if early and form == "leave":
            self.put(f"if yy < 0 or yy >= {h}:")
            self.put("    continue")
        self.put(f"for u in {heads[1]}:")
        self.depth += 1
        self.put(f"xx = {xs}")
        inside = self.pick(f"0 <= xx < {w} and 0 <= yy < {h}", f"xx >= 0 and xx < {w} and yy >= 0 and yy < {h}",
                           f"yy >= 0 and xx >= 0 and yy <= {h} - 1 and xx <= {w} - 1")
        tap = f"(v + {self.reach}) * (2 * {self.reach} + 1) + u + {self.reach}" if begin == "around" else f"v * (2 * {self.reach} + 1) + u"
        if self.channels and self.chance(0.4):
            tap = f"c * (2 * {self.reach} + 1) * (2 * {self.reach} + 1) + {tap}"
        if form == "leave":
            self.put(f"if xx < 0 or xx >= {w}{'' if early else f' or yy < 0 or yy >= {h}'}:")
            self.put("    continue")
        elif form in ("ask", "both"):
            self.put(f"if {inside}:")
            self.depth += 1
        elif form == "clamp":
            self.put(f"xx = min(max(xx, 0), {w} - 1)")
            self.put(f"yc = max(min(yy, {h} - 1), 0)")
        elif form == "wrap":
            self.put(f"xx = xx % {w}")
            self.put(f"yc = (yy + {h} * 9) % {h}")
        row = "yc" if form in ("clamp", "wrap") else "yy"
        at = self.flat_index("xx", row)
        if form == "value":
            zero = f"{self.sum_kind}({self.pick(0, 0, 3)})"
            self.put(f"t = {self.term(at, tap)} if {inside} else {zero}")
            value = "t"
        else:
            value = self.term(at, tap)
        fold = self.pick("sum", "sum", "sum", "max", "min", "count", "first")
        if fold == "sum":
            self.put(f"s += {value}")
        elif fold in ("max", "min"):
            self.put(f"s = {fold}(s, {value})")
        elif fold == "count":
            self.put(f"if {value} > {self.pick(0, 2)}:")
            self.put("    n += 1")
        else:
            self.put(f"if {value} > {self.sum_kind}({self.pick(1, 3, 5)}):")
            self.put(f"    s += {self.sum_kind}(v + 9)")
            self.put("    break")
        if form == "both" and self.chance(0.7):
            self.put("n += 1")
            self.depth -= 1
            self.put("else:")
            self.put(f"    n -= {self.pick(1, 2)}")
        self.depth = kept

    def scattered(self):
        """Taps of which every s-th counts, as where images grow."""
        s, w = self.pick(2, 2, 3, 4), self.width
        kept = self.depth
        self.put(f"for v in range({self.pick(3, 4, 5)}):")
        self.depth += 1
        self.put(f"p = x - v{self.pick('', ' + 1', ' - 1')}")
        if self.chance(0.5):
            self.put(f"if p < 0 or p % {s} != 0:" if self.chance(0.5) else f"if p % {s}:")
            self.put("    continue")
            self.put(f"q = p // {s}")
            condition = f"q >= 0 and q < {w}"
        else:
            self.put(f"q = p // {s}")
            condition = f"p % {s} == 0 and 0 <= q < {w}"
        self.put(f"if {condition}:")
        self.put(f"    s += {self.term(self.flat_index('q', 'y'), 'v % (2 * ' + self.reach + ' + 1)')}")
        self.depth = kept

    def search(self):
        """A walk along the row or column that ends early."""
        axis, end = self.pick(("x", self.width), ("y", self.height))
        a = self.flat_index("k" if axis == "x" else "x", "k" if axis == "y" else "y")
        head = self.pick(f"range({end})", f"range({axis}, {end})", f"range({axis} - 1, -1, -1)", f"range({axis})")
        self.put(f"for k in {head}:")
        limit = f"{self.kind}({self.pick(1, 3, 6)})"
        form = self.pick("break", "break", "return", "continue")
        value = f"{self.pick(*self.reads)}[{a}]"
        if form == "return" and self.leave == "return":
            self.put(f"    if {value} > {limit}:")
            self.put(f"        {self.out}[i] = {self.sum_kind}(k)")
            self.returned = True
            self.put("        return")
            self.put("    n += 1")
        elif form == "continue":
            self.put(f"    if {value} <= {limit}:")
            self.put("        continue")
            self.put(f"    n += k + 1")
        else:
            self.put(f"    if {value} > {limit}:")
            self.put("        break")
            self.put("    n += 1")

    def body(self):
        self.put(f"s = {self.sum_kind}({self.pick(0, 0, 1)})")
        self.put("n = 0")
        for _ in range(self.pick(1, 1, 1, 2)):
            self.pick(self.window, self.window, self.window, self.scattered, self.search)()
        if self.chance(0.2):
            self.put(f"if n > {self.pick(0, 3)}:")
            self.depth += 1
        at = self.pick("i", "i", "i", self.flat_index("x", "y"), self.flat_index(f"{self.width} - 1 - x", "y"), self.flat_index("x", f"{self.height} - 1 - y"))
        at = "i" if self.returned else at
        self.put(f"{self.out}[{at}] {self.pick('=', '=', '+=')} s + {self.sum_kind}(n)")


@relaunched
def program(seed, options="", without=()):
    g = Flats(seed, without)
    g.place()
    g.arguments()
    g.body()
    return module(g, options, ["fma=False"])
