#!/usr/bin/env python3
"""Asks numba what random kernels leave.

    oracle.py [--kjit build/kjit] [--generator NAME] [--first SEED] [--count N] [--keep FOLDER]

The kernels are generate.py's or inexact.py's, or those of users.py and its families, but for such as have
atomics or threads that hand each other something, or whose arrays are parts of one another.
Needs numba, whose compiler for the processor shares the rules of types with the one for GPUs: each
thread is a call of the kernel, turned into a function of its place in the grid. Left out is what
only GPUs have, float16, which becomes float32, `:=`, and what numba is known to do wrong: it forgets the
keywords of closures, and some stores through views of fields. A program that numba refuses is told, and counts
as neither passed nor failed. Ends in `N passed, N failed, N refused`.
"""
import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from ways import program_of
from worker import compare

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITHOUT = {"walrus", "together", "lanes", "held", "atomics", "casts", "rounded_whole", "bits", "chosen", "half", "hinted_store", "hints", "multiplied", "kinds", "reinterpretation",
           "range_object", "undefined", "closure keywords", "stores into fields"}
HEAD = """import math
import cmath
import operator
import numpy as np
from numba import complex64, complex128, float32, float64, literal_unroll, njit, types
from numba import int8, int16, int32, int64, uint8, uint16, uint32, uint64


@njit
def modf(x):
    return x - np.trunc(x), np.trunc(x)


"""


INDICES = ("grid_{0}", "gridsize_{0}", "threadIdx_{0}", "blockIdx_{0}", "blockDim_{0}", "gridDim_{0}")
PLACE = ", ".join(form.format(axis) for axis in "xyz" for form in INDICES)
NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
NUMBER = rf"({'|'.join(NUMBERS)})\([-x\d.a-f ]+\)"
APART = ("cuda.atomic", "cuda.shared", "sync", "cuda.laneid", "np.", "cuda.activemask")


def without_halves(text):
    return re.sub(r"(?<![_\w])float16", "float32", text).replace("np.float16", "np.float32")


def as_numba(text):
    """A Python module whose k takes the thread's and the block's place, then the arrays."""
    text = text[text.index("import operator"):]
    text = re.sub(r"^(import|from) .*\n", "", text, flags=re.M)
    text = re.sub(r"@example\((.|\n)*?block=\d+\)\n", "", text)
    text = re.sub(r"^@(njit|device|cuda).*\n", "", text, flags=re.M)
    text = re.sub(r"^def ", "@njit(error_model='numpy')\ndef ", text, flags=re.M)
    text = re.sub(r"math\.(floor|ceil|trunc)\b", r"np.\1", text)   # which give floats on GPUs
    text = text.replace("math.modf", "modf")
    text = text.replace("def k(", "def k(thread_, blockIdx_x, ").replace("cuda.grid(1)", "thread_")
    text = text.replace("cuda.local.array", "np.empty").replace("cuda.cbrt", "np.cbrt")
    text = text.replace("cuda.blockIdx.x", "blockIdx_x").replace("cuda.blockDim.x", "int32(64)")
    text = re.sub(r", unroll=\w+", "", text.replace("cuda.gridDim.x", "int32(2)"))
    return HEAD + text


def as_numba_anywhere(made):
    """The same of kernels in grids and blocks of any shape, which have numbers for arguments, too."""
    text = re.sub(r"^@.*\n", "", "\n".join(made.kernel) + "\n", flags=re.M)
    text = re.sub(r"^def ", "@njit(error_model='numpy')\ndef ", text, flags=re.M)
    text = text.replace("def k(", f"def k({PLACE}, ").replace("cuda.local.array", "np.empty")
    for count in (1, 2, 3):
        for name in ("grid", "gridsize"):
            place = ", ".join(f"{name}_{axis}" for axis in "xyz"[:count])
            text = text.replace(f"cuda.{name}({count})", f"({place})")
    return HEAD + re.sub(r"cuda\.(\w+)\.([xyz])", r"\1_\2", text)


def places(made):
    """What each thread has for PLACE."""
    grid, block = ((*shape, 1, 1)[:3] for shape in (made.grid, made.block))
    for numbers in itertools.product(*(range(n) for n in (*grid, *block))):
        place = []
        for axis in range(3):
            b, t = numbers[axis], numbers[3 + axis]
            place += [b * block[axis] + t, grid[axis] * block[axis], *map(np.int32, (t, b, block[axis], grid[axis]))]
        yield place


def call_anywhere(made, arrays):
    """Runs all threads of such a kernel."""
    scope = {}
    exec(compile(as_numba_anywhere(made), "k.py", "exec"), scope)
    numbers = {name: eval(value, {kind: getattr(np, kind) for kind in NUMBERS})
               for name, value in made.values if name not in arrays}
    for place in places(made):
        scope["k"](*place, *(arrays.get(name, numbers.get(name)) for name, _ in made.values))


def is_apart(made):
    """Whether each thread is a call by itself, on arrays that are no parts of one another."""
    names = {name for name, _ in made.values}
    return not any(word in "\n".join(made.kernel) for word in APART) and \
        not any(names & set(re.findall(r"\w+", value)) for _, value in made.values)


def arrays_of(made, text, folder, kjit):
    """What kjit leaves in all arrays, and what the written ones held before; or a complaint."""
    names = re.search(r"^def k\((.*)\):", text, re.M)[1].split(", ")
    numbers = {name for name, value in getattr(made, "values", ()) if re.fullmatch(NUMBER, value)}
    names = [name for name in names if name not in numbers]
    before = re.sub(r"(def k\(.*\n)(.|\n)*", r"\1    pass\n", text)
    answers = []
    for name, program_text in (("k", text), ("before", before)):
        (folder / f"{name}.k").write_text(program_text)
        saves = [word for array in names for word in ("--save", f"{array}={folder}/{array}.npy")]
        done = subprocess.run([kjit, "run", f"{folder}/{name}.k", "-q", "--device", "cpu", *saves],
                              capture_output=True, text=True, timeout=120)
        if done.returncode:
            return f"kjit: exit status {done.returncode}: {done.stderr[:500]}"
        answers.append({array: np.load(folder / f"{array}.npy") for array in names})
    return answers


def call_each(text, arrays):
    """Runs all threads of a kernel of two blocks."""
    scope = {}
    exec(compile(as_numba(text), "k.py", "exec"), scope)
    for name in {"recs", "out_recs"} & set(arrays):        # files do not say what is aligned
        arrays[name] = arrays[name].astype(scope["RECORD"])
    for thread in range(128):
        scope["k"](thread, np.int32(thread // 64), *arrays.values())


def trial(seed, options):
    """The text, what is wrong with kjit, and what numba refuses."""
    made = program_of(options.generator)(seed, "", WITHOUT)
    anywhere = hasattr(made, "kernel")
    if anywhere and not is_apart(made):
        return made.text, None, "what threads share is left out"
    text = without_halves(made.text)
    with tempfile.TemporaryDirectory() as place:
        answers = arrays_of(made, text, pathlib.Path(place), options.kjit)
    if isinstance(answers, str):
        return text, answers, None
    got, arrays = answers
    try:
        call_anywhere(made, arrays) if anywhere else call_each(text, arrays)
    except Exception as error:
        return text, None, f"{type(error).__name__}: {error}"
    written = {name: arrays[name] for name in made.outputs}
    return text, compare(written, got, "kjit"), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--generator", default="generate", metavar="NAME")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--keep", default="build/random", metavar="FOLDER")
    options = parser.parse_args()
    os.environ["KJIT_CACHE_SIZE"] = "0"
    os.environ["NUMBA_OPT"] = "0"    # LLVM takes it that no sum of signed integers overflows
    warnings.simplefilter("ignore")
    counts, keep = {"passed": 0, "failed": 0, "refused": 0}, pathlib.Path(options.keep)
    for seed in range(options.first, options.first + options.count):
        text, wrong, refused = trial(seed, options)
        counts["refused" if refused else "failed" if wrong else "passed"] += 1
        if wrong or refused:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"oracle{seed}.k").write_text(text)
            print(f"FAILED seed {seed}: {wrong}" if wrong else f"numba refuses {seed}: {refused}",
                  flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
