#!/usr/bin/env python3
"""Runs the kernels of values/ and compares what they leave with the tables beside them.

    check.py [--kjit build/kjit] [--device cpu] [--build ARCH] [--of arrays|literals] [WORD ...]

Each kernel runs twice: on arrays, and rewritten with the elements as literals, so that what the
compiler computes by itself is held to the same answers (but ARRAYS_ONLY).
Integers and bools must be equal. Floats must be equal too, NaN being NaN and -0.0 not 0.0, except
where a function's answer is rounded as the machine pleases: docs/accuracy.md says by how many units
in the last place.

WORDs choose the kernels whose name, `family.kernel`, contains one. --build compiles the kernels to
cubins instead, which needs NVRTC and no GPU. Prints a line an operation that is wrong, with the
first operands that show it, then `N passed, N failed`; exits 1 if one failed. Needs NumPy alone;
values.py wrote the tables.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALUES = pathlib.Path(__file__).resolve().parent / "values"
SECONDS = 600
BLOCK = 512            # threads
LINES_SHOWN = 6        # of one kernel's wrong operations
# Atomics have nothing to compute there, and NumPy's functions are made of others.
ARRAYS_ONLY = {"atomics", "ufuncs"}
LITERALS = 4           # elements of a row that are tried as literals
WIDE_LITERALS = 24     # and of a row whose operands are those of most constants
WIDE = {"bool", "int64", "uint64", "float32", "float64"}

# NumPy's names of what math has under another.
NUMPY_NAMES = {"arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
               "arctan": "atan", "arctanh": "atanh", "arctan2": "atan2", "power": "pow",
               "float_power": "pow", "**": "pow"}
# Of the modulus: angles and logarithms are multiplied.
COMPLEX_ULPS = {"**": 60, "power": 60}
OTHER_COMPLEX_ULPS = 6
ZEROS_OF_ANY_SIGN = ("min", "max", "nanmin", "nanmax", "**", "maximum", "minimum", "fmax", "fmin")
LGAMMA_BESIDE_ITS_ZEROS = 4   # on a GPU it errs there as it does for such results


def read_bounds():
    """{function: units on GPUs in float32, float64, on the processor in float32, float64}"""
    rows = re.findall(r"^\| (`.*?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|",
                      (ROOT / "docs" / "accuracy.md").read_text(), re.M)
    return {name: tuple(map(int, bounds)) for names, *bounds in rows
            for name in re.findall(r"`(?:np\.)?(\w+)`", names)}


BOUNDS = read_bounds()


class Row:
    """One operation: `to[number, k] = expression`."""

    def __init__(self, to, number, expression):
        self.to, self.number, self.expression = to, int(number), expression
        self.operands = re.findall(r"(\w+)\[([ijk])\]", expression)
        called = re.search(r"(?:math|cuda|atomic|np)\.(\w+)\(|^(\w+)\(| (\*\*) ", expression)
        self.function = next(filter(None, called.groups()), "") if called else ""

    def ulps(self, dtype, device):
        """How many units in the last place it may be off: docs/accuracy.md."""
        if dtype.kind == "c":
            return COMPLEX_ULPS.get(self.function, OTHER_COMPLEX_ULPS)
        name = NUMPY_NAMES.get(self.function, self.function)
        if name in ("abs", "absolute") and re.search(r"[cz]_complex", self.expression):
            name = "hypot"
        if dtype.kind != "f" or name not in BOUNDS:
            return 0
        if dtype == np.float16:
            return 1
        return BOUNDS[name][2 * (not device.startswith("cuda")) + (dtype == np.float64)]

    def literals(self, k, inputs, side):
        """The expression with the operands of element k written out."""
        def literal(match):
            text = spell(inputs[match[1]][place(match[2], k, side)])
            return f"({text})" if text[0] == "-" or match[3] else text

        return re.sub(r"(\w+)\[([ijk])\](?=(\.)?)", literal, self.expression)


class Kernel:
    """A kernel of values/FAMILY.k, read from its text, and the answers to it."""

    def __init__(self, family, text, answers):
        self.family = family
        self.name = re.search(r"def (\w+)\(", text)[1]
        self.parameters = re.search(r"\((.*?)\):", text, re.S)[1].replace(",", " ").split()
        self.rows = [Row(*row) for row in re.findall(r"(to_\w+)\[(\d+), k\] = (.*)", text)]
        self.answers = {to: answers[f"{self.name}.{to}"]
                        for to in self.parameters if to.startswith("to_")}
        side = re.search(r"i = k // (\d+)", text)
        self.side = int(side[1]) if side else 0

    def title(self):
        return f"{self.family}.{self.name}"

    def threads(self):
        return next(iter(self.answers.values())).shape[1]


def place(letter, k, side):
    return {"i": k // side, "j": k % side, "k": k}[letter] if side else k


def spell(value):
    """A literal of the element's own type."""
    if value.dtype.kind == "c":
        return f"{value.dtype}(complex({spell(value.real)}, {spell(value.imag)}))"
    if value.dtype.kind == "b":
        return str(bool(value))
    if value.dtype.kind == "f":
        number = float(value)
        text = "math.nan" if number != number else "math.inf" if number == np.inf else \
            "-math.inf" if number == -np.inf else repr(number)
        return text if value.dtype == np.float64 else f"{value.dtype}({text})"
    return f"{value.dtype}({value})"    # between bare integers Python itself computes


def load(path):
    with np.load(path) as archive:
        return dict(archive)


def kernels(words):
    for path in sorted(VALUES.glob("*.k")):
        answers = load(path.with_suffix(".npz"))
        for text in path.read_text().split("@cuda.jit\n")[1:]:
            kernel = Kernel(path.stem, text, answers)
            if not words or any(word in kernel.title() for word in words):
                yield kernel


# ---- running ----------------------------------------------------------------------------------


class Failure(Exception):
    pass


def command(arguments, work):
    environment = dict(os.environ, XDG_CACHE_HOME=str(work / "cache"))
    try:
        done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True,
                              timeout=SECONDS, env=environment, cwd=VALUES)
    except subprocess.TimeoutExpired:
        raise Failure(f"not done after {SECONDS} s") from None
    if done.returncode:
        raise Failure(f"exit status {done.returncode}: {done.stderr.strip()[:600]}")


def outputs_of(kernel):
    return [f"{to}=zeros({wanted.shape}, dtype={wanted.dtype})"
            for to, wanted in kernel.answers.items()]


def run(kernel, source, inputs, grid, options, work):
    """What the kernel leaves in each output."""
    kind = "arrays" if inputs else "literals"
    saved = {to: work / f"{kernel.title()}.{kind}.{to}.npy" for to in kernel.answers}
    command([options.kjit, "run", f"{source}:{kernel.name}", *inputs, *outputs_of(kernel), "-q",
             "--grid", grid, "--device", options.device,
             *(word for to, path in saved.items() for word in ("--save", f"{to}={path}"))], work)
    return {to: np.load(path) for to, path in saved.items()}


def run_on_arrays(kernel, options, work):
    given = [f'{name}=load("inputs.npz", "{name}")' for name in kernel.parameters
             if not name.startswith("to_")]
    threads = kernel.threads()
    grid = f"{-(-threads // BLOCK)}x{min(threads, BLOCK)}"
    return run(kernel, f"{kernel.family}.k", given, grid, options, work)


def chosen(row, kernel, inputs):
    """The elements of a row to try as literals, spread over all."""
    kinds = {str(inputs[name].dtype) for name, _ in row.operands}
    wide = len(kinds) == 1 and kinds <= WIDE
    count = min(WIDE_LITERALS if wide else LITERALS, kernel.threads())
    stride = max(kernel.threads() // count, 1)
    return sorted({(row.number * 5 + at * stride + at) % kernel.threads() for at in range(count)})


def run_on_literals(kernel, inputs, options, work):
    """The results, and the elements that were tried of each row."""
    lines = ["import math", "import numpy as np", "from numba import cuda", "", "", "@cuda.jit",
             f"def {kernel.name}({', '.join(kernel.answers)}):"]
    tried = {to: np.zeros(wanted.shape, bool) for to, wanted in kernel.answers.items()}
    for row in kernel.rows:
        for k in chosen(row, kernel, inputs):
            lines.append(f"    {row.to}[{row.number}, {k}] = "
                         + row.literals(k, inputs, kernel.side))
            tried[row.to][row.number, k] = True
    source = work / f"{kernel.title()}.k"
    source.write_text("\n".join(lines) + "\n")
    return run(kernel, source, [], "1x1", options, work), tried


# ---- comparing --------------------------------------------------------------------------------


def near_complex(got, wanted, ulps):
    """By the modulus; infinities and NaN part by part."""
    with np.errstate(all="ignore"):
        scale = np.abs(np.where(np.isfinite(wanted.real), wanted.real, 0)
                       + 1j * np.where(np.isfinite(wanted.imag), wanted.imag, 0))
        off = ulps * scale * np.finfo(wanted.dtype).eps
        right = np.ones(wanted.shape, bool)
        for ours, theirs in ((got.real, wanted.real), (got.imag, wanted.imag)):
            right &= ((ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
                      | (np.abs(ours.astype("longdouble") - theirs) <= off))
    return right


def near(got, wanted, ulps, function, device):
    """Which elements are right."""
    any_zero = function in ZEROS_OF_ANY_SIGN
    least = LGAMMA_BESIDE_ITS_ZEROS if function == "lgamma" and device.startswith("cuda") else 0
    if wanted.dtype.kind == "c":
        return near_complex(got, wanted, ulps)
    if wanted.dtype.kind != "f":
        return got == wanted
    with np.errstate(all="ignore"):
        equal = (got == wanted) & (any_zero | (np.signbit(got) == np.signbit(wanted)))
        close = np.isfinite(wanted) & (np.abs(got.astype("longdouble") - wanted)
                                       <= ulps * np.spacing(np.fmax(np.abs(wanted), least))
                                       .astype("longdouble"))
    return equal | (np.isnan(got) & np.isnan(wanted)) | (close if ulps else False)


def wrong_rows(kernel, results, tried, inputs, options):
    """Yields a sentence a row that is wrong."""
    for row in kernel.rows:
        got, wanted = results[row.to][row.number], kernel.answers[row.to][row.number]
        right = near(got, wanted, row.ulps(wanted.dtype, options.device), row.function,
                     options.device)
        if tried is not None:
            right |= ~tried[row.to][row.number]
        if right.all():
            continue
        k = int(np.argmin(right))
        operands = ", ".join(dict.fromkeys(spell(inputs[name][place(letter, k, kernel.side)])
                                           for name, letter in row.operands))
        yield (f"{row.expression} of {operands}: {got[k]!r}, not {wanted[k]!r} "
               f"({np.count_nonzero(~right)} wrong)")


def report(title, rows, wrong):
    """Prints what is wrong; gives the numbers of rows that passed and failed."""
    for text in wrong[:LINES_SHOWN]:
        print(f"{title}: {text}")
    if len(wrong) > LINES_SHOWN:
        print(f"{title}: and {len(wrong) - LINES_SHOWN} operations more")
    return rows - len(wrong), len(wrong)


def check(kernel, literal, inputs, options, work):
    title = kernel.title() + (" on literals" if literal else "")
    try:
        results, tried = (run_on_literals(kernel, inputs, options, work) if literal else
                          (run_on_arrays(kernel, options, work), None))
        wrong = list(wrong_rows(kernel, results, tried, inputs, options))
    except Failure as failure:
        print(f"{title}: {failure}")
        return 0, len(kernel.rows)
    return report(title, len(kernel.rows), wrong)


def build(kernel, inputs, options, work):
    """Compiles a kernel for a GPU and counts it as one."""
    types = [f"{inputs[name].dtype}[::1]" if name in inputs
             else f"{kernel.answers[name].dtype}[:, ::1]" for name in kernel.parameters]
    try:
        command([options.kjit, "build", f"{kernel.family}.k:{kernel.name}", "--emit", "cubin",
                 "--arch", options.build, "--sig", f"{kernel.name}({', '.join(types)})",
                 "-o", work / f"{kernel.title()}.cubin"], work)
    except Failure as failure:
        print(f"{kernel.title()}: {failure}")
        return 0, 1
    return 1, 0


def main():
    parser = argparse.ArgumentParser(description="Runs the kernels of values/.")
    parser.add_argument("--kjit", default=ROOT / "build" / "kjit", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--build", metavar="ARCH", help="only compile, for sm_90 for example")
    parser.add_argument("--of", choices=("arrays", "literals"), help="not on both")
    parser.add_argument("word", nargs="*")
    options = parser.parse_args()
    options.kjit = options.kjit.resolve()
    inputs = load(VALUES / "inputs.npz")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        work = pathlib.Path(folder)
        jobs = [pool.submit(build, kernel, inputs, options, work) if options.build else
                pool.submit(check, kernel, literal, inputs, options, work)
                for kernel in sorted(kernels(options.word), key=lambda k: -len(k.rows))  # no long tail
                for literal in ([False] if options.build or kernel.family in ARRAYS_ONLY
                                else [False, True])
                if options.of != ("arrays" if literal else "literals")]
        counts = [job.result() for job in jobs]
    passed, failed = (sum(column) for column in zip(*counts)) if counts else (0, 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
