"""Random kernels with loops in one another over what lies in one stretch, as over the planes of pictures: sums,
extremes and where they lie, what is written on the way, in place, of arrays with the same extents or others, in one
axis or several, beside loops that are not of that form. Built of nest.py."""
from nest import FLOATS, Nest, module, relaunched


class Stretches(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "float64", "int32", "int64", "uint8", "int16")
        self.acc = self.kind if self.kind in FLOATS else self.pick("int64", "int64", "int32", "int16")

    def shape(self):
        lead = self.pick(1, 1, 1, 2)
        self.lead = [self.pick(*([1, 2, 5, 17, 33, 64, 100, 128, 200, 300] if lead == 1 else [1, 2, 3, 5, 8, 17])) for _ in range(lead)]
        inner = self.pick(2, 2, 2, 3)
        self.inner = [self.pick(1, 2, 3, 5, 8, 12, 16, 17, 20, 31, 32, 33, 40, 64) for _ in range(inner)]
        if self.chance(0.04):
            self.inner[self.random.randrange(inner)] = 0
        total = 1
        for n in self.lead + self.inner:
            total *= n
        while total > 1200000:
            k = self.inner.index(max(self.inner))
            total = total // self.inner[k] * (self.inner[k] // 2)
            self.inner[k] //= 2
        self.names = ["i", "c"][:lead]
        self.own = list(zip(self.names, self.lead))
        self.total = 1
        for n in self.lead:
            self.total *= n

    def make(self, stem, dims, written=False):
        """An array of several axes, or of one with lengths that are arguments; the same text for the same length."""
        a = self.array(stem, self.kind if self.chance(0.85) else self.pick("float32", "int32", "int64"), dims, written)
        a.order = list(range(len(dims)))
        return a

    def array(self, stem, kind, dims, written=False, low=None, high=None):
        keep = self.random.shuffle
        made = None
        name = self.fresh(stem)
        total = 1
        for d in dims:
            total *= d
        dress = self.pick("", "", "", "", "", "", "ahead", "every", "back", "turned") if not self.flat else ""
        base, cut = list(dims), ""
        if dress == "ahead":
            base[-1] += 1
            cut = "[" + ", ".join([":"] * (len(dims) - 1) + ["1:"]) + "]" if len(dims) > 1 else "[1:]"
        elif dress == "every":
            base[-1] *= 2
            cut = "[" + ", ".join([":"] * (len(dims) - 1) + ["::2"]) + "]" if len(dims) > 1 else "[::2]"
        elif dress == "back":
            cut = "[::-1]"
        elif dress == "turned":
            base, cut = base[::-1], ".T"
        text = str(total) if self.flat else "(" + ", ".join(map(str, base)) + ",)"
        value = f"zeros({text}, dtype={kind})" if written and self.chance(0.5) else self.data(kind, text, low, high)
        self.params.append((name, value + cut, written))
        made = type("A", (), dict(name=name, kind=kind, dims=list(dims)))()
        (self.outs if written else self.ins).append(made)
        return made

    def text(self, a, indices):
        if not self.flat or len(indices) == 1:
            return f"{a.name}[{', '.join(indices)}]"
        form = self.pick("horner", "horner", "sum")
        sizes = [self.length(n) for n in a.dims]
        if form == "horner":
            t = indices[0]
            for k in range(1, len(indices)):
                t = f"({t}) * {sizes[k]} + {indices[k]}" if k > 1 or not indices[0].isidentifier() else f"{t} * {sizes[k]} + {indices[k]}"
            return f"{a.name}[{t}]"
        return f"{a.name}[" + " + ".join(" * ".join([f"({x})" if not x.isidentifier() else x] + sizes[k + 1:]) for k, x in enumerate(indices)) + "]"

    def length(self, n):
        if n not in self.lengths:
            self.lengths[n] = self.give("n", f"{self.pick('int64', 'int64', 'int32')}({n})") if self.chance(0.85) else str(n)
        return self.lengths[n]

    def bound(self, n, axis):
        if self.flat or not self.main or self.chance(0.1):
            return self.length(n)
        return f"{self.main.name}.shape[{len(self.lead) + axis}]"

    def place(self):
        axes = len(self.lead)
        self.axes = axes
        if axes == 1:
            self.blockshape = (self.pick(32, 64, 128, 256),)
            self.grid = [-(-self.lead[0] // self.blockshape[0])]
            self.put("i = cuda.grid(1)")
            limit = self.length(self.lead[0]) if self.flat else f"{self.main.name}.shape[0]"
            if self.chance(0.5):
                self.put(f"if i < {limit}:")
                self.depth = 1
            else:
                self.put(f"if i >= {limit}:")
                self.put("    return")
        else:
            self.blockshape = self.pick((8, 8), (16, 4), (32, 2))
            self.grid = [-(-self.lead[1] // self.blockshape[0]), -(-self.lead[0] // self.blockshape[1])]
            self.put("c, i = cuda.grid(2)")
            lim = [self.length(n) if self.flat else f"{self.main.name}.shape[{k}]" for k, n in enumerate(self.lead)]
            self.put(f"if i < {lim[0]} and c < {lim[1]}:")
            self.depth = 1

    def nest(self, k):
        """One nest: opens loops, gives the counters by inner axis."""
        names = [f"{n}{k}" for n in ("row", "col", "dep")[:len(self.inner)]]
        order = list(range(len(names)))
        if self.chance(0.08):
            order.reverse()
        for axis in order:
            n = self.bound(self.inner[axis], axis)
            self.put(f"for {names[axis]} in {'range(' + n + ')' if self.chance(0.94) else f'range(1, {n})' if self.chance(0.5) else f'range({n} - 1, -1, -1)'}:")
            self.depth += 1
        return names

    def element(self, names):
        a = self.pick(*([self.main] * 3), *self.others)
        return self.of(a, names)

    def of(self, a, names):
        if a in self.partial:
            return self.text(a, self.partial_names(a, names))
        return self.text(a, self.names + names)

    def partial_names(self, a, names):
        kept = self.partial[a]
        return [(self.names + names)[k] for k in kept]

    def condition(self, names):
        y, x = names[0], names[-1]
        e = self.element(names)
        return self.pick(f"{e} > {self.pick(0, 1, 3)}", f"{y} > {x}", f"{x} % 2 == 0", f"{y} > 0 and {x} > 0", f"{x} != {self.names[0]}", f"{e} != {self.element(names)}")

    def phase(self, k):
        depth = self.depth
        s, w = f"s{k}", f"w{k}"
        self.put(f"{s} = {self.acc}({self.pick(0, 0, 0, 1, -100 if self.acc != 'int16' else -9)})")
        self.put(f"{w} = 0")
        names = self.nest(k)
        wide = self.length(self.inner[-1])
        for _ in range(self.pick(1, 1, 2)):
            e = self.element(names)
            f = self.element(names)
            term = self.pick(e, e, e, f"{e} * {f}", f"({e} - {f})", f"{e} + {f}")
            if not self.exact and self.kind in FLOATS and k and self.chance(0.5):
                term = f"({e} - s{self.random.randrange(k)})"
            form = self.pick("sum", "sum", "sum", "max", "arg", "arg", "if", "store", "store", "inplace", "continue", "count", *(["other"] if self.chance(0.3) else []))
            if form == "sum":
                self.put(f"{s} += {term}")
            elif form == "max":
                self.put(f"{s} = {self.pick('max', 'min')}({s}, {e})")
            elif form == "arg":
                self.put(f"if {e} {self.pick('>', '>=', '<')} {s}:")
                self.put(f"    {s} = {e}")
                self.put(f"    {w} = {self.pick(f'{names[0]} * {wide} + {names[-1]}', names[0], names[-1], f'{names[0]} + {names[-1]} * 1000')}")
            elif form == "if":
                self.put(f"if {self.condition(names)}:")
                self.put(f"    {s} += {term}")
                if self.chance(0.3):
                    self.put("else:")
                    self.put(f"    {w} += {self.pick('1', names[0], names[-1])}")
            elif form == "store":
                if not self.targets or self.chance(0.3):
                    self.targets.append(self.make("y", self.lead + self.inner, True))
                y = self.pick(*self.targets)
                v = term if y.kind in FLOATS or self.kind not in FLOATS else "1"
                if self.chance(0.3) and k and (y.kind == self.acc or y.kind in FLOATS):
                    v = f"{v} + s{self.random.randrange(k)}"
                line = f"{self.of(y, names)} {self.pick('=', '=', '=', '+=')} {v}"
                if self.chance(0.2):
                    self.put(f"if {self.condition(names)}:")
                    self.put("    " + line)
                else:
                    self.put(line)
                if self.chance(0.1):
                    self.put(f"{s} += {self.text(y, self.names + [names[0]] + names[1:])}" if y.kind == self.kind else f"{s} += 1")
            elif form == "inplace":
                if self.targets:
                    y = self.pick(*self.targets)
                    at = self.of(y, names)
                    self.put(f"{at} = {at} + {self.pick('1', at)}")
                else:
                    self.put(f"{s} += {term}")
            elif form == "other":
                self.put(f"{s} += {self.pick(names[0], names[-1], f'{names[0]} * {names[-1]}')}")
            elif form == "continue":
                self.put(f"if {self.condition(names)}:")
                self.put("    continue")
                self.put(f"{s} += {term}")
            else:
                self.put(f"{w} += 1")
        self.depth = depth
        if self.targets and self.chance(0.15):
            y = self.pick(*self.targets)
            if 0 not in y.dims:
                at = self.text(y, self.names + [str(self.random.randrange(n)) for n in self.inner])
                self.put(f"{at} {self.pick('=', '+=')} {self.pick('1', '2')}")
        self.results += [s, w]

    def program(self, options):
        self.flat = self.chance(0.4)
        self.lengths, self.main, self.others, self.partial, self.targets, self.results = {}, None, [], {}, [], []
        self.shape()
        self.main = self.make("a", self.lead + self.inner)
        for _ in range(self.pick(0, 0, 1, 2)):
            if self.chance(0.5):
                self.others.append(self.make("b", self.lead + self.inner))
            else:
                kept = self.pick(list(range(len(self.lead), len(self.lead) + len(self.inner))), [len(self.lead) + len(self.inner) - 1], [0], [len(self.lead)],
                                 list(range(len(self.lead) + 1)))
                b = self.make("b", [(self.lead + self.inner)[k] + (self.pick(0, 0, 0, 1) if not self.flat else 0) for k in kept])
                self.partial[b] = kept
                self.others.append(b)
        self.place()
        outer = self.chance(0.1)
        base = self.depth
        if outer:
            self.put(f"for t in range({self.pick(1, 2, 3)}):")
            self.depth += 1
        for k in range(self.pick(1, 2, 2, 3)):
            self.phase(k)
        self.depth = base
        for name in self.results[:5]:
            o = self.give("out", f"zeros({tuple(self.lead)}, dtype={'int64' if name[0] == 'w' else self.acc if self.kind in FLOATS or self.acc != 'int16' else 'int64'})", True)
            self.put(f"{o}[{', '.join(self.names)}] = {name}")
        if not self.exact:
            return module(self, options, ["fma=False"])
        return module(self, options, ["reassociate=True"] if self.chance(0.25) else [])


@relaunched
def program(seed, options="", without=()):
    return Stretches(seed, without).program(options)
