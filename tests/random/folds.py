"""Random kernels of phases: loop nests over the same inner axes, one after the other, that fold what they read and
write what they made of it, as normalisations, distances to centres, filters and products of rows have them.

Built of nest.py: each integer has an interval, a thread stores to its own elements."""
import math
import struct

from nest import FLOATS, Nest, module, relaunched

ROWS = [1, 2, 3, 5, 16, 17, 31, 32, 33, 64, 65, 100, 127, 128, 129, 200, 257, 300, 512, 700, 1023, 1024, 1100, 2048, 4100]
LONG = [1, 2, 7, 16, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 129, 160, 192, 200, 255, 256, 257, 300, 384, 511, 512, 640, 1000, 1024]
SHORT = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16]


class Folds(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.special = self.chance(0.3) and not self.exact
        self.form = self.pick("any", "any", "any", "few", "few", "ragged", "turned")
        self.kind = self.pick("float32", "float32", "float32", "float64", "int32", "int64", "uint8", "int16")
        if self.form == "few" and self.chance(0.4):
            self.kind = self.pick("int32", "int64", "uint8", "int16")
        self.acc_kind = self.kind if self.kind in FLOATS else self.pick("int32", "int64", "int64", "int64")
        self.accs = {}
        self.plain = self.chance(0.75 if self.form == "few" else 0.55)      # nothing odd about it

    def data(self, kind, count, low=None, high=None):
        """At times with numbers that are none, infinities, and zeros of either sign among them."""
        plain = super().data(kind, count, low, high)
        if kind not in FLOATS or not self.special or self.chance(0.3):
            return plain
        bits, code = ("int32", "f") if kind == "float32" else ("int64", "d")
        ends = [0.0, -0.0, math.nan, math.inf, -math.inf, 1.0]
        many = self.pick(8, 40, 200)
        table = [self.pick(*ends) if self.chance(4 / many) else self.random.gauss(0, 1) for _ in range(many)]
        words = [struct.unpack("i" if code == "f" else "q", struct.pack(code, x))[0] for x in table]
        words = [w for w in words if w > -2 ** 63] or [0]
        return f"array({words}, dtype={bits}).view({kind})[randint(0, {len(words)}, {count}, seed={self.random.randrange(10 ** 6)}, dtype=int32)]"

    def odd(self, p=0.15):
        return self.chance(p * 0.25 if self.plain else p)

    # ---- the launch ------------------------------------------------------------------------------
    def place(self):
        form = self.random.random()
        rows = self.pick(*ROWS)
        if form < 0.5:
            dims = [rows]
        elif form < 0.8:
            dims = [self.pick(*SHORT, *LONG[:14]), self.pick(*SHORT, *LONG[:16])]
        else:
            dims = [self.pick(*SHORT[:7]), self.pick(*SHORT), self.pick(*LONG[:12])]
        if self.form == "few":
            dims = self.pick([self.pick(128, 129, 160, 200, 256, 300, 512, 700, 900)], [self.pick(128, 128, 130, 200, 256, 400)], [self.pick(1, 2, 5, 10, 31, 32, 33, 64, 100, 128, 200, 256)], [self.pick(1, 2, 3, 4), self.pick(1, 3, 16, 32, 40)])
        elif self.form == "ragged":
            dims = [self.pick(1, 31, 32, 33, 64, 100, 257, 1000, 1100)]
        elif self.form == "turned":
            dims = self.pick([self.pick(3, 17, 33, 64, 100, 130), self.pick(3, 4, 16, 33, 65, 128)], [self.pick(2, 3, 5), self.pick(3, 16, 40, 65), self.pick(3, 4, 33, 64)])
        self.total = 1
        for d in dims:
            self.total *= d
        self.own = [(self.fresh("ijl"[a]), d) for a, d in enumerate(dims)]
        names = [n for n, _ in self.own]
        flat = len(dims) > 1 and self.chance(0.9 if self.form == "turned" else 0.35)
        axes = 1 if flat else len(dims)
        self.axes = axes
        self.blockshape = self.pick(*{1: [(32,), (64,), (128,), (256,), (256,), (100,), (512,), (1,), (1024,)], 2: [(16, 16), (32, 8), (8, 8), (7, 5), (32, 4), (8, 32)],
                                      3: [(8, 8, 4), (4, 4, 4), (32, 2, 2)]}[axes])
        order = list(range(axes))
        if self.chance(0.6):
            order.reverse()
        elif self.odd(0.4):
            self.random.shuffle(order)
        need = [self.total] if axes == 1 else [dims[order[a]] for a in range(axes)]
        self.grid = [max(1, -(-need[a] // self.blockshape[a]) + (self.pick(1, -1) if self.odd() else 0)) for a in range(axes)]
        whole = self.pick("cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x", "cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x")
        if axes == 1:
            t = self.fresh("t") if flat else names[0]
            limit = " * ".join(self.size(d) for d in dims)
            form = self.random.random()
            if form < 0.5:
                self.put(f"{t} = {whole}")
                self.put(f"if {t} < {limit}:")
                self.depth, self.leave = 1, "return"
            elif form < 0.85:
                self.put(f"{t} = {whole}")
                self.put(f"if {t} >= {limit}:")
                self.put("    return")
                self.leave = "return"
            else:
                self.put(f"for {t} in range({whole}, {limit}, cuda.gridsize(1)):")
                self.depth, self.leave = 1, "continue"
                self.grid = [max(1, self.grid[0] // self.pick(1, 1, 2, 3))]
            if flat:
                self.decode(t, names, dims)
        else:
            self.thread_indices([names[order[a]] for a in range(axes)])
            self.stay_inside()
            self.leave = "return"
        for name, d in self.own:
            self.env[name] = 0, d - 1

    # ---- arrays ----------------------------------------------------------------------------------
    def setting(self):
        own = [d for _, d in self.own]
        room = max(1, 2000000 // self.total)
        depth = self.pick(1, 1, 1, 2, 2, 3)
        self.inner = []
        long = [n for n in (128, 129, 160, 192, 200, 255, 256, 300, 384, 500, 513, 640, 1000, 1024, 1500) if n <= room]
        if self.form == "few" and long and self.chance(0.75):
            depth, self.inner = 0, [self.pick(*long)]
            room //= self.inner[0]
        for a in range(depth):
            pool = [n for n in (LONG if depth == 1 or a == depth - 1 and self.chance(0.5) else SHORT + LONG[:12]) if n <= room] or [1]
            n = self.pick(*pool[-10:]) if self.chance(0.6) else self.pick(*pool)
            self.inner.append(n)
            room = max(1, room // n)
        if self.odd(0.08):
            self.inner[-1] = 0
        self.centres = self.pick(*[n for n in SHORT if n <= room] or [1])
        i, c = self.inner, self.centres
        self.axes_of = {}                   # array name: what each dim stands for
        shapes = [[*"O", *"I"]] * 5 + [["I", "O"]] * 2 + [["O1", "I", "O2"]]
        self.main = self.make("a", self.pick(*shapes), self.kind)
        self.more = []
        for _ in range(self.pick(0, 0, 1) if self.form == "few" else self.pick(0, 1, 1, 2)):
            shape = self.pick(["I"], ["O", "I"], ["O"], ["C", "I"], ["I", "C"], ["Ol", "I"], ["Of", "I"], ["I", "Ol"], ["Il"], ["If"], ["C"], ["Ol"])
            self.more.append(self.make("b", shape, self.kind if self.chance(0.8) else self.pick("float32", "int32", "float64", "uint8", "int64")))
        self.index_array = None
        if self.chance(0.12) and 0 not in i:
            self.index_array = self.make("idx", self.pick(["I"], ["Il"], ["O", "Il"]), self.pick("int32", "int64"), i[-1])

    def expand(self, shape):
        own, out = [("O", k) for k in range(len(self.own))], []
        inner = [("I", k) for k in range(len(self.inner))]
        for s in shape:
            out += {"O": own, "I": inner, "C": [("C", 0)], "Ol": own[-1:], "Of": own[:1], "O1": own[:-1], "O2": own[-1:], "Il": inner[-1:], "If": inner[:1]}[s]
        return out

    def make(self, stem, shape, kind, below=None, written=False):
        axes = self.expand(shape)
        dims = [self.own[k][1] if w == "O" else self.inner[k] if w == "I" else self.centres for w, k in axes]
        if below is None:
            array = self.array(stem, kind, dims, written)
        else:
            array = self.array(stem, kind, dims, low=0, high=max(0, below - 1))
        self.axes_of[array.name] = axes
        return array

    # ---- nests -----------------------------------------------------------------------------------
    def nest(self, names):
        """Opens loops over inner axes; names[k] is the counter of each."""
        order = list(range(len(self.inner)))
        if self.odd(0.2):
            self.random.shuffle(order)
        for k in order:
            n, v = self.inner[k], self.fresh("kmq"[k])
            size = self.size(n)
            form = self.random.random()
            text, lo, hi = self.pick(f"range({size})", f"range({size})", f"range(0, {size})"), 0, max(0, n - 1)
            if self.odd(0.3) and n > 2:
                text, lo, hi = self.pick((f"range(1, {size})", 1, n - 1), (f"range({size} - 1)", 0, n - 2), (f"range(0, {size}, 2)", 0, n - 1), (f"range({size} - 1, -1, -1)", 0, n - 1),
                                         (f"range(1, {size} - 1)", 1, n - 2), (f"range(2, {size}, 3)", 2, n - 1))
            elif self.odd(0.15):
                name, d = self.pick(*self.own)
                if d <= n:
                    text, lo, hi = self.pick((f"range({name})", 0, max(0, d - 2)), (f"range({name} + 1)", 0, d - 1), (f"range({name}, {size})", 0, n - 1), (f"range({name} + 1, {size})", 1, n - 1),
                                             (f"range(max(0, {name} - 3), min({name} + 4, {size}))", 0, n - 1))
                else:
                    text, lo, hi = f"range(min({name}, {size}))", 0, max(0, n - 1)
            if text.startswith("range(") and self.odd(0.12) and text.count(",") == 0 and "min" not in text:
                self.put(f"{v} = 0")
                self.put(f"while {v} < {text[6:-1]}:")
                self.closers.append((self.depth, f"    {v} += 1"))
            else:
                self.put(f"for {v} in {text}:")
            self.depth += 1
            names[k] = v
            self.env[v] = lo, hi
            if k != order[-1] and self.chance(0.15) and self.accs:
                self.between()

    def between(self):
        name = self.pick(*self.accs)
        if not name.startswith("w"):
            self.put(self.pick(f"{name} += {self.term({})}", f"{name} = {self.accs[name]}(0)") if self.chance(.5) else f"{name} = {self.accs[name]}(1)")

    def indices(self, array, names, shift=None):
        texts = []
        for d, (w, k) in enumerate(self.axes_of[array.name]):
            n = array.dims[d]
            v = self.own[k][0] if w == "O" else names.get(("I", k)) if w == "I" else names.get(("C", 0))
            if v is None or n == 0:
                texts.append(self.index(n) if n else "0")
            elif self.odd(0.12):
                lo, hi = self.env[v]
                texts.append(self.pick(f"{self.size(n)} - 1 - {v}", f"({v} + 1) % {self.size(n)}", f"max({v} - 1, 0)", f"min({v} + 1, {self.size(n)} - 1)", f"{v} // 2", self.index(n, not array.flat),
                                       f"({v} + {self.size(n)} - 1) % {self.size(n)}", *([f"{v} - 1"] if not array.flat or lo > 0 else [])))
            elif self.index_array and w == "I" and k == len(self.inner) - 1 and self.chance(0.3) and array is not self.index_array:
                texts.append(self.at(self.index_array, self.indices(self.index_array, names)))
            else:
                texts.append(v)
        return texts

    def read(self, array, names):
        return self.at(array, self.indices(array, names))

    def usable(self, names):
        return [a for a in [self.main, self.main, *self.more] if 0 not in a.dims]

    def leaf(self, kind):
        arrays = self.usable(self.names) if hasattr(self, "names") else []
        arrays = [a for a in arrays if a.kind == kind]
        if arrays and self.chance(0.85):
            return self.read(self.pick(*arrays), self.names)
        return super().leaf(kind)

    def term(self, names):
        self.names = names
        arrays = self.usable(names)
        if not arrays:
            return f"{self.kind}(2)"
        a = self.read(self.pick(*arrays), names)
        if self.chance(0.45):
            return a
        b = self.read(self.pick(*arrays), names)
        if self.kind in FLOATS and self.exact:
            scalar = [n for n in self.accs]
            return self.pick(f"{a} * {b}", f"{a} * {b}", f"{a} * {a}", f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"({a} if {b} > 0 else {b})")
        if self.kind in FLOATS:
            old = self.pick(*self.accs) if self.accs else b
            return self.pick(f"{a} * {b}", f"{a} * {b}", f"({a} - {b}) * ({a} - {b})", f"({a} - {old}) * ({a} - {old})", f"({a} - {old})", f"{a} * {old}", f"{a} / ({b} * {b} + {self.kind}(1))",
                             f"abs({a} - {b})", self.value(self.kind, 2), f"({a} + {b}) * {self.kind}(0.5)")
        return self.pick(f"{a} * {b}", f"{a} * {a}", f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"max({a}, {b}) + 1", f"({a} if {b} > 2 else {b})", f"int64({a}) * {b}", f"({a} // 3)",
                         self.value(self.kind, 2))

    def new_acc(self, stem="s"):
        name = self.fresh(stem)
        kind = self.acc_kind
        self.put(f"{name} = {self.pick(f'{kind}(0)', f'{kind}(0)', f'{kind}(0)', f'{kind}(-100)' if stem == 'most' else f'{kind}(1)')}")
        self.accs[name] = kind
        return name

    def fold(self, names, acc):
        t = self.term(names)
        form = self.random.random()
        if form < 0.5:
            return [f"{acc} {'-=' if self.odd(0.3) else '+='} {t}"]
        if form < 0.6:
            return [f"{acc} = {self.pick('max', 'max', 'min')}({acc}, {t})"]
        if form < 0.68:
            return [f"if {self.condition(names)}:", f"    {acc} += {t}"]
        if form < 0.74:
            return [f"if {self.condition(names)}:", f"    {acc} += {t}", "else:", f"    {acc} -= {self.term(names)}"]
        if form < 0.8 and not self.closers:
            return [f"if {self.condition(names)}:", "    continue", f"{acc} += {t}"]
        if form < 0.86 and self.odd(0.6):
            return [f"{acc} += {t}", f"if {acc} > {self.pick(40, 1000)}:", "    break"]
        return [f"{acc} += {t}"]

    def condition(self, names):
        t = [v for v in names.values()]
        a = self.term(names)
        forms = [f"{a} > {self.pick(0, 1, 3)}", f"{a} != {self.term(names)}"]
        if t:
            v, (o, _) = self.pick(*t), self.pick(*self.own)
            forms += [f"{v} != {o}", f"{v} <= {o}", f"{v} % {self.pick(2, 3)} == {self.pick(0, 1)}", f"{v} > 0", f"0 <= {o} + {v} - 2 < {self.size(self.pick(*self.inner))}"]
        return self.pick(*forms)

    def phase(self, last):
        kept = self.scope()
        self.closers = []
        form = self.random.random()
        accs = []
        if self.centred and self.chance(0.6):
            best, where = self.new_acc("most"), self.fresh("w")
            self.put(f"{where} = 0")
            c = self.fresh("c")
            self.put(f"for {c} in range({self.size(self.centres)}):")
            self.depth += 1
            self.env[c] = 0, self.centres - 1
            d = self.new_acc("d")
            names = {("C", 0): c}
            inner = {}
            inside = self.scope()
            self.nest(inner)
            names.update({("I", k): v for k, v in inner.items()})
            for line in self.fold(names, d):
                self.put(line)
            self.close()
            self.back(inside)
            self.put(f"if {self.pick(f'{c} == 0 or ', '')}{d} {self.pick('<', '>', '>=')} {best}:")
            self.put(f"    {best} = {d}")
            self.put(f"    {where} = {c}")
            self.accs.pop(d)
            if self.chance(0.4) and not last:
                pass
            self.back(kept)
            self.results += [(best, self.acc_kind), (where, "int64")]
            return
        for _ in range(self.pick(1, 1, 1, 2, 3)):
            accs.append(self.new_acc(self.pick("s", "s", "most")))
        where = None
        if self.chance(0.15):
            where = self.fresh("w")
            self.put(f"{where} = 0")
        inner, names = {}, {}
        self.nest(inner)
        names.update({("I", k): v for k, v in inner.items()})
        if self.centred:
            c = self.pick("0", str(self.centres - 1))
        body = []
        if where:
            v = self.pick(*names.values())
            t = self.term(names)
            body += [f"if {t} {self.pick('>', '<', '>=', '<=')} {accs[0]}:", f"    {accs[0]} = {t}", f"    {where} = {self.pick(v, v, f'{v} + 1', f'{v} * 2')}"]
        for acc in accs[1 if where else 0:]:
            body += self.fold(names, acc)
        stores = self.chance(0.4)
        if stores:
            if not self.targets or self.odd(0.4):
                self.targets.append(self.make("y", self.pick(["O", "I"], ["O", "I"], ["O", "I"], ["I", "O"]), self.kind if self.chance(0.8) else self.pick(*FLOATS, "int64"), written=True))
            y = self.pick(*self.targets)
            if 0 not in y.dims:
                plain, self.plain = self.plain, True
                texts = [self.own[k][0] if w == "O" else names[("I", k)] for w, k in self.axes_of[y.name]]
                self.plain = plain
                ready = [a for a, k in self.accs.items() if k == y.kind or y.kind == "int64" and k[0] == "i"]
                v = self.term(names)
                if y.kind not in FLOATS and self.kind in FLOATS:
                    v = "1"
                if ready and self.chance(0.6):
                    a = self.pick(*ready)
                    v = self.pick(a, f"{v} - {a}", f"{a} + {v}", *([f"({v}) * {a}"] if not self.exact or y.kind not in FLOATS else []))
                line = f"{self.at(y, texts)} {self.pick('=', '=', '=', '=', '+=')} {v}"
                if self.odd(0.2):
                    body += [f"if {self.condition(names)}:", "    " + line]
                elif self.chance(0.8):
                    body.append(line)
                else:
                    body.insert(0, line)
        for line in body:
            self.put(line)
        self.close()
        self.back(kept)
        self.results += [(a, self.acc_kind) for a in accs] + ([(where, "int64")] if where else [])
        if self.kind in FLOATS and not self.exact and self.chance(0.4):
            a = self.pick(*accs)
            n = self.size(max(1, self.inner[-1]))
            self.put(self.pick(f"{a} = {a} / {self.kind}({n})", f"{a} = math.sqrt(abs({a}))", f"{a} /= {n}", f"{a} = {self.kind}(1) / ({a} * {a} + {self.kind}(1))", f"{a} = math.sqrt(abs({a})) + {self.kind}(1)"))
        elif self.odd(0.1) and self.leave:
            self.put(f"if {self.pick(*accs)} > 50:")
            self.put(f"    {self.leave}")

    def close(self):
        for depth, line in reversed(self.closers):
            now, self.depth = self.depth, depth
            self.put(line)
            self.depth = now
        self.closers = []

    # ---- rows as long as an array says -----------------------------------------------------------
    def ragged(self):
        """A thread a row, of values beside which others lie that their columns index."""
        (i, n), = self.own
        long, at, starts = self.pick(1, 3, 10, 40, 100), 0, []
        for _ in range(n + 1):
            starts.append(at)
            at += self.random.randrange(0, long + 1) if self.chance(0.9) else 0
        start = self.give("start", f"array({starts}, dtype={self.pick('int32', 'int64')})")
        m = self.pick(1, 7, 64, 300)
        val = self.array("val", self.kind, [max(1, at)])
        col = self.array("col", self.pick("int32", "int32", "int64"), [max(1, at)], low=0, high=m - 1)
        x = self.array("x", self.kind, [m])
        y = self.array("y", self.kind, [max(1, at)], True) if self.chance(0.3) else None
        o = self.array("out", self.kind if self.kind in FLOATS else "int64", [n], True)
        acc = self.acc_kind
        first, last = f"{start}[{i}]", f"{start}[{i} + 1]"
        if self.chance(0.5):
            self.put(f"first = {first}")
            self.put(f"last = {last}")
            first, last = "first", "last"
        for phase in range(self.pick(1, 1, 2)):
            s = f"s{phase}"
            self.put(f"{s} = {acc}({self.pick(0, 0, 1)})")
            loop = self.pick(f"for k in range({first}, {last}):", f"for k in range({first}, {last}):", f"for k in range({last} - 1, {first} - 1, -1):", f"for k in range({first}, {last}, 2):",
                             f"for k in range({first} + 1, {last}):")
            self.put(loop)
            v, c = self.at(val, ["k"]), self.at(col, ["k"])
            e = self.pick(v, f"{v} * {self.at(x, [c])}", f"{v} * {self.at(x, [c])}", f"{v} + {self.at(x, [c])}", self.at(x, [c]))
            if "*" in e and self.kind in FLOATS and self.exact:
                e = e
            body = self.pick([f"{s} += {e}"], [f"{s} += {e}"], [f"{s} = max({s}, {e})"], [f"if {v} > 0:", f"    {s} += {e}"], [f"if {c} != {i}:", f"    {s} += {e}"],
                             [f"{s} += {e}", f"if {s} > 30:", "    break"], [f"if {c} > {i}:", "    break", f"{s} += {e}"])
            if y is not None and self.chance(0.6):
                body = [*body, f"{self.at(y, ['k'])} {self.pick('=', '+=')} {self.pick(v, s) if self.kind in FLOATS else v}"]
            for line in body:
                self.put("    " + line)
            if self.chance(0.5) or phase:
                self.put(f"{self.at(o, [i])} {self.pick('=', '+=', '-=')} {s}")
        if not any("out" in line for line in self.lines[-3:]):
            self.put(f"{self.at(o, [i])} = s0")

    def turned(self):
        """What a thread reads and writes lies along other axes."""
        names = [n for n, _ in self.own]
        own = [d for _, d in self.own]
        x = self.array("x", self.kind, own)
        y = self.array("y", self.kind, own, True)
        order = list(range(len(own)))
        self.random.shuffle(order)
        z = self.array("z", self.kind, [own[k] for k in order], True)
        w = self.array("w", self.kind, [self.pick(*own)])
        wi = names[own.index(w.dims[0])]
        e = self.at(x, names)
        e = self.pick(e, e, f"{e} + {self.at(w, [wi])}", f"{e} * {self.at(w, [wi])}", f"max({e}, {self.at(w, [wi])})")
        line = f"{self.at(z, [names[k] for k in order])} {self.pick('=', '=', '=', '+=')} {e}"
        if self.chance(0.2):
            self.put(f"if {self.at(x, names)} > 1:")
            self.put("    " + line)
        else:
            self.put(line)
        if self.chance(0.3):
            self.put(f"{self.at(y, names)} = {self.at(x, names)}")

    def finish(self):
        for name, kind in self.results[:4]:
            o = self.array("out", kind, [d for _, d in self.own], True)
            self.put(f"{self.at(o, [v for v, _ in self.own])} {'=' if self.form == 'few' or self.chance(0.75) else '+='} {name}")


@relaunched
def program(seed, options="", without=()):
    g = Folds(seed, without)
    g.place()
    g.targets, g.results, g.closers = [], [], []
    if g.form == "ragged":
        g.ragged()
    else:
        g.setting()
        g.centred = any(("C", 0) in g.axes_of[a.name] for a in g.more)
        if g.form == "turned" and g.chance(0.7):
            g.turned()
        else:
            for k in range(g.pick(1, 1, 2, 2, 3)):
                g.phase(False)
        g.finish()
    fma = [] if g.exact else ["fma=False"]
    if g.exact and g.form != "ragged" and g.chance(0.35):
        count = 1
        for n in g.inner:
            count *= n
        fma += ["reassociate=True"] if count * g.centres <= 60000 else []
    return module(g, options, fma)
