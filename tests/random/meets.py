"""Random kernels whose blocks meet: a block a row, sums by trees and by one thread, tiles in shared memory with
borders, counters of a block, scans, sorts, several phases in a loop. Built of nest.py."""
from nest import FLOATS, Nest, module, relaunched


class Meets(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "int32", "float64", "int64", "int32")
        self.axes = 1

    def block_of(self, *sizes):
        self.blockshape = (self.pick(*sizes),)
        return self.blockshape[0]

    def barrier(self):
        self.put("cuda.syncthreads()")

    def shared(self, stem, shape, kind=None):
        name = self.fresh(stem)
        self.put(f"{name} = cuda.shared.array({shape}, {kind or self.kind})")
        return name

    def term(self, text):
        if self.exact or self.kind not in FLOATS:
            return self.pick(text, text, f"{text} * {text}", f"{text} + {self.kind}(1)")
        return self.pick(text, f"{text} * {text}", f"abs({text})", f"({text} - {self.kind}(0.3)) * {text}")

    def zero(self):
        return f"{self.kind}(0)"

    # ---- a block a row ---------------------------------------------------------------------------
    def rows(self):
        B = self.block_of(32, 64, 128, 256, 96)
        n, m = self.pick(1, 3, 17, 40), self.pick(1, 5, 31, B - 1, B, B + 1, 2 * B, 3 * B + 7, 500)
        self.grid = [n + self.pick(0, 0, 2)]
        self.own = [("r", n)]
        x = self.array("x", self.kind, [n, m])
        y = self.array("y", self.kind, [n, m], True)
        o = self.array("o", self.kind, [n], True)
        w = self.array("w", self.kind, [m])
        s = self.shared("s", B)
        self.put("r = cuda.blockIdx.x")
        self.put("t = cuda.threadIdx.x")
        if self.grid[0] > n or self.chance(0.3):
            self.put(f"if r >= {self.size(n)}:")
            self.put("    return")
        loop = f"for c in range(t, {self.size(m)}, {self.pick('cuda.blockDim.x', 'cuda.blockDim.x', str(B))}):"
        for phase in range(self.pick(1, 1, 2)):
            op = self.pick("sum", "sum", "max")
            self.put(f"acc = {self.zero()}")
            self.put(loop)
            v = self.term(self.at(x, ["r", "c"]))
            if self.chance(0.4):
                v = f"{self.at(x, ['r', 'c'])} {self.pick('*', '+', '-')} {self.at(w, ['c'])}"
            if phase and self.chance(0.7):
                v = f"({self.at(x, ['r', 'c'])} - total)"
            if self.chance(0.2):
                self.put(f"    if {self.at(w, ['c'])} > {self.pick(0, 1)}:")
                self.put(f"        acc {'+= ' if op == 'sum' else '= max(acc, '}{v}{'' if op == 'sum' else ')'}")
            else:
                self.put(f"    acc {'+= ' if op == 'sum' else '= max(acc, '}{v}{'' if op == 'sum' else ')'}")
            self.put(f"{s}[t] = acc")
            self.barrier()
            how = self.pick("tree", "tree", "serial", "each", "up")
            join = (lambda a, b: f"{a} += {b}") if op == "sum" else (lambda a, b: f"{a} = max({a}, {b})")
            if how == "tree" and B & (B - 1) == 0:
                self.put(f"h = {self.pick('cuda.blockDim.x // 2', str(B // 2), 'cuda.blockDim.x >> 1')}")
                self.put("while h > 0:")
                self.put(f"    if t < h:")
                self.put(f"        {join(f'{s}[t]', f'{s}[t + h]')}")
                self.put("    cuda.syncthreads()")
                self.put(f"    h {self.pick('//= 2', '>>= 1')}")
            elif how == "up" and B & (B - 1) == 0:
                self.put("h = 1")
                self.put(f"while h < {B}:")
                self.put("    if t % (2 * h) == 0:")
                self.put(f"        {join(f'{s}[t]', f'{s}[t + h]')}")
                self.put("    cuda.syncthreads()")
                self.put("    h *= 2")
            else:
                self.put("if t == 0:")
                self.put(f"    for q in range(1, {self.pick(str(B), 'cuda.blockDim.x')}):")
                self.put(f"        {join(f'{s}[0]', f'{s}[q]')}")
                self.barrier()
            self.put(f"total = {s}[0]")
            self.barrier()
        if self.chance(0.7):
            self.put(loop)
            target = self.at(y, ["r", "c"])
            v = self.pick(f"{self.at(x, ['r', 'c'])} - total", f"total", f"max({self.at(x, ['r', 'c'])}, total)")
            if self.chance(0.25):
                self.put(f"    if {self.at(x, ['r', 'c'])} != total:")
                self.put(f"        {target} = {v}")
            else:
                self.put(f"    {target} {self.pick('=', '=', '+=')} {v}")
        self.put(f"if t == {self.pick('0', '0', str(B - 1))}:")
        self.put(f"    {self.at(o, ['r'])} = total")

    # ---- tiles ------------------------------------------------------------------------------------
    def product(self):
        T = self.pick(4, 8, 16)
        self.axes, self.blockshape = 2, (T, T)
        n, m, d = (self.pick(1, 7, T, T + 1, 2 * T, 3 * T - 1, 40) for _ in "nmd")
        self.own = []
        a, b = self.array("a", self.kind, [n, d]), self.array("b", self.kind, [d, m])
        c = self.array("c", self.kind, [n, m], True)
        self.grid = [-(-m // T), -(-n // T)]
        sa, sb = self.shared("sa", f"({T}, {T})"), self.shared("sb", f"({T}, {self.pick(T, T + 1)})")
        self.put("j, i = cuda.grid(2)")
        self.put("tx = cuda.threadIdx.x")
        self.put("ty = cuda.threadIdx.y")
        self.put(f"acc = {self.zero()}")
        D = self.size(d)
        self.put(f"for p in range(({D} + {T - 1}) // {T}):" if self.chance(0.5) else f"for p in range(0, {D}, {T}):")
        step = f"p * {T}" if "//" in self.lines[-1] else "p"
        self.depth += 1
        for s, arr, guard, at in ((sa, a, f"i < {self.size(n)} and {step} + tx < {D}", ["i", f"{step} + tx"]),
                                  (sb, b, f"{step} + ty < {D} and j < {self.size(m)}", [f"{step} + ty", "j"])):
            e = self.at(arr, at)
            if self.chance(0.5):
                self.put(f"if {guard}:")
                self.put(f"    {s}[ty, tx] = {e}")
                self.put("else:")
                self.put(f"    {s}[ty, tx] = 0")
            else:
                self.put(f"{s}[ty, tx] = 0")
                self.put(f"if {guard}:")
                self.put(f"    {s}[ty, tx] = {e}")
        self.barrier()
        self.put(f"for q in range({T}):")
        self.put(f"    acc += {sa}[ty, q] {self.pick('*', '*', '+') if self.exact or self.kind not in FLOATS else '*'} {sb}[q, tx]")
        self.barrier()
        self.depth -= 1
        self.put(f"if i < {self.size(n)} and j < {self.size(m)}:")
        self.put(f"    {self.at(c, ['i', 'j'])} {self.pick('=', '+=')} acc")

    def stencil(self):
        B, r = self.block_of(32, 64, 128, 100), self.pick(1, 2, 5)
        n = self.pick(1, 31, B, B + 1, 3 * B - 2, 700)
        self.grid = [-(-n // B)]
        self.own = []
        x, y = self.array("x", self.kind, [n]), self.array("y", self.kind, [n], True)
        s = self.shared("s", B + 2 * r)
        N = self.size(n)
        self.put(self.pick("i = cuda.grid(1)", "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"))
        self.put("t = cuda.threadIdx.x")
        clip = lambda e: self.pick(f"min(max({e}, 0), {N} - 1)", f"min(max({e}, 0), {N} - 1)", f"({e}) % {N}")
        self.put(f"{s}[t + {r}] = {self.at(x, [clip('i')])}")
        self.put(f"if t < {r}:")
        self.put(f"    {s}[t] = {self.at(x, [clip(f'i - {r}')])}")
        self.put(f"    {s}[t + {B + r}] = {self.at(x, [clip(f'i + {B}')])}")
        self.barrier()
        if self.chance(0.3):
            self.put(f"if i >= {N}:")
            self.put("    return")
            self.put(f"acc = {self.zero()}")
            self.put(f"for q in range({self.pick(f'{2 * r + 1}', f'0, {2 * r + 1}, 2')}):")
            self.put(f"    acc += {s}[t + q]")
            self.put(f"{self.at(y, ['i'])} = acc")
        else:
            for _ in range(self.pick(1, 2)):
                self.put(f"acc = {self.zero()}")
                self.put(f"for q in range(-{r}, {r} + 1):")
                self.put(f"    acc {self.pick('+=', '-=')} {s}[t + {r} + q]")
                self.barrier()
                self.put(f"{s}[t + {r}] = acc")
                self.barrier()
            self.put(f"if i < {N}:")
            self.put(f"    {self.at(y, ['i'])} = {s}[{self.pick(f't + {r}', f't + {r} - 1', f'{B + 2 * r - 1} - t')}]")

    def turned(self):
        T, rows = self.pick((32, 8), (16, 16), (16, 4), (8, 8))
        self.axes, self.blockshape = 2, (T, rows)
        n, m = (self.pick(1, 7, T, T + 1, 3 * T - 1, 70) for _ in "nm")
        self.own = []
        x, y = self.array("x", self.kind, [n, m]), self.array("y", self.kind, [m, n], True)
        self.grid = [-(-m // T), -(-n // T)]
        s = self.shared("s", f"({T}, {self.pick(T, T + 1)})")
        N, M = self.size(n), self.size(m)
        self.put("tx = cuda.threadIdx.x")
        self.put("ty = cuda.threadIdx.y")
        self.put(f"c = cuda.blockIdx.x * {T} + tx")
        self.put(f"r = cuda.blockIdx.y * {T} + ty")
        self.put(f"for k in range(0, {T}, {rows}):")
        self.put(f"    if r + k < {N} and c < {M}:")
        self.put(f"        {s}[ty + k, tx] = {self.term(self.at(x, ['r + k', 'c']))}")
        self.barrier()
        self.put(f"c = cuda.blockIdx.y * {T} + tx")
        self.put(f"r = cuda.blockIdx.x * {T} + ty")
        self.put(f"for k in range(0, {T}, {rows}):")
        self.put(f"    if r + k < {M} and c < {N}:")
        self.put(f"        {self.at(y, ['r + k', 'c'])} {self.pick('=', '=', '+=')} {s}[tx, ty + k]")

    # ---- counters and scans -----------------------------------------------------------------------
    def counted(self):
        B, bins = self.block_of(32, 64, 256), self.pick(1, 4, 10, 64, 100, 256)
        n = self.pick(1, 100, 1000, 3000)
        self.grid = [self.pick(1, 2, 5)]
        self.own = []
        x = self.array("x", self.pick("int32", "uint8", "int64", "int16"), [n], low=0, high=127)
        h = self.give("h", f"zeros({bins}, dtype={self.pick('int32', 'int64')})", True)
        s = self.shared("s", bins, "int32")
        self.put("t = cuda.threadIdx.x")
        self.put(f"for b in range(t, {bins}, cuda.blockDim.x):")
        self.put(f"    {s}[b] = 0")
        self.barrier()
        self.put(f"for i in range(cuda.grid(1), {self.size(n)}, cuda.gridsize(1)):")
        e = self.at(x, ["i"])
        where = f"{e} % {bins}" if bins < 128 or self.chance(.3) else e
        if self.chance(0.3):
            self.put(f"    if {e} {self.pick('>', '<', '!=')} {self.pick(3, 64)}:")
            self.put(f"        cuda.atomic.add({s}, {where}, {self.pick(1, 2)})")
        else:
            self.put(f"    cuda.atomic.add({s}, {where}, {self.pick('1', '1', 'int32(i & 3)')})")
        self.barrier()
        self.put(f"for b in range(t, {bins}, cuda.blockDim.x):")
        self.put(f"    {self.pick(f'cuda.atomic.add({h}, b, {s}[b])', f'if {s}[b] > 0:{chr(10)}' + '    ' * (self.depth + 3) + f'cuda.atomic.add({h}, b, {s}[b])')}")

    def scanned(self):
        B = self.block_of(16, 32, 64, 128)
        n = self.pick(1, B - 1, B, B + 1, 4 * B + 3)
        self.grid = [-(-n // B)]
        self.own = []
        x, y = self.array("x", self.kind, [n]), self.array("y", self.kind, [n], True)
        s = self.shared("s", B)
        N = self.size(n)
        self.put("i = cuda.grid(1)")
        self.put("t = cuda.threadIdx.x")
        self.put(f"{s}[t] = {self.at(x, ['i'])} if i < {N} else {self.zero()}")
        self.barrier()
        self.put("h = 1")
        self.put(f"while h < {self.pick(str(B), 'cuda.blockDim.x')}:")
        self.put(f"    v = {s}[t]")
        self.put("    if t >= h:")
        self.put(f"        v += {s}[t - h]")
        self.put("    cuda.syncthreads()")
        self.put(f"    {s}[t] = v")
        self.put("    cuda.syncthreads()")
        self.put(f"    h {self.pick('*= 2', '<<= 1', '+= h')}")
        self.put(f"if i < {N}:")
        self.put(f"    {self.at(y, ['i'])} = {self.pick(f'{s}[t]', f'{s}[t] - {s}[0]', f'{s}[{B - 1}]')}")

    def sorted(self):
        B = self.block_of(16, 32, 64)
        rows = self.pick(1, 3, 9)
        self.grid = [rows]
        self.own = []
        x = self.array("x", self.kind, [rows, B], True)
        s = self.shared("s", B)
        self.put("r = cuda.blockIdx.x")
        self.put("t = cuda.threadIdx.x")
        self.put(f"{s}[t] = {self.at(x, ['r', 't'])}")
        self.barrier()
        self.put(f"for p in range({self.pick(str(B), 'cuda.blockDim.x', '5')}):")
        self.put(f"    if t % 2 == p % 2 and t + 1 < {B}:")
        self.put(f"        if {s}[t] > {s}[t + 1]:")
        self.put(f"            v = {s}[t]")
        self.put(f"            {s}[t] = {s}[t + 1]")
        self.put(f"            {s}[t + 1] = v")
        self.put("    cuda.syncthreads()")
        self.put(f"{self.at(x, ['r', 't'])} = {s}[{self.pick('t', f'{B - 1} - t')}]")

    def staged(self):
        """All of one array, a tile of it at a time, against a thread's own element."""
        B = self.block_of(32, 64, 128)
        n, m = self.pick(1, 40, B, B + 1, 300), self.pick(1, 30, B, B + 1, 3 * B, 200)
        self.grid = [-(-n // B)]
        self.own = []
        x, z = self.array("x", self.kind, [n]), self.array("z", self.kind, [m])
        y = self.array("y", self.kind, [n], True)
        s = self.shared("s", B)
        N, M = self.size(n), self.size(m)
        self.put("i = cuda.grid(1)")
        self.put("t = cuda.threadIdx.x")
        self.put(f"acc = {self.zero()}")
        self.put(f"mine = {self.at(x, ['i'])} if i < {N} else {self.zero()}")
        self.put(f"for first in range(0, {M}, {self.pick('cuda.blockDim.x', str(B))}):")
        self.put(f"    if first + t < {M}:")
        self.put(f"        {s}[t] = {self.at(z, ['first + t'])}")
        self.put("    cuda.syncthreads()")
        self.put(f"    for q in range(min({B}, {M} - first)):")
        v = f"{s}[q]"
        self.put("        " + self.pick(f"acc += {v}", f"acc += {v} * mine" if self.exact or self.kind not in FLOATS else f"acc += ({v} - mine) * ({v} - mine)", f"acc = max(acc, {v} - mine)",
                                        f"if {v} > mine:{chr(10)}" + "    " * (self.depth + 4) + f"acc += {v}", f"if first + q != i:{chr(10)}" + "    " * (self.depth + 4) + f"acc += {v}"))
        self.put("    cuda.syncthreads()")
        self.put(f"if i < {N}:")
        self.put(f"    {self.at(y, ['i'])} = acc")


@relaunched
def program(seed, options="", without=()):
    g = Meets(seed, without)
    g.pick(g.rows, g.rows, g.product, g.stencil, g.turned, g.counted, g.scanned, g.sorted, g.staged)()
    return module(g, options, [] if g.exact else ["fma=False"])
