"""Random kernels of nested loops, as users write them: an element for each thread along one to three axes, or by
quotients and rests of one index; loops in loops whose bounds hang on outer ones, on arrays or on borders; arrays
in one axis and in several, views of others; sums in their order, local counters, ways out.

nest.py says what keeps them right."""
from nest import FLOATS, INNER, INTS, MOST_WORK, OWN, Nest, module, relaunched


class Nests(Nest):
    adds = True                      # by atomics, too

    # ---- statements ------------------------------------------------------------------------------
    def store_target(self):
        """An own element of an output."""
        outs = [o for o in self.outs if self.is_there(o)]
        if not outs or self.chance(0.8 if self.calm else 0.15):
            inner = [n for v, (lo, n) in self.env.items() if lo == 0 and v not in dict(self.own)]
            extra = self.pick([], [], [self.pick(1, 3, 8)], [self.pick(*inner) + 1] if inner else [])
            if self.total * (extra[0] if extra else 1) > 3000000:
                extra = []
            o = self.array("out", self.kind if self.chance(0.7) else self.pick(*INTS, *FLOATS), [n for _, n in self.own] + extra, True)
        else:
            o = self.pick(*outs)
        indices = [v for v, _ in self.own] + [self.index(n, not o.flat) for n in o.dims[len(self.own):]]
        return self.at(o, indices), o.kind

    def compatible(self, kind):
        """A value's text that may be stored as that kind."""
        if kind in FLOATS:
            return self.value(kind, 2)
        return self.value(kind if self.kind in FLOATS or self.chance(0.3) else self.kind, 2)

    def statement(self):
        self.budget -= 1
        roll = self.random.random()
        if roll < 0.3 and self.values:
            self.accumulate()
        elif roll < 0.62 and self.loop_depth < 3 and self.budget > 0:
            self.loop()
        elif roll < 0.76:
            self.store()
        elif roll < 0.84:
            self.branch()
        elif roll < 0.9:
            self.accumulator()
        elif roll < 0.95 and self.locals:
            self.local_update()
        elif self.counts and roll < 0.98:
            self.tally()
        else:
            self.store()

    def block(self, most=3):
        begin = len(self.lines)
        for _ in range(self.random.randrange(1, most + 1)):
            self.statement()
            if self.budget <= 0:
                break
        if len(self.lines) == begin:
            self.put("pass")

    def accumulator(self):
        name = self.fresh("acc")
        kind = self.kind if self.chance(0.85) else self.pick("int64", "float64", "int32")
        self.put(f"{name} = {self.pick(f'{kind}(0)', f'{kind}(0)', f'{kind}(0)', f'{kind}(5)', self.leaf(kind) if self.chance(.3) else f'{kind}(0)')}")
        self.values[name] = kind

    def accumulate(self):
        name = self.pick(*self.values)
        kind = self.values[name]
        v = self.value(kind, 2)
        ops = ["+="] * 4 + ["-="]
        if kind not in FLOATS:
            ops += ["^=", "|=", "*="]
        form = self.random.random()
        if form < 0.6:
            self.put(f"{name} {self.pick(*ops)} {v}")
        elif form < 0.75:
            self.put(f"{name} = {self.pick('min', 'max')}({name}, {v})")
        elif form < 0.85 and len(self.values) > 1:
            other = self.pick(*self.values)
            self.put(f"if {v} {self.pick('<', '>', '>=')} {name}:")
            self.put(f"    {name} = {v}")
            if other != name and self.values[other][0] == 'i':
                self.put(f"    {other} = {self.integer()[0]}")
        elif form < 0.93:
            self.put(f"if {self.truth()}:")
            self.put(f"    {name} += {v}")
        else:
            self.put(f"{name} = {v}")

    def store(self):
        target, kind = self.store_target()
        v = self.compatible(kind)
        names = [n for n, k in self.values.items() if k == kind or k not in FLOATS and k[0] == kind[0] == 'i']
        if names and self.chance(0.5):
            n = self.pick(*names)
            v = n if self.chance(0.6) else f"{n} + {v}"
        op = self.pick("=", "=", "=", "+=", "-=") if kind in FLOATS else self.pick("=", "=", "=", "+=", "^=")
        if self.chance(0.12):
            self.put(f"if {self.truth()}:")
            self.put(f"    {target} {op} {v}")
        else:
            self.put(f"{target} {op} {v}")

    def branch(self):
        kept = self.scope()
        self.put(f"if {self.truth()}:")
        self.depth += 1
        self.block(2)
        if self.loop_depth and self.chance(0.25):
            self.put(self.pick("break", "continue"))
        elif self.leave and not self.loop_depth and self.chance(0.15):
            self.put(self.leave)
        self.back(kept)
        if self.chance(0.35):
            self.put("else:")
            self.depth += 1
            self.block(2)
            self.back(kept)

    def bounds(self, v):
        """The text of a range, the counter's interval and about how many iterations; sometimes lines in front."""
        extents = [n for a in self.ins + self.outs for n in a.dims] + [self.pick(*INNER)]
        if self.calm:
            own = [n for _, n in self.own]
            extents = [n for a in self.ins for n in a.dims if n not in own] * 3 + extents
        n = self.pick(*extents)
        while n * self.work > 4000 and n > 4:
            n = self.pick(2, 3, 4, *[e for e in extents if e < n])
        form = self.random.random() * self.pick(*([0.4, 0.4, 1] if self.calm else [1]))
        size = self.size(n)
        if form < 0.4 or n < 2:
            return self.pick(f"range({size})", f"range({size})", f"range(0, {size})", f"range(0, {size}, 1)"), 0, max(n - 1, 0), n
        if form < 0.5:
            a, b = self.pick(0, 1, 2), self.pick(0, 1, 1)
            return f"range({a}, {size} - {b})" if b else f"range({a}, {size})", a, max(n - 1 - b, a), n
        if form < 0.6:
            s = self.pick(2, 3, 4)
            a = self.pick("0", "0", "1")
            return f"range({a}, {size}, {s})", int(a), max(n - 1, int(a)), n // s + 1
        if form < 0.68:
            return self.pick(f"range({size} - 1, -1, -1)", f"range({size} - 2, 0, -1)", f"range({size} - 1, 0, -2)"), 0, n - 1, n
        outer = [(name, lo, hi) for name, (lo, hi) in self.env.items() if 0 <= lo and hi < 600]
        if outer:
            name, lo, hi = self.pick(*outer)
            if form < 0.76:
                return self.pick((f"range({name})", 0, max(hi - 1, 0), hi // 2 + 1), (f"range({name} + 1)", 0, hi, hi // 2 + 1))
            if form < 0.84 and hi < n:
                return self.pick((f"range({name}, {size})", lo, n - 1, n - lo), (f"range({name} + 1, {size})", lo, n - 1, n - lo))
            r = self.pick("1", "2", "3")
            if form < 0.92 and hi < n:
                return f"range(max({name} - {r}, 0), min({name} + {r} + 1, {size}))", 0, n - 1, 2 * int(r) + 1
            if form < 0.96:
                return f"range({name} - {r}, {name} + {r} + 1)", lo - int(r), hi + int(r), 2 * int(r) + 1
        if len(self.own) == 1 and self.chance(0.5):
            lengths = self.csr()
            return lengths
        return f"range({size})", 0, max(n - 1, 0), n

    def csr(self):
        name, rows = self.own[0]
        long = self.pick(1, 3, 10, 40)
        if not hasattr(self, "starts"):
            at, starts = 0, []
            for _ in range(rows + 1):
                starts.append(at)
                at += self.random.randrange(0, long + 1)
            self.starts = self.give("start", f"array({starts}, dtype={self.pick('int32', 'int64')})")
            self.starts_long, self.nnz = long, at
        if self.nnz == 0:
            return "range(2)", 0, 1, 2
        return f"range({self.starts}[{name}], {self.starts}[{name} + 1])", 0, self.nnz - 1, self.starts_long

    def loop(self):
        kept = self.scope()
        for _ in range(3):
            v = self.fresh("k")
            text, lo, hi, trips = self.bounds(v)
            if trips * self.work <= 5000:
                break
        else:
            text, lo, hi, trips = "range(3)", 0, 2, 3
        if text.startswith("range(") and self.chance(0.12) and text.count(",") <= 1 and "max" not in text and "[" not in text:
            inside = text[6:-1].split(", ")
            first, last = inside if len(inside) == 2 else ("0", inside[0])
            step = self.pick(1, 1, 2)
            self.put(f"{v} = {first}")
            self.put(f"while {v} < {last}:")
            self.depth += 1
            self.loop_depth += 9       # no continue
            self.env[v] = lo, hi
            self.work *= max(trips, 1)
            self.block(2)
            self.put(f"{v} += {step}")
            self.back(kept)
            return
        if self.values and self.chance(0.3) or self.chance(0.3):
            self.accumulator()
        accs = dict(self.values)
        depth_kept = self.scope()
        self.put(f"for {v} in {text}:")
        self.depth += 1
        self.loop_depth += 1
        self.env[v] = lo, hi
        self.work *= max(trips, 1)
        if self.values and self.chance(0.75):
            self.accumulate()
        self.block(3 if self.chance(0.3) else 2)
        self.back(depth_kept)
        self.values = accs
        if self.values and self.chance(0.6):
            self.store()
        values = self.values
        self.back(kept)
        self.values = values

    def local_update(self):
        name, n, kind = self.pick(*self.locals)
        at = self.index(n)
        ints = [a for a in self.ins if a.kind in INTS and self.is_there(a)]
        if ints and self.chance(0.6):
            e = self.element(self.pick(*ints))
            at = f"abs(int64({e})) % {n}" if self.chance(0.3) else f"int64({e}) % {n}"
        if self.chance(0.7):
            self.put(f"{name}[{at}] {self.pick('+=', '+=', '=')} {self.value(kind, 1)}")
        elif self.values:
            v = self.pick(*self.values)
            if self.values[v] in FLOATS or kind not in FLOATS and kind[0] == self.values[v][0]:
                self.put(f"{v} += {name}[{at}]")

    def tally(self):
        name, n, kind = self.pick(*self.counts)
        at = self.index(n)
        if self.chance(0.3):
            self.put(f"if {self.truth()}:")
            self.put(f"    cuda.atomic.add({name}, {at}, {self.pick(1, 2)})")
        elif self.chance(0.2) and kind == "int64":
            other = self.give("old", f"zeros({n}, dtype=int64)", True)
            b, t = self.fresh("b"), self.fresh("t")
            self.put(f"{b} = {at}")
            self.put(f"{t} = cuda.atomic.add({name}, {b}, 1)")
            self.put(f"cuda.atomic.add({other}, {b}, {t})")
            self.counts.remove((name, n, kind))
        else:
            self.put(f"cuda.atomic.add({name}, {at}, {self.pick('1', '1', self.value('int32', 1) if kind == 'int64' else '3')})")

    # ---- the launch ------------------------------------------------------------------------------
    def function(self):
        name = self.fresh("f")
        body = self.pick(["    return a + b"], ["    if a > b:", "        return a", "    return b"], ["    return a - b if a > 2 else b"],
                         ["    t = a", "    for q in range(3):", "        t += b", "        if t > 20:", "            return t", "    return t - a"])
        self.defs += [*self.pick([], ["@cuda.jit(device=True)"]), f"def {name}(a, b):", *body, "", ""]
        self.funs.append(name)

    def place(self):
        """Which elements a thread has."""
        axes = self.pick(1, 1, 1, 1, 1, 2, 2, 3)
        split = self.chance(0.25)
        count = self.pick(2, 2, 3) if axes == 1 and split else axes
        dims = []
        for axis in range(count):
            dims.append(self.pick(*(OWN if count == 1 else [n for n in OWN if n <= 130] if count == 2 else [1, 2, 3, 5, 8, 16, 17, 32])))
        self.total = 1
        for d in dims:
            self.total *= d
        names = [self.fresh("ijlm"[axis]) for axis in range(count)]
        self.axes = axes
        block = {1: [(32,), (64,), (128,), (256,), (100,), (33,), (7,), (1,), (1024,)], 2: [(16, 16), (32, 8), (8, 8), (7, 5), (32, 4), (1, 64)],
                 3: [(8, 8, 4), (4, 4, 4), (32, 2, 2), (5, 3, 2)]}[axes]
        self.blockshape = self.pick(*block)
        order = list(range(axes))
        self.random.shuffle(order)
        need = [self.total] if axes == 1 else [dims[order[a]] for a in range(axes)]
        self.grid = [max(1, -(-need[a] // self.blockshape[a]) + self.pick(0, 0, 0, 1, -1)) for a in range(axes)]
        self.own = list(zip(names, dims))
        if axes == 1:
            t = self.fresh("t") if count > 1 else names[0]
            whole = self.pick("cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x", "cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x")
            limit = self.size(dims[0]) if count == 1 else " * ".join(self.size(d) for d in dims)
            form = self.random.random()
            if form < 0.5:
                self.put(f"{t} = {whole}")
                self.put(f"if {t} < {limit}:")
                self.depth, self.leave = 1, "return"
            elif form < 0.75:
                self.put(f"{t} = {whole}")
                self.put(f"if {t} >= {limit}:")
                self.put("    return")
                self.leave = "return"
            else:
                self.put(f"for {t} in range({whole}, {limit}, cuda.gridsize(1)):")
                self.depth, self.leave = 1, "continue"
            if count > 1:
                self.decode(t, names, dims)
        else:
            self.thread_indices([names[order[a]] for a in range(axes)])
            self.stay_inside()
            self.leave = "return"
        for name, d in self.own:
            self.env[name] = 0, d - 1

    def inputs(self):
        own = [n for _, n in self.own]
        inner = [self.pick(*INNER) for _ in range(self.pick(1, 1, 2))]
        small = self.pick(3, 5, 8)
        for _ in range(self.random.randrange(1, 4)):
            pool = [own, own + inner[:1], inner[:1] + own, own[-1:] + inner[:1], inner, own[:1] + inner, [small] + own, own[:1] + [small], inner[:1], [small, small]]
            dims = self.pick(*pool[:6], *pool)
            total = 1
            for d in dims:
                total *= d
            if total > MOST_WORK:
                dims = inner
            self.array("x", self.kind if self.chance(0.8) else self.pick(*INTS, *FLOATS), dims)
        if self.chance(0.3):
            n = self.pick(*own, *inner, small)
            if n:
                self.array("idx", self.pick("int32", "int64", "uint8" if n < 250 else "int32"), [self.pick(*own, max(1, inner[0]))], low=0, high=n - 1)


def drawn(g, options):
    """All of a kernel."""
    if g.chance(0.3):
        g.function()
    g.place()
    g.inputs()
    if g.chance(0.25):
        g.local()
    if g.chance(0.2) and g.adds:
        n = g.pick(1, 3, 8, 40, 300)
        kind = g.pick("int32", "int64", "int64")
        g.counts.append((g.give("h", f"zeros({n}, dtype={kind})", True), n, kind))
    for _ in range(g.pick(0, 1, 1, 2)):
        g.accumulator()
    while g.budget > 0:
        g.statement()
    for name, n, kind in g.locals:
        s = g.fresh("s")
        g.put(f"for {s} in range({n}):")
        o = g.array("out", kind, [d for _, d in g.own] + ([n] if g.total * n < 2000000 else []), True)
        target = g.at(o, [v for v, _ in g.own] + [s][:len(o.dims) - len(g.own)])
        g.put(f"    {target} {g.pick('=', '+=') if len(o.dims) > len(g.own) else '+='} {name}[{s}]")
    for name, kind in list(g.values.items())[:3]:
        o = g.array("out", kind, [d for _, d in g.own], True)
        g.put(f"{g.at(o, [v for v, _ in g.own])} = {name}")
    return module(g, options, [] if g.exact else ["fma=False"])


@relaunched
def program(seed, options="", without=()):
    return drawn(Nests(seed, without), options)
