#!/usr/bin/env python3
"""Casts of casts, of every type to every other, against NumPy bit by bit.

    casts.py [--kjit build/kjit] [--device cpu] [--cc gcc,clang] [--passes LIST] [WORD ...]

A value is loaded from an array of each type, made one of two other types in turn, each of every
type, and goes on to where a cast's text might be left out: stored to an array of every type (a
third cast), passed, returned, an operand, compared, tested, an index and so on. Edge values of the
first type go in. What comes out must be what NumPy's casts give one by one, the sign of zero
included; any NaN is as good as another.

A float that no integer stands for becomes the nearest end of the integer's range, and NaN 0, on
each device; NumPy leaves that open. bfloat16, which NumPy lacks, is rounded here.

WORDs choose among the kernels, `store_int8`, `contexts_float16`, ... Unless --cc says which, kernels
on the processor are compiled by cc, and those in which compilers fold casts by gcc and clang as
well. Prints a line for each row that is wrong and then `N passed, N failed`, of chains.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 600
SHOWN = 3      # wrong rows of a kernel that are shown
CONSTANTS = 2  # for each chain
PARTS = 12     # of a kernel for a GPU, whose compiler takes minutes for a long one

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
REAL = ["bool", *INTEGERS, *FLOATS]
COMPLEX = ["complex64", "complex128"]
TYPES = REAL + COMPLEX
SPELLED = {"bool": "np.bool_", "bfloat16": "cuda.bfloat16"}

WHOLE = [0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 2049, 4099, 32767, 32768, 32769, 65519, 65520,
         65535, 65536, 65537, 2**24 - 1, 2**24 + 1, 2**24 + 3, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1,
         2**32, 2**32 + 1, 2**33 + 2**9 + 1, 2**53 - 1, 2**53 + 1, 2**53 + 3, 2**60 + 2**36 + 1,
         2**62 + 2**54 + 1, 2**63 - 2**9, 2**63 - 1, 2**63, 2**63 + 2**10 + 1, 2**64 - 1]
FRACTIONS = [0.0, 0.25, 0.5, 0.75, 0.999, 1.0, 1.5, 1.999, 2.5, 126.5, 127.5, 128.5, 255.5, 256.5,
             1 + 2**-11, 1 + 2**-11 + 2**-24, 1 + 2**-8, 1 + 2**-8 + 2**-25, 1 + 2**-24 + 2**-50, 0.1,
             32767.5, 32768.5, 65504.0, 65519.0, 65519.996, 65520.0, 65535.5, 65536.0, 2.0**24 + 2,
             2.0**31 - 0.5, 2.0**31, 2.0**31 + 256, 2147483649.0, 2.0**32 - 0.5, 2.0**32, 2.0**53 + 2,
             2.0**63 - 2**10, 2.0**63, 2.0**64 - 2**11, 2.0**64, 1e30, 3.3895e38, 3.4028235e38, 3.41e38,
             1e300, 2.0**-14, 2.0**-24, 2.0**-25, 2.0**-25 * 1.5, 1e-38, 1e-40, 1.4e-45, 7e-46, 1e-46,
             2.3e-308, 1e-310, 5e-324, np.inf]


# ---- what must come out -------------------------------------------------------------------------

def storage(kind):
    """bfloat16 is held in float32."""
    return np.dtype("float32" if kind == "bfloat16" else kind)


def nearest(numbers, digits, least):
    """Floats of so many digits, and no bit below `least`, nearest to integers of Python's."""
    def one(number):
        drop = max(abs(number).bit_length() - digits, least)
        if drop <= 0:
            return float(number)
        low, half = abs(number) & (1 << drop) - 1, 1 << drop - 1
        up = abs(number) >> drop
        up += low > half or (low == half and up & 1)
        return float((up << drop) * (1 if number >= 0 else -1))
    return np.array([one(int(number)) for number in numbers.ravel()]).reshape(numbers.shape)


def to_bfloat16(values):
    if values.dtype.kind in "biu":
        return nearest(values, 8, 0).astype(np.float32)
    wide = values.astype(np.float64)
    scale = np.exp2(np.maximum(np.frexp(wide)[1], -125) - 8.0)  # of the last digit
    rounded = np.where(np.isfinite(wide) & (wide != 0), np.rint(wide / scale) * scale, wide)
    largest = float(255 << 120)
    return np.where(np.abs(rounded) > largest, np.copysign(np.inf, wide), rounded).astype(np.float32)


def to_integer(values, kind):
    """Toward zero, held in range."""
    if values.dtype.kind in "biu":
        return values.astype(kind)
    limits, wide = np.iinfo(kind), np.trunc(values.astype(np.float64))
    low, high = wide <= float(limits.min), wide >= float(limits.max)
    inside = np.where(np.isnan(wide) | low | high, 0, wide).astype(kind)
    return np.where(low, limits.min, np.where(high, limits.max, inside)).astype(kind)


def convert(values, kind):
    if kind == "bool":
        return values != 0
    if kind == "bfloat16":
        return to_bfloat16(values)
    if kind in INTEGERS:
        return to_integer(values, kind)
    if kind == "float16" and values.dtype.kind in "biu":
        return values.astype(np.float64).astype(np.float16)  # as by one rounding: the rest is inf
    return values.astype(kind)


def sources(kind):
    if kind == "bool":
        return np.array([False, True])
    if kind in INTEGERS:
        limits = np.iinfo(kind)
        numbers = WHOLE + [-number for number in WHOLE[1:]]
        return np.array([each for each in numbers if limits.min <= each <= limits.max], kind)
    numbers = np.array(FRACTIONS + [-each for each in FRACTIONS] + [np.nan])
    if kind in COMPLEX:
        return (numbers + 0j).astype(kind) + np.array(1j, kind) * np.roll(numbers, 1).astype(kind)
    numbers = convert(np.unique(convert(numbers, kind).view(f"u{storage(kind).itemsize}"))
                      .view(storage(kind)), kind)
    return numbers


def same(got, want):
    """Which elements are equal, bit by bit where they are no NaN."""
    if want.dtype.kind == "c":
        part = np.dtype(f"f{want.dtype.itemsize // 2}")
        each = same(np.ascontiguousarray(got).view(part), np.ascontiguousarray(want).view(part))
        return each.reshape(*want.shape, 2).all(axis=-1)
    if want.dtype.kind != "f":
        return got == want
    return ((got == want) & (np.signbit(got) == np.signbit(want))) | (np.isnan(got) & np.isnan(want))


# ---- kernels ------------------------------------------------------------------------------------

def spelled(kind):
    return SPELLED.get(kind, f"np.{kind}")


def follows(kind, after):
    """Whether a cast to `kind` of one of `after` is a cast, and there is one."""
    return kind != after and (after not in COMPLEX or kind in COMPLEX)


class Rows:
    """The text of a kernel, and what each row of its outputs must hold."""

    def __init__(self, name, source, options=""):
        self.name, self.source, self.options = name, source, options
        self.lines, self.functions, self.extra = [], {}, {}
        self.want, self.chains = {}, {}
        self.values = sources(source)
        with np.errstate(all="ignore"):
            self.values = convert(self.values, source)

    def loaded(self):
        return "cuda.bfloat16(x[i])" if self.source == "bfloat16" else "x[i]"

    def put(self, kind, want, chain):
        """A row of the output of `kind`; gives the element."""
        rows = self.want.setdefault(kind, [])
        rows.append(np.ascontiguousarray(want))
        self.chains.setdefault(kind, []).append(chain)
        return f"o_{kind}[{len(rows) - 1}, i]"

    def add(self, kind, want, chain, text):
        """A statement in which {} is the element of a row."""
        self.lines.append("        " + text.replace("{}", self.put(kind, want, chain)))

    def parameters(self):
        return ["x", *(f"o_{kind}" for kind in self.want), *self.extra]

    def text(self):
        head = ["import numpy as np", "from numba import cuda", "", ""]
        for name, body in self.functions.items():
            head += ["@cuda.jit(device=True)", f"def {name}(x):", f"    return {body}", "", ""]
        return "\n".join([*head, f"@cuda.jit({self.options})",
                          f"def {self.name}({', '.join(self.parameters())}):",
                          "    i = cuda.grid(1)", f"    if i < {len(self.values)}:",
                          *self.lines, ""])


def cast(kinds, text):
    for kind in kinds:
        text = f"{spelled(kind)}({text})"
    return text


@functools.lru_cache(maxsize=None)
def reached(source, kinds):
    """The edge values of `source` after the casts."""
    with np.errstate(all="ignore"):
        if not kinds:
            return convert(sources(source), source)
        return convert(reached(source, kinds[:-1]), kinds[-1])


class Job:
    """A kernel to run: of a KERNEL's chains every one, or each `parts`th from `part` on."""

    def __init__(self, kernel, source, part, parts, compiler, options):
        self.kernel, self.source, self.part, self.parts = kernel, source, part, parts
        self.compiler, self.options = compiler, options

    def pairs(self):
        every = [(a, b) for a in TYPES if follows(a, self.source)
                 for b in TYPES if follows(b, a)]
        return every[self.part::self.parts]

    def rows(self, options=""):
        return Rows(f"{self.kernel}_{self.source}", self.source, options)


def store(job):
    """Every chain of three: the last is that of the store."""
    rows, source = job.rows("opt=False"), job.source
    for a, b in job.pairs():
        for kind in TYPES:
            if kind != b and follows(kind, b):
                rows.add(kind, reached(source, (a, b, kind)), (source, a, b, kind),
                         f"{{}} = {cast((a, b), rows.loaded())}")
    return rows


def add_contexts(rows, source, a, b):
    """A chain of two in each place where C converts, tests or computes."""
    value, want = cast((a, b), rows.loaded()), reached(source, (a, b))
    chain, complex_ = (source, a, b), b in COMPLEX
    wide = "complex128" if complex_ else "float64"
    widened = reached(source, (a, b, wide))
    function = f"as_{a}_{b}"
    rows.functions[function] = cast((a, b), "x")
    rows.functions["same"] = "x"
    rows.add(wide, widened, ("argument", *chain), f"{{}} = same({value})")
    rows.add(wide, widened, ("return", *chain), f"{{}} = {function}({rows.loaded()})")
    rows.add("bool", want != 0, ("condition", *chain), f"{{}} = True if {value} else False")
    rows.add("bool", want == 0, ("not", *chain), f"{{}} = not {value}")
    rows.add(wide, widened, ("tuple", *chain), f"{{}} = (i, {value})[1]")
    rows.lines.append(f"        v = {value}")
    rows.add(wide, widened, ("variable", *chain), "{} = v")
    rows.add(wide, widened, ("choice", *chain), f"{{}} = {value} if i >= 0 else v")
    ones = rows.extra.setdefault("ones_" + b, np.ones(1, storage(b)))
    if ones.dtype.kind in "iuf" and b != "bfloat16":
        one = f"ones_{b}[0]"
        rows.add("float64", widened, ("operand", *chain), f"{{}} = {value} * {one}")
        rows.add("float64", widened, ("quotient", *chain), f"{{}} = {value} / {one}")
    if not complex_:
        rows.add("float64", widened, ("operand of a float", *chain),
                 f"{{}} = {value} * ones_float64[0]")
        rows.extra.setdefault("ones_float64", np.ones(1))
    if b in FLOATS:
        rows.add("float64", -widened, ("negated", *chain), f"{{}} = -{value}")
    if b in FLOATS + INTEGERS:
        for op, truth in (("==", want == want), ("<", want < want), (">=", want == want)):
            row = rows.put(b, want, chain) if op == "==" else row
            if op == "==":
                rows.lines.append(f"        {row} = {value}")
            rows.add("bool", truth, (op, *chain), f"{{}} = {value} {op} {row}")
        accumulated = np.float64(-0.0) + widened
        element = rows.put("float64", accumulated, ("+=", *chain))
        rows.lines += [f"        {element} = -0.0", f"        {element} += {value}"]
    if b in INTEGERS and not rows.checked:
        small = (want >= 0) & (want < 100)
        number = len(rows.want["bool"])
        places = rows.extra.setdefault("inside", [])
        while len(places) <= number:
            places.append(np.zeros(len(want), bool))
        places[number] = small
        rows.extra.setdefault("table", np.arange(100.0))
        element = rows.put("float64", np.where(small, widened, -1.0), ("index", *chain))
        rows.lines.append(f"        {element} = -1.0")
        rows.lines.append(f"        if inside[{number}, i]:")
        rows.lines.append(f"            {element} = table[{value}]")


def contexts(job):
    rows = job.rows("opt=False")
    rows.checked = job.options.device == "check"  # it takes another index than one that a cast cut
    for a, b in job.pairs():
        add_contexts(rows, job.source, a, b)
    return rows


def folded(job):
    """Through an integer and back, for compilers to make one operation of."""
    rows, source = job.rows(), job.source
    for a in ["bool", *INTEGERS]:
        for b in ("float32", "float64"):
            want = reached(source, (a, b))
            rows.add(b, want, (source, a, b), f"{{}} = {cast((a, b), rows.loaded())}")
            rows.lines.append(f"        n = {spelled(a)}({rows.loaded()})")
            rows.add(b, want, ("kept", source, a, b), "{} = n")
            rows.add(b, np.where(want > 1, want, convert(np.array(0), b)),
                     ("chosen", source, a, b), f"{{}} = {spelled(b)}(n) if n > 1 else {spelled(b)}(0)")
    return rows


def guarded(job):
    """Where comparisons say in what a float lies, and so what a cast needs no care for."""
    rows, source = job.rows(), job.source
    every = reached(source, ()).astype(np.float64)
    rows.lines.append(f"        v = {rows.loaded()}")
    for b in INTEGERS:
        one, number = convert(np.array(1), b), reached(source, (b,))
        for low, high in ((0.0, None), (None, 100.0), (-1.0, 2147483648.0), (0.0, 2147483647.0), (0.0, 4294967296.0),
                          (-129.0, 127.0), (-32769.0, None)):
            holds = np.isfinite(every) | np.isinf(every)
            holds &= (every >= low if low is not None else True) & (every <= high if high is not None else True)
            test = " <= ".join(filter(None, (low is not None and f"({low})", "v", high is not None and f"{high}")))
            rows.add(b, np.where(holds, number, one), (source, b, test),
                     f"{{}} = {spelled(b)}(v) if {test} else {spelled(b)}(1)")
    return rows


def written(value):
    number = value.item()
    return f"({number!r})" if number < 0 else repr(number)


def constants(job):
    """Chains of two, of numbers that are written, which kjit folds: the finite values in turn."""
    rows, source = job.rows("opt=False"), job.source
    rows.values, every = rows.values[:1], reached(source, ())
    finite, turn = np.flatnonzero(np.isfinite(every)), 0
    for a, b in job.pairs():
        wide = "complex128" if b in COMPLEX else "float64"
        for kind in {b, wide}:
            for _ in range(CONSTANTS):
                at, turn = finite[turn % len(finite)], turn + 1
                want = convert(reached(source, (a, b))[at:at + 1], kind)
                rows.add(kind, want, (written(every[at]), source, a, b),
                         f"{{}} = {cast((source, a, b), written(every[at]))}")
    return rows


KERNELS = {"store": (store, REAL + COMPLEX), "contexts": (contexts, REAL),
           "folded": (folded, FLOATS), "guarded": (guarded, FLOATS),
           "constants": (constants, REAL)}


# ---- running them -------------------------------------------------------------------------------

def complaints(rows, folder):
    wrong, failed, total = [], 0, 0
    for kind, want in rows.want.items():
        got = np.load(f"{folder}/o_{kind}.npy")
        want = np.array(want)
        if kind == "bfloat16" and got.dtype != np.float32:
            got = (got.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        if kind == "bfloat16" and got.shape != want.shape:
            got = got[:, :want.shape[1]]
        equal = same(got, want)
        total += len(want)
        for row in np.flatnonzero(~equal.all(axis=1)):
            failed += 1
            i = np.flatnonzero(~equal[row])[0]
            wrong.append(f"{rows.name}: {' -> '.join(rows.chains[kind][row])}, of {rows.values[i]!r}: "
                         f"{got[row, i]!r} in {kind}, not {want[row, i]!r}")
    return wrong, total - failed, failed


def prepare(rows, folder):
    """Writes the kernel and its arrays; gives the command's arguments."""
    (folder / f"{rows.name}.k").write_text(rows.text())
    arrays = {"x": rows.values, **rows.extra}
    arguments = [f"{folder / rows.name}.k:{rows.name}", "-q", "--grid", f"1x{len(rows.values)}"]
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", np.array(array))
        arguments.append(f"{name}={folder}/{name}.npy")
    for kind, want in rows.want.items():
        arguments += [f"o_{kind}=zeros(({len(want)}, {len(rows.values)}), dtype={kind})",
                      "--save", f"o_{kind}={folder}/o_{kind}.npy"]
    return arguments


def run(job):
    rows, options = KERNELS[job.kernel][0](job), job.options
    if not rows.want:                   # there are fewer chains than parts
        return [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        arguments = prepare(rows, pathlib.Path(folder))
        environment = {**os.environ, "KJIT_CACHE_SIZE": "0"}
        if job.compiler:
            environment["KJIT_CC"] = job.compiler
        passes = ["--passes", options.passes] if options.passes else []
        done = subprocess.run([options.kjit, "run", *arguments, "--device", options.device, *passes],
                              capture_output=True, text=True, timeout=SECONDS, env=environment)
        findings = options.device == "check" and done.returncode == 4  # what overflows is told
        if done.returncode and not findings:
            chains = sum(map(len, rows.want.values()))
            return [f"{rows.name}: exit status {done.returncode}: {done.stderr[:600]}"], 0, chains
        with np.errstate(all="ignore"):
            return complaints(rows, folder)


def compilers_of(kernel, options):
    if options.device not in ("cpu", "check"):
        return [None]
    if options.cc:
        return options.cc.split(",")
    there = [each for each in ("gcc", "clang") if shutil.which(each)]
    return there if kernel == "folded" and there else [None]


def jobs_of(options):
    jobs = []
    for kernel, (_, sources_) in KERNELS.items():
        parts = PARTS if options.device.startswith("cuda") and kernel != "folded" else 1
        for source in sources_:
            if not options.words or any(word in f"{kernel}_{source}" for word in options.words):
                jobs += [Job(kernel, source, part, parts, compiler, options)
                         for compiler in compilers_of(kernel, options) for part in range(parts)]
    return jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=ROOT / "build/kjit")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--cc", help="compilers, between commas")
    parser.add_argument("--passes")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    passed = failed = 0
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for job, (wrong, good, bad) in zip(jobs := jobs_of(options), pool.map(run, jobs)):
            passed, failed = passed + good, failed + bad
            for each in wrong[:SHOWN]:
                print(f"{each} ({job.compiler or options.device})")
            if len(wrong) > SHOWN:
                print(f"    and {len(wrong) - SHOWN} more")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
