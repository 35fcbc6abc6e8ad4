"""Random kernels that are well typed and whose results nothing leaves open.

    made = program(seed); made.text, made.outputs

A program reads arrays of several dtypes and writes what its threads hold in the end. Whatever
compiler and device runs it, the bits it leaves are the same: values.py says how floats stay exact,
and a thread writes where it alone does, or by atomics that commute; what it reads of others lies
behind a barrier. Arrays whose name begins with `near` are compared with a tolerance.

Each family of the language is a module of its own here, with lists of productions: EXPRESSIONS,
STATEMENTS, NESTING (statements that hold others) and TOGETHER (those that all threads of a block
must come to); its begin() adds what they need to the program. A program uses a few families.
"""
import arith
import atomics
import casts
import clamps
import complexes
import constants
import edges
import flow
import functions
import functions_of_numbers
import held
import lanes
import record_arrays
import records
import slanted
import together
import tuples
import views
from draw import Draw, Program
from values import COMPLEXES, DTYPES, FLOATS, UNSIGNED, BITS

ALWAYS = (arith, flow)
SOMETIMES = (constants, functions, functions_of_numbers, tuples, views, complexes, records, atomics, together,
             lanes, held, clamps, edges, record_arrays, casts, slanted)
BLOCKS = 2


class Generator(Draw):
    """What a program is made in: productions read it, add to it and draw their luck from it."""

    def __init__(self, seed, without, wanted):
        super().__init__(seed, without)
        self.threads = together.THREADS * BLOCKS
        self.wanted = wanted
        self.kinds = sorted(self.random.sample(DTYPES, 2 if wanted else 5))   # of the arrays
        self.debug = self.chance(0.15)
        self.outer = {}              # variables that a family's start adds
        self.imports, self.definitions, self.start, self.end = [], [], [], []
        self.parameters = []         # (name, value, whether the kernel writes it)
        families = [family for family in (*ALWAYS, *SOMETIMES)
                    if family in ALWAYS or (family.__name__ in wanted if wanted else
                                            self.chance(0.6) and family.__name__ not in without)]
        self.families = {family.__name__ for family in families}
        self.expressions = self.of_all(families, "EXPRESSIONS")
        self.statements = self.of_all(families, "STATEMENTS")
        self.nesting = self.of_all(families, "NESTING")
        self.meeting = self.of_all(families, "TOGETHER")
        for family in families:
            family.begin(self)

    def of_all(self, families, what):
        return [form for family in families for form in getattr(family, what)
                if form.__name__ not in self.without]

    def statement(self, depth, together):
        """Its lines."""
        forms = list(self.statements)
        if depth > 0:
            forms += self.nesting
        if together and self.in_kernel:
            forms += self.meeting
        while True:
            made = self.random.choice(forms)(self, depth, together)
            if made:
                return made

    def wanted_statement(self):
        forms = [form for form in (*self.statements, *self.nesting, *self.meeting)
                 if form.__module__ in self.wanted]
        return self.random.choice(forms)(self, 3, True) or self.statement(3, True)

    def block(self, depth, together):
        """Lines of a few statements, indented; what they name is gone behind them."""
        before, lines = dict(self.variables), []
        for _ in range(self.random.randrange(1, 4)):
            lines += self.statement(depth, together)
        self.variables = before
        return ["    " + line for line in lines]

    def data(self, kind):
        seed = self.random.randrange(10 ** 6)
        if kind in FLOATS:
            low = self.random.randrange(0, 17) / 4
            return f"arange({low}, {low + 4}, 0.25, dtype={kind})"
        low = 0 if kind in UNSIGNED else -(2 ** min(BITS[kind] - 1, 40))
        high = 2 ** min(BITS[kind] - 1, 40)
        return f"randint({low}, {high}, {arith.SLOTS}, seed={seed}, dtype={kind})"

    def kernel(self):
        """The lines of the kernel's body."""
        lines = ["thread = cuda.grid(1)"]
        for kind in self.kinds:
            self.parameters += [(f"in_{kind}", self.data(kind), False),
                                (f"out_{kind}", f"zeros({self.threads}, dtype={kind})", True)]
            lines += [f"own_{kind} = cuda.local.array({arith.SLOTS}, {kind})",
                      f"for slot in range({arith.SLOTS}):",
                      f"    own_{kind}[slot] = in_{kind}[(slot + thread) % {arith.SLOTS}]",
                      f"v_{kind} = in_{kind}[thread % {arith.SLOTS}]"]
        self.parameters.append(("seen", f"zeros({self.threads}, dtype=int64)", True))
        lines += self.start
        self.variables = {"thread": "int64", **{f"v_{kind}": kind for kind in self.kinds}, **self.outer}
        self.in_kernel = True
        for _ in range(self.random.randrange(2, 4) if self.wanted else self.random.randrange(5, 13)):
            lines += self.wanted_statement() if self.wanted else self.statement(3, True)
        return lines + self.end + self.collected()

    def collected(self):
        """Lines that write what the thread holds."""
        lines = []
        for kind in self.kinds:
            lines += [f"for slot in range({arith.SLOTS}):",
                      f"    out_{kind}[thread] = out_{kind}[thread] / 2 + own_{kind}[slot] / 16"
                      if kind == "float64" else
                      f"    out_{kind}[thread] = max(out_{kind}[thread], own_{kind}[slot])"
                      if kind in FLOATS else
                      f"    out_{kind}[thread] = out_{kind}[thread] * 3 ^ own_{kind}[slot]"]
        for name, kind in self.variables.items():
            if kind in DTYPES:
                value = f"{name} * {kind}(4)" if kind in FLOATS else name
                lines.append(f"seen[thread] = seen[thread] * 31 + int64({value})")
            elif kind in COMPLEXES:
                lines.append(f"seen[thread] += int64({name}.real * 4) - int64({name}.imag * 4)")
        return lines


def program(seed, options="", without=(), families=()):
    """The module with one kernel `k` that the seed makes; `options` go to @cuda.jit, `without`
    names families and productions to leave out, and `families`, if any, those to be made of, of few
    statements."""
    generator = Generator(seed, without, families)
    body = generator.kernel()
    words = ", ".join(word for word in (options, "debug=True" if generator.debug else "") if word)
    example = ["    " + f"{name}={value}," for name, value, _ in generator.parameters]
    head = ["import math", "import operator", "import numpy as np",
            "from numba import cuda, literal_unroll, njit, types", *generator.imports, "", ""]
    lines = head + generator.definitions + ["@example(", *example, f"    grid={BLOCKS}, "
                                            f"block={together.THREADS})", f"@cuda.jit({words})",
                                            f"def k({', '.join(p[0] for p in generator.parameters)}):"]
    text = "\n".join(lines + ["    " + line for line in body]) + "\n"
    return Program(text, [name for name, _, written in generator.parameters if written])
