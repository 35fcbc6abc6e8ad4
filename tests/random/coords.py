"""Random kernels of coordinates: floats, computed of a thread's index and arguments or read from memory, that become
indices, by int(), floor() or a type's name, are clamped, asked for or taken around, and choose elements and their
neighbours, as images that are turned, volumes that are cut and interpolation have them. Among the floats are some that
are none, infinities, and such that no integer of 32 or 64 bits holds. Built of nest.py."""
import random

from nest import Nest, module, relaunched

SIDES = [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 129, 200]
ENDS = ["nan", "inf", "-inf", "-0.0", "2147483647.0", "2147483648.0", "-2147483648.0", "-2147483904.0", "4294967296.0",
        "1e10", "-1e10", "9.3e18", "-9.3e18", "1e30", "0.5", "-0.5", "-1.0"]


class Coords(Nest):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.own_luck = random.Random(f"coords {seed}")
        self.float = self.pick("float32", "float32", "float64")
        self.kind = self.pick("float32", "float32", "int32", "uint8", "float64")
        self.places = []                 # names of coordinates
        self.indices = {}                # names of indices: the axis that they were made for

    def drawn(self, *things):
        """Drawn anew for each launch."""
        return (self.other or self.own_luck).choice(things)

    def place(self):
        self.h, self.w, self.n = self.pick(*SIDES), self.pick(*SIDES), self.pick(1, 31, 64, 100, 257, 1000)
        self.flat, self.threads = self.chance(0.4), self.chance(0.5)
        if self.threads:                 # a thread for a row and a column, or for an element
            self.blockshape = self.pick((16, 16), (32, 8), (8, 8), (32, 1))
            self.out_h, self.out_w = self.pick(*SIDES), self.pick(*SIDES)
            self.grid = [-(-n // b) for n, b in zip((self.out_w, self.out_h), self.blockshape)]
            self.put("x, y = cuda.grid(2)")
            condition = f"x < {self.size(self.out_w)} and y < {self.size(self.out_h)}"
        else:
            self.blockshape = self.pick((32,), (64,), (128,), (100,))
            self.grid = [-(-self.n // self.blockshape[0])]
            self.put("x = cuda.grid(1)")
            condition = f"x < {self.size(self.n)}"
        if self.chance(0.5):
            self.put(f"if {condition}:")
            self.depth = 1
        else:
            self.put(f"if not ({condition}):")
            self.put("    return")

    # ---- arguments -------------------------------------------------------------------------------
    def number(self):
        value = self.drawn(*ENDS) if (self.other or self.own_luck).random() < 0.25 else \
            str((self.other or self.own_luck).choice((-3, -1, -0.75, 0.25, 0.5, 1, 1, 1.5, 2, 7, 40, 100)))
        value = f"float('{value}')" if value.strip("-") in ("nan", "inf") else value
        return f"{self.float}({value})" if "float(" not in value else f"{self.float}({value.replace('float(', '').strip(')')[1:-1]})"

    def arguments(self):
        bounds = (None, None) if self.kind[0] == "f" else (0 if self.kind[0] == "u" else -9, 9)
        shape = f"({self.h * self.w},)" if self.flat else f"({self.h}, {self.w})"
        self.image = self.give("a", self.data(self.kind, shape, *bounds))
        self.line = self.give("b", self.data(self.kind, f"({self.n},)", *bounds))
        many = 300
        luck = self.other or self.own_luck
        table = [luck.choice(ENDS) if luck.random() < 0.06 else f"{luck.uniform(-20, 220):.3f}" for _ in range(many)]
        total = self.out_h * self.out_w if self.threads else self.n
        self.table = self.give("t", f"array([{', '.join(table)}], dtype={self.float})[randint(0, {many}, {total}, "
                               f"seed={self.random.randrange(10 ** 6)}, dtype=int32)]")
        self.factors = [self.give("c", self.number()) for _ in range(4)]
        self.out = self.give("out", f"zeros({total}, dtype=float64)", True)
        self.own = f"y * {self.size(self.out_w)} + x" if self.threads else "x"

    # ---- coordinates -----------------------------------------------------------------------------
    def coordinate(self):
        c = self.factors
        one = f"{self.float}(x)"
        other = f"{self.float}(y)" if self.threads else f"{self.table}[x]"
        texts = [f"{self.table}[{self.own}]"] * 3
        texts += [f"{one} * {self.pick(*c)} + {self.pick(*c)}", f"{self.pick(*c)} * {one} - {self.pick(*c)} * {other}",
                  f"({one} + {self.float}(0.5)) * {self.pick(*c)} - {self.float}(0.5)", f"{other} / {self.pick(*c)}"]
        texts += [f"{self.pick(*self.places)} {self.pick('+', '-', '*')} {self.pick(*c)}"] * 2 if self.places else []
        name = self.fresh("p")
        self.put(f"{name} = {self.pick(*texts)}")
        self.places.append(name)

    def index(self, n):
        p, size = self.pick(*self.places), self.size(n)
        name = self.fresh("i")
        if self.chance(0.1):
            p = f"{p} * {self.pick(*self.factors)}"
        whole = self.pick(f"int({p})", f"int({p})", f"int(math.floor({p}))", f"int64({p})", f"int32({p})" if self.chance(0.3) else f"int({p})",
                          f"int({p} + {self.float}(0.5))", f"int(math.ceil({p}))", f"int64(math.floor({p}))")
        form = self.pick("plain", "plain", "plain", "clamp", "clamp", "later", "around")
        if form == "clamp":
            whole = self.pick(f"min(max({whole}, 0), {size} - 1)", f"max(0, min({size} - 1, {whole}))")
        elif form == "around":
            whole = f"{whole} % {size}"
        self.put(f"{name} = {whole}")
        if form == "later":
            self.put(f"if {name} < 0:")
            self.put(f"    {name} = 0")
            self.put(f"if {name} >= {size}:" if self.chance(0.5) else f"elif {name} > {size} - 1:")
            self.put(f"    {name} = {size} - 1")
        inside = form != "plain"
        self.indices[name] = n, inside
        return name, inside, p

    def guard(self, name, n, near):
        """What holds if an index and `near` behind it lie inside. The index may be the greatest integer of all."""
        size = self.size(n)
        most = f"{size} - {near}" if near else size
        return self.pick(f"{name} >= 0 and {name} < {most}", f"0 <= {name} < {most}", f"{name} >= 0 and {name} <= {size} - {1 + near}",
                         f"not ({name} < 0 or {name} >= {most})")

    def element(self, i, j):
        return f"{self.image}[({i}) * {self.size(self.w)} + {j}]" if self.flat else f"{self.image}[{i}, {j}]"

    def fold(self, value):
        self.put(self.pick(f"s += {value}", f"s += {value}", f"s = max(s, float64({value}))", f"s = s * 0.5 + {value}"))

    def look_up(self):
        """One axis, with a neighbour, or none."""
        i, inside, p = self.index(self.n)
        near = self.pick(0, 0, 1)
        depth = self.depth
        if near or not inside:
            self.put(f"if {self.guard(i, self.n, near)}:")
            self.depth += 1
        value = f"{self.line}[{i}]"
        if near:
            f = self.fresh("f")
            self.put(f"{f} = {p} - {i}")
            value = self.pick(f"({value} * (1 - {f}) + {self.line}[{i} + 1] * {f})", f"({value} + {self.line}[{i} + 1])")
        self.fold(value)
        if self.depth > depth and self.chance(0.4):
            self.depth = depth
            self.put("else:")
            self.put(f"    s -= {self.pick('1', f'float64({i})', f'({i} & 7)')}")
        self.depth = depth

    def picture(self):
        """Two axes, and up to three neighbours."""
        (i, i_inside, p), (j, j_inside, q) = self.index(self.h), self.index(self.w)
        near = self.pick(0, 0, 1)
        depth = self.depth
        conditions = [self.guard(name, n, near) for name, n, inside in ((i, self.h, i_inside), (j, self.w, j_inside)) if near or not inside]
        fractions = self.chance(0.6)
        if near and fractions:
            self.put(f"u = {p} - {self.float}({i})")
            self.put(f"v = {q} - {j}")
        if conditions and self.chance(0.3):
            for condition in conditions:
                self.put(f"if {condition}:")
                self.depth += 1
        elif conditions:
            self.put("if " + " and ".join(conditions) + ":")
            self.depth += 1
        if near and fractions:
            self.fold(f"(1 - u) * ((1 - v) * {self.element(i, j)} + v * {self.element(i, f'{j} + 1')})"
                      f" + u * ((1 - v) * {self.element(f'{i} + 1', j)} + v * {self.element(f'{i} + 1', f'{j} + 1')})")
        else:
            self.fold(self.element(i, j))
            if near:
                self.fold(self.element(f"{i} + 1", f"{j} + {self.pick(0, 1)}"))
        self.depth = depth

    def walk(self):
        """A ray that goes on by a step until it is outside."""
        c = self.pick(*self.factors)
        p, depth = self.pick(*self.places), self.depth
        self.put(f"r = {p}")
        self.put(f"for k in range({self.pick(3, 5, 9, 17)}):")
        self.depth += 1
        self.put(f"i = {self.pick('int(r)', 'int(math.floor(r))', 'int64(r)')}")
        form = self.pick("break", "break", "continue", "inside")
        if form == "inside":
            self.put(f"if {self.guard('i', self.n, 0)}:")
            self.put(f"    s += {self.line}[i]")
            self.put(f"r += {c}")
        else:
            if form == "continue":
                self.put(f"r = r + {c}")
            self.put(f"if i < 0 or i >= {self.size(self.n)}:")
            self.put(f"    {form}")
            self.put(f"s += {self.line}[i]")
            if form == "break":
                self.put(f"r += {c}")
        self.depth = depth

    def body(self):
        self.put("s = 0.0")
        for _ in range(self.pick(1, 2, 2, 3)):
            self.coordinate()
        for _ in range(self.pick(1, 1, 2, 3)):
            self.pick(self.look_up, self.picture, self.picture, self.walk)()
        names = [name for name in self.indices]
        if names and self.chance(0.2):
            self.put(f"if {self.pick(*names)} {self.pick('>', '<', '==', '!=')} {self.pick(0, 5, 2147483647, -2147483648, 4294967296)}:")
            self.put("    s += 1000.0")
        self.put(f"{self.out}[{self.own}] = s")


@relaunched
def program(seed, options="", without=()):
    g = Coords(seed, without)
    g.place()
    g.arguments()
    g.body()
    return module(g, options, ["fma=False"])
