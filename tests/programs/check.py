#!/usr/bin/env python3
"""Runs the kernels of this folder and compares what they leave with what NumPy says.

    check.py [--kjit build/kjit] [--device cpu] [--build ARCH,...] [--others CC] [WORD ...]

AREA.k holds small kernels, each with an @example; AREA.py holds a function of the same name for
each, without arguments, that computes from the same data what the kernel must leave, by Python
and NumPy alone:

    def swap():
        return {"out": np.array([2, 1])}       # --save's names; "printed" is what it prints

The decorators of expect.py say what else holds: tolerance(), options(), fails(), needs().
A kernel without such a function fails, and a function without a kernel.

WORDs choose the kernels whose name, `area:kernel`, contains one. --build compiles the kernels to
cubins instead, for these generations, the oldest first, which needs NVRTC and no GPU. --others names
the C compiler, as KJIT_CC does, of kernels whose C is the same without KJIT_PASSES: what these leave
as it is has been compiled already, and is in the cache. Prints a line for each that failed and then
`N passed, N failed`; exits 1 if one failed.
"""
import sys

sys.path.pop(0)  # this folder: a reference called types.py or math.py is no other module

import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "tests"))

import generations  # noqa: E402

SECONDS = 600
NO_TEST = {"check", "expect"}


def kernels_of(path):
    """The kernels of a file that have an example, in their order."""
    kernels, example = [], False
    for line in path.read_text().splitlines():
        example |= line.startswith("@example(")
        found = re.match(r"def (\w+)", line)
        if found and example:
            kernels.append(found[1])
            example = False
    return kernels


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def references_of(path):
    module = load(path, f"reference_{path.stem}")
    return {name: thing for name, thing in vars(module).items()
            if callable(thing) and getattr(thing, "__module__", "") == module.__name__
            and not name.startswith("_")}


class Case:
    def __init__(self, area, kernel, reference):
        self.area, self.kernel, self.reference = area, kernel, reference

    def name(self):
        return f"{self.area}:{self.kernel}"

    def fact(self, name, otherwise):
        return getattr(self.reference, name, otherwise)


def collect(words):
    cases, wrong = [], []
    for path in sorted(HERE.glob("*.k")):
        references = references_of(path.with_suffix(".py"))
        kernels = kernels_of(path)
        wrong += [f"{path.stem}:{name}: no reference" for name in kernels
                  if name not in references]
        wrong += [f"{path.stem}:{name}: no such kernel" for name in references
                  if name not in kernels]
        cases += [Case(path.stem, name, references[name]) for name in kernels
                  if name in references]
    wrong += [f"{path.stem}.py: no {path.stem}.k" for path in sorted(HERE.glob("*.py"))
              if path.stem not in NO_TEST and not path.with_suffix(".k").exists()]
    chosen = [case for case in cases
              if not words or any(word in case.name() for word in words)]
    return chosen, wrong


def difference(got, want, tolerance):
    """What is wrong with `got`, or nothing. Masked elements may be anything."""
    open_ = want.mask if isinstance(want, np.ma.MaskedArray) else None
    want = np.asarray(want)
    if open_ is not None and want.dtype.kind == "c":
        open_ = np.repeat(np.broadcast_to(open_, want.shape), 2, axis=-1)
    if got.dtype != want.dtype:
        return f"is {got.dtype}, not {want.dtype}"
    if got.shape != want.shape:
        return f"has shape {got.shape}, not {want.shape}"
    if want.dtype.kind == "c":  # part by part: NaN in one says nothing of the other
        parts = np.dtype(f"f{want.dtype.itemsize // 2}")
        got, want = (np.ascontiguousarray(each).view(parts) for each in (got, want))
    if want.dtype.kind in "mM":  # NaT equals nothing
        got, want = (np.ascontiguousarray(each).view(np.int64) for each in (got, want))
    if want.dtype.kind == "f":
        equal = np.isclose(got, want, rtol=tolerance[0], atol=tolerance[1], equal_nan=True)
        equal &= (np.signbit(got) == np.signbit(want)) | np.isnan(want) | (tolerance[1] > 0)
    else:
        equal = got == want
    if open_ is not None:
        equal = equal | np.broadcast_to(open_, equal.shape)
    if np.all(equal):
        return ""
    place = tuple(int(axis) for axis in np.argwhere(~np.atleast_1d(equal))[0])
    count = np.count_nonzero(~np.atleast_1d(equal))
    return (f"differs in {count} of {want.size}, at {place} first: "
            f"{np.atleast_1d(got)[place]!r} instead of {np.atleast_1d(want)[place]!r}")


def text_of(case, options, environment):
    return subprocess.run([options.kjit, "build", f"{HERE / case.area}.k:{case.kernel}", "--emit", "c",
                           "--facts=launch"], capture_output=True, env=environment).stdout


def environment_of(case, options):
    without = {name: value for name, value in os.environ.items() if name != "KJIT_PASSES"}
    same = options.others and text_of(case, options, without) == text_of(case, options, os.environ)
    return {**os.environ, "KJIT_CC": options.others} if same else os.environ


def run(case, options):
    """A complaint, or nothing."""
    with np.errstate(all="ignore"):
        expected = dict(case.reference())
    printed = expected.pop("printed", None)
    status, message = case.fact("fails", (0, ""))
    with tempfile.TemporaryDirectory() as folder:
        command = [options.kjit, "run", f"{HERE / case.area}.k:{case.kernel}", "-q", "--device",
                   options.device, *case.fact("options", [])]
        for name in expected:
            command += ["--save", f"{name}={folder}/{name}.npy"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS,
                                  env=environment_of(case, options))
        except subprocess.TimeoutExpired:
            return f"not done after {SECONDS} s"
        if done.returncode != status:
            return f"exit status {done.returncode}: {done.stderr.strip()[:400]}"
        if not re.search(message, done.stderr):
            return f"says {done.stderr.strip()[:400]!r}, which does not match {message!r}"
        if printed is not None and sorted(done.stdout.splitlines()) != sorted(printed.splitlines()):
            return f"prints {done.stdout!r}, not {printed!r}"
        for name, want in expected.items():
            with np.errstate(all="ignore"):  # signalling NaN
                wrong = difference(np.load(f"{folder}/{name}.npy"), want,
                                   case.fact("tolerance", (0, 0)))
            if wrong:
                return f"{name} {wrong}"
    return ""


def build(pool, cases, options):
    def kernel(case):
        extra = [word for word in case.fact("options", []) if word in ("--debug", "--fastmath")]
        return (f"{HERE / case.area}.k", case.kernel, [options.kjit, "build", *extra],
                [arch for arch in options.build.split(",")
                 if int(arch.removeprefix("sm_")) >= case.fact("needs", 0)])
    return generations.build(pool, [kernel(case) for case in cases])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--build", metavar="ARCH,...")
    parser.add_argument("--others", metavar="CC")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    sys.modules["expect"] = load(HERE / "expect.py", "expect")
    cases, wrong = collect(options.words)
    failed = 0 if options.words else len(wrong)
    for line in [] if options.words else wrong:
        print(f"FAILED {line}")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        answers = (build(pool, cases, options) if options.build
                   else pool.map(lambda case: run(case, options), cases))
        for case, answer in zip(cases, answers):
            if answer:
                print(f"FAILED {case.name()}: {answer}")
                failed += 1
    print(f"{len(cases) + (0 if options.words else len(wrong)) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
