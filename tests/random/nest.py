"""What random kernels of several generators are built of (nests.py, folds.py, ...): parameters, indices, values.

Every integer at hand has an interval, so that every index lies in its array. A thread stores to its own elements.
Products of floats are exact or the kernel is compiled without fma."""
import functools
import random

from draw import Draw, Program

INTS = ["int32", "int64", "uint8", "int16", "uint32", "int8", "uint64", "uint16"]
FLOATS = ["float32", "float64"]
OWN = [1, 2, 3, 5, 7, 16, 17, 31, 32, 33, 40, 64, 65, 100, 128, 129, 130, 200, 257, 300, 513]
INNER = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 129, 130, 160, 200, 256, 257]
OTHERS = [12, 16, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 160, 255, 256, 300, 512]
MOST_WORK = 1500000


class Array:
    def __init__(self, name, kind, dims, flat, order, low=None, high=None):
        self.name, self.kind, self.dims, self.flat, self.order = name, kind, dims, flat, order
        self.low, self.high = low, high


class Nest(Draw):
    variant = 0                      # of the launches of one kernel
    pool = kind_at_best = None       # extents, and the type of elements, that let kernels share arrays

    def __init__(self, seed, without):
        self.other = random.Random(f"{seed} {self.variant}") if self.variant else None
        self.sizes = {}
        super().__init__(seed, without)
        self.exact = self.chance(0.5)
        self.params, self.defs, self.scalars, self.lines = [], [], {}, []
        self.env = {}                # integers at hand: (low, high)
        self.values = {}             # variables of values: kind
        self.ins, self.outs, self.locals, self.funs, self.counts = [], [], [], [], []
        self.depth, self.work, self.loop_depth = 0, 1, 0
        self.own = []                # (name, extent)
        self.bases = {}
        self.leave = None
        self.literal = 0 if seed % 2 else 0.3        # how often an extent is a number
        self.kind = self.pick("float32", "float32", "float32", "float64", "int32", "int64", "uint8", "int16", "uint32", "int8")
        self.calm = self.chance(0.65)
        self.budget = self.random.randrange(2, 6) if self.calm else self.random.randrange(4, 14)

    # ---- other launches of a kernel --------------------------------------------------------------
    def sized(self, n):
        """An extent, or what stands for it in another launch: the same for those that were the same."""
        if self.pool and not self.other:
            return min(self.pool, key=lambda m: abs(m - n)) if n else 0
        if self.other and n not in self.sizes:
            near = [n, n - 1, n + 3, n + n % 2] if n > 999 else [m for m in (*range(1, 10), *OTHERS) if m <= 2 * n + 3]
            free = [m for m in near if m not in self.sizes.values()]
            self.sizes[n] = self.other.choice(free or [n]) if n else 0
        return self.sizes.get(n, n)

    def pick(self, *things):
        """Of many integers, some of them large, extents."""
        made = super().pick(*things)
        if self.pool and self.kind_at_best in things and self.chance(0.8):
            return self.kind_at_best
        extents = (self.other or self.pool) and len(things) > 4 and all(type(n) is int for n in things) and max(things) > 16
        extents = extents and not (self.pool and self.chance(0.1))     # some draw until one is small
        return self.sized(made) if extents else made

    def or_else(self, value, *others):
        """At times another value in another launch."""
        return self.other.choice(others) if self.other and self.other.random() < 0.4 else value

    # ---- text ------------------------------------------------------------------------------------
    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def give(self, stem, value, written=False):
        name = self.fresh(stem)
        self.params.append((name, value, written))
        return name

    def size(self, n):
        """An extent's text."""
        forms = [str(n)] if self.chance(self.literal) else []
        forms += [f"{a.name}.shape[{a.order.index(d)}]" for a in self.ins + self.outs if not a.flat
                  for d, m in enumerate(a.dims) if m == n][:4]
        if not forms or self.chance(0.35):
            key = n, self.pick("int64", "int64", "int32", "uint32" if self.chance(.2) else "int64")
            if key not in self.scalars:
                self.scalars[key] = self.give("n", f"{key[1]}({n})")
            return self.scalars[key]
        return self.pick(*forms)

    def data(self, kind, count, low=None, high=None):
        seed = self.random.randrange(10 ** 6)
        if kind in FLOATS:
            if self.exact:
                return f"randint(-7, 8, {count}, seed={seed}, dtype=int32).astype({kind})"
            return f"normal({count}, seed={seed}, dtype={kind})"
        if low is None:
            bits = int(kind.strip("uint"))
            most = self.pick(3, 100, 2 ** min(bits - 1, 40) - 1)
            most = min(most, 2 ** (bits - 1) - 1)
            low, high = (0 if kind[0] == "u" else -most), most
        return f"randint({low}, {high + 1}, {count}, seed={seed}, dtype={kind})"

    def array(self, stem, kind, dims, written=False, low=None, high=None):
        flat = self.chance(0.45) or len(dims) > 4
        order = list(range(len(dims)))
        if self.chance(0.12 if self.calm else 0.25):
            self.random.shuffle(order)
        total = 1
        for d in dims:
            total *= d
        shape = [dims[d] for d in order]
        dress = "" if self.calm and self.chance(0.85) else self.pick("", "", "", "", "", "ahead", "every", "back", "turned") if not flat else self.pick("", "", "", "ahead", "every", "back")
        if flat:
            base, cut, re = total, {"ahead": f"[{(a := self.pick(1, 1, 2, 3))}:]", "every": "[::2]", "back": "[::-1]"}.get(dress, ""), ""
            base += a if dress == "ahead" else total if dress == "every" else 0
        else:
            b = list(shape)
            cut = ""
            if dress == "ahead":
                first = [self.pick(0, 1, 1, 2) for _ in b]
                cut = "[" + ", ".join(f"{f}:" for f in first) + "]"
                b = [x + f for x, f in zip(b, first)]
            elif dress == "every":
                steps = [self.pick(1, 2) for _ in b]
                cut = "[" + ", ".join(f"::{s}" for s in steps) + "]"
                b = [x * s for x, s in zip(b, steps)]
            elif dress == "back":
                cut = "[" + ", ".join(self.pick("::-1", ":") for _ in b) + "]"
            elif dress == "turned":
                cut, b = ".T", b[::-1]
            base = "(" + ", ".join(map(str, b)) + ",)"
        value = f"zeros({base}, dtype={kind})" if written and self.chance(0.5) else self.data(kind, base, low, high)
        name = self.give(stem, value + cut, written)
        made = Array(name, kind, list(dims), flat, order, low, high)
        (self.outs if written else self.ins).append(made)
        return made

    def at(self, array, indices):
        """An element's text, of the indices of its dims; those of flat arrays have no negative parts."""
        texts = [indices[d] for d in array.order]
        sizes = [array.dims[d] for d in array.order]
        if not array.flat:
            return f"{array.name}[{', '.join(texts)}]"
        if len(texts) == 1:
            return f"{array.name}[{texts[0]}]"
        form = self.pick("horner", "horner", "sum", "base")
        texts = [t if t.isidentifier() else f"({t})" for t in texts]
        if form == "sum":
            parts = []
            for k, t in enumerate(texts):
                factors = [self.size(s) for s in sizes[k + 1:]]
                self.random.shuffle(factors)
                parts.append(self.pick(" * ".join([t] + factors), f"{t} * ({' * '.join(factors)})" if factors else t))
            if self.chance(0.3):
                self.random.shuffle(parts)
            return f"{array.name}[{' + '.join(parts)}]"
        text = texts[0]
        for k, t in enumerate(texts[1:], 1):
            text = f"{text if text.isidentifier() or text[0] == '(' and k == 1 else '(' + text + ')'} * {self.size(sizes[k])} + {t}"
        return f"{array.name}[{text}]"

    # ---- integers --------------------------------------------------------------------------------
    def integer(self):
        """A small expression of what is at hand, with its interval."""
        name = self.random.choice(list(self.env)) if self.env else None
        if name is None:
            c = self.random.randrange(0, 5)
            return str(c), c, c
        lo, hi = self.env[name]
        roll = self.random.random()
        if roll < 0.45:
            return name, lo, hi
        if roll < 0.6:
            c = self.random.randrange(1, 4)
            return self.pick((f"{name} + {c}", lo + c, hi + c), (f"{name} - {c}", lo - c, hi - c))
        if roll < 0.68:
            c = self.pick(2, 3, 4)
            return f"{name} * {c}", lo * c, hi * c
        if roll < 0.76:
            c = self.pick(2, 3, 8)
            return f"{name} // {c}", lo // c, hi // c
        if roll < 0.82:
            c = self.pick(2, 3, 7, 16)
            return f"{name} % {c}", 0, c - 1
        other = self.random.choice(list(self.env))
        a, b = self.env[other]
        if roll < 0.9:
            return f"{name} + {other}", lo + a, hi + b
        if roll < 0.96:
            return f"{name} - {other}", lo - b, hi - a
        return f"{self.pick('min', 'max')}({name}, {other})", min(lo, a), max(hi, b)

    def index(self, n, negative=True):
        """An index of an axis of n elements (n > 0)."""
        good = [v for v, (lo, hi) in self.env.items() if 0 <= lo and hi < n]
        exact = [v for v in good if self.env[v][1] == n - 1]
        if exact and self.chance(0.92 if self.calm else 0.65):
            return self.random.choice(exact)
        if good and self.chance(0.4):
            v = self.random.choice(good)
            return self.pick(v, v, v, f"{self.size(n)} - 1 - {v}", *([f"-1 - {v}"] if negative else []))
        tables = [a for a in self.ins if a.low == 0 and a.kind in ("int32", "int64", "uint8", "uint16") and a.high is not None and a.high < n and 0 not in a.dims]
        if tables and self.chance(0.3):
            return self.element(self.random.choice(tables))
        for _ in range(4):
            text, lo, hi = self.integer()
            if lo >= 0 and hi < n or negative and self.chance(0.3) and lo >= -n and hi < n:
                return text
        size = self.size(n)
        return self.pick(f"({text}) % {size}", f"min(max({text}, 0), {size} - 1)", f"({text}) % {size}",
                         f"({text} if {text} >= 0 and {text} < {size} else 0)",
                         str(self.random.randrange(n)))

    def element(self, array):
        return self.at(array, [self.index(n, not array.flat) for n in array.dims])

    def is_there(self, a):
        return 0 not in a.dims

    # ---- values ----------------------------------------------------------------------------------
    def load(self, kind=None):
        arrays = [a for a in self.ins if self.is_there(a) and (kind is None or a.kind == kind)]
        return self.element(self.random.choice(arrays)) if arrays else None

    def leaf(self, kind):
        if self.chance(0.7):
            text = self.load(kind)
            if text:
                return text
        names = [v for v, k in self.values.items() if k == kind]
        if names and self.chance(0.6):
            return self.pick(*names)
        return f"{kind}({self.random.randrange(0, 8)})"

    def value(self, kind, depth=1):
        if kind in FLOATS:
            return self.real(kind, depth)
        return self.whole(kind, depth)

    def real(self, kind, depth):
        roll = self.random.random()
        if depth <= 0 or roll < 0.3:
            return self.leaf(kind)
        if roll < 0.4:
            return f"({self.real(kind, depth - 1)} if {self.truth(depth - 1)} else {self.real(kind, depth - 1)})"
        if self.exact and roll < 0.6:
            a, b = (self.load(kind) or f"{kind}(3)" for _ in "ab")
            return f"{a} * {b}"
        a, b = self.real(kind, depth - 1), self.real(kind, depth - 1)
        if roll < 0.64:
            return f"{self.pick('min', 'max')}({a}, {b})"
        if self.funs and roll < 0.7 and self.exact is False:
            return f"{self.pick(*self.funs)}({a}, {b})"
        if not self.exact and roll < 0.86:
            return self.pick(f"({a} * {b})", f"({a} / {b})", f"({a} * {a})", f"abs({a})", f"math.sqrt(abs({a}))",
                             f"({a} - {b}) * ({a} - {b})", f"{kind}({self.integer()[0]})")
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"(-{a})")

    def whole(self, kind, depth):
        roll = self.random.random()
        if depth <= 0 or roll < 0.3:
            return self.leaf(kind) if roll < 0.24 or depth <= 0 else f"{kind if kind[0] == 'u' else ''}({self.integer()[0]})"
        if roll < 0.36:
            return f"({self.whole(kind, depth - 1)} if {self.truth(depth - 1)} else {self.whole(kind, depth - 1)})"
        a, b = self.whole(kind, depth - 1), self.whole(kind, depth - 1)
        if self.funs and roll < 0.42:
            return f"{self.pick(*self.funs)}({a}, {b})"
        if kind[0] == "u":
            return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"min({a}, {b})", f"max({a}, {b})",
                             f"({a} // {kind}({self.pick(2, 3, 7, 16)}))", f"({a} % {kind}({self.pick(2, 5, 16, 100)}))",
                             f"({a} & {b})", f"({a} ^ {b})", f"({a} >> {kind}({self.pick(1, 3)}))", f"(~{a})", f"{kind}(-{a})")
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"min({a}, {b})", f"max({a}, {b})",
                         f"({a} // {self.pick(2, 3, 7, -3, 10, 16)})", f"({a} % {self.pick(2, 5, 16, -7, 100)})",
                         f"({a} & {b})", f"({a} ^ {b})", f"({a} >> {self.pick(1, 3, 31)})", f"({a} << {self.pick(1, 5)})", f"(-{a})",
                         f"(~{a})", f"{self.pick('int8', 'int16', 'int32', 'int64')}({a})", f"abs({a})")

    def truth(self, depth=1):
        roll = self.random.random()
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        if depth > 0 and roll < 0.15:
            return f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.truth(depth - 1)})"
        if roll < 0.2:
            return f"not ({self.truth(0)})"
        if roll < 0.6:
            a, b = self.integer(), self.integer()
            return f"{a[0]} {op} {b[0] if self.chance(0.6) else self.random.randrange(0, 20)}"
        kind = self.kind
        return f"{self.leaf(kind)} {op} {self.leaf(kind)}"

    def thread_indices(self, names):
        """A thread's index along each axis of the grid."""
        if self.chance(0.6):
            self.put(f"{', '.join(names)} = cuda.grid({len(names)})")
        else:
            for name, x in zip(names, "xyz"):
                self.put(f"{name} = cuda.blockIdx.{x} * cuda.blockDim.{x} + cuda.threadIdx.{x}")

    def stay_inside(self):
        """Only threads whose indices are below the extents go on."""
        if self.chance(0.6):
            self.put("if " + " and ".join(f"{n} < {self.size(d)}" for n, d in self.own) + ":")
            self.depth = 1
        else:
            self.put("if " + " or ".join(f"{n} >= {self.size(d)}" for n, d in self.own) + ":")
            self.put("    return")

    def decode(self, t, names, dims):
        sizes = [self.size(d) for d in dims]
        if len(names) == 2:
            a, b = names
            lines = self.pick([f"{a} = {t} // {sizes[1]}", f"{b} = {t} % {sizes[1]}"], [f"{a} = {t} // {sizes[1]}", f"{b} = {t} - {a} * {sizes[1]}"],
                              [f"{a}, {b} = divmod({t}, {sizes[1]})"] if self.chance(0.2) else [f"{b} = {t} % {sizes[1]}", f"{a} = ({t} - {b}) // {sizes[1]}"],
                              [f"{b} = {t} // {sizes[0]}", f"{a} = {t} % {sizes[0]}"])
        else:
            a, b, c = names
            lines = self.pick([f"{a} = {t} // ({sizes[1]} * {sizes[2]})", f"{b} = {t} // {sizes[2]} % {sizes[1]}", f"{c} = {t} % {sizes[2]}"],
                              [f"{c} = {t} % {sizes[2]}", f"r = {t} // {sizes[2]}", f"{b} = r % {sizes[1]}", f"{a} = r // {sizes[1]}"],
                              [f"{a} = {t} // ({sizes[1]} * {sizes[2]})", f"r = {t} % ({sizes[1]} * {sizes[2]})", f"{b} = r // {sizes[2]}", f"{c} = r - {b} * {sizes[2]}"])
        for line in lines:
            self.put(line)

    def local(self):
        name, n = self.fresh("p"), self.pick(2, 3, 4, 7, 8, 16, 32, 40)
        kind = self.kind if self.chance(0.6) else self.pick("int32", "float32", "int64", "uint8")
        self.put(f"{name} = cuda.local.array({n}, {kind})")
        s = self.fresh("s")
        self.put(f"for {s} in range({n}):")
        self.put(f"    {name}[{s}] = {self.pick(f'{kind}(0)', f'{kind}(0)', f'{kind}({s})')}")
        self.locals.append((name, n, kind))

    def scope(self):
        return dict(self.env), dict(self.values), self.depth, self.work, self.loop_depth, list(self.locals)

    def back(self, kept):
        self.env, self.values, self.depth, self.work, self.loop_depth, self.locals = \
            dict(kept[0]), dict(kept[1]), *kept[2:5], list(kept[5])



def module(g, options, more=()):
    """The program, with one kernel of the lines that `g` has; `more` options of @cuda.jit."""
    words = ", ".join([word for word in [options] if word] + list(more))
    grid, block = (shape[0] if len(shape) == 1 else tuple(shape) for shape in (g.grid, g.blockshape))
    kernel = [f"@cuda.jit({words})", f"def k({', '.join(name for name, _, _ in g.params)}):", *g.lines]
    text = ["import math", "from numba import cuda, types", "import numpy as np", "", "", *g.defs, "@example(",
            *[f"    {name}={value}," for name, value, _ in g.params], f"    grid={grid}, block={block})", *kernel]
    made = Program("\n".join(text) + "\n", [name for name, _, written in g.params if written])
    made.kernel, made.values = g.defs + kernel, [(name, value) for name, value, _ in g.params]
    made.grid, made.block, made.arrays = g.grid, g.blockshape, [*getattr(g, "ins", []), *getattr(g, "outs", [])]
    return made


def relaunched(draw):
    """A generator whose programs have others: launches of the same kernel, as far as other extents do not change its
    text."""
    @functools.wraps(draw)
    def program(seed, options="", without=()):
        made = draw(seed, options, without)
        for variant in range(1, 7):
            Nest.variant = variant
            try:
                other = draw(seed, options, without)
            except (ValueError, IndexError, ZeroDivisionError):    # extents that nothing can be drawn of
                continue
            finally:
                Nest.variant = 0
            if other.kernel == made.kernel and 0 not in other.grid:
                made.others.append(other)
        return made
    return program
