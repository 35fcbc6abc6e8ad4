"""Random kernels as people write them who do not think of the machine: what optimising passes look for.

    made = program(seed); made.text, made.outputs

Each thread guards its place or walks with the grid's stride, reads what it likes and writes what is
its own, or counts by atomics; the arrays are slices, transposes and misaligned pieces of others,
empty, small or of odd sizes, and what overlaps is used such that no thread sees another's work.
naive_places.py says which elements a thread has; naive_lines.py, naive_planes.py (matrices and
volumes), naive_counts.py (atomics), naive_blocks.py (shared memory), naive_rows.py (a thread a row)
and naive_walks.py (a thread a long row or column) have the patterns, lists by how many axes the
launch has; naive_decided.py indices that hang on
decisions; naive_mixed.py and naive_phases.py put statements together that make no pattern;
naive_windows.py has windows and borders; naive_flat.py puts matrices into one axis. Results are exact: floats are small integers, but for a
division, a root or the like that is the last thing done to them, or what is done to them has one
order.
"""
from draw import Draw, Program
from values import BITS, DTYPES, FLOATS, UNSIGNED

import naive_blocks
import naive_counts
import naive_decided
import naive_flat
import naive_lines
import naive_mixed
import naive_phases
import naive_planes
import naive_rows
import naive_walks
import naive_windows

PATTERNS = {axes: [form for module in (naive_lines, naive_planes, naive_counts, naive_blocks,
                                       naive_rows, naive_walks, naive_mixed, naive_phases,
                                       naive_decided, naive_windows)
                   for form in getattr(module, f"AXES_{axes}", ())] for axes in (1, 2, 3)}
SIZES = [0, 1, 2, 3, 5, 7, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 250, 256, 257, 511,
         777, 1000, 1024, 1025]
SIDES = [0, 1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 24, 31, 32, 33, 40]
BLOCKS = {1: [(1,), (7,), (31,), (32,), (33,), (48,), (64,), (96,), (100,), (128,), (256,)],
          2: [(1, 1), (4, 4), (8, 8), (16, 16), (32, 8), (8, 32), (7, 5), (32, 4), (3, 33), (16, 8),
              (64, 1), (1, 64)],
          3: [(1, 1, 1), (4, 4, 4), (8, 4, 2), (32, 2, 2), (2, 2, 32), (5, 3, 2), (2, 32, 1)]}


class Array:
    def __init__(self, name, kind, shape):
        self.name, self.kind, self.shape = name, kind, shape


class Naive(Draw):
    """What a kernel is made in."""

    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.axes = self.pick(1, 1, 1, 2, 2, 3)
        self.block = self.pick(*BLOCKS[self.axes])
        most = 9 if self.axes == 1 else 4
        self.grid = tuple(self.random.randrange(1, most) for _ in range(self.axes))
        self.broad = self.axes == 2 and self.chance(0.3)  # wider than any tile, and covered
        if self.broad:
            self.grid = tuple(-(-self.random.randrange(60, 180) // side) for side in self.block)
        self.definitions, self.parameters = [], []
        self.last = False            # whether nothing comes behind the present pattern
        self.shapes = {}             # of arrays that are parameters

    def threads(self, axis=0):
        return self.grid[axis] * self.block[axis]

    def size(self):
        """Of an array: around what the grid covers, or anything."""
        if self.chance(0.4):
            return max(0, self.threads() + self.pick(-33, -2, -1, 0, 1, 2, 65))
        return self.pick(*SIZES)

    def side(self, axis=0):
        if self.broad and self.chance(0.9):
            return self.threads(axis) - self.random.randrange(self.block[axis])
        if self.chance(0.4):
            return max(0, min(80, self.threads(axis)) + self.pick(-3, -1, 0, 1, 5))
        return self.pick(*SIDES)

    # ---- parameters ------------------------------------------------------------------------------

    def give(self, name, value, written=False):
        self.parameters.append((name, value, written))
        return name

    def data(self, kind, shape, most=None):
        """Random numbers, those of floats from 0 to 7."""
        most = most or (7 if kind in FLOATS else 2 ** min(BITS[kind] - 1, 40) - 1)
        low = 0 if kind in UNSIGNED + FLOATS else -most
        text = f"randint({low}, {most + 1}, {shape}, seed={self.random.randrange(10 ** 6)}, dtype="
        return f"{text}int32).astype({kind})" if kind in FLOATS else f"{text}{kind})"

    def array(self, stem, kind, shape, written=False, most=None, plain=False):
        """A new parameter: an array of that shape, whatever it is a piece of."""
        shape = tuple(max(0, extent) for extent in (shape if isinstance(shape, tuple) else (shape,)))
        dress = "" if plain or self.chance(0.9 if self.broad else 0.45) else self.pick("ahead", "back", "every", "turned", "middle")
        base = tuple(reversed(shape)) if dress == "turned" else shape
        cut = ""
        if dress in ("ahead", "middle"):
            first = tuple(self.random.randrange(0, 4) for _ in base)
            last = tuple(self.random.randrange(0, 3) if dress == "middle" else 0 for _ in base)
            cut = "[" + ", ".join(f"{a}:{a + n}" for a, n in zip(first, base)) + "]"
            base = tuple(a + n + b for a, n, b in zip(first, base, last))
        elif dress == "back":
            turned = [self.chance(0.7) for _ in base]
            cut = "[" + ", ".join("::-1" if turn else ":" for turn in turned) + "]"
        elif dress == "every":
            steps = [self.pick(1, 2, 3) for _ in base]
            cut = "[" + ", ".join(f"::{step}" for step in steps) + "]"
            base = tuple(n * step for n, step in zip(base, steps))
        elif dress == "turned":
            cut = ".T"
        value = f"zeros({base}, dtype={kind})" if written and self.chance(0.5) else \
            self.data(kind, base, most)
        name = self.give(self.fresh(stem), value + cut, written)
        self.shapes[name] = shape
        return Array(name, kind, shape)

    def scalar(self, stem, kind, value):
        return self.give(self.fresh(stem), f"{kind}({value})")

    # ---- values ----------------------------------------------------------------------------------

    def value(self, kind, operands, numbers=None):
        """The text of something to be stored as `kind`, of texts of that kind and of what numbers
        are at hand (name: kind)."""
        from arith import of_kind
        if numbers is not None and self.chance(0.3):
            self.variables = {**{text: kind for text in operands}, **numbers}
            made = of_kind(self, kind, self.random.randrange(1, 4))
            self.variables = {}
            return made
        a, b, c = (self.pick(*operands) for _ in range(3))
        forms = [f"{a}", f"{a} + {b}", f"{a} - {b}", f"{a} + {b} + {c}", f"{a} * 2", f"max({a}, {b})",
                 f"min({a}, {b}, {c})", f"{a} if {b} > {c} else {c}"]
        if kind in ("float32", "float64"):
            forms += [f"({a} + {b} + {c}) / 3.", f"({a} + {b}) / {kind}({self.pick(2, 3, 7, 10)})",
                      f"{a} * {b} + {c}", f"{a} / ({b} + 1)", f"({a} - {b}) * 0.5",
                      f"math.sqrt({a} * {a} + {b} * {b})", f"abs({a} - {b})"]
        elif kind not in FLOATS:
            forms += [f"{a} % {self.pick(3, 7, 16)}", f"{a} // {self.pick(3, 8)}", f"{a} & 15",
                      f"{a} >> 2", f"{a} ^ {b}"]
        return self.pick(*forms)

    def zero(self, kind):
        """What a sum of such numbers begins with."""
        return "0" if kind.startswith("int") else \
            f"uint64(0)" if kind in UNSIGNED else f"{kind}(0)"


def program(seed, options="", without=()):
    """The module with one kernel `k` that the seed makes; `options` go to @cuda.jit."""
    g = Naive(seed, without)
    forms = [form for form in PATTERNS[g.axes] if form.__name__ not in without]
    body = []
    for left in (1, 0) if g.chance(0.4) else (0,):
        g.last = not left
        made = None
        while made is None:
            kept = len(g.parameters), len(g.definitions)
            made = g.random.choice(forms)(g)
            if made is None:
                del g.parameters[kept[0]:], g.definitions[kept[1]:]
        body += made
    if g.axes > 1 and g.chance(0.4):
        body = naive_flat.flattened(g, body)
    grid, block = (text[0] if len(text) == 1 else text for text in (g.grid, g.block))
    example = [f"    {name}={value}," for name, value, _ in g.parameters]
    lines = ["import math", "from numba import cuda, types", "import numpy as np", "", "",
             *g.definitions, "@example(", *example, f"    grid={grid}, block={block})",
             f"@cuda.jit({options})", f"def k({', '.join(p[0] for p in g.parameters)}):"]
    text = "\n".join(lines + ["    " + line for line in body]) + "\n"
    return Program(text, [name for name, _, written in g.parameters if written])
