"""Random kernels of what the other families leave out: loops that begin or end at the thread's index, gathers of
every s-th element, grids of two axes by strides and checkerboards, small matrices in arrays of the thread, while
loops with several ways out, what the threads of a warp hand each other in blocks of any size, device functions that
take views, and sums of integers of several types.

Built of nest.py: every index lies in its array, and a thread stores to its own elements."""
from nest import FLOATS, Array, Nest, module, relaunched

SIDES = [1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129]
LONG = [1, 2, 3, 7, 8, 31, 32, 33, 64, 100, 127, 128, 129, 200, 257, 300, 513]
BLOCKS = {1: [(32,), (64,), (128,), (256,), (100,), (33,), (7,), (1,), (512,)],
          2: [(16, 16), (32, 8), (8, 8), (7, 5), (32, 1), (1, 64), (3, 2)],
          3: [(8, 4, 4), (4, 4, 4), (5, 3, 2), (32, 2, 2)]}
WARPS = [(1,), (3,), (8,), (16,), (31,), (32,), (33,), (48,), (64,), (100,), (128,)]
STEPS = {"triangles": 5, "inverse": 5, "strides": 4, "checkers": 3, "matrices": 4, "ways_out": 4, "warps": 4, "calls": 4,
         "mixed": 3, "escapes": 3, "tables": 4, "volumes": 3, "arguments": 6}


class Corners(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.kind = self.pick("float32", "float32", "float64", "int32", "int64", "int32")
        self.plain = self.chance(0.6)
        self.large = self.chance(0.12)

    # ---- extents ---------------------------------------------------------------------------------
    def long(self, most=400000):
        """How many elements an axis has; at times as many as other choices are made for."""
        return self.sized(min(most, self.pick(9000, 70001, 300000, 1100000))) if self.large else self.pick(*LONG)

    def sides(self):
        """Two axes, at times of many elements together."""
        if not self.large:
            return self.pick(*SIDES), self.pick(*SIDES)
        h, w = self.pick((100, 90), (270, 260), (65, 1030), (600, 513))
        return self.sized(h), self.sized(w)

    # ---- pieces ----------------------------------------------------------------------------------
    def place(self, dims, names, strided=0.15):
        """Each thread has an element of these axes; how a thread without one goes on is self.leave."""
        self.own, self.total, self.axes = list(zip(names, dims)), 1, len(dims)
        for n in dims:
            self.total *= n
        self.blockshape = self.or_else(self.pick(*BLOCKS[self.axes]), *BLOCKS[self.axes])
        order = list(range(self.axes))[::self.pick(-1, -1, 1)]
        self.grid = [max(1, -(-dims[a] // b) + self.or_else(self.pick(0, 0, 0, 0, 1), -1, 0, 2))
                     for a, b in zip(order, self.blockshape)]
        self.put(f"{', '.join(names[a] for a in order)} = cuda.grid({self.axes})")
        ends = [f"{name} {{}} {self.size(n)}" for name, n in self.own]
        self.leave = "return"
        if self.chance(0.5):
            self.put(f"if {' or '.join(end.format('>=') for end in ends)}:")
            self.put("    return")
        else:
            self.put(f"if {' and '.join(end.format('<') for end in ends)}:")
            self.depth += 1
        for name, n in self.own:
            self.env[name] = 0, n - 1

    def start(self, kind=None):
        """A sum that is to be."""
        kind = kind or self.kind
        name = self.fresh("s")
        self.put(f"{name} = {kind}({self.pick(0, 0, 0, 1)})")
        return name

    def product(self, a, b):
        if self.kind in FLOATS and not self.exact:
            return self.pick(f"{a} * {b}", f"({a} - {b}) * ({a} - {b})", f"abs({a} - {b})", f"{a} / ({b} * {b} + {self.kind}(1))")
        return self.pick(f"{a} * {b}", f"{a} + {b}", f"max({a}, {b})", f"({a} - {b}) * ({a} - {b})", f"({a} if {a} > {b} else {b})")

    def add(self, s, value):
        """Lines that take a value into a sum."""
        form = self.pick("sum", "sum", "sum", "max", "if")
        if form == "max":
            return [f"{s} = {self.pick('max', 'min')}({s}, {value})"]
        if form == "if":
            return [f"if {value} {self.pick('>', '<', '!=')} {self.kind}({self.pick(0, 1, 2)}):", f"    {s} {self.pick('+=', '-=')} {value}"]
        return [f"{s} += {value}"]

    def lines_of(self, *lines):
        for line in lines:
            self.put(line)

    def leave_result(self, value, kind=None):
        out = self.array("out", kind or self.kind, [n for _, n in self.own], True)
        self.put(f"{self.at(out, [name for name, _ in self.own])} {self.pick('=', '=', '=', '+=')} {value}")

    # ---- loops from the index --------------------------------------------------------------------
    def bounds(self, i, n, m):
        """A range that begins or ends at an index below n, in what has m elements."""
        c, last = self.pick(0, 1, 1, 2), self.size(m)
        low, high = (f"{i} + {c}" if c else i), (f"{i} - {c}" if c else i)
        below = m >= n and not self.other
        return self.pick(f"range({low}, {last})", f"range({low}, {last})", f"range(max({high}, 0), {last})",
                         f"range(min({low}, {last}))", f"range(max({last} - {low}, 0), {last})", f"range({last} - {i})" if below else f"range({i}, {last})",
                         f"range({i})" if below else f"range({low}, {last})", f"range({last} - 1, {i}, -1)", f"range({low}, {last}, {self.pick(1, 2, 3)})",
                         f"range({low}, min({i} + {self.pick(4, 9, 40)}, {last}))", f"range({high}, {last})" if not c else f"range({low}, {last})",
                         f"range(1, min({low}, {last}))")

    def triangles(self):
        two = self.chance(0.65)
        h, w = self.sides()
        m = self.pick(*SIDES)
        own = [h, w] if two else [self.long(most=4000)]
        names = ["i", "j"][:len(own)]
        n = self.pick(m, m, own[0], own[-1]) if not self.large else self.pick(m, min(own))
        a = self.array("a", self.kind, self.pick([n, own[0]], [own[0], n], [n]))
        b = self.array("b", self.kind, self.pick([n, own[-1]], [own[-1], n], [n]))
        self.place(own, names)
        sums = [self.start() for _ in range(self.pick(1, 1, 2))]
        for _ in range(self.pick(1, 1, 2)):
            bound = self.pick(*names)
            k = self.fresh("k")
            self.put(f"for {k} in {self.bounds(bound, dict(self.own)[bound], n)}:")
            va = self.at(a, [k] if len(a.dims) == 1 else [k, "i"] if a.dims[0] == n and a.dims[1] == own[0] else ["i", k])
            vb = self.at(b, [k] if len(b.dims) == 1 else [k, names[-1]] if b.dims[0] == n and b.dims[1] == own[-1] else [names[-1], k])
            body = []
            if self.chance(0.25):
                body += [f"if {self.pick(va, k)} {self.pick('==', '>')} {self.pick(1, 5)}:", f"    {self.pick('continue', 'continue', 'break')}"]
            for s in sums:
                body += self.add(s, self.product(va, vb) if self.chance(0.8) else va)
            self.lines_of(*("    " + line for line in body))
        for s in sums:
            self.leave_result(s)

    # ---- gathers of every s-th element -----------------------------------------------------------
    def inverse(self):
        axes = self.pick(1, 2, 2)
        s, pad = self.pick(2, 2, 3, 4), self.pick(0, 1, 2, 3)
        taps = [self.pick(1, 2, 3, 4, 5, 7, 9) for _ in range(axes)]
        source = [self.pick(*SIDES[:14]) for _ in range(axes)]
        own = [self.pick(*SIDES[:14]) for _ in range(axes)] if not self.large else [*self.sides()][-axes:]
        names = ["i", "j"][:axes]
        x, w = self.array("x", self.kind, source), self.array("w", self.kind, taps)
        self.place(own, names)
        acc = self.start()
        kept, counters, indices, closing = self.depth, [], [], []
        scalar = self.give("s", f"int64({s})") if self.chance(0.2) else s
        for axis, name in enumerate(names):
            k, t, q = self.fresh("k"), self.fresh("t"), self.fresh("q")
            size, end = self.size(taps[axis]), self.size(source[axis])
            self.put(f"for {k} in {self.pick(f'range({size})', f'range({size})', f'range(1, {size})', f'range({size} - 1, -1, -1)', f'range(0, {size}, 2)')}:")
            self.depth += 1
            counters.append(k)
            indices.append(q)
            where = self.pick(f"{name} + {pad} - {k}", f"{name} + {pad} - {k}", f"{name} - {k} + {pad}", f"{name} + {k} - {pad}")
            rest = f"{t} & {s - 1} == 0" if s in (2, 4) and scalar is s and self.chance(0.2) else f"{t} % {scalar} == {self.pick(0, 0, 0, 1)}"
            inside = self.pick(f"0 <= {q} < {end}", f"{q} >= 0 and {q} < {end}", f"{t} >= 0 and {q} < {end}")
            self.put(f"{t} = {where}")
            form = self.pick("if", "if", "continue", "both", "cast")
            if form == "both":
                self.put(f"{q} = {t} // {scalar}")
                self.put(f"if {self.pick(f'{rest} and {inside}', f'{inside} and {rest}')}:")
                self.depth += 1
                continue
            if form == "continue":
                self.put(f"if not ({rest}):" if self.chance(0.4) else f"if {rest.replace('==', '!=')}:")
                self.put("    continue")
            else:
                self.put(f"if {rest}:")
                self.depth += 1
            self.put(f"{q} = {t} // {scalar}" if form != "cast" else f"{q} = int32({t} // {scalar})")
            if self.chance(0.3):
                self.put(f"if {q} < 0 or {q} >= {end}:")
                self.put(f"    {self.pick('continue', 'continue', 'break')}")
            else:
                self.put(f"if {inside}:")
                self.depth += 1
        self.lines_of(*self.add(acc, self.pick(f"{self.at(x, indices)} * {self.at(w, counters)}", self.at(x, indices))))
        if self.chance(0.1):
            self.put("break")
        self.depth = kept
        self.leave_result(acc)

    # ---- grids by strides ------------------------------------------------------------------------
    def strided(self, axis, name, n, steps="1", begin=""):
        whole = self.pick(f"cuda.grid(2)[{axis}]", f"cuda.blockIdx.{'xy'[axis]} * cuda.blockDim.{'xy'[axis]} + cuda.threadIdx.{'xy'[axis]}")
        step = self.pick(f"cuda.gridsize(2)[{axis}]", f"cuda.gridDim.{'xy'[axis]} * cuda.blockDim.{'xy'[axis]}")
        first, by = (whole, step) if steps == "1" else (f"{steps} * ({whole}) + {begin}", f"{steps} * {step}")
        self.put(f"for {name} in range({first}, {self.size(n)}, {by}):")
        self.depth += 1

    def strides(self):
        (h, w), depth = self.sides(), self.pick(1, 2, 3, 5)
        self.axes, self.blockshape = 2, self.or_else(self.pick(*BLOCKS[2]), *BLOCKS[2])
        self.grid = [self.or_else(self.pick(1, 1, 2, 3), 1, 2, 5) for _ in "xy"]
        self.own = [("i", h), ("j", w)]
        a = self.array("a", self.kind, self.pick([h, w], [w, h], [h, w, depth], [h]))
        b = self.array("b", self.kind, self.pick([h, w], [w], [h], [w, h]))
        total = self.array("total", self.pick("int64", "int32"), [self.pick(1, 3)], True) if self.chance(0.3) else None
        axes = self.pick((1, 0), (1, 0), (0, 1))
        count = total and self.fresh("count")
        if count:
            self.put(f"{count} = 0")
        first, second = self.pick((0, 1), (0, 1), (1, 0))
        for d in (first, second):
            name, n = self.own[d]
            self.strided(axes[d], name, n)
            if d == first and self.chance(0.2):
                self.put(f"if i % {self.pick(2, 3)} == 1:" if d == 0 else "if j > 3:")
                self.put(f"    {self.pick('continue', 'break') if self.plain else 'continue'}")
        def at(array):
            names = {h: "i", w: "j"}
            if array.dims == [h, w] or array.dims == [h, w, depth]:
                return self.at(array, ["i", "j", "k"][:len(array.dims)])
            if array.dims == [w, h]:
                return self.at(array, ["j", "i"])
            return self.at(array, [names[array.dims[0]]])
        if len(a.dims) == 3:
            s = self.start()
            self.put(f"for k in range({self.size(depth)}):")
            self.lines_of(*("    " + line for line in self.add(s, at(a))))
        else:
            s = at(a)
        self.leave_result(self.product(s, at(b)))
        if count:
            self.put(f"if {at(b)} > 0:")
            self.put(f"    {count} += {self.pick(1, 'j')}")
            self.depth = 0
            self.put(f"if {count} > 0:" if self.chance(0.4) else "if True:")
            self.put(f"    cuda.atomic.add({total.name}, {self.pick(0, -1)}, {count})")

    def checkers(self):
        """Elements of one colour made of those of the other."""
        h, w = self.sides()
        u = self.array("u", self.kind, [h, w], True)
        f = self.array("f", self.kind, [h, w])
        colour = self.pick(0, 1)
        colour = self.give("colour", f"int64({colour})") if self.chance(0.5) else colour
        if self.chance(0.4):
            self.axes, self.blockshape, self.grid = 2, self.or_else(self.pick(*BLOCKS[2]), *BLOCKS[2]), [self.pick(1, 2, 3), self.pick(1, 2, 3)]
            self.own = [("i", h), ("j", w)]
            self.strided(1, "i", h)
            self.strided(0, "j", w, "2", f"(i + {colour}) % 2")
        elif self.chance(0.5):
            self.place([h, w], ["i", "j"])
            self.put(f"if (i + j) % 2 == {colour}:" if self.chance(0.7) else f"if (i + j + {colour}) & 1:")
            self.depth += 1
        else:
            half = (w + 1) // 2
            self.place([h, half], ["i", "q"])
            self.put(f"j = 2 * q + (i + {colour}) % 2")
            self.put(f"if j < {self.size(w)}:")
            self.depth += 1
        last_i, last_j = f"{self.size(h)} - 1", f"{self.size(w)} - 1"
        if self.chance(0.6):
            self.put(f"if {self.pick('i > 0 and', '0 < i and')} i < {last_i} and {self.pick('j > 0', '0 < j')} and j < {last_j}:")
            self.depth += 1
            near = [self.at(u, at) for at in (["(i - 1)", "j"], ["(i + 1)", "j"], ["i", "(j - 1)"], ["i", "(j + 1)"])]
        else:
            near = [self.at(u, ["i", "j"]), self.at(f, ["i", "j"])]
        v = " + ".join([*near, self.at(f, ["i", "j"])])
        self.put(f"{self.at(u, ['i', 'j'])} {self.pick('=', '=', '+=')} {v}")

    # ---- small matrices --------------------------------------------------------------------------
    def matrices(self):
        """A small matrix, or two, for each thread, in arrays of its own."""
        count, n, m = self.long(), self.pick(1, 2, 3, 4), self.pick(1, 2, 3, 4)
        flat = self.chance(0.3)
        x = self.array("x", self.kind, self.pick([count, n, m], [n, m, count]))
        self.place([count], ["i"])
        at = (lambda r, c: self.at(x, ["i", r, c])) if x.dims[0] == count and x.dims[1:] == [n, m] else lambda r, c: self.at(x, [r, c, "i"])
        self.put(f"a = cuda.local.array({n * m if flat else f'({n}, {m})'}, {self.kind})")
        own = (lambda r, c: f"a[({r}) * {m} + {c}]") if flat else lambda r, c: f"a[{r}, {c}]"
        self.put(f"for r in range({n}):")
        self.put(f"    for c in range({m}):")
        self.put(f"        {own('r', 'c')} = {at('r', 'c')}")
        if self.chance(0.5):
            self.put("p = cuda.local.array(4, int64)")
            self.put("for r in range(4):")
            self.put("    p[r] = r")
            if self.chance(0.6):
                self.put("best = 0")
                self.put(f"for r in range(1, {n}):")
                self.put(f"    if abs({own('r', 0)}) > abs({own('best', 0)}):")
                self.put("        best = r")
                self.put("p[0], p[best] = p[best], p[0]")
            row = "p[r]"
        else:
            row = "r"
        s = self.start()
        form = self.pick("eliminate", "product", "sums", "early")
        if form == "eliminate":
            self.put(f"for k in range({min(n, m)}):")
            self.put(f"    for r in range(k + 1, {n}):")
            if self.kind in FLOATS and not self.exact:
                self.put(f"        if {own('k', 'k')} != 0:")
                self.put(f"            t = {own('r', 'k')} / {own('k', 'k')}")
                self.put(f"            for c in range(k, {m}):")
                self.put(f"                {own('r', 'c')} -= t * {own('k', 'c')}")
            else:
                self.put(f"        t = {own('r', 'k')}")
                self.put(f"        for c in range({self.pick('k', 'k + 1')}, {m}):")
                self.put(f"            {own('r', 'c')} {self.pick('-=', '+=')} t {'+' if self.kind in FLOATS else '*'} {own('k', 'c')}")
        elif form == "early":
            self.put(f"if {own(0, 0)} == {self.pick(0, 1)}:")
            out = self.array("none", "int32", [count], True)
            self.put(f"    {self.at(out, ['i'])} = {self.pick(1, 7)}")
            self.put("    return")
        self.put(f"for r in range({n}):")
        self.put(f"    for c in range({self.pick(str(m), str(m), f'min(r + 1, {m})')}):")
        if row != "r":
            self.put(f"        if p[r] < {n}:")
            self.put(f"            {s} += {own(row, 'c')} * {self.pick(1, 'r', 'c + 1')}" if self.kind not in FLOATS else f"            {s} += {own(row, 'c')}")
        else:
            self.put(f"        {s} += {own('r', 'c')}")
        self.leave_result(s)
        if self.chance(0.6):
            y = self.array("y", self.kind, self.pick([count, n, m], [count, m, n]), True)
            turned = y.dims[1:] != [n, m]
            self.put(f"for r in range({n}):")
            self.put(f"    for c in range({m}):")
            self.put(f"        {self.at(y, ['i', 'c', 'r'] if turned else ['i', 'r', 'c'])} = {own('r', 'c')}")

    # ---- while loops -----------------------------------------------------------------------------
    def ways_out(self):
        n, m = self.long(), self.pick(*LONG)
        kind = self.pick("int32", "int64", "int64")
        x = self.array("x", kind, [n])
        t = self.array("t", kind, [m])
        self.place([n], ["i"])
        v, count, s = self.fresh("v"), self.fresh("c"), self.fresh("s")
        self.put(f"{v} = {self.at(x, ['i'])}")
        self.put(f"{count} = 0")
        self.put(f"{s} = int64({self.pick(0, 1)})")
        most, end = self.pick(5, 20, 60), self.size(m)
        form = self.pick("collatz", "search", "walk", "walk", "bits", "nested")
        if form == "search":
            self.put(f"lo, hi = 0, {end}")
            self.put("while lo < hi:")
            self.put("    mid = (lo + hi) // 2" if self.chance(0.6) else "    mid = lo + (hi - lo >> 1)")
            self.put(f"    e = {self.at(t, ['mid'])}")
            if self.chance(0.4):
                self.put(f"    if e == {v}:")
                self.put(f"        {s} += mid")
                self.put("        break")
            self.put(f"    if e {self.pick('<', '<=')} {v}:")
            self.put("        lo = mid + 1")
            self.put("    else:")
            self.put("        hi = mid")
            self.put(f"    {count} += 1")
            self.put(f"{s} += lo")
        elif form == "bits":
            self.put(f"b = {self.pick('uint32', 'uint64', 'uint32')}({v})")
            self.put("while b:" if self.chance(0.5) else "while b != 0:")
            self.put("    if b & 1:")
            e = self.at(t, [f"{count} % {end}"])
            self.put(f"        {s} += {e}")
            if self.chance(0.4):
                self.put(f"    if {s} > {self.pick(10, 100)}:")
                self.put("        break")
            self.put("    b >>= 1")
            self.put(f"    {count} += 1")
        elif form == "nested":
            self.put(f"while {count} < {most}:")
            self.put(f"    k = {count}")
            self.put(f"    while k < {end}:")
            self.put(f"        if {self.at(t, ['k'])} {self.pick('>', '==', '<')} {v}:")
            self.put(f"            {s} += k")
            self.put(f"            {self.pick('break', f'k += 2')}")
            self.put(f"        k += {self.pick(1, 2, 3)}")
            self.put(f"    {count} += 1")
            self.put(f"    if {s} > {self.pick(30, 500)}:")
            self.put(f"        {self.pick('break', f'{count} += 3', f'{v} += 1')}")
        else:
            test = self.pick(f"while {count} < {most}:", "while True:", f"while {v} != {self.pick(1, 0)} and {count} < {most}:")
            self.put(test)
            e = self.at(t, [f"{count} % {end}"])
            self.put(f"    if {self.pick(f'{v} % 7 == 3', f'{v} > 5', f'{e} == {v}')}:")
            self.put(f"        {self.pick('break', f'{v} -= 1', f'{s} += {count}')}")
            self.put(f"    if {count} >= {most}:")
            self.put(f"        {self.pick('break', 'break', f'return')}")
            if form == "collatz":
                self.put(f"    if {v} % 2 == 0:")
                self.put(f"        {v} //= 2")
                self.put("    else:")
                self.put(f"        {v} = {v} * 3 + 1")
            else:
                e = self.at(t, [f"abs({v}) % {end}"])
                self.put(f"    {v} = {e} {self.pick('+', '^', '-')} {count}")
            self.put(f"    {count} += 1")
            if self.chance(0.4):
                self.put(f"    if {s} < {count}:")
                self.put(f"        {s} += 2")
                self.put("        continue")
                self.put(f"    {s} -= 1")
            if self.chance(0.4) and test != "while True:":
                self.put("else:")
                self.put(f"    {s} += 100")
        for value in self.pick([s], [s, count], [count, v]):
            self.leave_result(value, "int64")

    def escapes(self):
        """Floats that leave a range after some iterations, or never do."""
        n = self.long()
        self.kind, self.exact = self.pick("float32", "float64"), False
        x, y = self.array("x", self.kind, [n]), self.array("y", self.kind, [n])
        self.place([n], ["i"])
        most = self.give("most", f"int64({self.pick(0, 1, 7, 30)})") if self.chance(0.5) else self.pick(1, 7, 30)
        self.lines_of(f"a = {self.at(x, ['i'])}", f"b = {self.at(y, ['i'])}", f"z = {self.kind}(0)", f"w = {self.kind}({self.pick(0, 1)})", "c = 0")
        end = self.pick(f"z * z + w * w < {self.kind}(4)", f"z * z + w * w <= {self.kind}(4)", f"abs(z) < {self.kind}(3)", f"not z > {self.kind}(3)")
        form = self.pick("both", "while", "for")
        if form == "for":
            self.put(f"for k in range({most}):")
            self.put(f"    if not ({end}):")
            self.put(f"        {self.pick('break', 'break', 'continue')}")
        else:
            self.put(f"while {self.pick(f'{end} and c < {most}', f'c < {most} and {end}') if form == 'both' else f'c < {most}'}:")
            if form == "while":
                self.put(f"    if not ({end}):")
                self.put("        break")
        step = self.pick("z * z - w * w + a", "z * w + a", "z / w + b", "z + a * b", "z - (z * z - a) / (z + z)")
        self.put(f"    t = {step}")
        if self.chance(0.4):
            self.put(f"    if {self.pick('t == z', 't > w', 't != t', 'abs(t - z) < abs(b)')}:")
            self.put(f"        {self.pick('break', 'w = -w', 'c += 5')}")
        self.put(f"    w = {self.pick('z * w + z * w + b', 'z', 'w + b', 'math.sqrt(abs(w)) + b')}")
        self.put("    z = t")
        self.put("    c += 1")
        for value, kind in self.pick([("c", "int64")], [("c", "int64"), ("z", self.kind)], [("z", self.kind), ("w", self.kind)]):
            self.leave_result(value, kind)

    def tables(self):
        """The lesser or greater of neighbours of a table, each and a little more, as 32 bits have them and beyond."""
        kind = self.pick("int32", "int32", "int64", "int16", "uint32")
        count, n, m = self.long(), self.pick(1, 2, 3, 8, 17), self.pick(1, 2, 3, 8, 16, 33)
        a = self.array("a", "uint8", [count, n], low=0, high=3)
        b = self.array("b", "uint8", self.pick([count, m], [m]), low=0, high=3)
        first = self.array("first", kind, [m])
        self.place([count], ["i"])
        self.put(f"row = cuda.local.array({m}, {kind})")
        self.put(f"for c in range({self.size(m)}):")
        self.put(f"    row[c] = {self.at(first, ['c'])}" if self.chance(0.5) else f"    row[c] = {self.pick('c', '2147483647 - c', 'c - 2147483648', '-c')}")
        which, one = self.pick("min", "max"), self.pick("1", "1", f"{kind}(1)", "-1", "2", "0")
        self.put(f"for r in range({self.size(n)}):")
        self.put("    left = r + 1")
        self.put(f"    corner = {self.pick('r', 'row[0]')}")
        self.put(f"    for c in range({self.size(m)}):")
        at = ["i", "c"] if len(b.dims) == 2 else ["c"]
        self.put(f"        same = {self.at(a, ['i', 'r'])} {self.pick('==', '!=', '<')} {self.at(b, at)}")
        cost = self.pick("(0 if same else 1)", "(1 if same else 0)", "int32(same)", "(1 if same else -1)", "(2 if same else 0)", "1")
        parts = [f"row[c] + {one}", f"left + {one}", f"corner + {cost}"]
        self.random.shuffle(parts)
        parts = parts[:self.pick(2, 3, 3)]
        self.put(f"        best = {self.pick(f'{which}({chr(44).join(parts)})', f'{which}({parts[0]}, {which}({chr(44).join(parts[1:] + [parts[0]])}))')}")
        self.put("        corner = row[c]")
        self.put(f"        row[c] = {self.pick('best', 'best', f'{kind}(best)')}")
        self.put(f"        left = {self.pick('row[c]', 'row[c]', 'best')}")
        self.leave_result(f"row[{self.pick(0, m - 1)}]", "int64")
        self.leave_result("left", "int64")

    def volumes(self):
        """Three axes of a grid, or loops by its strides along each."""
        dims = [self.pick(1, 2, 3, 5, 8), self.pick(1, 2, 3, 7, 16, 17), self.pick(1, 3, 16, 31, 32, 33, 65)]
        names = ["i", "j", "l"]
        x = self.array("x", self.kind, self.pick(dims, dims[1:], dims[::-1]))
        y = self.array("y", self.kind, self.pick(dims, dims[:1], dims[2:]))
        out = self.array("out", self.kind, dims, True)
        if self.chance(0.6):
            self.place(dims, names)
        else:
            self.axes, self.own = 3, list(zip(names, dims))
            self.blockshape = self.or_else(self.pick(*BLOCKS[3]), *BLOCKS[3])
            self.grid = [self.or_else(self.pick(1, 1, 2), 1, 2, 3) for _ in "xyz"]
            self.put("x0, y0, z0 = cuda.grid(3)")
            self.put("dx, dy, dz = cuda.gridsize(3)")
            for name, n, axis in self.pick((("i", 0, "z"), ("j", 1, "y"), ("l", 2, "x")), (("l", 2, "x"), ("j", 1, "y"), ("i", 0, "z")), (("i", 0, "x"), ("j", 1, "y"), ("l", 2, "z"))):
                self.put(f"for {name} in range({axis}0, {self.size(dims[n])}, d{axis}):")
                self.depth += 1
        by = {tuple(dims[::-1]): names[::-1], tuple(dims): names, tuple(dims[1:]): names[1:], tuple(dims[:1]): names[:1],
              tuple(dims[2:]): names[2:]}
        near = self.pick(None, None, "l", "j")
        value = f"{self.at(x, by[tuple(x.dims)])} + {self.at(y, by[tuple(y.dims)])}"
        if near and x.dims == dims:
            n = self.size(dims[names.index(near)])
            shifted = [f"(({v} + 1) % {n})" if v == near else v for v in names]
            value += f" - {self.at(x, shifted)}"
        self.put(f"{self.at(out, names)} {self.pick('=', '=', '+=')} {value}")

    # ---- numbers for arguments -------------------------------------------------------------------
    def arguments(self):
        """Numbers of any sign and size as bounds, steps, divisors, shifts and offsets: of other launches others."""
        n = self.long()
        ends = [-2 ** 40, -2 ** 31 - 1, -2 ** 31, -300, -17, -2, -1, 0, 0, 1, 1, 2, 3, 4, 16, 31, 48, 257, 2 ** 31 - 1, 2 ** 31, 2 ** 33 + 5]
        near = [-17, -3, -1, 0, 1, 2, 3, 4, 7, 16, 48, 100]
        source = self.other or self.random
        first = [self.random.choice(near if self.chance(0.8) else ends) for _ in range(4)]
        values = [source.choice(near if source.random() < 0.7 else ends) if self.other else v for v in first]
        kinds = [self.pick("int64", "int64", "int32", "uint32", "uint64") for _ in values]
        names = []
        for value, kind in zip(values, kinds):
            bits = int(kind.strip("uint"))
            low, high = (0, 2 ** bits - 1) if kind[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
            value = abs(value) if value < low else value
            names.append(self.give("a", f"{kind}({min(value, high)})"))
        x = self.array("x", "int32", [n])
        self.place([n], ["i"])
        s, c = self.fresh("s"), self.fresh("c")
        self.put(f"{s} = int64({self.pick('0', 'i')})")
        self.put(f"{c} = 0")
        size = f"{x.name}.shape[0]" if not x.flat else self.size(n)
        for _ in range(self.pick(1, 2, 3)):
            a, b, d, e = (self.pick(*names) for _ in range(4))
            step = self.pick("1", "1", "2", "-1", f"max({d}, 1)", f"min({d}, -1)", f"({d} if {d} != 0 else 1)")
            k = self.fresh("k")
            start, stop = self.pick(("0", a), ("0", f"int64({a})"), (a, b), ("i", a), (a, f"int64({a}) + 9"), (f"i - {a}", f"i + {b}"), (f"max({a}, 0)", f"min({b}, {size})"),
                                    (a, size), ("1", f"{a} * {b}"), (f"{a} // 2", f"{b} >> 1"))
            self.put(f"for {k} in range({start}, {stop}, {step}):")
            self.depth += 1
            self.put(f"{c} += 1")
            self.put(f"if {c} > {self.pick(9, 40)}:")
            self.put("    break")
            at = self.pick(k, f"i + {a}", f"i - {d}", f"{k} * {d}", f"i + {k} * {e}", f"{k} - {a}", f"i // ({b} if {b} > 0 else 1)", f"i * {d} + {k}", f"{k} // {d}", f"({k} + {a}) % {e}")
            form = self.pick("guard", "guard", "unsigned", "mod", "condition", "sum")
            if form == "guard":
                j = self.fresh("j")
                self.put(f"{j} = int64({at})")
                self.put(f"if {self.pick(f'0 <= {j} < {size}', f'{j} >= 0 and {j} < {size}', f'not ({j} < 0 or {j} >= {size})')}:")
                self.put(f"    {s} += {self.at(x, [j])} + {self.pick(k, '1', j)}")
            elif form == "unsigned":
                j, kind = self.fresh("j"), self.pick("uint64", "uint32") if n < 2 ** 31 else "uint64"
                self.put(f"{j} = {kind}({at})")
                self.put(f"if {j} < {kind}({size}):")
                self.put(f"    {s} += {self.at(x, [j])}")
            elif form == "mod":
                self.put(f"{s} += {self.at(x, [f'int64({at}) % {size}'])}")
            elif form == "condition":
                self.put(f"if {self.pick(a, k, 'i')} {self.pick('<', '<=', '==', '>')} {self.pick(b, d, '0')}:")
                self.put(f"    {s} {self.pick('+=', '-=', '^=')} int64({at})")
            else:
                self.put(f"{s} {self.pick('+=', '^=')} int64({self.pick(f'{a} // {b}', f'{k} % {d}', f'{k} << ({b} & 7)', f'{k} >> ({b} & 15)', f'{k} * {a} + {b}', f'min({a}, {b})', f'abs({a}) - {k}')})")
            self.depth -= 1
        self.leave_result(s, "int64")
        self.leave_result(c, "int64")

    # ---- warps -----------------------------------------------------------------------------------
    def warps(self):
        n = self.long()
        self.axes, self.blockshape = 1, self.or_else(self.pick(*WARPS), *WARPS)
        self.grid = [max(1, -(-n // self.blockshape[0]))]
        self.own = [("i", n)]
        kind = self.pick("int32", "int64", "float32", "float64", "uint32") if self.chance(0.7) else "int32"
        exact, self.exact = self.exact, True
        x = self.array("x", kind, [n])
        self.exact = exact
        self.put("i = cuda.grid(1)")
        self.put(f"v = {kind}(0)")
        self.put(f"if i < {self.size(n)}:")
        self.put(f"    v = {self.at(x, ['i'])}")
        self.put("lane = cuda.laneid" if self.chance(0.4) else "lane = cuda.threadIdx.x % 32")
        block = self.blockshape[0]
        whole = block % 32 == 0
        if not whole:
            self.put("live = cuda.activemask()" if self.chance(0.15) else
                     "live = (1 << min(32, cuda.blockDim.x - cuda.threadIdx.x // 32 * 32)) - 1")
        mask = "live" if not whole else self.pick("0xffffffff", "-1")
        results = []
        for _ in range(self.pick(1, 2, 3)):
            form = self.pick("down", "xor", "up", "idx", "vote", "ballot", "match", "tree", "scan", "reduce")
            r = self.fresh("r")
            if form in ("tree", "scan") and whole:
                self.put(f"{r} = v")
                self.put("d = 16" if form == "tree" else "d = 1")
                self.put("while d > 0:" if form == "tree" else "while d < 32:")
                if form == "tree":
                    op = self.pick(f"{r} += {{}}", f"{r} = max({r}, {{}})")
                    self.put("    " + op.format(f"cuda.shfl_{self.pick('down', 'xor')}_sync({mask}, {r}, d)"))
                    self.put("    d //= 2" if self.chance(0.5) else "    d >>= 1")
                else:
                    self.put(f"    o = cuda.shfl_up_sync({mask}, {r}, d)")
                    self.put("    if lane >= d:")
                    self.put(f"        {r} += o")
                    self.put("    d *= 2")
                results.append((r, kind))
            elif form == "idx":
                last = "31" if whole else "min(31, cuda.blockDim.x - 1 - cuda.threadIdx.x // 32 * 32)"
                self.put(f"{r} = cuda.shfl_sync({mask}, v, {self.pick('0', last, f'min(lane * 7 % 32, {last})')})")
                results.append((r, kind))
            elif form in ("down", "up", "xor") and whole:
                self.put(f"{r} = cuda.shfl_{form}_sync({mask}, v, {self.pick(1, 2, 5, 16, 31)})")
                results.append((r, kind))
            elif form == "vote":
                self.put(f"{r} = cuda.{self.pick('all', 'any', 'eq')}_sync({mask}, v {self.pick('>', '==', '<')} {self.pick(0, 1)})")
                results.append((f"int64({r})", "int64"))
            elif form == "match" and kind != "float64":
                self.put(f"{r} = cuda.match_any_sync({mask}, v)" if self.chance(0.7) else f"{r}, q{r} = cuda.match_all_sync({mask}, v)")
                results.append((f"int64({r})", "int64"))
            else:
                self.put(f"{r} = cuda.ballot_sync({mask}, v {self.pick('>', '==', '<')} {self.pick(0, 1)})")
                results.append((self.pick(f"int64({r})", f"int64(cuda.popc({r}))", f"int64(cuda.popc({r} & (1 << lane) - 1))"), "int64"))
        if self.chance(0.3):
            self.put("cuda.syncwarp()")
        self.put(f"if i < {self.size(n)}:")
        self.depth += 1
        for r, kind in results:
            self.leave_result(r, kind)

    # ---- functions that take views ---------------------------------------------------------------
    def calls(self):
        n, m = self.long(), self.pick(1, 2, 3, 4, 8, 16, 17, 33, 64)
        x = self.volume("x", [n, m])
        y = self.volume("y", [n, m]) if self.chance(0.6) else x
        out = self.volume("out", [n, m], True)
        folds = [["    s = a[0] - a[0]", "    for k in range(a.shape[0]):", f"        s += {self.pick('a[k]', 'max(a[k], b[k])', 'a[k] - b[-1 - k]')}", "    return s"],
                 ["    s = a[0]", "    for k in range(1, a.size):", f"        if a[k] {self.pick('>', '<')} s:", "            s = a[k]", "            continue", f"        s {self.pick('+=', '-=')} b[k]", "    return s"],
                 ["    for k in range(len(a)):", f"        if a[k] {self.pick('>', '<', '==')} b[0]:", "            return a[k]", "    return b[-1]"]]
        writes = [["    for k in range(len(c)):", f"        c[k] = {self.pick('a[k]', 'a[-1 - k]', 'a[k] + s')}"],
                  ["    for k in range(len(c) - 1, -1, -1):", "        c[k] += a[k]", "        if a[k] == s:", "            return"],
                  ["    c[0] = s", "    for k in range(1, len(c)):", f"        c[k] = c[k - 1] {self.pick('+', '-')} a[k]"]]
        device = self.pick(["@cuda.jit(device=True)"], [])
        self.defs += [*device, "def fold(a, b):", *self.pick(*folds), "", "", *device, "def write(c, a, s):", *self.pick(*writes), "", ""]
        self.place([n], ["i"])
        half = m // 2
        cuts = ["[i]", "[i]", "[i, :]", "[i, ::-1]", f"[i, {half}:]" if half < m else "[i]", f"[i, :{half + 1}]", "[i][::2]"]
        cut = self.pick(*cuts)
        a, b, c = f"x1{cut}".replace("x1", x.name), f"{y.name}{cut}", f"{out.name}{cut}"
        if self.chance(0.4):
            self.put(f"row = {a}")
            a = "row"
        self.put(f"s = fold({a}, {b})")
        if self.chance(0.7):
            self.put(f"write({c}, {self.pick(a, b)}, s)")
        if self.chance(0.4):
            self.put(f"s += fold({self.pick(c, b)}, {a})")
        self.leave_result("s")

    def volume(self, stem, dims, written=False):
        """An array with an axis for each, not flat."""
        cut = self.pick("", "", "", "[::-1]", "[:, ::-1]", "[1:, 1:]", "[:, ::2]", ".T")
        base = {"[1:, 1:]": [d + 1 for d in dims], "[:, ::2]": [dims[0], dims[1] * 2], ".T": dims[::-1]}.get(cut, dims)
        shape = "(" + ", ".join(map(str, base)) + ")"
        name = self.give(stem, self.data(self.kind, shape) + cut, written)
        array = Array(name, self.kind, dims, False, [0, 1])
        (self.outs if written else self.ins).append(array)
        return array

    # ---- integers of several types ---------------------------------------------------------------
    def mixed(self):
        kinds = self.random.sample(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"], 3)
        n, m = self.long(), self.pick(1, 2, 3, 8, 31, 64)
        arrays = [self.array("x", kind, self.pick([n, m], [m, n], [m], [n])) for kind in kinds]
        self.kind = kinds[0]
        self.place([n], ["i"])
        def element(array):
            if array.dims == [n, m]:
                return self.at(array, ["i", "k"])
            if array.dims == [m, n]:
                return self.at(array, ["k", "i"])
            return self.at(array, ["k" if array.dims == [m] else "i"])
        s, t = self.fresh("s"), self.fresh("s")
        self.put(f"{s} = int64(0)")
        self.put(f"{t} = {self.pick('int64(0)', 'float64(0)', 'float32(1)')}")
        self.put(f"for k in range({self.size(m)}):")
        self.depth += 1
        a, b = element(self.pick(*arrays)), element(self.pick(*arrays))
        narrow = self.pick(*kinds)
        for _ in range(self.pick(1, 2, 3)):
            v = self.pick(f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{narrow}({a}) + {narrow}({b})", f"{narrow}({a} * {b})", f"min({a}, {b})", f"max({a}, {b})",
                          f"({a} if {a} < {b} else {b})", f"{a} // {narrow}(3)", f"{a} % {narrow}(7)", f"{narrow}({a}) >> {narrow}({self.pick(1, 7)})",
                          f"{narrow}({a} << 3)", f"abs({narrow}({a}))", f"-{narrow}({b})", f"~{narrow}({a})")
            if self.chance(0.3):
                self.put(f"if {a} {self.pick('<', '>=', '==', '!=')} {self.pick(b, 0, 1, -1)}:")
                self.put(f"    {t} += {v}")
            else:
                self.put(f"{s} = int64({self.pick('int64', 'uint32', 'int8', 'uint64', 'int32')}({s}) {self.pick('+', '^', '-')} {narrow}({v}))")
            a, b = b, element(self.pick(*arrays))
        self.depth -= 1
        self.leave_result(s, "int64")
        self.leave_result(t, "float64")


@relaunched
def program(seed, options="", without=()):
    g = Corners(seed, without)
    getattr(g, g.random.choices(list(STEPS), list(STEPS.values()))[0])()
    return module(g, options, [] if g.exact and g.kind not in FLOATS else ["fma=False"])
