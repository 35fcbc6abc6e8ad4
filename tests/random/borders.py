"""Random kernels of windows as pooling, convolutions and stencils have them: strides, paddings and dilations that are
numbers or arguments, ends that are clipped by the loop, by conditions, by clamps, by remainders, in flat and other
arrays, with channels in front or behind. Built of nest.py."""
from nest import FLOATS, Nest, module, relaunched


class Borders(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.calm = True
        self.kind = self.pick("float32", "float32", "int32", "float64", "uint8", "int64", "int16")

    def number(self, n):
        """A small number as people write it: itself, or an argument."""
        if self.chance(0.6):
            return str(n)
        return self.give("p", f"{self.pick('int64', 'int64', 'int32')}({n})")

    def place(self):
        rank = self.pick(1, 2, 2, 2, 3, 3)
        sizes = [1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 40, 64, 65, 100]
        dims = [self.pick(*(sizes + [200, 257]))] if rank == 1 else [self.pick(*sizes), self.pick(*sizes)] if rank == 2 else \
            [self.pick(1, 2, 3), self.pick(*sizes[:10]), self.pick(*sizes[:12])]
        names = ["j"] if rank == 1 else ["i", "j"] if rank == 2 else ["c", "i", "j"]
        self.own = list(zip(names, dims))
        self.total = 1
        for d in dims:
            self.total *= d
        flat = rank > 1 and self.chance(0.3)
        self.axes = axes = 1 if flat else rank
        self.blockshape = self.pick(*{1: [(32,), (64,), (256,), (7,)], 2: [(16, 16), (32, 8), (8, 8), (32, 4)], 3: [(8, 8, 4), (32, 4, 1), (16, 16, 1)]}[axes])
        order = list(range(axes))[::-1] if self.chance(0.75) else list(range(axes))
        need = [self.total] if axes == 1 else [dims[order[a]] for a in range(axes)]
        self.grid = [max(1, -(-need[a] // self.blockshape[a])) for a in range(axes)]
        if axes == 1:
            t = "t" if flat else names[0]
            limit = " * ".join(self.size(d) for d in dims)
            self.put(f"{t} = cuda.grid(1)")
            if self.chance(0.5):
                self.put(f"if {t} < {limit}:")
                self.depth = 1
            else:
                self.put(f"if {t} >= {limit}:")
                self.put("    return")
            if flat:
                self.decode(t, names, dims)
        else:
            self.put(f"{', '.join(names[order[a]] for a in range(axes))} = cuda.grid({axes})")
            self.stay_inside()
        for name, d in self.own:
            self.env[name] = 0, d - 1

    def window(self, name, n, v):
        """A loop over a window around an own place: lines, the place's text, a condition (or None), lines behind it."""
        k, s, p, d = self.pick(1, 2, 3, 3, 5, 4, 7), self.pick(1, 1, 1, 2, 2, 3), self.pick(0, 0, 1, 1, 2), self.pick(1, 1, 1, 1, 2)
        e = n * s + self.pick(0, 0, -1, 1, k - 2 * p - s)          # of the input
        e = max(1, e)
        E, K, S, P, D = self.size(e) if False else None, self.number(k), self.number(s), self.number(p), self.number(d)
        at = name if s == 1 and S == "1" else f"{name} * {S}"
        first = at if p == 0 and P == "0" else f"{at} - {P}"
        step = v if d == 1 and D == "1" else f"{v} * {D}"
        return k, s, p, d, e, K, first, step

    def body(self):
        inner = self.own[-2:] if len(self.own) > 1 and self.chance(0.8) else self.own[-1:]
        lead = self.own[:len(self.own) - len(inner)]
        sets = [self.window(n, m, v) for (n, m), v in zip(inner, "uv")]
        channels = self.pick(0, 0, 0, 3, 4, 5)
        dims = [m for _, m in lead] + [w[4] for w in sets]
        back = channels and self.chance(0.5)
        dims = dims + [channels] if back else ([channels] if channels else []) + dims
        x = self.array("x", self.kind, dims)
        f = self.array("f", self.kind, [w[0] for w in sets]) if self.chance(0.5) else None
        out_dims = [m for _, m in self.own]
        o = self.array("out", self.kind if self.chance(0.7) else self.pick("int64", "float64") if self.kind not in FLOATS else self.kind, out_dims, True)
        ak = self.kind if self.kind in FLOATS else self.pick("int64", "int32")
        op = self.pick("sum", "sum", "max", "min", "count", "arg")
        self.put(f"acc = {ak}({self.pick(0, 0, -100 if op == 'max' else 1)})")
        self.put("n = 0")
        where, conditions, weights = [], [], []
        depth_before = self.depth
        if channels and self.chance(0.7):
            self.put(f"for q in range({self.size(channels)}):")
            self.depth += 1
            channel = "q"
        else:
            channel = str(self.random.randrange(channels)) if channels else None
        waiting = []
        for (name, m), v, w in zip(inner, "uv", sets):
            k, s, p, d, e, K, first, step = w
            E = f"{x.name}.shape[{x.order.index(x.dims.index(e))}]" if not x.flat and self.chance(0.5) else self.size(e)
            lead_text = first if first.isidentifier() else f"({first})"
            form = self.pick("clip", "clip", "ask", "ask", "clamp", "wrap", "offset", "var")
            if form == "clip":                       # the loop is clipped
                lo, hi = self.pick(f"max({first}, 0)", f"max(0, {first})"), self.pick(f"min({first} + {K}, {E})", f"min({E}, {first} + {K})")
                if self.chance(0.25):
                    self.put(f"lo{v} = {lo}")
                    self.put(f"hi{v} = {hi}")
                    lo, hi = f"lo{v}", f"hi{v}"
                self.put(f"for {v} in range({lo}, {hi}):")
                self.depth += 1
                where.append(v)
                weights.append(f"{v} - {lead_text}" if first.isidentifier() else f"{v} - ({first})")
            elif form == "ask":
                self.put(f"for {v} in range({K}):")
                self.depth += 1
                y = f"y{v}"
                self.put(f"{y} = {first} + {step}")
                c = self.pick(f"0 <= {y} < {E}", f"{y} >= 0 and {y} < {E}", f"not ({y} < 0 or {y} >= {E})", f"{y} > -1 and {y} <= {E} - 1")
                if self.chance(0.5):
                    self.put(f"if {c}:")
                    self.depth += 1
                elif self.chance(0.5):
                    self.put(f"if {y} < 0 or {y} >= {E}:")
                    self.put("    continue")
                else:
                    waiting.append(c)
                where.append(y)
                weights.append(v)
            elif form == "offset":                   # from -r to r
                r = self.pick(1, 1, 2)
                if w[0] < 2 * r + 1 and f:
                    r = 0 if w[0] < 3 else 1
                self.put(f"for {v} in range(-{r}, {r} + 1):")
                self.depth += 1
                base = name if name.isidentifier() else f"({name})"
                c = f"{base} + {v} >= 0 and {base} + {v} < {E}"
                self.put(f"if {c}:")
                self.depth += 1
                where.append(f"{base} + {v}")
                weights.append(f"{v} + {r}")
            else:
                self.put(f"for {v} in range({K}):")
                self.depth += 1
                y = f"{first} + {step}"
                where.append(self.pick(f"min(max({y}, 0), {E} - 1)", f"max(0, min({E} - 1, {y}))") if form == "clamp" else f"({y}) % {E}" if form == "wrap" else f"abs({y}) % {E}")
                weights.append(v)
            if self.chance(0.1):
                self.put(f"n += 1")
        if waiting:
            self.put("if " + " and ".join(waiting) + ":")
            self.depth += 1
        texts = [n for n, _ in lead] + where
        texts = texts + [channel] if back else ([channel] if channels else []) + texts
        e = self.at(x, texts)
        if f is not None and self.chance(0.8):
            wt = self.at(f, weights)
            e = f"{e} * {wt}" if self.exact or self.kind not in FLOATS or self.chance(0.7) else f"({e} - {wt})"
        if self.kind == "uint8" and "*" in e:
            e = f"int64({e})"
        if op == "sum":
            self.put(f"acc += {e}")
        elif op in ("max", "min"):
            self.put(f"acc = {op}(acc, {e})" if self.chance(0.6) else f"if {e} {'>' if op == 'max' else '<'} acc:\n" + "    " * (self.depth + 2) + f"acc = {e}")
        elif op == "count":
            self.put(f"if {e} > {self.pick(0, 2)}:")
            self.put("    n += 1")
            self.put(f"    acc += {e}")
        else:
            self.put(f"if {e} > acc:")
            self.put(f"    acc = {e}")
            self.put(f"    n = {self.pick('v', 'u') if len(inner) > 1 else 'u'} + 1")
        self.put("n += 1") if op in ("sum",) and self.chance(0.6) else None
        self.depth = depth_before
        own = [n for n, _ in self.own]
        target = self.at(o, own)
        if op == "sum" and self.kind in FLOATS and not self.exact and self.chance(0.4):
            self.put("if n > 0:")
            self.put(f"    {target} = acc / n")
        else:
            self.put(f"{target} {self.pick('=', '=', '+=')} acc")
        if op in ("count", "arg") or self.chance(0.2):
            o2 = self.array("cnt", "int64", out_dims, True)
            self.put(f"{self.at(o2, own)} = n")


@relaunched
def program(seed, options="", without=()):
    g = Borders(seed, without)
    g.place()
    g.body()
    return module(g, options, [] if g.exact else ["fma=False"])
