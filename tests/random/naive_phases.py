"""Kernels whose threads meet, put together at random: phases in which each thread of a block fills its
share of shared arrays, of one to three axes and any type, and phases in which all read what others
have filled, with barriers between; in loops, behind early returns, with atomics, with arrays of a
thread's own, in grids of so many blocks that one may stand for several.

In a phase an element is written by one thread, or by atomics that commute, and by no other
reading. Numbers as in naive_mixed.py.
"""
from naive_mixed import Mixed, Part
from values import FLOATS

HELD = ["int32", "int64", "float32", "float32", "float64", "uint8", "int16", "complex64", "bool",
        "float16"]


class Tile:
    """A shared array, its axes after the block's: `along[k]` is the axis of the block that goes along
    axis k, and `times[k]` how often as long as the block's it is."""

    def __init__(self, name, kind, along, times, shape):
        self.name, self.kind, self.along, self.times, self.shape = name, kind, along, times, shape


class Phases:
    def __init__(self, g):
        self.g, self.axes, self.block = g, g.axes, g.block
        first = not g.parameters             # nothing has been made for the block as it is
        self.many = first and g.chance(0.15)  # blocks enough for one to stand for several
        self.kinds = g.random.sample(HELD, 2) + ["int32"]
        if self.many:
            g.block = self.block = g.pick(*{1: [(32,), (64,), (96,)], 2: [(16, 4), (8, 8), (4, 16), (32, 2)],
                                            3: [(8, 4, 2), (4, 4, 4)]}[g.axes])
            g.grid = g.pick(*{1: [(4099,), (4096,)], 2: [(65, 64), (4099, 1), (2, 2049), (33, 127)],
                              3: [(17, 16, 16), (2, 3, 700)]}[g.axes])
        elif first and g.chance(0.6) and g.axes == 2:
            g.block = self.block = g.pick((16, 16), (32, 8), (8, 32), (16, 8), (4, 32), (32, 16))
        self.threads = [f"cuda.threadIdx.{letter}" for letter in "xyz"[:g.axes]]
        self.own = {}                        # variables: kind
        self.tiles, self.lines = [], []
        self.turns = 0
        self.few = 1 if self.many else 2

    # ---- what there is -----------------------------------------------------------------------

    def names(self):
        g = self.g
        if g.chance(0.5):
            t = [g.fresh("t") for _ in self.threads]
            self.lines += [f"{name} = {text}" for name, text in zip(t, self.threads)]
            self.threads = t
        place = [g.fresh("i") for _ in self.threads]
        self.lines += [f"{', '.join(place)} = cuda.grid({self.axes})"] if g.chance(0.5) else \
            [f"{name} = cuda.blockIdx.{letter} * cuda.blockDim.{letter} + cuda.threadIdx.{letter}"
             for name, letter in zip(place, "xyz")]
        self.place = place
        self.size = [grid * block for grid, block in zip(g.grid, g.block)]

    def outputs(self):
        """An element for each thread of the grid, or a few less or more."""
        g = self.g
        kind = g.pick(*self.kinds)
        shape = tuple(max(1, size + g.pick(0, 0, -3, 1)) for size in self.size)
        self.out = Part(self.made.dressed("out", kind, shape, True), kind, shape, 0)
        self.inside = " and ".join(f"{name} < {self.out.text}.shape[{k}]"
                                   for k, name in enumerate(self.place))

    def add_tile(self):
        g = self.g
        rank = g.random.randrange(1, self.axes + 1)
        along = g.random.sample(range(self.axes), rank)
        times = [g.pick(1, 1, 1, 2, 4) for _ in along]
        shape = [self.block[axis] * time for axis, time in zip(along, times)]
        total = 1
        for size in shape:
            total *= size
        if total > 3000:
            return
        kind, name = g.pick(*self.kinds), g.fresh("s")
        text = str(tuple(shape)) if rank > 1 else str(shape[0])
        self.lines.append(f"{name} = cuda.shared.array({text}, {kind})")
        self.tiles.append(Tile(name, kind, along, times, shape))

    # ---- values --------------------------------------------------------------------------------

    def values(self):
        """What makes values of inputs that all may read, and of numbers at hand."""
        g = self.g
        made = Mixed.__new__(Mixed)
        made.__dict__.update(g=g, names=[], shape=(), leave=None, places=[*self.place, *self.threads],
                             numbers={}, inputs=[], outputs=[], counters=[], privates=[], front=[],
                             functions=[], loops=0, below={}, calm=True, main="int32", turned=(1, 3))
        for _ in range(g.random.randrange(1, 4)):
            kind, size = g.pick(*self.kinds), g.pick(1, 7, 16, 33)
            name = made.dressed("x", kind, (size,), False)
            made.inputs.append(Part(name, kind, (size,)))
        if g.chance(0.3):
            made.add_private()
            self.lines += made.front
        if g.chance(0.3):
            made.add_function()
        self.made = made

    def seen(self, tile, k=None):
        """An element of a tile that anybody may have filled; `k` is a counter."""
        g, indices = self.g, []
        for axis, size in zip(tile.along, tile.shape):
            own = self.threads[axis]
            forms = [own, own, f"-1 - {own}", f"{size} - 1 - {own}", f"({own} + 1) % {size}",
                     str(g.random.randrange(-size, size)), f"{self.made.whole(1)} % {size}"]
            if k:
                forms += 6 * [f"{k} % {size}"] + [f"({own} + {k}) % {size}", f"{own} ^ {k} % {size}"
                                                  if size & (size - 1) == 0 else f"{k} % {size}"]
            indices.append(g.pick(*forms))
        return f"{tile.name}[{', '.join(indices)}]"

    def value(self, kind, tiles, k=None):
        """A value of that kind, of tiles that may be read; `mine` names what the thread has."""
        g = self.g
        parts = [tile for tile in tiles if tile.kind == kind]
        self.made.numbers = dict(self.own)
        fresh = self.made.of(kind, 1)
        if not parts or g.chance(0.15):
            return fresh
        text = self.seen(g.random.choice(parts), k)
        if kind == "bool":
            return g.pick(text, f"bool({text} != ({fresh}))")
        return g.pick(f"{kind}({text})", f"{kind}({text} + {fresh})", f"{kind}({text} - {fresh})")

    # ---- phases --------------------------------------------------------------------------------

    def fill(self, tile, tiles, whole=False):
        """Each element by one thread."""
        g, indices, lines, depth = self.g, [], [], 0
        rest = [axis for axis in range(self.axes) if axis not in tile.along]
        if rest:                              # threads along other axes would write the same places
            lines.append("if " + " and ".join(f"{self.threads[axis]} == {g.random.randrange(self.block[axis])}"
                                              for axis in rest) + ":")
            depth += 1
        for axis, size in zip(tile.along, tile.shape):
            own = self.threads[axis]
            if size == self.block[axis]:
                indices.append(g.pick(own, own, f"{size} - 1 - {own}", f"-1 - {own}"))
                continue
            r = g.fresh("r")
            step = g.pick(str(self.block[axis]), f"cuda.blockDim.{'xyz'[axis]}")
            lines.append("    " * depth + g.pick(f"for {r} in range({own}, {size}, {step}):",
                                                 f"for {r} in range({own}, {size}, {step}):",
                                                 f"for {r} in range({size} - 1 - {own}, -1, -{self.block[axis]}):"))
            indices.append(r)
            self.made.places.append(r)
            depth += 1
        text = f"{tile.name}[{', '.join(indices)}]"
        value = self.value(tile.kind, [other for other in tiles if other is not tile])
        if not whole and g.chance(0.2):
            self.made.numbers = dict(self.own)
            lines.append("    " * depth + f"if {self.made.truth(1)}:")
            depth += 1
            text_else = g.chance(0.4)
            lines.append("    " * depth + f"{text} = {value}")
            if text_else:
                lines += ["    " * (depth - 1) + "else:", "    " * depth + f"{text} = {self.value(tile.kind, [])}"]
        else:
            lines.append("    " * depth + f"{text} = {value}")
        self.made.places = [name for name in self.made.places if not name.startswith("r")]
        return lines

    def gather(self, tiles):
        """Into a variable of the thread's own, in a loop or two."""
        g, tile = self.g, self.g.random.choice(tiles)
        name = g.random.choice([name for name, kind in self.own.items()])
        kind = self.own[name]
        k = g.fresh("k")
        turns = g.pick(str(g.pick(1, 2, 5, 8, 16)), str(tile.shape[0]), str(tile.shape[-1]),
                       f"0, {g.pick(4, 9)}, {g.pick(1, 2)}", f"{g.pick(4, 9)}, 0, -1",
                       f"{self.made.whole(1)} & 7")
        self.made.places.append(k)
        if self.many and len(turns) < 4:
            turns = str(min(int(turns), 8))
        lines = [f"for {k} in range({turns}):"]
        if g.chance(0.2):
            lines += [f"    if {self.made.truth(1)}:", f"        {g.pick('continue', 'break', 'continue')}"]
        value = self.value(kind, tiles, k)
        if kind in ("int64", "float32", "float64", "complex64"):
            lines.append(f"    {name} {g.pick('+=', '+=', '-=')} {value}")
        elif kind == "bool":
            lines.append(f"    {name} = {name} != {value}")
        else:
            lines.append(f"    {name} = {kind}({name} + {value})")
        if g.chance(0.2):
            other = g.random.choice([name for name in self.own])
            lines.append(f"    {other} = {self.value(self.own[other], tiles, k)}")
        if self.made.privates and g.chance(0.3):
            lines += ["    " + line for line in self.made.put(1)]
        self.made.places.remove(k)
        return lines

    def hold(self, tiles):
        g = self.g
        name = g.random.choice(list(self.own))
        return [f"{name} = {self.value(self.own[name], tiles)}"]

    def write(self, tiles):
        """To global memory, an element of the thread's own."""
        g = self.g
        place = ", ".join(self.place)
        value = self.value(self.out.kind, tiles)
        sign = "=" if self.out.kind in ("bool", "float16") else g.pick("=", "=", "+=")
        return [f"if {self.inside}:", f"    {self.out.text}[{place}] {sign} {value}"]

    def count(self):
        """Atomics on a shared array of numbers, behind and before a barrier."""
        g, s = self.g, self.g.fresh("c")
        many, kind = g.pick(1, 5, 32), g.pick("int32", "uint32", "int64", "uint64")
        self.lines.append(f"{s} = cuda.shared.array({many}, {kind})")
        h = g.give(g.fresh("h"), f"zeros({many}, dtype={kind})", True)
        own = self.flat()
        b, k = g.fresh("b"), g.fresh("k")
        self.made.numbers = dict(self.own)
        lines = [f"for {b} in range({own}, {many}, {self.count_of()}):", f"    {s}[{b}] = 0", "cuda.syncthreads()"]
        add = f"cuda.atomic.{g.pick('add', 'max', 'xor')}({s}, ({self.made.whole(2)}) % {many}, {kind}({self.made.whole(1)} & 7))"
        lines += [f"for {k} in range({g.pick('2', '3', self.made.whole(1) + ' & 3')}):", f"    {add}"] \
            if g.chance(0.5) else [add]
        lines += ["cuda.syncthreads()", f"for {b} in range({own}, {many}, {self.count_of()}):",
                  f"    cuda.atomic.add({h}, {b}, {s}[{b}])"]
        return lines

    def flat(self):
        text, size = self.threads[0], self.block[0]
        for axis in range(1, self.axes):
            text += f" + {self.threads[axis]} * {size}"
            size *= self.block[axis]
        return text

    def count_of(self):
        size = 1
        for extent in self.block:
            size *= extent
        return size

    def phase(self):
        """Fills some tiles and meets, reads and meets."""
        g, lines = self.g, []
        filled = g.random.sample(self.tiles, g.random.randrange(1, len(self.tiles) + 1))
        others = [tile for tile in self.tiles if tile not in filled]
        for tile in filled:
            lines += self.fill(tile, others)
        lines.append("cuda.syncthreads()")
        for _ in range(g.random.randrange(1, 4)):
            lines += g.pick(self.gather, self.gather, self.gather, self.hold, self.write)(self.tiles)
        lines.append("cuda.syncthreads()")
        return lines

    def within(self, lines):
        """Lines with barriers in a loop that all threads make, or a branch that all take."""
        g, k = self.g, self.g.fresh("u")
        inner = ["    " + line for line in lines]
        leave = [f"    if {k} == {g.pick(1, 2)}:", f"        {g.pick('break', 'continue')}"] \
            if g.chance(0.2) else []
        roll = g.random.random()
        uniform = f"{g.random.choice(self.made.inputs).text}.shape[0]"
        if roll < 0.5:
            return [f"for {k} in range({g.pick('2', '3', '1, 6, 2', '2, -1, -1', uniform + ' & 3')}):", *leave, *inner]
        if roll < 0.65 and not leave:
            return [f"{k} = {g.pick(2, 5)}", f"while {k} > 0:", f"    {k} //= 2", *inner]
        if roll < 0.8:
            return [f"if {uniform} > {g.pick(1, 10)}:", *inner]
        if roll < 0.9:
            return [f"if cuda.blockIdx.x % {g.pick(2, 3)} != 1:", *inner]
        return lines

    def make(self):
        g = self.g
        self.names()
        self.values()
        self.outputs()
        for _ in range(g.random.randrange(1, 4)):
            self.add_tile()
        if not self.tiles:
            return None
        if g.chance(0.2):
            self.lines += self.count()
        for _ in range(g.random.randrange(1, 3)):
            kind, name = g.pick(*self.kinds), g.fresh("v")
            self.lines.append(f"{name} = {self.made.of(kind, 1)}")
            self.own[name] = kind
        first = [line for tile in self.tiles for line in self.fill(tile, [], True)] + ["cuda.syncthreads()"]
        self.lines += first
        if g.last and g.chance(0.2):
            self.lines += [f"if not ({self.inside}):", "    return"]
        for _ in range(g.random.randrange(1, self.few + 1)):
            phase = self.phase()
            self.lines += self.within(phase) if g.chance(0.6) else phase
        name = g.random.choice(list(self.own))
        if self.own[name] == self.out.kind:
            self.lines += [f"if {self.inside}:", f"    {self.out.text}[{', '.join(self.place)}] = {name}"]
        else:
            self.lines += self.write(self.tiles)
        for name, kind in self.own.items():
            if kind in ("int32", "int64"):
                total = g.give(g.fresh("total"), "zeros(5, dtype=int64)", True)
                self.lines.append(f"cuda.atomic.add({total}, ({self.flat()}) % 5, {name} & 1023)")
            elif kind in FLOATS:
                all_of = g.give(g.fresh("each"), f"zeros({tuple(self.size)}, dtype={kind})", True)
                self.lines.append(f"{all_of}[{', '.join(self.place)}] = {name}")
        return self.lines


def phases(g):
    return Phases(g).make()


AXES_1 = [phases]
AXES_2 = 2 * [phases]
AXES_3 = [phases]
