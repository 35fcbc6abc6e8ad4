"""Random kernels of integers at the ends of their types: scalars near them, which counters and indices are added to,
multiplied with, divided by and compared with; loops that begin and end there; what wraps is stored, chooses elements by
its remainder, or decides. Built of nest.py."""
from nest import Nest, module, relaunched

SIZES = [1, 2, 3, 7, 8, 17, 31, 33, 64, 65, 100, 129, 200]
ENDS = {"int64": [2 ** 63 - 1, 2 ** 63 - 9, -2 ** 63, -2 ** 63 + 40, 2 ** 62, 2 ** 53 + 1, -1, 0, 2 ** 31, 2 ** 32 - 1],
        "int32": [2 ** 31 - 1, 2 ** 31 - 30, -2 ** 31, -2 ** 31 + 7, 2 ** 30, -1, 0, 46341],
        "uint32": [2 ** 32 - 1, 2 ** 32 - 50, 2 ** 31, 0, 1], "uint64": [2 ** 64 - 1, 2 ** 64 - 60, 2 ** 63, 0, 1],
        "int16": [2 ** 15 - 1, -2 ** 15, -1], "uint8": [255, 0, 1]}


class Far(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = "int64"

    def scalar(self, near=None):
        kind = near or self.pick("int64", "int64", "int64", "int32", "int32", "uint32", "uint64", "int16", "uint8")
        some = self.random.choice(ENDS[kind] if self.chance(0.6) else [1, 2, 3, 5, 7, 16, 33, 64, 100])
        value = self.or_else(some, *ENDS[kind], 1, 2, 7, 33, 100)
        return self.give("v", f"{kind}({value})")

    def leaf(self):
        if not self.far or self.chance(0.1):
            self.far.append(self.scalar())
        return self.pick(*self.counters, *self.counters, *self.far, str(self.pick(1, 2, 3, 7, 16, 100)))

    def number(self, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        a, b = self.number(depth - 1), self.number(depth - 1)
        form = self.pick("+", "+", "-", "*", "//", "%", "//", "%", "min", "max", "&", ">>", "cast", "neg", "select", "^")
        if form in ("min", "max"):
            return f"{form}(int64({a}), int64({b}))"
        if form == "cast":
            return f"{self.pick('int32', 'uint32', 'int64', 'int16', 'uint8', 'int64')}({a})"
        if form == "neg":
            return f"(-{a})"
        if form == ">>":
            return f"({a} >> {self.pick(1, 3, 31)})"
        if form == "select":
            return f"(int64({a}) if {self.truth(0)} else int64({b}))"
        return f"({a} {form} {b})"

    def truth(self, depth=1):
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        sides = [self.number(depth), self.number(depth)]
        asked = f"int64({sides[0]}) {op} int64({sides[1]})" if self.chance(0.8) else f"{sides[0]} {op} {sides[1]}"
        return f"({asked})" if self.chance(0.7) else f"({asked} and {self.truth(0)})"

    def body(self):
        self.counters, self.far = [], []
        dims = [self.pick(*SIZES) for _ in range(self.pick(1, 1, 2))]
        self.own = list(zip("ij", dims))
        self.axes = len(dims)
        self.blockshape = self.pick((32,), (64,), (100,), (1,)) if self.axes == 1 else self.pick((16, 16), (32, 4), (7, 5))
        order = list(range(self.axes))[::-1]
        self.grid = [-(-dims[a] // b) for a, b in zip(order, self.blockshape)]
        x = self.array("x", "int64", [self.pick(*SIZES)])
        out = self.array("out", "int64", dims, True)
        self.put(f"{', '.join(self.own[a][0] for a in order)} = cuda.grid({self.axes})")
        self.put("if " + " and ".join(f"{name} < {self.size(n)}" for name, n in self.own) + ":")
        self.depth += 1
        self.counters += [name for name, _ in self.own]
        for name, n in self.own:
            self.env[name] = 0, n - 1
        if self.chance(0.3):
            self.put(f"if {self.truth()}:")
            self.depth += 1
        s = self.fresh("s")
        self.put(f"{s} = int64(0)")
        kept = self.depth
        for _ in range(self.pick(0, 1, 1, 1, 2)):
            self.loop()
        for _ in range(self.pick(1, 1, 2)):
            value = self.number(self.pick(1, 2, 2, 3))
            if self.chance(0.3):
                value = f"{x.name}[int64({value}) % {self.size(x.dims[0])}]"
            if self.chance(0.3):
                self.put(f"if {self.truth()}:")
                self.put(f"    {s} {self.pick('+=', '^=', '=')} int64({value})")
            else:
                self.put(f"{s} {self.pick('+=', '+=', '^=', '=')} int64({value})")
        if self.chance(0.25) and self.axes == 1 and self.depth > kept:
            self.depth = kept
        row = self.depth > kept and self.chance(0.4) and self.last
        self.depth = self.depth if row else kept
        if row:
            n, index = self.last
            rows = self.array("rows", "int64", [*dims, n], True)
            self.put(f"{self.at(rows, [*[name for name, _ in self.own], index])} = {s}")
            self.depth = kept
        self.put(f"{self.at(out, [name for name, _ in self.own])} {self.pick('=', '^=')} {s}")

    def loop(self):
        """So many iterations, from anywhere, at times by the grid's stride."""
        k, count = self.fresh("k"), self.pick(*SIZES)
        n, self.last = self.size(count), None
        form = self.pick("zero", "zero", "from", "to", "down", "step", *["grid"] * (self.axes == 1))
        kind = "int32" if form == "grid" else "int64"  # what wraps at its start alone never ends
        low = self.scalar(kind) if form in ("from", "to", "down", "grid") else None
        bounds = {"zero": n, "from": f"{low}, {low} + {n}", "to": f"{low} - {n}, {low}", "down": f"{low}, {low} - {n}, -1",
                  "step": f"0, {n}, {self.pick(2, 3)}",
                  "grid": f"cuda.grid(1) + {low}, {low} + {n}, cuda.gridsize(1)"}[form]
        self.put(f"for {k} in range({bounds}):")
        self.depth += 1
        self.counters.append(k)
        if form == "zero":
            self.last = count, k


@relaunched
def program(seed, options="", without=()):
    g = Far(seed, without)
    g.body()
    return module(g, options)
