"""Random kernels of branches whose arms set what both of them go by: an index that both load by, a value that one sets
and the other reads, a bound of the loop behind; with further branches in them, in loops that go on early. Built of
nest.py: every index lies in its array, and a thread stores to its own elements."""
from nest import FLOATS, Nest, module, relaunched

SIZES = [1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 100, 129, 257]
BLOCKS = {1: [(32,), (64,), (128,), (100,), (1,), (256,)], 2: [(16, 16), (32, 8), (8, 8), (7, 5), (1, 32)]}


class Arms(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "int32", "float64", "int64", "uint8", "int16")
        self.sum_kind = self.kind if self.kind in FLOATS else "int64"

    def place(self):
        dims = [self.pick(*SIZES) for _ in range(self.pick(1, 1, 2))]
        self.own = list(zip("ij", dims))
        self.axes, self.blockshape = len(dims), self.or_else(self.pick(*BLOCKS[len(dims)]), *BLOCKS[len(dims)])
        order = list(range(self.axes))[::-1]
        self.grid = [-(-dims[a] // b) + self.pick(0, 0, 0, 1) for a, b in zip(order, self.blockshape)]
        names = ", ".join(self.own[a][0] for a in order)
        self.put(f"{names} = cuda.grid({self.axes})")
        if self.chance(0.5):
            self.put("if " + " or ".join(f"{name} >= {self.size(n)}" for name, n in self.own) + ":")
            self.put("    return")
        else:
            self.put("if " + " and ".join(f"{name} < {self.size(n)}" for name, n in self.own) + ":")
            self.depth += 1
        for name, n in self.own:
            self.env[name] = 0, n - 1

    def setting(self):
        """Arrays of one row length, which indices that arms set go along."""
        self.n, self.steps = self.pick(*SIZES), self.pick(1, 2, 3, 7, 16, 33)
        rows = [n for _, n in self.own]
        shapes = ([self.n], [self.n], [rows[0], self.n], [self.n, rows[-1]])
        self.tables = [self.array("x", self.kind, self.pick(*shapes)) for _ in range(self.pick(1, 2, 2))]
        self.at_row = self.array("at", self.pick("int32", "int64", "uint8"), [self.n], low=0, high=self.n - 1) \
            if self.n < 256 else None
        self.out = self.array("out", self.sum_kind, rows, True)
        self.more = self.array("more", self.sum_kind, rows, True) if self.chance(0.3) else None

    def load_by(self, j, array=None):
        array = array or self.pick(*self.tables)
        if array.dims == [self.n] or len(array.dims) == 1:
            return self.at(array, [j])
        first = array.dims[0] == self.own[0][1] and array.dims[1] == self.n
        return self.at(array, [self.own[0][0], j] if first else [j, self.own[-1][0]])

    def next_index(self, j):
        return self.pick(self.index(self.n, False), f"({j} + {self.pick(1, 2, 3)}) % {self.size(self.n)}",
                         f"max({j} - 1, 0)", f"min({j} + 1, {self.size(self.n)} - 1)", f"{self.size(self.n)} - 1 - {j}",
                         self.at(self.at_row, [j]) if self.at_row else j)

    def asked(self, j):
        if self.chance(0.2):
            return f"{self.give('flag', f'int64({self.pick(0, 1)})')} > 0"
        return self.pick(f"{self.load_by(j)} > {self.pick(0, 1, 2)}", f"{self.pick(*self.env)} % 2 == {self.pick(0, 1)}",
                         f"{j} < {self.pick(1, 3, 10)}", f"{self.load_by(j)} != {self.load_by(j)}")

    def arm(self, j, s, q, depth, loops):
        """One arm: what it sets, then what it adds, or the other way round."""
        array = self.shared_load if self.chance(0.7) else None
        add = f"{s} {self.pick('+=', '+=', '-=')} {self.load_by(j, array)}"
        sets = f"{j} = int64({self.next_index(j)})"
        lines = self.pick([sets, add], [sets, add], [add, sets], [add], [sets], [sets, add, add])
        if self.chance(0.3):
            lines = lines + [f"{q} = {self.sum_kind}({self.load_by(j)})"]
        if self.chance(0.2) and self.more:
            lines.append(f"{self.at(self.more, [name for name, _ in self.own])} = {s}")
        if depth and self.chance(0.35):
            lines = lines[:1] + self.branch(j, s, q, depth - 1, loops) + lines[1:]
        if loops and self.chance(0.12):
            lines.append(self.pick("continue", "continue", "break"))
        return lines

    def branch(self, j, s, q, depth, loops):
        self.shared_load = self.pick(*self.tables)
        lines = [f"if {self.asked(j)}:", *("    " + line for line in self.arm(j, s, q, depth, loops))]
        if self.chance(0.2):
            lines += [f"elif {self.asked(j)}:", *("    " + line for line in self.arm(j, s, q, depth, loops))]
        if self.chance(0.85):
            lines += ["else:", *("    " + line for line in self.arm(j, s, q, depth, loops))]
        return lines

    def body(self):
        j, s, q = self.fresh("j"), self.fresh("s"), self.fresh("q")
        self.put(f"{j} = int64({self.index(self.n, False)})")
        self.put(f"{s} = {self.sum_kind}(0)")
        self.put(f"{q} = {self.sum_kind}({self.pick(0, 1)})")
        form = self.pick("for", "for", "while", "none", "two", "bound")
        loops = form != "none"
        if form == "while":
            k = self.fresh("k")
            self.put(f"{k} = 0")
            self.put(f"while {k} < {self.size(self.steps)}:")
            self.depth += 1
            self.put(f"{k} += 1")
        elif loops:
            k = self.fresh("k")
            self.put(f"for {k} in range({self.size(self.steps)}):")
            self.depth += 1
            self.env[k] = 0, self.steps - 1
        if form == "two":
            k = self.fresh("k")
            self.put(f"for {k} in range({self.pick(2, 3, 5)}):")
            self.depth += 1
            self.env[k] = 0, 4
        for line in self.branch(j, s, q, 2, loops):
            self.put(line)
        if self.chance(0.6):
            self.put(f"{s} += {self.load_by(j)}{self.pick('', f' + {q}')}")
        if form == "bound":
            k = self.fresh("k")
            self.put(f"for {k} in range({self.pick(f'{j}', f'{j}, {self.size(self.n)}')}):")
            self.put(f"    {s} += {self.load_by(k)}")
        self.depth -= loops + (form == "two")
        self.put(f"{self.at(self.out, [name for name, _ in self.own])} {self.pick('=', '+=')} {self.pick(s, s, f'{s} + {q}')}")


@relaunched
def program(seed, options="", without=()):
    g = Arms(seed, without)
    g.place()
    g.setting()
    g.body()
    return module(g, options, [] if g.exact else ["fma=False"])
