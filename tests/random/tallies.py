"""Random kernels that add to elements that data choose: rows of counters in memory or of a thread's own, by a thread
a row or a block a row, with atomics and without. Built of nest.py."""
from nest import FLOATS, Nest, module, relaunched


class Tallies(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.exact = True
        self.kind = self.pick("int32", "int64", "uint8", "int16", "int32", "float32")
        self.element = self.pick("int32", "int32", "int64", "uint32", "uint64", "int16", "float32")

    def added(self, x, free):
        e = self.element
        if e in FLOATS:
            return self.pick(f"{e}(1)", f"{e}(2)", f"{e}(0.5)")
        forms = ["1", "1", "1", "2", "k", "-1", f"{e}(1)", "int64(1)", "(k & 3)"]
        if x.kind not in FLOATS:
            forms += [self.at(x, free), f"({self.at(x, free)} > 3)"]
        v = self.pick(*forms)
        return f"{e}({v})" if e[0] == "u" else v

    def bin(self, x, free, bins):
        e = self.at(x, free)
        if x.kind in FLOATS:
            e = f"int64({e} + 8)"
        form = self.pick("mod", "mod", "mod", "clip", "negative", "and")
        if x.kind[0] == "u":
            e = f"int64({e})"
        b = self.size(bins)
        if form == "clip":
            return f"min(max({e}, 0), {b} - 1)"
        if form == "negative":
            return f"{e} % {b} - {b}"
        if form == "and":
            return f"({e} & {max(1, bins // 2)}) % {b}"
        return f"{e} % {b}"

    def lines_of(self, body, depth):
        for line in body:
            self.put("    " * depth + line)

    def clusters(self):
        """All threads add to rows that data choose, column by column, or to columns' counters."""
        n, m, groups = self.pick(1, 33, 300, 1000, 5000, 20000), self.pick(1, 2, 3, 4, 8, 16, 17, 32), self.pick(1, 2, 3, 8, 16, 40, 100, 130)
        if n * m > 200000:
            n = 5000
        B = self.pick(32, 64, 128, 256)
        self.axes, self.blockshape, self.grid = 1, (B,), [max(1, -(-n // B) // self.pick(1, 1, 1, 2, 8))]
        x = self.array("x", self.pick("int32", "float32", "int64", "uint8"), [n, m])
        key = self.array("key", self.pick("int32", "int64", "uint8"), [n], low=0, high=groups - 1)
        kind = "float32" if x.kind in FLOATS else self.pick("int32", "int64", "uint64" if x.kind == "uint8" else "int32")
        sums = self.array("sums", kind, self.pick([groups, m], [m, groups]), True)
        counts = self.array("counts", "int32", [groups], True) if self.chance(0.6) else None
        self.own = [("i", n)]
        if self.chance(0.5):
            self.put(f"for i in range(cuda.grid(1), {self.size(n)}, cuda.gridsize(1)):")
        else:
            self.grid = [-(-n // B)]
            self.put("i = cuda.grid(1)")
            self.put(f"if i < {self.size(n)}:")
        self.depth = 1
        k = self.at(key, ["i"])
        if self.chance(0.6):
            self.put(f"c = {k}")
            k = "c"
        if counts is not None:
            self.put(f"cuda.atomic.add({counts.name}, {k}, {self.pick(1, 2)})")
        self.put(f"for k in range({self.size(m)}):")
        e = self.at(x, ["i", "k"])
        row = k if self.chance(0.8) else f"abs(int64({e})) % {self.size(groups)}"
        at = self.at(sums, [row, "k"] if sums.dims[0] == groups and sums.dims[1] == m else ["k", row])
        name, index = at.split("[", 1)
        index = f"({index[:-1]})" if not sums.flat else index[:-1]
        op = self.pick("add", "add", "add", "max", "min", "sub") if kind not in FLOATS else "add"
        if kind == "uint64":
            e = f"uint64({e})"
        line = f"cuda.atomic.{op}({name}, {index}, {e})"
        if self.chance(0.2):
            self.put(f"    if {self.at(x, ['i', 'k'])} > {self.pick(0, 1)}:")
            self.put("        " + line)
        else:
            self.put("    " + line)

    def body(self):
        if self.chance(0.3):
            return self.clusters()
        blocks = self.chance(0.4)
        rows = self.pick(1, 3, 17, 100, 128, 129, 200, 300, 500)
        m = self.pick(1, 5, 128, 129, 200, 256, 500, 1000)
        if rows * m > 200000:
            m = 300
        bins = self.pick(1, 2, 3, 7, 10, 16, 32, 64, 100, 256, 1000, 1024, 1025)
        if rows * bins > 400000:
            bins = 256
        channels = self.pick(1, 1, 1, 2, 3)
        B = self.pick(32, 64, 128, 256, 100) if blocks else self.pick(32, 64, 128, 256)
        self.axes, self.blockshape = 1, (B,)
        self.own = [("r", rows)]
        self.total = rows
        x = self.array("x", self.kind, [rows, m] if channels == 1 else self.pick([rows, channels, m], [rows, m, channels]))
        own = not blocks and self.chance(0.35) and bins <= 256
        atomic = blocks or self.chance(0.15)
        if self.element in ("int16",) and atomic:
            self.element = "int32"
        lead = self.pick([rows], [rows], [rows, channels]) if channels > 1 else [rows]
        h = None
        if not own:
            h = self.array("h", self.element, [*lead, bins], True)
        g = self.array("g", self.element if self.element != "int16" else "int32", [rows, bins], True) if self.chance(0.2) and not own else None
        out = self.array("out", "int64", [rows], True) if self.chance(0.4) or own else None
        R = self.size(rows)
        if blocks:
            self.grid = [rows + self.pick(0, 0, 1)]
            self.put("r = cuda.blockIdx.x")
            self.put("t = cuda.threadIdx.x")
            if self.grid[0] > rows or self.chance(0.4):
                self.put(f"if r < {R}:")
                self.depth = 1
            loop = f"for k in range(t, {self.size(m)}, {self.pick('cuda.blockDim.x', 'cuda.blockDim.x', str(B))}):"
        else:
            self.grid = [-(-rows // B)]
            self.put("r = cuda.grid(1)")
            if self.chance(0.5):
                self.put(f"if r >= {R}:")
                self.put("    return")
            else:
                self.put(f"if r < {R}:")
                self.depth = 1
            loop = self.pick(f"for k in range({self.size(m)}):", f"for k in range({self.size(m)}):", f"for k in range(1, {self.size(m)}):", f"for k in range(0, {self.size(m)}, 2):")
        if own:
            self.put(f"p = cuda.local.array({bins}, {self.element})")
        depth = self.depth
        chan = None
        if channels > 1:
            chan = "q"
            self.put(f"for q in range({self.size(channels)}):")
            self.depth += 1
        if own or (h is not None and not blocks and self.chance(0.3)):
            target = "p[b]" if own else self.at(h, ["r", *(["q"] if len(h.dims) > 2 else []), "b"])
            self.put(f"for b in range({self.size(bins)}):")
            self.put(f"    {target} = {self.pick('0', '0', 'b') if self.element not in FLOATS and self.element[0] != 'u' else f'{self.element}(0)'}")
        free = ["r", "k"] if channels == 1 else (["r", "q", "k"] if x.dims[1] == channels and x.dims[2] == m else ["r", "k", "q"])
        acc = self.chance(0.4)
        if acc:
            self.put("s = 0")
        self.put(loop)
        ind = "    "
        b = self.bin(x, free, bins)
        named = self.chance(0.4)
        if named:
            self.put(ind + f"b = {b}")
            b = "b"
        lines = []
        lead_text = ["r", *(["q"] if h is not None and len(h.dims) > 2 else [])]
        target = f"p[{b}]" if own else self.at(h, [*lead_text, f"({b})" if h.flat and not named else b])
        if (own or not h.flat) is False and ("- " in b or named):
            # negative bins of flat rows would lie in the row before
            if "-" in b or "negative" in b or named:
                b2 = self.at(x, free)
                b2 = f"abs(int64({b2})) % {self.size(bins)}"
                target = self.at(h, [*lead_text, b2])
        v = self.added(x, free)
        if atomic and not own:
            name, idx = target.split("[", 1)
            idx = idx[:-1]
            idx = f"({idx})" if "," in idx and not h.flat else idx
            op = self.pick("add", "add", "add", "sub") if self.element not in FLOATS else "add"
            v = f"{self.element}({v})"
            lines.append(f"cuda.atomic.{op}({name}, {idx}, {v})")
        else:
            op = self.pick("+=", "+=", "+=", "-=")
            lines.append(f"{target} {op} {v}" if self.chance(0.8) or op == "-=" else f"{target} = {v} + {target}")
        if g is not None:
            gb = f"abs(int64({self.at(x, free)})) % {self.size(bins)}"
            gt = self.at(g, ["r", gb])
            if blocks:
                name, idx = gt.split("[", 1)
                idx = f"({idx[:-1]})" if not g.flat else idx[:-1]
                lines.append(f"cuda.atomic.add({name}, {idx}, {g.kind}(1))")
            else:
                lines.append(f"{gt} += {g.kind}(1)")
        if acc:
            lines.append(f"s += {self.at(x, free)}" if self.kind not in FLOATS and self.kind[0] != "u" else "s += k")
        cond = self.pick("", "", "", f"if {self.at(x, free)} > {self.pick(0, 2)}:", "if k % 3 != 1:")
        if cond:
            self.put(ind + cond)
            self.lines_of(lines, 2)
        else:
            self.lines_of(lines, 1)
        if self.chance(0.1) and not blocks:
            self.put(ind + f"if k > {self.pick(50, 150)}:")
            self.put(ind + "    break")
        if blocks and self.chance(0.4):
            self.put("cuda.syncthreads()")
            o2 = self.array("seen", "int64", [rows, bins], True)
            self.put(f"for b in range(t, {self.size(bins)}, {B}):")
            at = self.at(h, ["r", *(["q"] if len(h.dims) > 2 else []), "b"])
            self.put(f"    {self.at(o2, ['r', 'b'])} {self.pick('=', '+=')} int64({at})")
            self.put("cuda.syncthreads()")
        if own:
            form = self.pick("best", "write", "dot", "both")
            if form in ("write", "both"):
                o2 = self.array("rows", self.element, [rows, channels, bins], True)
                self.put(f"for b in range({self.size(bins)}):")
                self.put(f"    {self.at(o2, ['r', chan or '0', 'b'])} {self.pick('=', '=', '+=')} p[b]")
            if form != "write":
                self.put("best = 0")
                self.put(f"for b in range(1, {self.size(bins)}):")
                self.put("    if p[b] > p[best]:" if form != "dot" else f"    best += int64(p[b]) * b")
                if form != "dot":
                    self.put("        best = b")
                self.put(f"{self.at(out, ['r'])} {self.pick('=', '+=')} best")
            else:
                self.put(f"{self.at(out, ['r'])} = int64(p[{self.random.randrange(bins)}])")
        elif out is not None and not blocks:
            self.put(f"{self.at(out, ['r'])} = {'s' if acc else 'r'}")
        self.depth = depth


@relaunched
def program(seed, options="", without=()):
    g = Tallies(seed, without)
    g.body()
    return module(g, options)
