"""Random kernels of integers that grow until they wrap, as hashes, powers and Fibonacci's numbers do: loops carry them,
products of scalars make them, and names that are set once are given to them. What they are is added up by all that
asks for a sign: min, max, remainders, quotients, shifts, comparisons, casts, indices by remainders, and loops of so many
iterations as some bits say. Built of far.py."""
from far import SIZES, Far
from nest import module, relaunched

LARGE = {"int64": [2 ** 30 - 1, 2 ** 31 - 1, 2 ** 32 + 15, 6364136223846793005, 3037000500, 1103515245, 1000003],
         "int32": [2 ** 30 - 1, 2 ** 29 + 3, 2 ** 31 - 1, 65599, 46341], "uint32": [2654435761, 2 ** 32 - 1, 65599, 2 ** 30]}


class Hashes(Far):
    def scalar(self, near=None):
        kind = near or self.pick("int64", "int64", "int64", "int32", "uint32")
        some = self.random.choice(LARGE[kind] if self.chance(0.7) else [1, 3, 16, 100])
        return self.give("v", f"{kind}({self.or_else(some, *LARGE[kind], 1, 5, 64)})")

    def factor(self):
        return self.pick(str(self.random.choice(LARGE["int64"] + [2, 3, 31, 33])), self.scalar(), *self.counters)

    def grow(self):
        """Begins something carried; what an iteration makes of it is told by whoever is in the loop."""
        h, first = self.fresh("h"), self.pick("i", "i + 1", "1", "5381", "int64(i) * 3 + 1")
        kind = self.pick("int64", "int64", "int64", "int32", "uint32", "uint64")
        self.put(f"{h} = {kind}({first})")
        if kind == "int64" and self.chance(0.3):
            other = self.fresh("h")
            self.put(f"{other} = int64(1)")
            self.names += [h, other]
            return f"{h}, {other} = {other}, {h} + {other}"
        self.names.append(h)
        by = self.factor()
        form = self.pick("{h} * {by} + {k}", "{h} * {by}", "{h} + {h}", "{h} * {h} + 1", "({h} << 5) + {h} + {k}", "{h} * 33 ^ {k}",
                         "({h} << 1) + 1", "{h} + {by}", "{h} ^ ({h} >> 7) ^ ({h} << 9)", "max({h}, int64({k})) * 3", "{h} * (i + 2)")
        return f"{h} = {kind}(" + form.replace("{h}", f"int64({h})" if kind == "uint64" else h).replace("{by}", by) + ")"

    def name(self):
        """Sets a name once to what is made of others."""
        a, b, w = self.leaf(), self.leaf(), self.fresh("w")
        form = self.pick("{a} * {b}", "{a} * {a}", "{a} + {b}", "{a} * {b} * {c}", "{a}", "max({a}, 0) + max({b}, 0)",
                         "abs({a}) * {b}", "({a} % 1000) * {b} * {b}", "({a} & 0xffff) * {b}", "{a} * {b} + {c}", "{a} - {b}", "{a} >> 1")
        form = form.replace("{a}", f"int64({a})").replace("{b}", f"int64({b})").replace("{c}", f"int64({self.leaf()})")
        self.put(f"{w} = {form}")
        self.names.append(w)

    def leaf(self):
        return self.pick(*self.names, *self.counters, *self.names, self.scalar(), str(self.pick(1, 3, 7, 100))) \
            if self.names else self.pick(*self.counters, self.scalar())

    def asked(self, x):
        """What shows the sign of a number, which itself may be added to it."""
        a, n = f"int64({self.leaf()})", self.pick(3, 5, 7, 10, 16, 64, 1000)
        return self.pick(f"min({a}, {n})", f"max({a}, {-n})", f"{a} % {n}", f"{a} // {n}", f"({a} >> {self.pick(1, 33, 60, 62)})",
                         f"({a} >> 33) % {n}", f"(1 if {a} < 0 else {n})", f"abs({a}) % {n}", f"{n} % (({a} & 63) + 1)",
                         f"{a} // (({self.leaf()} & 15) + 1)", f"int64(int32({a}))", f"int64(float64({a}) < 0.5)", f"({a} & {n})",
                         f"{x.name}[{a} % {self.size(x.dims[0])}]", f"{x.name}[({a} >> 40) % {self.size(x.dims[0])}]",
                         f"{x.name}[min(max({a}, 0), {self.size(x.dims[0])} - 1)]", f"min({a}, int64({self.leaf()}))",
                         f"int64({self.truth(0)})", f"-({a}) % {n}", f"min({a} % {n}, {a} // {n})")

    def ask(self, x):
        if self.chance(0.25):
            self.put(f"if {self.leaf()} {self.pick('< 0', '>= 0', '> 5', '<= 100')}:")
            self.depth += 1
            self.put(f"s += {self.asked(x)}")
            self.depth -= 1
        elif self.chance(0.15):
            j = self.fresh("j")
            self.put(f"for {j} in range({self.leaf()} & 7):")
            self.put(f"    s {self.pick('+=', '^=')} {j} + {self.asked(x)}")
        else:
            self.put(f"s {self.pick('+=', '+=', '^=')} {self.asked(x)}")

    def body(self):
        self.counters, self.far, self.names = ["i"], [], []
        n, block = self.pick(*SIZES), self.pick(32, 64, 100, 1)
        self.blockshape, self.grid = (block,), [-(-n // block)]
        x = self.array("x", self.pick("int64", "int32", "uint8"), [self.pick(*SIZES)])
        out = self.array("out", "int64", [n], True)
        self.put("i = cuda.grid(1)")
        self.put(f"if i < {self.size(n)}:")
        self.depth += 1
        self.put("s = int64(0)")
        for _ in range(self.pick(0, 1, 2)):
            self.name()
        for _ in range(self.pick(0, 1, 2)):
            self.ask(x)
        for _ in range(self.pick(0, 1, 1, 1, 2)):
            k = self.fresh("k")
            steps = [self.grow() for _ in range(self.pick(1, 1, 2, 3))]
            self.put(f"for {k} in range({self.size(self.pick(1, 3, 20, 64, 100))}):")
            self.depth += 1
            self.counters.append(k)
            known = len(self.names)
            for step in steps:
                self.put(step.replace("{k}", k))
            for _ in range(self.pick(1, 2, 3, 4)):
                self.name() if self.chance(0.4) else self.ask(x)
            self.ask(x)
            self.depth -= 1
            self.counters.pop()
            del self.names[known:]
        self.ask(x)
        self.put(f"{self.at(out, ['i'])} = s")


@relaunched
def program(seed, options="", without=()):
    g = Hashes(seed, without)
    g.body()
    return module(g, options)
