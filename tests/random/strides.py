"""Random kernels of loops by the strides of the grid, of its blocks and of a block's threads, in one another, whatever
the grid: with places that loops begin and end at, conditions, sets and loads between them, loops inside, what is
updated in place and what iterations hand on, read of each other or store together. Built of nest.py."""
from nest import Nest, module, relaunched


class Strides(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "int32", "float64", "uint8", "int64", "int16")

    def place(self):
        """Who goes along which axis."""
        sizes = [1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 40, 64, 65, 100]
        self.rank = self.pick(1, 2, 2, 2, 3)
        self.own = [(name, self.pick(*sizes)) for name in "ijk"[:self.rank]]
        ways = self.pick(["grid"] * 3, ["grid"] * 3, ["parts"] * 3, ["blocks", "threads", "blocks"])
        if self.rank < 3 and ways[0] == "blocks" or self.chance(0.1):
            ways = [self.pick("grid", "index", "loop", way) for way in ways]
        axes = [0, 1, 2][:self.rank]
        axes = axes[::-1] if self.chance(0.7) else axes
        if ways[0] in ("blocks", "threads") and self.chance(0.7):
            axes = [0, 0, 1]
        self.ways = list(zip(ways, axes))[:self.rank]
        self.blockshape = self.pick((16, 16, 1), (32, 4, 1), (8, 8, 2), (7, 5, 1), (1, 1, 1), (32, 1, 4), (64, 1, 1))
        self.grid = [self.pick(1, 1, 2, 3, 7), self.pick(1, 1, 2, 3), self.pick(1, 1, 2)]

    def level(self, number):
        (name, n), (way, axis) = self.own[number], self.ways[number]
        letter, size = "xyz"[axis], self.size(n)
        first = self.pick("", "", "", " + 1", " + 2", f" + {self.size(self.pick(0, 1, 3))}")
        last = self.pick(size, size, size, f"{size} - 1", f"min({size}, {self.size(n)})", f"{size} - {self.size(1)}",
                         f"({size} + 1) // 2", f"{size} // {self.pick(1, 2, 3)}")
        index = {"grid": f"cuda.grid(3)[{axis}]", "blocks": f"cuda.blockIdx.{letter}",
                 "threads": f"cuda.threadIdx.{letter}", "loop": "0", "index": f"cuda.grid(3)[{axis}]",
                 "parts": f"cuda.blockIdx.{letter} * cuda.blockDim.{letter} + cuda.threadIdx.{letter}"}[way]
        step = {"grid": f"cuda.gridsize(3)[{axis}]", "blocks": f"cuda.gridDim.{letter}", "index": "1", "loop": "1",
                "threads": f"cuda.blockDim.{letter}", "parts": f"cuda.gridDim.{letter} * cuda.blockDim.{letter}"}[way]
        if self.chance(0.5):
            self.put(f"{name}0, d{name} = {index}, {step}")
            index, step = f"{name}0", f"d{name}"
        if way == "index":
            self.put(f"{name} = {index}")
            self.put(f"if {name} < {last}:")
        else:
            self.put(f"for {name} in range({index}{first}, {last}, {step}):")
        self.depth += 1
        self.env[name] = 0, n - 1

    def between(self, number):
        """What stands in front of the next loop."""
        name, n = self.own[number]
        if self.chance(0.3):
            row = self.array("r", self.kind, [n])
            self.put(f"s{name} = {self.at(row, [name])}")
            self.shared.append(f"s{name}")
        if self.chance(0.2):
            self.put(f"if {name} {self.pick('!=', '>', '<=')} {self.pick(1, 3, 10)}:")
            self.depth += 1

    def body(self):
        dims, names = [n for _, n in self.own], [name for name, _ in self.own]
        self.shared = []
        a, out = self.array("a", self.kind, dims), self.array("out", self.kind, dims, True)
        odd = self.chance(0.25)
        hands = odd and self.chance(0.3)
        if hands:
            self.put(f"t = {self.kind}(0)")
        for number in range(self.rank):
            self.level(number)
            if number + 1 < self.rank:
                self.between(number)
        value = " + ".join([self.at(a, names), *self.shared])
        near = [f"max({name} - 1, 0)" if self.chance(0.4) else name for name in names]
        value += f" + {self.at(a, near)}" if self.chance(0.4) else ""
        if self.chance(0.3):
            self.put("acc = " + value)
            self.put(f"for q in range({self.pick(2, 3, 5)}):")
            self.put(f"    acc += {self.at(a, names)}" + (" * q" if self.exact else ""))
            value = "acc"
        if hands:
            self.put(f"t = t + {value}")
            value = "t"
        if self.chance(0.3):
            value += f" + {self.at(out, names)}"
        self.put(f"{self.at(out, names)} = {value}")
        self.single = odd
        if odd and self.chance(0.5):                     # of another iteration, which one thread may do alone
            self.put(f"{self.at(out, near)} = {self.at(out, names)} + {self.at(a, near)}")
        if odd and self.chance(0.3):
            first = self.array("first", self.kind, dims[:1], True)
            self.put(f"{self.at(first, names[:1])} += {self.at(a, names)}")


@relaunched
def program(seed, options="", without=()):
    g = Strides(seed, without)
    g.place()
    g.body()
    used = {axis for way, axis in g.ways if way != "loop"}
    if g.single or len(used) < 3 or any(way in ("blocks", "threads") for way, _ in g.ways):
        alone(g)
    return module(g, options, [] if g.exact else ["fma=False"])


def alone(g):
    """So many threads that none does what another one does."""
    kinds = {axis: {way for way, at in g.ways if at == axis and way != "loop"} for axis in range(3)}
    block = list(g.blockshape)
    for axis in range(3):
        if g.single or not kinds[axis] or kinds[axis] == {"threads"}:
            g.grid[axis] = 1
        if g.single or not kinds[axis] or kinds[axis] == {"blocks"}:
            block[axis] = 1
    g.blockshape = tuple(block)
