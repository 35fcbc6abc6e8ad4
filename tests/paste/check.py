#!/usr/bin/env python3
"""Builds kernels out of whole files in the manner of published programs.

    check.py [--kjit build/kjit] [--emit c] [--device cpu] [WORD ...]

Each folder beside this file holds Python programs as people write them, with their imports, host
functions, classes and plots, and `kernels.txt`, which names kernels of theirs:

    FILE:KERNEL | options of `kjit build`

Nothing in these files is rewritten for kjit, so they say whether a file can be used as it is.
Kernels of `results.py` are run as well, and what they leave is compared with what NumPy says.
WORDs choose the lines that contain one. Prints a line for each that failed and then
`N passed, N failed`; exits 1 if one failed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import results

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECONDS = 600


def options_of(text):
    """The words of a line behind its bar; a signature has blanks and goes to the line's end."""
    words, _, signature = text.partition("--sig")
    return words.split() + (["--sig", signature.strip()] if signature else [])


def collect(words):
    cases = []
    for listing in sorted(HERE.glob("*/kernels.txt")):
        for line in listing.read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            kernel, _, rest = line.partition("|")
            case = listing.parent, kernel.strip(), options_of(rest)
            if not words or any(word in f"{listing.parent.name}/{line}" for word in words):
                cases.append(case)
    return cases


def build(kjit, stage, case):
    folder, kernel, options = case
    command = [kjit, "build", "--emit", stage, "-o", "-", *options, kernel]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode == 0 and done.stdout:
        return None
    return f"{folder.name}/{kernel} {' '.join(options)}: exit {done.returncode}\n{done.stderr}"


def cases_of_results(words):
    made = [(name, make) for name, make in vars(results).items()
            if callable(make) and make.__module__ == "results" and name != "random"
            and not name.startswith("_")]
    return [case for case in made if not words or any(word in case[0] for word in words)]


def run(kjit, device, case):
    name, make = case
    kernel, options, args, wanted = make()
    with tempfile.TemporaryDirectory() as folder:
        values = []
        for arg, value in args.items():
            if isinstance(value, np.ndarray):
                np.save(f"{folder}/{arg}.npy", value)
                value = f"{folder}/{arg}.npy"
            values.append(f"{arg}={value}")
        saves = [word for arg in wanted for word in ("--save", f"{arg}={folder}/{arg}.out.npy")]
        command = [kjit, "run", "--device", device, "-q", *options, *saves, kernel, *values]
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            return f"{name}: exit {done.returncode}\n{done.stderr}"
        for arg, value in wanted.items():
            got = np.load(f"{folder}/{arg}.out.npy")
            tolerance = 1e-5 if got.dtype == np.float32 else 1e-12
            if not np.allclose(got, value, rtol=tolerance, atol=0):
                return f"{name}: {arg} is\n{got}\nnot\n{value}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--emit", default="c")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    cases = collect(args.words)
    kjit = os.path.abspath(args.kjit)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        wrong = list(pool.map(lambda case: build(kjit, args.emit, case), cases))
        wrong += pool.map(lambda case: run(kjit, args.device, case), cases_of_results(args.words))
    complaints = [complaint for complaint in wrong if complaint]
    for complaint in complaints:
        print(complaint)
    print(f"{len(wrong) - len(complaints)} passed, {len(complaints)} failed")
    return 1 if complaints or not wrong else 0


if __name__ == "__main__":
    sys.exit(main())
