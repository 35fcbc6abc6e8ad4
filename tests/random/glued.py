"""Random kernels of several parts: two to four kernels of other families are one, each a device function or inlined
where it stands, one after the other, under conditions of the launch or repeated, with barriers between them.

Parts read one array, and where one block runs, or one thread, a part reads, adds to or overwrites what those in front
of it have written. Arguments are one array or views of one that overlap, in some launches of a kernel and not in
others. The part that is drawn first decides the launch's shape; one that has fewer axes is done by the threads that
are first along the others."""
import ast
import random

import arms
import axes
import borders
import corners
import folds
import matrices
import meets
import nests
import stretches
import strides
import tallies
import warps
import wholes
from draw import Program
from nest import Array, Nest

ANY = (folds, nests, stretches, borders, tallies, axes, corners, wholes, matrices, folds, borders, arms)
FIRST = ANY + (meets, meets, warps, warps, strides, corners, axes)
BOUND = ("threadIdx", "blockIdx", "shared", "sync", "blockDim", "warpsize", "laneid", "gridDim")
POOLS = [(1, 33), (32,), (64, 65), (1, 5), (17,), (100, 128), (7, 8, 9), (31, 2), (257,), (3, 130), (2, 16), None, None]
PLAIN = {"import math", "import numpy as np", "from numba import cuda, types"}
MOST_ELEMENTS, MOST_THREADS = 300000, 40000


def product(shape):
    made = 1
    for n in shape:
        made *= n
    return made


def shape_of(array):
    return [product(array.dims)] if array.flat else [array.dims[d] for d in array.order]


def lines_of(nodes):
    return "\n".join(map(ast.unparse, nodes)).split("\n")


def indented(lines):
    return ["    " + line for line in lines]


class Part:
    """A kernel of another family, with names of its own."""

    def __init__(self, made, letter, family):
        self.made, self.letter, self.family = made, letter, family
        *self.functions, self.body = [node for node in ast.parse(made.text).body if isinstance(node, ast.FunctionDef)]
        text = ast.unparse(self.body)
        functions = {f.name for f in (*self.functions, self.body)}
        for function in self.functions:
            self.rename(function, functions)
        self.rename(self.body, functions | {a.arg for a in self.body.args.args} | {
            node.id for node in ast.walk(self.body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)})
        self.params = [a.arg for a in self.body.args.args]
        self.written = {self.own(name) for name in made.outputs}
        self.rank = 3 if "grid(3)" in text else len(made.block)
        self.is_bound = any(word in text for word in BOUND) or family is strides
        self.meets = "sync" in text or "shared" in text
        self.adds = "atomic" in text
        self.returns = any(isinstance(node, ast.Return) for node in ast.walk(self.body))

    def own(self, name):
        return f"{self.letter}_{name}"

    def owned(self, value):
        """The text of a value, in which others of its values may be named."""
        tree = ast.parse(value, mode="eval")
        self.rename(tree, {name for name, _ in self.made.values})
        return ast.unparse(tree)

    def rename(self, tree, names):
        for node in ast.walk(tree):
            for field in ("id", "arg", "name"):
                if getattr(node, field, None) in names:
                    setattr(node, field, self.own(getattr(node, field)))

    def arrays(self, made):
        by_name = {a.name: a for a in made.arrays if isinstance(a, Array)}
        return {self.own(name): by_name[name] for name, _ in made.values if name in by_name}

    def fits(self, made, grid, block):
        """Whether it may be launched so, with those values."""
        if not self.is_bound:
            return True
        if self.family is strides:
            return list(made.grid) == grid and list(made.block) == block
        return list(made.block) == block and all(a <= b for a, b in zip(grid, made.grid))


class Glue:
    def __init__(self, seed):
        self.draw = draw = random.Random(f"glued {seed}")
        Nest.pool = draw.choice(POOLS)
        Nest.kind_at_best = draw.choice(("float32", "float32", "int32", "float64", "int64"))
        roll = draw.random()
        self.one, self.alone = roll < 0.55, roll < 0.12      # block, thread
        try:
            self.draw_parts()
        finally:
            Nest.pool = Nest.kind_at_best = None
        draw.shuffle(self.parts)
        self.more = []                                       # scalars of the launch
        shared = self.share([part.made for part in self.parts], {}, 0.35)
        self.same = {name: other for name, other in shared.items() if "[" not in other}      # in the text

    def chance(self, probability):
        return self.draw.random() < probability

    # ---- parts -----------------------------------------------------------------------------------
    def draw_part(self, families, letter, accepts):
        for _ in range(40):
            family = self.draw.choice(families)
            try:
                made = family.program(self.draw.randrange(10 ** 9))
            except (ValueError, IndexError, ZeroDivisionError):    # extents that nothing can be drawn of
                continue
            imports = {line for line in made.text.split("\n") if line.startswith(("import ", "from "))}
            if not imports <= PLAIN or product(made.grid) * product(made.block) > MOST_THREADS or \
                    max((product(a.dims) for a in made.arrays), default=0) > MOST_ELEMENTS:
                continue
            part = Part(made, letter, family)
            if accepts(part):
                return part
        return None

    def draw_parts(self):
        first = self.draw_part(FIRST, "a", lambda part: True)
        self.block, self.grid, self.parts = list(first.made.block), list(first.made.grid), [first]
        self.alone = self.alone and not first.is_bound
        if self.alone:
            self.block = [1] * len(self.block)
        if first.family is strides:
            self.one = product(self.grid) == 1
        elif self.one:
            self.grid = [1] * len(self.grid)
        for letter in "bcd"[:self.draw.choice((1, 1, 2, 2, 3))]:
            part = self.draw_part(FIRST if self.chance(0.4) else ANY, letter, self.is_right)
            if part:
                self.parts.append(part)
                if part.is_bound:
                    self.grid = [min(a, b) for a, b in zip(self.grid, part.made.grid)]

    def is_right(self, part):
        return part.fits(part.made, self.grid, self.block) and (not part.meets or part.rank == len(self.block))

    # ---- one array for several parameters --------------------------------------------------------
    def share(self, mades, same, probability):
        """Which parameters are earlier ones or views of them, beside those that are in the text."""
        there, roots, written, pairs = [], {}, set(), {}
        for part, made in zip(self.parts, mades):
            mine = {}                                        # what its parameters look at: does one write there?
            for name, array in part.arrays(made).items():
                writes = name in part.written
                roots[name] = roots[same[name]] if name in same else name
                if name not in same and array.low is None and self.chance(probability) and not (
                        part.adds and array.kind.startswith("float")):
                    good = [same.get(other, other) + view for other, theirs in there
                            for view in self.views(array, theirs)
                            if self.may_be(roots[other], writes, mine, written) and other not in pairs]
                    if good:
                        pairs[name] = self.draw.choice(good)
                        roots[name] = roots[pairs[name].partition("[")[0]]
                there.append((name, array))
                mine[roots[name]] = mine.get(roots[name], False) or writes
                written |= {roots[name]} if writes else set()
        return pairs

    def may_be(self, root, writes, mine, written):
        """Whether a parameter may look at what others look at."""
        if self.alone:
            return True
        if not self.one:
            return not writes and root not in written
        return root not in mine or not writes and not mine[root]

    def views(self, array, theirs):
        """The ways to look at one array as at another: where one thread runs, also from another element on."""
        if theirs.low is not None or theirs.kind != array.kind:
            return []
        mine, other = shape_of(array), shape_of(theirs)
        if mine == other:
            return [""]
        begin = self.draw.randrange(3)
        if self.alone and len(mine) == len(other) == 1 and mine[0] + begin <= other[0]:
            return [f"[{begin}:{begin + mine[0]}]"]
        return []

    # ---- text ------------------------------------------------------------------------------------
    def around(self, part, lines):
        """A part's lines where they stand: for the first threads along axes that it does not know, under a condition
        of the launch, or repeated."""
        missing = ["xyz"[axis] for axis in range(part.rank, len(self.block))]
        if missing:
            tests = [f"cuda.threadIdx.{x} == 0 and cuda.blockIdx.{x} == 0" for x in missing]
            lines = [f"if {' and '.join(tests)}:", *indented(lines)]
        roll = self.draw.random()
        if roll < 0.1:
            self.more.append((part.own("flag"), f"int64({self.draw.choice((0, 1, 1, 1))})"))
            return [f"if {part.own('flag')} > 0:", *indented(lines)]
        if roll < 0.25 and not (part.adds and part.family is warps):
            end = str(self.draw.choice((0, 1, 2, 2, 3)))
            if self.chance(0.5):
                self.more.append((part.own("times"), f"{self.draw.choice(('int64', 'int32'))}({end})"))
                end = part.own("times")
            return [f"for {part.own('again')} in range({end}):", *indented(lines), "    cuda.syncthreads()"]
        return lines

    def inlined(self, part, last):
        """The part's own lines, which may leave the kernel where nothing comes behind."""
        for node in ast.walk(part.body):
            if isinstance(node, ast.Name) and node.id in self.same:
                node.id = self.same[node.id]
        lines = lines_of(part.body.body)
        return lines if last and part.returns and part.rank == len(self.block) else self.around(part, lines)

    def called(self, part, functions):
        part.body.name = part.own("part")
        part.body.decorator_list = [ast.parse("cuda.jit(device=True)", mode="eval").body] if self.chance(0.5) else []
        functions.append(part.body)
        return self.around(part, [f"{part.body.name}({', '.join(self.same.get(name, name) for name in part.params)})"])

    def program(self, options):
        functions, lines = [], []
        for number, part in enumerate(self.parts):
            last = number == len(self.parts) - 1
            functions += part.functions
            inline = (last and part.rank == len(self.block) or not part.returns) and self.chance(0.6)
            lines += self.inlined(part, last) if inline else self.called(part, functions)
            if not last and (self.one and not self.alone or self.chance(0.5)):
                lines.append("cuda.syncthreads()")
        options = ", ".join([word for word in [options] if word] + ["fma=False"])
        params = [part.own(name) for part in self.parts for name, _ in part.made.values]
        params = [name for name in params if name not in self.same] + [name for name, _ in self.more]
        lines = [f"@cuda.jit({options})", f"def k({', '.join(params)}):", *indented(lines)]
        head = [*sorted(PLAIN), "", "", *[line for f in functions for line in [*lines_of([f]), "", ""]]]
        made, *others = [self.launch(head, lines, number) for number in range(5)]
        made.others = [other for other in others if other]
        return made

    def launch(self, head, lines, number):
        """The program with the values that its parts have in one of their launches; None if they cannot be so."""
        mades = [([part.made, *part.made.others] * number)[self.draw.randrange(len(part.made.others) + 1)] if number
                 else part.made for part in self.parts]
        arrays = [part.arrays(made) for part, made in zip(self.parts, mades)]
        shapes = {name: shape_of(array) for each in arrays for name, array in each.items()}
        if any(shapes[name] != shapes[other] for name, other in self.same.items()) or \
                not all(part.fits(made, self.grid, self.block) for part, made in zip(self.parts, mades)):
            return None
        views = self.share(mades, self.same, self.draw.choice((0, 0, 0.5)))
        values = [(part.own(name), views.get(part.own(name), part.owned(value))) for part, made in zip(self.parts, mades)
                  for name, value in made.values if part.own(name) not in self.same] + self.more
        grid, block = (shape[0] if len(shape) == 1 else tuple(shape) for shape in (self.grid, self.block))
        text = [*head, "@example(", *[f"    {name}={value}," for name, value in values],
                f"    grid={grid}, block={block})", *lines]
        made = Program("\n".join(text) + "\n", [part.own(name) for part in self.parts for name in part.made.outputs
                                                 if part.own(name) not in self.same])
        made.values, made.grid, made.block = values, self.grid, self.block
        return made


def program(seed, options="", without=()):
    return Glue(seed).program(options)
