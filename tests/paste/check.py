#!/usr/bin/env python3
"""Builds kernels out of whole files in the manner of published programs.

    check.py [--kjit build/kjit] [--emit c] [WORD ...]

Each folder beside this file holds Python programs as people write them, with their imports, host
functions, classes and plots, and `kernels.txt`, which names kernels of theirs:

    FILE:KERNEL | options of `kjit build`

Nothing in these files is rewritten for kjit, so they say whether a file can be used as it is.
WORDs choose the lines that contain one. Prints a line for each that failed and then
`N passed, N failed`; exits 1 if one failed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--emit", default="c")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    cases = collect(args.words)
    kjit = os.path.abspath(args.kjit)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [w for w in pool.map(lambda case: build(kjit, args.emit, case), cases) if w]
    for complaint in wrong:
        print(complaint)
    print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
