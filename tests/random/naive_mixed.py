"""What a thread does with its element, put together at random: numbers of all types, records, tuples
of arrays, arrays of its own, loops in loops whose bounds hang on outer ones, with ways out and
`else`, variables that only a turn before has set, two names for one array, functions that leave
early.

A thread writes its own elements, and counters by atomics that commute; what it reads of others
no thread writes. Floats are added, halved and doubled, chosen and divided, never multiplied and then
added: so the bits are the same in whatever way, if only the order is kept. Some are any bits there
are: infinities, numbers that are none, zeros of both signs.
"""
from naive_lines import length
from naive_places import many, one
from values import BITS, FLOATS, SIGNED, UNSIGNED

INTEGERS = SIGNED + UNSIGNED
KINDS = INTEGERS + FLOATS + ["float32", "float32", "int32", "int64", "float64", "bool", "complex64",
                             "complex128"]
FEW_TURNS = 14
MOST_DEEP = 3


class Part:
    """An array that may be read or written: `at` makes an index of what is at hand."""

    def __init__(self, text, kind, sizes, own=None):
        self.text, self.kind, self.sizes, self.own = text, kind, sizes, own


class Mixed:
    """The statements of one element. `names` are its places, `shape` what they are less than."""

    def __init__(self, g, names, shape, leave):
        self.g, self.names, self.shape, self.leave = g, names, shape, leave
        self.places = list(names)            # integers that are at hand: places and counters
        self.numbers = {}                    # variables: kind
        self.inputs, self.outputs, self.counters, self.privates = [], [], [], []
        self.front, self.functions = [], []
        self.loops = 0
        self.below = {}                      # counters that are indices of axes of so many elements
        self.calm = g.chance(0.6)            # what passes act on: little that differs by thread
        self.main = g.pick("float32", "float32", "float64", "int32", "uint8", "float16", "bool",
                           "complex64", "int64", "int16")
        self.turned = tuple(g.pick(1, 3, 8, 16, 17) for _ in "ab")
        self.begin()

    # ---- what there is -----------------------------------------------------------------------

    def begin(self):
        g = self.g
        for _ in range(g.random.randrange(1, 4)):
            self.add_input(self.some_kind())
        for _ in range(g.random.randrange(1, 3)):
            self.add_output(self.some_kind())
        if self.calm and g.chance(0.7):
            return
        if g.chance(0.4):
            self.add_counters()
        if g.chance(0.3):
            self.add_private()
        if g.chance(0.25):
            self.add_records()
        if g.chance(0.25):
            self.add_tuple()
        if g.chance(0.25):
            self.add_alias()
        for _ in range(g.random.randrange(0, 3)):
            kind = g.pick("int32", "int64", "uint32", "int8", "float32", "float64", "bool")
            value = {"bool": "True"}.get(kind, f"{kind}({g.pick(0, 1, 3, 7, 40)})")
            self.numbers[g.give(g.fresh("n"), value)] = kind
        if g.chance(0.3):
            self.add_function()

    def some_kind(self):
        return self.main if self.calm and self.g.chance(0.85) else self.g.pick(*KINDS)

    def some_data(self, kind, shape):
        """The text of an array of random numbers."""
        g, seed = self.g, self.g.random.randrange(10 ** 6)
        if kind == "bool":
            return f"randint(0, 2, {shape}, seed={seed}, dtype=int32).astype(bool)"
        if kind in FLOATS + ["complex64", "complex128"]:
            if kind in ("float32", "float64") and g.chance(0.3):
                return self.odd_bits(kind, shape, seed)
            if kind != "float16" and g.chance(0.5):
                return f"normal({shape}, seed={seed}).astype({kind})"
            return f"randint(-7, 8, {shape}, seed={seed}, dtype=int32).astype({kind})"
        most = g.pick(3, 40, 2 ** min(BITS[kind] - 1, 40) - 1)
        low = 0 if kind in UNSIGNED else -min(most, 2 ** (BITS[kind] - 1) - 1)
        most = min(most, 2 ** (BITS[kind] - 1) - 1)
        return f"randint({low}, {most + 1}, {shape}, seed={seed}, dtype={kind})"

    def odd_bits(self, kind, shape, seed):
        """Floats of any exponent, a few of them infinite or no numbers."""
        bits, most = ("int32", 2 ** 31 - 1) if kind == "float32" else ("int64", 2 ** 62)
        if self.g.chance(0.5):        # zeros of either sign, the largest, infinity and beyond
            ends, size = {"float32": ("0, -2147483648, 2139095039, 2139095040, -8388608, 1065353216", 4),
                          "float64": ("0, -0x7fffffffffffffff - 1, 0x7fefffffffffffff, "
                                      "0x7ff0000000000000, -0x10000000000000, 0x3ff0000000000000", 8)}[kind]
            count = 1
            for extent in shape:
                count *= extent
            rows = f"ndarray(({count // 6 + 1}, 6), {bits}, array([{ends}], dtype={bits}), 0, (0, {size}))"
            return f"{rows}.copy().view({kind}).reshape({count // 6 * 6 + 6})[:{count}].reshape({shape})"
        return f"randint({-most}, {most}, {shape}, seed={seed}, dtype={bits}).view({kind})"

    def dressed(self, stem, kind, shape, written):
        """A new parameter, at times a piece of an array."""
        g, shape = self.g, tuple(shape)
        dress = g.pick("", "", "", "", "ahead", "back", "every", "turned", "spread", "order")
        if self.calm and g.chance(0.8):
            dress = ""
        base, cut = shape, ""
        if dress == "ahead":
            first = tuple(g.random.randrange(0, 4) for _ in shape)
            base = tuple(a + n for a, n in zip(first, shape))
            cut = "[" + ", ".join(f"{a}:" for a in first) + "]"
        elif dress == "back":
            cut = "[" + ", ".join(g.pick("::-1", ":") for _ in shape) + "]"
        elif dress == "every":
            steps = [g.pick(1, 2, 3) for _ in shape]
            base = tuple(n * step for n, step in zip(shape, steps))
            cut = "[" + ", ".join(f"::{step}" for step in steps) + "]"
        elif dress == "turned":
            base, cut = tuple(reversed(shape)), ".T"
        if written and g.chance(0.5):
            order = ', order="F"' if dress == "order" else ""
            value = f"zeros({base}, dtype={kind}{order})"
        else:
            value = self.some_data(kind, base)
        if dress == "spread" and not written and len(shape) == 1 and 0 not in shape:
            value = f"ndarray({shape}, {kind}, {self.some_data(kind, (1,))}, 0, (0,))"
        return g.give(g.fresh(stem), value + cut, written)

    def add_input(self, kind):
        g = self.g
        m, n = self.turned
        shape = g.pick(self.shape, self.shape, (g.pick(1, 2, 5, 16, 33),), (m,), (m, n), ())
        if self.calm or g.chance(0.5):
            shape = g.pick(self.shape, (*self.shape[:1], m), (m, *self.shape[-1:]), (m,), (m, n))
        if 0 in shape and shape != self.shape:
            shape = (1,)
        if shape == ():
            name = g.give(g.fresh("x"), f"array({g.pick(0, 1, 3)}, dtype={kind})")
        else:
            name = self.dressed("x", kind, shape, False)
        self.inputs.append(Part(name, kind, shape))

    def add_output(self, kind):
        g = self.g
        if g.chance(0.3):
            columns = g.pick(1, 2, 5)
            name = self.dressed("row", kind, (*self.shape, columns), True)
            self.outputs.append(Part(name, kind, (*self.shape, columns), columns))
            return
        name = self.dressed("out", kind, self.shape, True)
        self.outputs.append(Part(name, kind, self.shape, 0))

    def add_counters(self):
        g = self.g
        kind, size = g.pick("int32", "int64", "uint32", "uint64"), g.pick(1, 3, 40, 300)
        name = g.give(g.fresh("h"), f"zeros({size}, dtype={kind})", True)
        self.counters.append((name, g.pick("add", "add", "max", "xor", "or_"), size, kind))

    def add_private(self):
        g, name, kind = self.g, self.g.fresh("p"), self.g.pick("int32", "int64", "float32", "uint8", "bool")
        shape = g.pick((4,), (2, 3), (7,), (2, 2, 2))
        loops, depth = [], 0
        counters = [g.fresh("a") for _ in shape]
        for counter, size in zip(counters, shape):
            loops.append("    " * depth + f"for {counter} in range({size}):")
            depth += 1
        first = "False" if kind == "bool" else f"{kind}({counters[0]} + {counters[-1]})"
        self.front += [f"{name} = cuda.local.array({shape if len(shape) > 1 else shape[0]}, {kind})",
                       *loops, "    " * depth + f"{name}[{', '.join(counters)}] = {first}"]
        part = Part(name, kind, shape)
        self.privates.append(part)
        self.inputs.append(part)

    def add_records(self):
        """An array of records, an element for each place; fields are read and written."""
        g, record = self.g, self.g.fresh("RECORD")
        fields = {f"f{i}": g.pick("int32", "float32", "float64", "int8", "uint16", "int64")
                  for i in range(g.random.randrange(1, 4))}
        inside = ", ".join(f'("{name}", np.{kind})' for name, kind in fields.items())
        g.definitions += [f"{record} = np.dtype([{inside}]{g.pick('', ', align=True')})", "", ""]
        name = g.give(g.fresh("recs"), f"zeros({self.shape}, dtype={record})", True)
        for field, kind in fields.items():
            self.outputs.append(Part(name, kind, self.shape, f".{field}"))

    def add_tuple(self):
        g, kinds = self.g, [self.g.pick(*INTEGERS, "float32", "float64") for _ in range(2)]
        sizes = [g.pick(1, 4, 17) for _ in kinds]
        items = ", ".join(self.some_data(kind, (size,)) for kind, size in zip(kinds, sizes))
        name = g.give(g.fresh("t"), f"({items})")
        for at, (kind, size) in enumerate(zip(kinds, sizes)):
            self.inputs.append(Part(f"{name}[{at}]", kind, (size,)))

    def add_alias(self):
        """An output's own elements by another name."""
        g = self.g
        plain = [part for part in self.outputs if part.own == 0]
        if not plain:
            return
        part = g.random.choice(plain)
        name = g.give(g.fresh("same"), part.text, True)
        self.outputs.append(Part(name, part.kind, part.sizes, 0))

    def add_function(self):
        """Of two integers, which leaves early and has a loop."""
        g, name = self.g, self.g.fresh("f")
        k = g.fresh("k")
        ends = g.pick(["return a + b"], ["return a - b if b > 2 else a"], ["return (a ^ b) + 1"])
        g.definitions += [f"def {name}(a, b):", f"    if a > {g.pick(3, 20, -2)}:", "        return b",
                          f"    for {k} in range({g.pick('3', 'b & 3', 'a & 7')}):",
                          f"        b += a ^ {k}", f"        if b > {g.pick(5, 100)}:",
                          g.pick("            break", "            return a", "            continue"),
                          "    " + ends[0], "", ""]
        self.functions.append(name)

    # ---- values --------------------------------------------------------------------------------

    def at(self, size, depth=1, text=None):
        """An index of an axis of so many elements, at least one."""
        g = self.g
        inner = self.whole(depth)
        return g.pick(f"{inner} % {size}", f"-1 - {inner} % {size}", f"min(max({inner}, 0), {size} - 1)",
                      f"{inner} % {size}", f"({inner} - 3) % {size}", str(g.random.randrange(-size, size)))

    def element(self, part, depth):
        """The text of an element to be read; None if there is none."""
        g, indices = self.g, []
        if part.sizes == ():
            return f"{part.text}[()]"
        if part.own is not None:
            return self.own(part)
        for axis, size in enumerate(part.sizes):
            if part.sizes == self.shape and g.chance(0.75):
                name = self.names[axis]
                indices.append(name if self.calm and g.chance(0.8) else
                               g.pick(name, name, name, f"-1 - {name}", f"({name} + 1) % {size}",
                                      f"max({name} - 1, 0)"))
            elif self.below_of(size) and g.chance(0.9 if self.calm else 0.5):
                indices.append(g.random.choice(self.below_of(size)))
            elif size in self.shape and g.chance(0.7):
                indices.append(self.names[self.shape.index(size)])
            elif size == 0:
                return None
            else:
                indices.append(self.at(size, depth - 1))
        return f"{part.text}[{', '.join(indices)}]"

    def below_of(self, size):
        return [name for name, most in self.below.items() if most == size]

    def own(self, part):
        """One of the thread's own elements of an output."""
        place = ", ".join(self.names)
        if isinstance(part.own, str):
            return f"{part.text}[{place}]{part.own}"
        return f"{part.text}[{place}]" if part.own == 0 else \
            f"{part.text}[{place}, {self.at(part.own, 0)}]"

    def load(self, kinds, depth):
        parts = [part for part in self.inputs + self.outputs if part.kind in kinds]
        return self.element(self.g.random.choice(parts), depth) if parts else None

    def whole(self, depth):
        """An integer of 64 bits, not very large."""
        g = self.g
        roll = g.random.random()
        if depth <= 0 or roll < 0.25:
            names = self.places + [name for name, kind in self.numbers.items() if kind in SIGNED]
            return g.pick(str(g.random.randrange(-4, 20)), *names, *names)
        if roll < 0.45:
            text = self.load(INTEGERS, depth - 1)
            return f"(int64({text}) & {g.pick(7, 255, 4095)})" if text else self.whole(0)
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        if roll < 0.5 and self.functions:
            return f"({g.random.choice(self.functions)}({a} & 31, {b} & 15) & 1023)"
        if roll < 0.55:
            return f"({a} if {self.truth(depth - 1)} else {b})"
        if roll < 0.6:
            return f"(int32({a} * 715827883) >> 8)"
        if roll < 0.65:
            return f"int64(uint32({a} - {b}) >> 20)"
        if roll < 0.7:
            return f"(int64(uint64({a}) * uint64(6364136223846793005) >> uint64(56)))"
        return g.pick(f"({a} + {b})", f"({a} - {b})", f"({a} & 63) * {g.pick(2, 3, 100)}",
                      f"({a} // {g.pick(2, 3, 7, -3)})", f"({a} % {g.pick(2, 5, 16, -7)})",
                      f"({a} ^ {b})", f"max({a}, {b})", f"min({a}, {b})", f"abs({a})", f"({a} >> 1)",
                      f"({a} // max(1, {b}))", f"({a} % max(2, {b}))")

    def real(self, kind, depth):
        """A float, or complex number, of that kind."""
        g = self.g
        names = [name for name, its in self.numbers.items() if its == kind]
        roll = g.random.random()
        if depth <= 0 or roll < 0.3:
            leaf = self.load([kind], depth - 1) if g.chance(0.6) else None
            return leaf or g.pick(f"{kind}({g.random.randrange(-9, 10)})", *names, *names)
        a, b = self.real(kind, depth - 1), self.real(kind, depth - 1)
        forms = [f"({a} + {b})", f"({a} - {b})", f"({a} + {b})", f"(-{a})",
                 f"({a} if {self.truth(depth - 1)} else {b})"]
        if kind in FLOATS:
            forms += [f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"{kind}({self.whole(depth - 1)} & 31)"]
        if kind in ("float32", "float64"):
            forms += [f"({a} * {kind}({g.pick(2, 0.5, -1)}))", f"({a} / {kind}({g.pick(3, 7, 10)}))",
                      f"({a} / {b})", f"math.sqrt(abs({a}))"]
        return g.pick(*forms)

    def truth(self, depth):
        g = self.g
        roll = g.random.random()
        if depth > 0 and roll < 0.15:
            return f"({self.truth(depth - 1)} {g.pick('and', 'or')} {self.truth(depth - 1)})"
        if roll < 0.2:
            return f"(not {self.truth(depth - 1)})"
        flags = [name for name, kind in self.numbers.items() if kind == "bool"]
        if roll < 0.3:
            text = self.load(["bool"], depth) or (g.pick(*flags) if flags else None)
            if text:
                return text
        op = g.pick("<", "<=", ">", ">=", "==", "!=")
        if roll < 0.45:
            kind = g.pick("float32", "float64")
            return f"({self.real(kind, depth - 1)} {op} {self.real(kind, depth - 1)})"
        return f"({self.whole(depth - 1)} {op} {self.whole(depth - 1)})"

    def of(self, kind, depth):
        """The text of a value that is of that very kind."""
        if kind == "bool":
            return f"bool({self.truth(depth)})"
        if kind in INTEGERS:
            return f"{kind}({self.whole(depth)})"
        return f"{kind}({self.real(kind, depth)})"

    # ---- statements ----------------------------------------------------------------------------

    def statement(self, depth):
        g = self.g
        forms = [self.set, self.set, self.store, self.store, self.add, self.add]
        if self.counters:
            forms += [self.count]
        if self.privates:
            forms += [self.put]
        if depth > 0:
            forms += [self.turns] * 5 if self.calm else \
                [self.branch, self.turns, self.turns, self.turns, self.waits]
        if self.loops and g.chance(0.3):
            forms += [self.leave_loop, self.carried]
        if not self.calm and self.leave and (self.leave == "return" or not self.loops) and g.chance(0.2):
            return [f"if {self.truth(1)}:", f"    {self.leave}"]
        return g.pick(*forms)(depth)

    def block(self, depth, least=1):
        """Indented; what it names first is gone behind it."""
        before, lines = dict(self.numbers), []
        for _ in range(self.g.random.randrange(least, 4)):
            lines += self.statement(depth)
        self.numbers = before
        return ["    " + line for line in lines]

    def set(self, depth):
        g, names = self.g, [name for name in self.numbers if name.startswith("v")]
        if names and g.chance(0.6):
            name = g.random.choice(names)
            return [f"{name} = {self.of(self.numbers[name], 2)}"]
        kind, name = g.pick(*KINDS), g.fresh("v")
        line = f"{name} = {self.of(kind, 2)}"
        self.numbers[name] = kind
        return [line]

    def add(self, depth):
        """A sum of its own, or in memory."""
        g = self.g
        names = [name for name, kind in self.numbers.items()
                 if name.startswith("v") and kind in ("float32", "float64", "int64")]
        if names and g.chance(0.6):
            name = g.random.choice(names)
            return [f"{name} {g.pick('+=', '-=')} {self.of(self.numbers[name], 2)}"]
        part = g.random.choice(self.outputs)
        if part.kind in ("bool", "float16"):
            return self.store(depth)
        return [f"{self.own(part)} += {self.of(part.kind, 2)}"]

    def store(self, depth):
        part = self.g.random.choice(self.outputs)
        return [f"{self.own(part)} = {self.of(part.kind, 2)}"]

    def count(self, depth):
        name, op, size, kind = self.g.random.choice(self.counters)
        value = self.g.pick("1", self.of(kind, 1)) if op != "add" else \
            self.g.pick("1", f"{kind}({self.whole(1)} & 3)")
        return [f"cuda.atomic.{op}({name}, {self.at(size)}, {value})"]

    def put(self, depth):
        part = self.g.random.choice(self.privates)
        indices = ", ".join(self.at(size) for size in part.sizes)
        return [f"{part.text}[{indices}] = {self.of(part.kind, 2)}"]

    def branch(self, depth):
        lines = [f"if {self.truth(2)}:", *self.block(depth - 1)]
        if self.g.chance(0.2):
            lines += [f"elif {self.truth(1)}:", *self.block(depth - 1)]
        if self.g.chance(0.3):
            lines += ["else:", *self.block(depth - 1)]
        return lines

    def bounds(self):
        """What a loop counts through: a few turns."""
        g, turns = self.g, self.g.random.randrange(0, FEW_TURNS)
        inner = self.whole(1)
        sizes = [f"{part.text}.shape[{axis}]" for part in self.inputs for axis, size in enumerate(part.sizes)
                 if 0 < size <= FEW_TURNS + 4 and part.own is None and part not in self.privates]
        start = g.random.randrange(-3, 4)
        return g.pick(f"{turns}", f"{start}, {start + turns}", f"{turns}, {start}, {-g.pick(1, 2, 3)}",
                      f"{inner} & 7", f"{inner} % 5, 9, {g.pick(1, 2, 3)}", f"0, {turns}, {g.pick(1, 2, 5)}",
                      f"{inner} % 4, {inner} % 9", f"{turns}, {inner} % 4, -1",
                      f"{start}, {turns}, max(1, {inner} & 3)", *sizes, *sizes)

    def turns(self, depth):
        g, k = self.g, self.g.fresh("k")
        lines = [f"for {k} in range({self.bounds()}):"]
        sizes = [(part, axis) for part in self.inputs if part not in self.privates
                 for axis, size in enumerate(part.sizes) if size in self.turned and part.own is None]
        if sizes and g.chance(0.85 if self.calm else 0.3):
            part, axis = g.random.choice(sizes)
            self.below[k] = size = part.sizes[axis]
            end = g.pick(f"{part.text}.shape[{axis}]", f"{size}")
            lines = [g.pick(f"for {k} in range({end}):", f"for {k} in range({end}):",
                            f"for {k} in range({end} - 1, -1, -1):", f"for {k} in range(0, {end}, 2):")]
        self.places.append(k)
        self.loops += 1
        if g.chance(0.6):                     # a loop such as passes look for
            names = [name for name, kind in self.numbers.items() if name.startswith("v") and
                     kind in FLOATS + INTEGERS]
            if names:
                name = g.random.choice(names)
                lines.append(f"    {name} = {self.of(self.numbers[name], 2)}" if g.chance(0.3) else
                             f"    {name} += {self.of(self.numbers[name], 2)}"
                             if self.numbers[name] in ("int64", "uint64", "float32", "float64") else
                             f"    {name} = {self.numbers[name]}({name} + {self.of(self.numbers[name], 2)})")
        lines += self.block(depth - 1)
        self.places.remove(k)
        self.below.pop(k, None)
        if g.chance(0.06):                    # another than the next
            lines += [f"    {k} += 3"]
        self.loops -= 1
        if g.chance(0.15):
            lines += ["else:", *self.block(0)]
        return lines

    def waits(self, depth):
        g, k = self.g, self.g.fresh("w")
        start = g.random.randrange(2, FEW_TURNS)
        lines = [f"{k} = {start}", f"while {k} > {g.pick('0', '1', self.whole(1) + ' & 3')}:",
                 f"    {k} -= {g.pick('1', '2', '1 + (' + self.whole(1) + ' & 1)')}"]
        self.places.append(k)
        self.loops += 1
        lines += self.block(depth - 1)
        self.places.remove(k)
        self.loops -= 1
        if g.chance(0.15):
            lines += ["else:", *self.block(0)]
        return lines

    def leave_loop(self, depth):
        return [f"if {self.truth(1)}:", f"    {self.g.pick('break', 'continue', 'continue')}"]

    def carried(self, depth):
        """What the turn before has set, where there was one."""
        g, kind = self.g, self.g.pick("int64", "float32", "float64", "int32")
        held, first = g.fresh("held"), g.fresh("first")
        self.front.append(f"{first} = True")
        part = g.random.choice(self.outputs)
        use = self.own(part) + f" = {part.kind}({held})" if kind == part.kind else \
            f"if {held} > {kind}(3):"
        lines = [f"if not {first}:", f"    {use}"]
        if use.startswith("if"):
            lines.append("        " + self.store(0)[0])
        return lines + [f"{held} = {self.of(kind, 2)}", f"{first} = False"]

    def body(self):
        g, lines = self.g, []
        for _ in range(g.random.randrange(1, 3)):
            lines += self.set(0)
        for _ in range(g.random.randrange(2, 6)):
            lines += self.statement(MOST_DEEP - 1)
        for name, kind in self.numbers.items():
            parts = [part for part in self.outputs if part.kind == kind]
            if name.startswith("v") and parts:
                lines.append(f"{self.own(g.random.choice(parts))} = {name}")
        return self.front + lines


def mixed(g):
    """Of launches of one, two or three axes."""
    names = [g.fresh(stem) for stem in "ijk"[:g.axes]]
    shape = (g.size(),) if g.axes == 1 else tuple(min(g.side(axis), 40 if g.axes == 2 else 12)
                                                  for axis in range(g.axes))
    guide = g.array("out", g.pick("int32", "float32"), shape, True)
    limits = [length(g, guide, axis) for axis in range(g.axes)]
    place = one(g, names[0], limits[0]) if g.axes == 1 else many(g, names, limits)
    made = Mixed(g, names, shape, place.leave)
    made.outputs.append(Part(guide.name, guide.kind, shape, 0))
    return place.around(made.body())


AXES_1 = [mixed]
AXES_2 = [mixed]
AXES_3 = [mixed]
