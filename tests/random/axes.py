"""Random kernels of arrays of three to five axes, of which some have constant indices, some are repeated by a stride
of 0 and some run backwards: loops over what lies behind a thread's own index, windows around it, rows that a block
shares, rows and tiles that are updated in place, two parameters that are one array or overlap, counters that sorted
and unsorted keys choose, device functions that take views and return early. Built of nest.py."""
import math
import struct

from nest import FLOATS, Nest, module, relaunched

KINDS = ["int32", "float32", "float64", "int64", "int8", "uint8", "int16", "uint16", "uint32", "uint64"]
LONG = [1, 2, 3, 4, 8, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129, 130, 200, 256, 257, 300, 500]
SIDES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 100, 127]
BLOCKS = {1: [(32,), (64,), (128,), (256,), (7,), (100,), (1,), (512,)],
          2: [(16, 16), (32, 8), (8, 8), (7, 5), (32, 1), (1, 64)],
          3: [(8, 8, 4), (4, 4, 4), (32, 2, 2), (5, 3, 2)]}


class Volume:
    """An array that is indexed by a list of texts."""

    def __init__(self, name, kind, dims):
        self.name, self.kind, self.dims = name, kind, list(dims)
        self.flat, self.order, self.low, self.high = False, list(range(len(dims))), None, None

    def at(self, *indices):
        return f"{self.name}[{', '.join(indices)}]"


class Axes(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick(*KINDS, "int32", "float32")
        self.special = self.kind in FLOATS and self.chance(0.3)
        self.plain = self.chance(0.55)              # nothing keeps passes from it
        if self.plain:
            self.kind = self.pick("int32", "float32", "float64", "int64", "int32", "uint8", "int16")

    # ---- parameters ------------------------------------------------------------------------------
    def data(self, kind, count, low=None, high=None):
        """At times with NaN, infinities and zeros of either sign."""
        if kind not in FLOATS or not self.special:
            return super().data(kind, count, low, high)
        code, bits = ("f", "i") if kind == "float32" else ("d", "q")
        ends = [0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, 0.0, -0.0] + [math.nan] * self.chance(0.5)
        words = [struct.unpack(bits, struct.pack(code, value))[0] for value in ends]
        words = [word for word in words if word > -2 ** 63]
        whole = "int32" if kind == "float32" else "int64"
        return f"array({words}, dtype={whole}).view({kind})[randint(0, {len(words)}, {count}, " \
               f"seed={self.random.randrange(10 ** 6)}, dtype=int32)]"

    def volume(self, stem, kind, dims, written=False, low=None, high=None):
        dims = list(dims)
        dress = self.pick("", "", "", "", "ahead", "every", "back", "turned", "fortran", "again")
        base, cut = list(dims), ""
        if self.plain and self.chance(0.9):
            dress = ""
        if dress == "ahead":
            first, last = ([self.pick(0, 0, 1, 2) for _ in dims] for _ in "ab")
            cut = "[" + ", ".join(f"{a}:{a + n}" for a, n in zip(first, dims)) + "]"
            base = [a + n + b for a, n, b in zip(first, dims, last)]
        elif dress == "every":
            steps = [self.pick(1, 1, 2, 3) for _ in dims]
            cut = "[" + ", ".join(f"::{s}" for s in steps) + "]"
            base = [n * s for n, s in zip(dims, steps)]
        elif dress == "back":
            cut = "[" + ", ".join(self.pick("::-1", ":") for _ in dims) + "]"
        elif dress == "turned":
            base, cut = dims[::-1], ".T"
        if not dress and self.or_else(False, True):                  # which begins elsewhere
            base[0], cut = base[0] + 1, "[1:]"
        shape = "(" + "".join(f"{n}, " for n in base) + ")"
        if written and self.chance(0.4):
            value = f"zeros({shape}, dtype={kind}" + (", order='F')" if dress == "fortran" else ")")
        else:
            value = self.data(kind, shape, low, high)
        if dress == "again" and not written and 0 not in dims:
            kept = [n if self.chance(0.6) else 0 for n in dims]      # 0: an axis that is repeated
            strides, step = [], int(kind.strip("uintfloa")) // 8
            for n in reversed(kept):
                strides.insert(0, step if n else 0)
                step *= n or 1
            whole = f"({step // (int(kind.strip('uintfloa')) // 8)},)"
            value = f"ndarray({shape}, {kind}, {self.data(kind, whole, low, high)}, 0, ({''.join(f'{s}, ' for s in strides)}))"
        made = Volume(self.give(stem, value + cut, written), kind, dims)
        made.low, made.high = low, high
        (self.outs if written else self.ins).append(made)
        return made

    def room(self, most, count, sides=SIDES):
        """So many extents whose product is no greater."""
        dims = []
        for _ in range(count):
            n = self.random.choice([s for s in sides if s * math.prod(d or 1 for d in dims) <= most])
            dims.append(n)
        self.random.shuffle(dims)
        return [self.sized(n) for n in dims]

    def place(self, dims, names):
        """Each thread has one element of these axes."""
        self.own, self.total = list(zip(names, dims)), math.prod(dims)
        self.axes = axes = 1 if len(dims) == 1 or len(dims) > 3 or self.chance(0.5) else len(dims)
        self.blockshape = self.or_else(self.pick(*BLOCKS[axes]), *BLOCKS[axes])
        order = list(range(axes))[::-1] if self.chance(0.7) else list(range(axes))
        need = [self.total] if axes == 1 else [dims[order[a]] for a in range(axes)]
        self.grid = [max(1, -(-n // b) + self.or_else(self.pick(0, 0, 0, 0, 1, 3), -1, 0, 2)) for n, b in zip(need, self.blockshape)]
        self.leave = "return"
        if axes > 1:
            self.put(f"{', '.join(names[order[a]] for a in range(axes))} = cuda.grid({axes})")
            ends = [f"{name} {{}} {self.size(n)}" for name, n in self.own]
            self.guard(" and ".join(e.format("<") for e in ends), " or ".join(e.format(">=") for e in ends))
        else:
            t = names[0] if len(dims) == 1 else "t"
            end = " * ".join(self.size(n) for n in dims)
            if self.chance(0.3):
                self.grid[0] = max(1, self.grid[0] // self.pick(1, 2, 5))
                self.put(f"for {t} in range(cuda.grid(1), {end}, cuda.gridsize(1)):")
                self.depth, self.leave = self.depth + 1, "continue"
            else:
                self.put(f"{t} = cuda.grid(1)")
                self.guard(f"{t} < {end}", f"{t} >= {end}")
            rest = t
            for d in range(len(dims) - 1, -1, -1):
                if len(dims) == 1:
                    break
                n = self.size(dims[d])
                if d:
                    self.put(f"{names[d]} = {rest} % {n}")
                    self.put(f"{'q' if d > 1 else names[0]} = {rest} // {n}")
                rest = "q"
        for name, n in self.own:
            self.env[name] = 0, n - 1

    def guard(self, inside, outside):
        if self.chance(0.5):
            self.put(f"if {inside}:")
            self.depth += 1
        else:
            self.put(f"if {outside}:")
            self.put("    return")

    def term(self, *loads):
        """Something of these elements, as the kind of the first."""
        a, b = self.pick(*loads), self.pick(*loads)
        kind = self.kind
        if kind in FLOATS:
            if self.exact:
                return self.pick(a, a, f"{a} + {b}", f"{a} - {b}", f"max({a}, {b})", f"abs({a})", f"({a} if {a} > {b} else {b})")
            return self.pick(a, a, f"{a} * {b}", f"{a} + {b}", f"min({a}, {b})", f"{a} / {b}", f"abs({a})", f"math.sqrt(abs({b}))")
        return self.pick(a, a, a, f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"max({a}, {b})", f"min({a}, {b})", f"{a} ^ {b}",
                         f"{a} // {self.divisor()}", f"{a} % {self.divisor()}", f"{a} >> {self.pick(1, 3)}", f"abs({a})", f"int8({a})",
                         f"uint8({b})", f"int32({a})", f"uint32({a})", f"({a} if {b} > {a} else {b})")

    def divisor(self):
        return self.pick(2, 3, 7, 8, 10) if self.kind[0] != "u" else f"{self.kind}({self.pick(2, 3, 7, 8)})"

    def zero(self, kind=None):
        return f"{kind or self.kind}({self.pick(0, 0, 0, 1)})"

    def range(self, n):
        """Iterations along an axis: the text, whether all of them."""
        s = self.size(n)
        form = self.pick("all", "all", "all", "all", "all", "rest", "inner", "down", "two")
        form = "all" if self.plain and self.chance(0.9) else form
        if form == "rest" and n > 1:
            return f"range(1, {s})"
        if form == "inner" and n > 2:
            return f"range(1, {s} - 1)"
        if form == "down":
            return f"range({s} - 1, -1, -1)"
        if form == "two":
            return f"range(0, {s}, 2)"
        return f"range({s})"

    def go_over(self, names, dims, all_of=False):
        for name, n in zip(names, dims):
            self.put(f"for {name} in {f'range({self.size(n)})' if all_of else self.range(n)}:")
            self.depth += 1
            self.env[name] = 0, n - 1

    # ---- what lies behind a thread's index -------------------------------------------------------
    def spread(self, indices, dims):
        """Indices and extents with constant ones among them."""
        indices, dims = list(indices), list(dims)
        while len(dims) < 5 and self.chance(0.45):
            where, n = self.random.randrange(len(dims) + 1), self.pick(1, 1, 2, 3)
            indices.insert(where, self.pick("0", "0", "0", str(n - 1), "-1"))
            dims.insert(where, n)
        return indices, dims

    def stretch(self):
        lead = self.room(3000, self.pick(1, 1, 2, 2, 3))
        most = min(3000, 200000 // max(1, math.prod(lead)))
        back = self.room(most, self.pick(1, 2, 2, 2, 3), LONG if self.plain else SIDES[1:] + [0])
        if self.plain and self.chance(0.6):         # so long that it pays to share them out
            lead = self.pick([5], [40], [200], [3, 4], [17, 33])
            back = self.pick([128, 4], [2, 129], [3, 3, 32], [100, 3], [16, 17], [8, 8, 8], [256], [300])
            lead, back = ([self.sized(n) for n in dims] for dims in (lead, back))
        self.place(lead, [f"i{d}" for d in range(len(lead))])
        names = [f"j{d}" for d in range(len(back))]
        own = [n for n, _ in self.own]
        at, dims = self.spread(own + names, lead + back)
        x = self.volume("x", self.kind, dims, self.chance(0.15 if self.plain else 0.35))
        loads = [x.at(*at)]
        for _ in range(self.pick(0, 1, 1, 2)):
            some, extents = self.pick((own + names, lead + back), (names, back), (own[:1] + names, lead[:1] + back), (own + names[:1], lead + back[:1]))
            if self.chance(0.3):
                mixed = list(zip(some, extents))
                self.random.shuffle(mixed)
                some, extents = [m[0] for m in mixed], [m[1] for m in mixed]
            some, extents = self.spread(some, extents)
            y = self.volume("y", self.kind if self.chance(0.8) else self.pick(*[k for k in KINDS if (k in FLOATS) == (self.kind in FLOATS)]), extents)
            if (y.kind[0] == "u") == (self.kind[0] == "u"):
                loads.append(y.at(*some))
        head = self.depth
        written = x in self.outs
        accs = self.begin_sums()
        for _ in range(self.pick(1, 1, 1, 2)):
            order = list(range(len(back)))
            if self.chance(0.2):
                self.random.shuffle(order)
            kept = self.depth
            self.go_over([names[o] for o in order], [back[o] for o in order], self.chance(0.7))
            begin = len(self.lines)
            self.inside(x, at, loads, accs, names, own, lead, back, written)
            if len(self.lines) == begin or self.lines[-1].endswith(":"):
                self.put("pass")
            self.depth = kept
        self.depth = head
        for acc, kind in accs.items():
            o = self.volume("o", kind, lead, True)
            self.put(f"{o.at(*own)} {self.pick('=', '=', '=', '=', '+=')} {acc}")

    def begin_sums(self):
        accs = {}
        for _ in range(self.pick(1, 1, 2) if self.plain else self.pick(0, 1, 1, 2)):
            kind = self.kind if self.kind in FLOATS else self.pick("int64", "int64", "int32") if self.kind[0] != "u" else "uint64"
            kind = "float64" if kind == "float32" and self.chance(0.2) else kind
            acc = self.fresh("s")
            accs[acc] = kind
            self.put(f"{acc} = {self.zero(kind)}")
        return accs

    def inside(self, x, at, loads, accs, names, own, lead, back, written):
        if self.chance(0.06 if self.plain else 0.25):
            self.put(f"if {self.pick(*loads)} {self.pick('<', '>', '==', '!=')} {self.pick(*loads, self.zero())}:")
            self.put("    " + self.pick("continue", "continue", "break"))
        if self.chance(0.2):
            self.put(f"if {self.pick(*names)} {self.pick('<', '>=', '!=')} {self.pick(*own, 1, 3)}:")
            self.depth += 1
        for acc in accs:
            form = self.pick("sum", "sum", "min", "max", "where", "if")
            v = self.term(*loads)
            if form == "where" and accs[acc] not in FLOATS and accs[acc][0] != "u":
                self.put(f"if {v} > {acc}:")
                self.put(f"    {acc} = {self.pick('int64', 'int32')}({' + '.join(names)})")
            elif form in ("min", "max"):
                self.put(f"{acc} = {form}({acc}, {accs[acc]}({v}))")
            elif form == "if":
                self.put(f"if {v} {self.pick('<', '>')} {acc}:")
                self.put(f"    {acc} = {v}" if accs[acc][0] == self.kind[0] else f"    {acc} = {accs[acc]}({v})")
            else:
                self.put(f"{acc} += {v}" if accs[acc] in FLOATS or accs[acc][0] != "u" else f"{acc} += uint64({v})")
        roll = self.random.random() * (2 if self.plain and accs else 1)
        if written:
            self.put(f"{x.at(*at)} {self.pick('=', '+=', '-=')} {self.term(*loads)}")
        elif roll < 0.35:
            some, extents = self.spread(own + names, lead + back)
            o = self.volume("o", self.kind if self.chance(0.6) else self.pick(*KINDS), extents, True)
            v = self.term(*loads) if self.chance(0.8) or not accs else self.pick(*accs)
            o_at = o.at(*some)
            self.put(f"{o_at} = {v}" if o.kind in FLOATS or self.kind not in FLOATS else f"{o_at} = {self.pick(*names)}")
        elif roll < 0.5:
            n, kind = self.pick(1, 3, 16, 300), self.pick("int32", "int64", "uint32")
            h = self.volume("h", kind, [n], True)
            key = self.pick(f"({' + '.join(names)}) % {self.size(n)}", f"-1 - {names[0]} % {n}", f"{own[0]} % {n}")
            self.put(f"cuda.atomic.{self.pick('add', 'add', 'max', 'min')}({h.name}, {key}, {self.pick(1, 2, names[0])})")

    # ---- windows ---------------------------------------------------------------------------------
    def near(self, name, n, delta, r):
        """An index beside an own one that lies within, by a clamp, a remainder or the end it is counted from."""
        s, at = self.size(n), f"{name} + {delta}"
        forms = [f"min(max({at}, 0), {s} - 1)", f"max(min({at}, {s} - 1), 0)", f"({at}) % {s}", f"({at} + {s} * {r}) % {s}",
                 f"({at} if 0 <= {at} < {s} else {name})", f"(-({at}) - 1 if {at} < 0 else (2 * {s} - 1 - ({at}) if {at} >= {s} else {at}))"]
        return self.pick(*(forms if r < n else forms[:5]))

    def windows(self):
        rank = self.pick(1, 2, 2, 2, 3)
        dims = self.room(6000, rank, SIDES[1:])
        names = "zyx"[-rank:]
        self.place(dims, list(names))
        lead = [self.pick(1, 2, 3)] if self.chance(0.4) else []
        x = self.volume("x", self.kind, lead + dims)
        o = self.volume("o", self.kind if self.chance(0.8) else self.pick(*KINDS[:4]) if self.kind not in FLOATS else "float64", lead + dims, True)
        head = self.depth
        if lead:
            self.go_over(["c"], lead, True)
        first = ["c"] if lead else []
        kind = self.kind if self.kind in FLOATS else "int64" if self.kind[0] != "u" else "uint64"
        self.put(f"s = {self.zero(kind)}")
        r = self.pick(1, 1, 2, 3)
        kept, places, conditions = self.depth, [], []
        whole = self.chance(0.2)
        for name, n in zip(names, dims):
            if self.chance(0.25) and rank > 1:
                places.append(name)
                continue
            if self.chance(0.3):
                self.put(f"for q{name} in range(max({name} - {r}, 0), min({name} + {r} + 1, {self.size(n)})):")
                self.depth += 1
                places.append(f"q{name}")
                continue
            self.put(f"for d{name} in range(-{r}, {r} + 1):")
            self.depth += 1
            if whole:
                self.put(f"q{name} = {name} + d{name}")
                conditions.append(self.pick(f"0 <= q{name} < {self.size(n)}", f"q{name} >= 0 and q{name} < {self.size(n)}"))
                places.append(f"q{name}")
            else:
                places.append(self.near(name, n, f"d{name}", r))
        if conditions:
            self.put(f"if {' and '.join(conditions)}:")
            self.depth += 1
        loads = [x.at(*first, *places)]
        if self.chance(0.4):
            loads.append(x.at(*first, *names))
        v = self.term(*loads)
        self.put(self.pick(f"s += {kind}({v})", f"s = max(s, {kind}({v}))", f"s = min({kind}({v}), s)"))
        self.depth = kept
        self.put(f"{o.at(*first, *names)} {self.pick('=', '=', '+=')} {'s' if o.kind in FLOATS or kind not in FLOATS else 'int64(1)'}")
        self.depth = head

    # ---- many threads along two axes -------------------------------------------------------------
    def broad(self):
        """So many that tiles are large: sums of rows and columns, windows of planes, elements updated in place."""
        dims, planes = [self.pick(257, 600, 640, 701, 1000, 1024), self.pick(260, 512, 700, 777, 1023, 1100)], self.pick(1, 2, 3)
        self.exact = True
        self.plain = True
        self.place(dims, ["y", "x"])
        x = self.volume("x", self.kind, dims if planes == 1 else [planes] + dims)
        o = self.volume("o", self.kind if self.chance(0.7) or self.kind in FLOATS else "int64", dims if self.chance(0.7) else [2] + dims, True)
        own = o.at(*[self.pick("0", "1", "-1")] * (len(o.dims) - 2), "y", "x")
        for _ in range(self.pick(1, 1, 2)):
            self.put(f"s = {self.zero('int64' if self.kind not in FLOATS else self.kind)}")
            head = self.depth
            if self.chance(0.5):
                m = self.pick(3, 4, 9, 16, 33)
                a, b = self.volume("a", self.kind, [dims[0], m]), self.volume("b", self.kind, [m, dims[1]] if self.chance(0.7) else [dims[1], m])
                self.put(f"for k in range({self.size(m)}):")
                self.depth += 1
                loads = [a.at("y", "k"), b.at("k", "x") if b.dims[0] == m else b.at("x", "k")]
                if self.chance(0.3):
                    self.put(f"if {self.pick(*loads)} > {self.zero()}:")
                    self.depth += 1
                v = f"{loads[0]} {self.pick('*', '+', '-')} {loads[1]}"
                self.put(f"{own} {self.pick('+=', '-=')} {v}" if self.chance(0.5) else f"s += {v}")
            else:
                r = self.pick(1, 1, 2)
                if planes > 1:
                    self.put(f"for c in range({self.size(planes)}):")
                    self.depth += 1
                at = []
                for name, n in zip("yx", dims):
                    if self.chance(0.3):
                        at.append(name)
                        continue
                    self.put(f"for d{name} in range({-r}, {r + 1}):")
                    self.depth += 1
                    at.append(self.near(name, n, f"d{name}", r))
                self.put(f"s += {x.at(*['c'] * (planes > 1), *at)}")
            self.depth = head
            self.put(f"{own} {self.pick('=', '+=', '-=', '=')} s" if self.chance(0.7) else f"{own} = {own} * 2 + s")
            if self.chance(0.3):
                p = self.volume("p", self.kind, dims, True)
                self.put(f"{p.at('y', 'x')} {self.pick('=', '+=')} {self.pick(own, 's')}" if self.kind not in FLOATS or p.kind == o.kind else "pass")

    # ---- runs of keys ----------------------------------------------------------------------------
    def runs(self):
        self.exact, self.special = True, False      # floats are added up in any order
        n, groups = self.pick(1, 31, 33, 1000, 5000, 30000), max(1, self.pick(1, 2, 40, 5000, 9000, 20000))
        self.place([n], ["i"])
        form = self.pick("sorted", "sorted", "ends", "any", "negative")
        low, high = (-groups, groups - 1) if form == "negative" else (0, groups - 1)
        kind = self.pick("int32", "int64", "int32", "uint32" if low == 0 else "int32")
        text = {"sorted": f"arange({n}, dtype=int64) * {groups} // {max(n, 1)}", "ends": f"(arange({n}, dtype=int64) // {self.pick(1, 40, 64)}) % 2 * {groups - 1}"}.get(form)
        value = f"({text}).astype({kind})" if text else self.data(kind, f"({n},)", low, high)
        key = Volume(self.give("key", value), kind, [n])
        wide = self.pick([], [], [], [self.pick(1, 2, 3)])
        e = self.pick("int32", "int64", "uint32", "uint64", "float32", "float64")
        h = self.volume("h", e, [groups] + wide, True)
        x = self.volume("x", self.pick("int32", "uint8", "int64", "int16"), [n])
        k = key.at("i")
        if self.chance(0.3):
            self.put(f"k = {k}")
            k = "k"
        if self.chance(0.3):
            self.put(f"if {x.at('i')} {self.pick('>', '<', '!=')} {self.pick(0, 2)}:")
            self.depth += 1
        kept = self.depth
        if wide:
            self.go_over(["c"], wide, True)
            index = f"({k}, c)"
        else:
            index = k
        small = f"{x.at('i')} % 8"
        v = self.pick("1", "1", f"{e}(1)", small, small, f"{e}(2)", "i % 4")
        ops = ["add", "add", "add", "sub", "max", "min"] if e not in FLOATS else ["add", "add", "max"]
        self.put(f"cuda.atomic.{self.pick(*ops)}({h.name}, {index}, {e + '(' + v + ')' if e[0] == 'u' else v})")
        self.depth = kept
        if self.chance(0.35):
            other = self.volume("g", self.pick("int32", "int64"), [groups], True)
            self.put(f"cuda.atomic.{self.pick('add', 'max')}({other.name}, {key.at('i')}, {self.pick('1', small)})")
        if self.chance(0.3):
            o = self.volume("o", "int64", [n], True)
            self.put(f"{o.at('i')} = {k} + {x.at('i')}")

    # ---- a block a row ---------------------------------------------------------------------------
    def teams(self):
        rows, back = max(1, self.sized(self.pick(1, 2, 17, 40))), self.room(1500, self.pick(1, 1, 2, 2), LONG if self.plain else SIDES[1:])
        self.axes = self.pick(1, 1, 2) if len(back) == 2 else 1
        self.blockshape = self.pick(*BLOCKS[self.axes])
        self.grid = [rows + self.pick(0, 0, 2)] + [1] * (self.axes - 1)
        self.own, self.env["r"] = [("r", rows)], (0, rows - 1)
        names = ["j", "k"][:len(back)]
        at, dims = self.spread(["r"] + names, [rows] + back)
        x = self.volume("x", self.kind, dims, self.chance(0.5))
        y = self.volume("y", self.kind, [rows] + back)
        bins = max(1, self.sized(self.pick(1, 3, 16, 100)))
        e = self.pick("int32", "int64", "uint32")
        h = self.volume("h", e, [rows, bins], True)
        o = self.volume("o", self.kind, [rows] + back, True)
        self.put("r = cuda.blockIdx.x")
        early = self.chance(0.5)
        if self.grid[0] > rows or self.chance(0.3):
            if early:
                self.put(f"if r >= {self.size(rows)}:")
                self.put("    return")
            else:
                self.put(f"if r < {self.size(rows)}:")
                self.depth += 1
        head = self.depth
        for phase in range(self.pick(1, 2, 2, 3)):
            self.shared_loops(names, back)
            loads = [x.at(*at), y.at("r", *names)] + ([o.at("r", *names)] if phase else [])
            if phase and self.chance(0.4):
                mirror = ["r"] + [f"{self.size(n)} - 1 - {name}" for name, n in zip(names, back)]
                loads = [y.at("r", *names), o.at(*mirror) if self.kept_o else y.at(*mirror)]
            if self.chance(0.4):
                key = f"({' + '.join(names)}) % {self.size(bins)}"
                self.put(f"cuda.atomic.{self.pick('add', 'add', 'max')}({h.name}, (r, {key}), {e}({self.pick('1', names[0])}))")
            target = x.at(*at) if x in self.outs and self.chance(0.6) else o.at("r", *names)
            self.kept_o = not target.startswith("o") and phase > 0
            self.put(f"{target} {self.pick('=', '=', '+=')} {self.term(*loads[:2])}" if not target.startswith("o")
                     else f"{target} = {self.term(*[x.at(*at), y.at('r', *names)])}")
            self.depth = head
            self.put("cuda.syncthreads()")
        if self.chance(0.5):
            g = self.volume("g", "int64", [rows, bins], True)
            one = "cuda.threadIdx.x" if self.axes == 1 else "cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x"
            self.put(f"for b in range({one}, {self.size(bins)}, {math.prod(self.blockshape)}):")
            self.put(f"    {g.at('r', 'b')} = int64({h.at('r', 'b')})")

    def shared_loops(self, names, back):
        if self.axes == 2:
            self.put(f"for j in range(cuda.threadIdx.y, {self.size(back[0])}, cuda.blockDim.y):")
            self.put(f"    for k in range(cuda.threadIdx.x, {self.size(back[1])}, {self.pick('cuda.blockDim.x', str(self.blockshape[0]))}):")
            self.depth += 2
        elif len(names) == 1:
            self.put(f"for j in range(cuda.threadIdx.x, {self.size(back[0])}, cuda.blockDim.x):")
            self.depth += 1
        else:
            self.put(f"for t in range(cuda.threadIdx.x, {self.size(back[0])} * {self.size(back[1])}, cuda.blockDim.x):")
            n = self.size(back[1])
            self.put(f"    j = t // {n}")
            self.put(f"    k = t % {n}")
            self.depth += 1

    # ---- in place --------------------------------------------------------------------------------
    def places(self):
        """Rows of a thread's own, through two names for one array at times."""
        rows = self.room(2000, self.pick(1, 1, 2), LONG if self.plain else SIDES[1:])
        m = self.pick(1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 128, 200)
        names = ["i", "j"][:len(rows)]
        self.place(rows, names)
        turned = self.chance(0.25)
        dims = [m] + rows if turned else rows + [m]
        a = self.volume("a", self.kind, dims, True)
        overlap = self.pick("none", "same", "ahead", "part")
        shift = 0
        if overlap == "none" or m < 3:
            b = self.volume("b", self.kind, dims, self.chance(0.5))
            overlap = "none"
        else:
            cut = {"same": "", "ahead": "1:", "part": ":-1"}[overlap]
            text = f"[{', '.join([cut] + [':'] * len(rows) if turned else [':'] * len(rows) + [cut])}]" if cut else ""
            short = m - (overlap != "same")
            own = f"{self.data(self.kind, '(' + ''.join(f'{n}, ' for n in dims) + ')')}{text}"
            b = Volume(self.give("b", self.or_else(a.name + text, own)), self.kind, [short] + rows if turned else rows + [short])
            self.ins.append(b)
            shift = m - short
        get = (lambda v, k: v.at(k, *names)) if turned else (lambda v, k: v.at(*names, k))
        n = m - shift
        self.env = {name: self.env[name] for name in names}
        if self.chance(0.3):
            self.put(f"for step in range({self.pick(1, 2, 3)}):")
            self.depth += 1
        s = self.size(n)
        forms = [(f"range({s})", ["k", f"{s} - 1 - k", "0"]), (f"range(1, {s})", ["k", "k - 1", f"{s} - k"]), (f"range({s} - 1, -1, -1)", ["k", "-1 - k"]),
                 (f"range({s} - 2, -1, -1)", ["k", "k + 1"]), (f"range(0, {s} - 1, 2)", ["k", "k + 1"]), (f"range({s} // 2)", ["k", f"{s} - 1 - k"])]
        for _ in range(self.pick(1, 1, 2, 3)):
            text, at = self.pick(*forms)
            self.put(f"for k in {text}:")
            v = self.term(get(a, self.pick(*at)), get(b, self.pick(*at)), get(b, "k"))
            target = a if self.chance(0.6) or b in self.ins and overlap == "none" else b
            if self.chance(0.2):
                self.put(f"    u = {get(a, at[0])}")
                self.put(f"    {get(a, at[0])} = {get(a, at[1])}")
                self.put(f"    {get(a, at[1])} = u")
                continue
            if self.chance(0.2):
                self.put(f"    if {get(b, self.pick(*at))} {self.pick('<', '>')} {get(a, 'k')}:")
                self.put("        " + self.pick("continue", "break", f"{get(target, 'k')} = {v}"))
            self.put(f"    {get(target, self.pick(at[0], at[0], at[0], at[1]))} {self.pick('=', '=', '+=', '-=')} {v}")

    # ---- functions of views ----------------------------------------------------------------------
    def calls(self):
        n, dims = self.sized(self.pick(1, 17, 64, 300)), self.room(400, self.pick(1, 2), SIDES[1:])
        self.place([n], ["i"])
        at, shape = ["i"] + [":"] * len(dims), [n] + dims
        if self.chance(0.4):
            at, shape = [":"] * len(dims) + ["i"], dims + [n]
        x = self.volume("x", self.kind, shape, self.chance(0.4))
        y = self.volume("y", self.kind, shape)
        f, names = self.fresh("f"), ["j", "k"][:len(dims)]
        kind = self.kind if self.kind in FLOATS else "int64" if self.kind[0] != "u" else "uint64"
        lines, depth = [f"def {f}(v, w, most):", f"    s = {kind}(0)"], 1
        for d, name in enumerate(names):
            lines.append("    " * depth + f"for {name} in range({self.pick(f'v.shape[{d}]', f'w.shape[{d}]')}):")
            depth += 1
        e, g = f"v[{', '.join(names)}]", f"w[{', '.join(names)}]"
        back = f"w[{', '.join(f'-1 - {name}' for name in names)}]"
        loads = [e, g, back]
        if self.chance(0.5):
            lines += ["    " * depth + f"if {self.pick(e, g)} > most:", "    " * depth + f"    return {self.pick('s', kind + '(most)', kind + '(' + e + ')')}"]
        if x in self.outs:
            lines.append("    " * depth + f"{e} {self.pick('=', '+=')} {self.term(*loads)}")
        lines.append("    " * depth + f"s += {kind}({self.term(*loads)})")
        lines.append(f"    return {self.pick('s', 's', 's + s')}")
        self.defs += [*self.pick([], ["@cuda.jit(device=True)"]), *lines, "", ""]
        view = f"[{', '.join(at)}]" if at[0] == ":" or self.chance(0.5) else "[i]"
        backward = view if self.chance(0.7) else "[" + ", ".join("::-1" if a == ":" else a for a in at) + "]"
        o = self.volume("o", kind, [n], True)
        most = self.give("most", f"{self.kind}({self.pick(1, 3, 100)})")
        self.put(f"{o.at('i')} = {f}({x.name}{view}, {y.name}{backward}, {most})")
        if self.chance(0.4):
            p = self.volume("p", kind, [n], True)
            self.put(f"{p.at('i')} {self.pick('=', '+=')} {f}({self.pick(x.name, y.name) if x not in self.outs else y.name}{view}, {y.name}{view}, {most})"
                     if x not in self.outs else f"{p.at('i')} = {o.at('i')}")


@relaunched
def program(seed, options="", without=()):
    g = Axes(seed, without)
    g.pick(g.stretch, g.stretch, g.stretch, g.windows, g.runs, g.teams, g.places, g.places, g.calls, g.broad)()
    if not any(written for _, _, written in g.params):
        o = g.volume("o", "int64", [1], True)
        g.depth = 0
        g.put(f"if cuda.grid({g.axes}) == {0 if g.axes == 1 else '(' + ', '.join('0' * g.axes) + ')'}:")
        g.put(f"    {o.at('0')} = 1")
    return module(g, options, [] if g.exact else ["fma=False"])
