"""Random kernels whose warps meet: a warp a row, sums of a block by its warps, scans, votes, broadcasts, any of these
one after the other, in loops and where only some warps come. Built of nest.py."""
from nest import Nest, module, relaunched

FULL = "0xffffffff"
BLOCKS = "32", "64", "96", "128", "256", "256"    # whole warps in other launches, too


class Warps(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "int32", "float64", "int64", "uint32")
        self.axes = 1

    def begin(self):
        self.blockshape = (int(self.pick(*BLOCKS)),)
        self.full = self.pick(FULL, FULL, "-1")
        self.put("t = cuda.threadIdx.x")
        self.put(f"lane = {self.pick('t % 32', 't & 31', 'cuda.laneid', 't % cuda.warpsize')}")
        self.put(f"warp = {self.pick('t // 32', 't >> 5', 't // cuda.warpsize')}")
        return self.blockshape[0]

    def zero(self):
        return f"{self.kind}(0)"

    def block(self, text, *lines):
        self.put(text)
        self.depth += 1
        for line in lines:
            self.put(line)
        self.depth -= 1

    def joined(self, name, other):
        return f"{name} += {other}" if self.joins == "sum" else f"{name} = max({name}, {other})"

    def reduce(self, name):
        """All lanes of a warp, or its first, get what comes of theirs."""
        self.joins = self.pick("sum", "sum", "max")
        form, shuffle = self.random.randrange(5), self.pick("shfl_down_sync", "shfl_xor_sync")
        ask = lambda by: f"cuda.{shuffle}({self.full}, {name}, {by})"
        if form == 0:
            by = self.fresh("by")
            self.put(f"{by} = 16")
            self.block(f"while {by} > 0:", self.joined(name, ask(by)), f"{by} {self.pick('//= 2', '>>= 1')}")
        elif form == 1:
            k = self.fresh("k")
            self.block(f"for {k} in range(5):", self.joined(name, ask(self.pick(f"16 >> {k}", f"1 << {k}"))))
        elif form == 2:
            m = self.fresh("m")
            self.block(f"for {m} in {self.pick('(16, 8, 4, 2, 1)', '(1, 2, 4, 8, 16)', '(16, 3, 8)')}:",
                       self.joined(name, ask(m)))
        elif form == 3:
            k = self.fresh("k")
            self.block(f"for {k} in range({self.times()}):", self.joined(name, ask(f"1 << {k}")))
        else:
            for by in self.random.sample((16, 8, 4, 2, 1, 5, 31), 4):
                self.put(self.joined(name, ask(by)))

    def times(self):
        """A number of iterations that the text does not have."""
        return self.pick(self.size(self.pick(0, 1, 3, 5)), f"min({self.size(self.pick(2, 5, 40))}, 5)")

    def scan(self, name):
        d, o = self.fresh("d"), self.fresh("o")
        lines = [f"{o} = cuda.shfl_up_sync({self.full}, {name}, {d})", f"if lane >= {d}:", f"    {name} += {o}"]
        if self.chance(0.5):
            self.put(f"{d} = 1")
            self.block(f"while {d} < 32:", *lines, f"{d} {self.pick('*= 2', '<<= 1', '+= ' + d)}")
        else:
            self.block(f"for {d} in (1, 2, 4, 8, 16):", *lines)

    def say(self, name):
        """Votes, and what one lane has."""
        asked = f"{name} {self.pick('>', '<', '==')} {self.kind}({self.pick(0, 1, 3)})"
        form = self.random.randrange(6)
        v = self.fresh("v")
        if form == 0:
            self.put(f"{v} = cuda.ballot_sync({self.full}, {asked})")
            self.put(f"{name} += {self.kind}(cuda.popc({v}{self.pick('', ' & ((1 << lane) - 1)')}))")
        elif form == 1:
            self.put(f"{v} = cuda.{self.pick('any', 'all')}_sync({self.full}, {asked})")
            self.block(f"if {v}:", f"{name} += {self.kind}({self.pick(1, 2)})")
        elif form == 2:
            lane = self.pick(0, 31, 5, self.size(self.pick(1, 3, 17)), "warp", "31 - lane", "lane + 1")
            self.put(f"{name} = cuda.shfl_sync({self.full}, {name}, {lane})")
        elif form == 3:
            self.put(f"{v} = cuda.shfl_sync({self.full}, {name}, {self.pick(0, 7)})")
            self.block(f"if {v} > {self.kind}(0):", f"{name} -= cuda.shfl_xor_sync({self.full}, {name}, 1)")
        elif form == 4:
            self.put(f"{name} += {self.kind}(cuda.shfl_{self.pick('up', 'down', 'xor')}_sync({self.full}, lane, "
                     f"{self.pick('lane', 'warp', 3, 33)}))")
        else:
            self.put(f"cuda.syncwarp({self.pick('', self.full)})")

    def step(self, name, depth=2):
        form = self.random.randrange(9)
        if form < 2:
            self.reduce(name)
        elif form == 2:
            self.scan(name)
        elif form == 3 and depth:
            self.loop(name, depth - 1)
        elif form == 4 and depth:
            self.some(name, depth - 1)
        else:
            self.say(name)

    def steps(self, name, depth):
        for _ in range(self.pick(1, 1, 2, 3)):
            self.step(name, depth)

    def loop(self, name, depth):
        k = self.fresh("k")
        form = self.random.randrange(3)
        if form == 0:
            self.put(f"for {k} in range({self.times()}):")
        elif form == 1:
            self.put(f"for {k} in range({self.pick(2, 3)}):")
        else:
            self.put(f"{k} = {self.pick(1, 2, 4)}")
            self.put(f"while {k} > 0:")
        self.depth += 1
        self.steps(name, depth)
        if form == 2:
            self.put(f"{k} {self.pick('//= 2', '-= 1')}")
        self.depth -= 1

    def some(self, name, depth):
        """Only some warps come, or none."""
        self.put(f"if {self.pick('warp == 0', 'warp % 2 == 0', 't < 32', 't >= 32', 'warp < ' + self.size(2), 'warp > 1', 'cuda.blockIdx.x == 0', self.size(5) + ' > 3')}:")
        self.depth += 1
        self.steps(name, depth)
        self.depth -= 1
        if self.chance(0.3):
            self.put("else:")
            self.depth += 1
            self.steps(name, depth)
            self.depth -= 1

    # ---- kernels -----------------------------------------------------------------------------------
    def rows(self):
        B = self.begin()
        n, m = self.pick(1, 3, 17, 40), self.pick(1, 5, 31, 32, 33, 64, 100, 200)
        self.grid = [-(-n * 32 // B) + self.pick(0, 0, 1)]
        x, w = self.array("x", self.kind, [n, m]), self.array("w", self.kind, [m])
        y, o = self.array("y", self.kind, [n, m], True), self.array("o", self.kind, [n], True)
        at = "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"
        self.put(f"r = {self.pick(f'({at}) // 32', 'cuda.grid(1) // 32', f'cuda.blockIdx.x * {B // 32} + warp')}")
        if self.chance(0.5):
            self.block(f"if r >= {self.size(n)}:", "return")
        else:
            self.put(f"if r < {self.size(n)}:")
            self.depth += 1
        loop = f"for c in range(lane, {self.size(m)}, 32):"
        for phase in range(self.pick(1, 1, 2)):
            v = self.pick(self.at(x, ["r", "c"]), f"{self.at(x, ['r', 'c'])} * {self.at(w, ['c'])}")
            if phase:
                v = f"({self.at(x, ['r', 'c'])} - acc)"
            name = f"s{phase}"
            self.put(f"{name} = {self.zero()}")
            self.block(loop, f"{name} += {v}")
            self.reduce(name)
            if self.chance(0.4):
                self.step(name)
            if self.chance(0.5):
                self.put(f"{name} = cuda.shfl_sync({self.full}, {name}, 0)")
            self.put(f"acc = {name}")
        if self.chance(0.6):
            self.block(loop, f"{self.at(y, ['r', 'c'])} {self.pick('=', '+=')} {self.at(x, ['r', 'c'])} - acc")
        self.block(f"if lane == {self.pick(0, 0, 31)}:", f"{self.at(o, ['r'])} = acc")

    def sums(self):
        B = self.begin()
        n = self.pick(1, 100, 1000, 3000)
        self.grid = [self.pick(1, 2, 5)]
        x = self.array("x", self.kind, [n])
        o = self.give("o", f"zeros({self.grid[0]}, dtype={self.kind})", True)
        part = self.fresh("part")
        self.put(f"{part} = cuda.shared.array(32, {self.kind})")
        self.put(f"acc = {self.zero()}")
        self.block(f"for i in range(cuda.grid(1), {self.size(n)}, cuda.gridsize(1)):", f"acc += {self.at(x, ['i'])}")
        self.reduce("acc")
        self.block("if lane == 0:", f"{part}[warp] = acc")
        self.put("cuda.syncthreads()")
        self.put(f"if {self.pick('warp == 0', 't < 32')}:")
        self.depth += 1
        self.put(f"acc = {part}[lane] if lane < {self.pick(str(B // 32), 'cuda.blockDim.x // 32')} else {self.zero()}")
        self.reduce("acc")
        self.block("if lane == 0:", f"{o}[cuda.blockIdx.x] = acc")
        self.depth -= 1

    def any(self):
        B = self.begin()
        n = self.pick(1, B - 1, B, 3 * B + 5)
        blocks = -(-n // B)
        self.grid = [blocks]
        x = self.array("x", self.kind, [n])
        o = self.give("o", f"zeros({blocks * B}, dtype={self.kind})", True)
        self.put("i = cuda.grid(1)")
        self.put(f"v = {self.at(x, ['i'])} if i < {self.size(n)} else {self.zero()}")
        for _ in range(self.pick(2, 3, 5)):
            self.step("v")
        self.put(f"{o}[i] = v")

    def packed(self):
        B = self.begin()
        n = self.pick(1, B, 2 * B + 7)
        self.grid = [1]
        x = self.array("x", self.kind, [n])
        o = self.give("o", f"zeros({n + B}, dtype={self.kind})", True)
        count = self.give("count", "zeros(1, dtype=int32)", True)
        per = -(-n // B)
        self.put(f"for k in range({per}):")
        self.depth += 1
        self.put(f"i = k * {B} + t")
        self.put(f"keep = i < {self.size(n)} and {self.at(x, ['i'])} > {self.kind}(0)")
        self.put(f"votes = cuda.ballot_sync({self.full}, keep)")
        self.put("base = 0")
        if B == 32:
            self.block("if lane == 0:", f"base = cuda.atomic.add({count}, 0, cuda.popc(votes))")
        self.put(f"base = cuda.shfl_sync({self.full}, base, 0)")
        if B == 32:
            self.block("if keep:", f"{o}[base + cuda.popc(votes & ((1 << lane) - 1))] = {self.at(x, ['i'])}")
        else:
            self.block("if keep:", f"{o}[i] = {self.at(x, ['i'])} + {self.kind}(cuda.popc(votes))")
        self.depth -= 1


@relaunched
def program(seed, options="", without=()):
    g = Warps(seed, without)
    g.pick(g.rows, g.rows, g.sums, g.any, g.any, g.any, g.packed)()
    return module(g, options, [] if g.exact else ["fma=False"])
