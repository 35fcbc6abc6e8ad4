"""Random kernels of blocks that fill tiles and what lies around them, by an axis or by the thread's number, at indices
that are clamped, wrap around or are asked for; and of blocks that go along ragged rows by their size, which may begin
before an array. Names are used again for other things."""
import random

from draw import Program


class Fill:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.given = seed, 0
        self.kind = self.pick("float32", "float64", "int32", "int64", "uint8")
        self.lines, self.depth = [], 0

    def pick(self, *things):
        return self.random.choice(things)

    def put(self, text, more=0):
        self.lines.append("    " * (self.depth + more) + text)

    def data(self, shape, low=0, high=9, kind=None):
        self.given += 1
        return f"randint({low}, {high}, {shape}, seed={self.seed + self.given}, dtype=int32).astype({kind or self.kind})"

    def made(self, params, grid, block, outputs, options):
        words = ", ".join(word for word in (options, "fma=False") if word)
        text = ["from numba import cuda, float32, float64, int32, int64, uint8", "", "", "@example(",
                *[f"    {name}={value}," for name, value in params.items()],
                f"    grid={grid}, block={block})", f"@cuda.jit({words})", f"def k({', '.join(params)}):",
                *["    " + line for line in self.lines]]
        return Program("\n".join(text) + "\n", outputs)

    # ---- tiles -----------------------------------------------------------------------------------
    def border(self, form, at, extent):
        """An index, and what must hold of it."""
        if form == "clamp":
            return self.pick(f"min(max({at}, 0), {extent} - 1)", f"max(0, min({at}, {extent} - 1))"), []
        if form == "wrap":
            return f"({at}) % {extent}", []
        return at, self.pick([f"0 <= {at}", f"{at} < {extent}"], [f"{at} >= 0", f"{extent} > {at}"])

    def fill(self, tile, high, wide, r, block, y0, x0):
        bx, by = block
        forms = [self.pick("clamp", "wrap", "ask"), self.pick("clamp", "wrap", "ask")]
        y, conditions = self.border(forms[0], "y", "h")
        x, more = self.border(forms[1], "x", "w")
        at = f"a[{y}, {x}]"
        number = self.pick(True, False)
        depth = self.depth
        if number:
            self.put(f"for k in range({self.pick(f'ty * {bx} + tx', f'tx + ty * cuda.blockDim.x')}, {high * wide}, {self.pick(bx * by, 'cuda.blockDim.x * cuda.blockDim.y')}):")
            self.put(f"y = {y0} + k // {wide}", 1)
            self.put(f"x = {x0} + k % {wide}", 1)
            slot = f"{tile}[k // {wide}, k % {wide}]"
            self.depth += 1
        else:
            self.put(f"for dy in range(ty, {high}, {by}):")
            self.put(f"for dx in range(tx, {wide}, {bx}):", 1)
            self.put(f"y = {y0} + dy", 2)
            self.put(f"x = {x0} + dx", 2)
            slot = f"{tile}[dy, dx]"
            self.depth += 2
        conditions += more
        self.random.shuffle(conditions)
        asked = " and ".join(conditions)
        if not conditions:
            self.put(f"{slot} = {at}")
        elif self.pick(True, False):
            self.put(f"{slot} = {at} if {asked} else {self.pick(0, 1)}")
        else:
            self.put(f"{slot} = {self.pick(0, 3)}")
            self.put(f"if {asked}:")
            self.put(f"    {slot} = {at}")
        self.depth = depth

    def tiles(self, options):
        h, w = self.pick(1, 5, 16, 40, 67), self.pick(1, 3, 17, 64, 131)
        block, r = self.pick((8, 8), (16, 16), (16, 4), (32, 8), (32, 1), (5, 7)), self.pick(0, 1, 1, 2, 3)
        high, wide = block[1] + 2 * r, block[0] + 2 * r
        self.put(f"s = cuda.shared.array(({high}, {wide}), {self.kind})")
        self.put("tx, ty = cuda.threadIdx.x, cuda.threadIdx.y")
        self.put("h, w = a.shape")
        for _ in range(self.pick(1, 1, 2)):
            y0 = f"cuda.blockIdx.y * {block[1]} - {r}"
            x0 = f"cuda.blockIdx.x * {block[0]} - {r}"
            self.fill("s", high, wide, r, block, y0, x0)
            self.put("cuda.syncthreads()")
            self.put(f"x, y = {self.pick('cuda.grid(2)', f'cuda.blockIdx.x * {block[0]} + tx, cuda.blockIdx.y * {block[1]} + ty')}")
            self.put("if y < h and x < w:")
            self.put(f"v = {self.pick(0, 's[ty, tx]')}", 1)
            self.put(f"for i in range({2 * r + 1}):", 1)
            self.put(f"for j in range({2 * r + 1}):", 2)
            self.put(f"v {self.pick('+=', '+=', '-=')} s[ty + i, tx + j]", 3)
            self.put(f"out[y, x] {self.pick('=', '+=')} v", 1)
            self.put("cuda.syncthreads()")
        if self.pick(True, False):
            self.direct(r)
        grid = (-(-w // block[0]), -(-h // block[1]))
        params = {"a": self.data((h, w)), "out": self.data((h, w), kind=self.pick("int64", "float64"))}
        return self.made(params, grid, block, ["out"], options)

    def direct(self, r):
        """Without a tile."""
        y, conditions = self.border(self.pick("clamp", "wrap", "ask"), "y + i", "h")
        x, more = self.border(self.pick("clamp", "wrap", "ask"), "x + j", "w")
        self.put("if y < h and x < w:")
        self.put("v = 0", 1)
        self.put(f"for i in range({-r}, {r + 1}):", 1)
        self.put(f"for j in range({-r}, {r + self.pick(0, 1, 2)}):", 2)
        asked = " and ".join(conditions + more)
        if asked:
            self.put(f"if {asked}:", 3)
        self.put(f"v += a[{y}, {x}]", 3 + bool(asked))
        self.put("out[y, x] += v", 1)

    # ---- ragged rows -----------------------------------------------------------------------------
    def rows(self, options):
        block, n, most = self.pick(1, 32, 64, 100, 128), self.pick(1, 3, 20), self.pick(3, 40, 500)
        size = block if self.pick(True, False) else "cuda.blockDim.x"
        back = self.pick(0, 0, 0, most, 2 * most)       # how far rows may lie before the array
        self.put(f"s = cuda.shared.array({block}, {self.kind})")
        self.put("t = cuda.threadIdx.x")
        self.put("r = cuda.blockIdx.x")
        self.put("v = t * 0")
        self.put(f"for k in range(ptr[r] + {self.pick('t', 'cuda.threadIdx.x')}, {self.pick('ptr[r] + length[r]', 'end[r]')}, {size}):")
        self.put(f"    {self.pick('v += x[k]', 'v = max(v, x[k])', 'v += x[k] * x[k] - k', 'out[k] = x[k] + r')}")
        self.put("s[t] = v")
        self.put("cuda.syncthreads()")
        form = self.pick("tree", "first", "scan")
        if form == "tree":
            self.put(f"k = {1 << (block.bit_length() - 1)}")
            self.put(self.pick("while k > 0:", "while k:"))
            self.put(f"    if t < k and t + k < {block}:")
            self.put("        s[t] += s[t + k]")
            self.put("    cuda.syncthreads()")
            self.put(f"    {self.pick('k //= 2', 'k >>= 1')}")
            self.put("v = s[0]")
        elif form == "first":
            self.put(f"v = s[{self.pick(0, block - 1)}]")
        else:
            self.put("k = 1")
            self.put(f"while k < {size}:")
            self.put("    v = 0")
            self.put("    if t >= k:")
            self.put("        v = s[t - k]")
            self.put("    cuda.syncthreads()")
            self.put("    s[t] += v")
            self.put("    cuda.syncthreads()")
            self.put(f"    {self.pick('k *= 2', 'k <<= 1', 'k += k')}")
            self.put("v = s[t]")
        self.put(f"out2[r, t] = v + {self.pick('t', 'r', 's[t]')}")
        whole = self.pick("int32", "int64", "int32")
        starts = [k * most - back if back else k * most for k in range(n)]
        first = f"({most} * arange({n}, dtype=int64) - {back}).astype({whole})"
        total = max(0, starts[-1] + most) + back or 1
        params = {"x": self.data(total), "ptr": first, "length": self.data(n, 0, most + 1, whole),
                  "end": f"({most} * arange({n}, dtype=int64) - {back} + {self.random.randrange(most + 1)}).astype({whole})",
                  "out": self.data(total), "out2": self.data((n, block), kind=self.pick("int64", "float64"))}
        return self.made(params, n, block, ["out", "out2"], options)


def program(seed, options="", without=()):
    made = Fill(seed)
    return made.tiles(options) if made.pick(True, True, False) else made.rows(options)
