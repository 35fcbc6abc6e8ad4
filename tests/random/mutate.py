#!/usr/bin/env python3
"""Damages valid kernels at random: kjit must compile what is left, or say clearly what is wrong.

    mutate.py [--kjit build/kjit] [--first SEED] [--count N] [--seconds S] [--compile ONE_IN]
              [--keep FOLDER]

A seed chooses a kernel with an @example out of tests/programs, tests/golden, examples and stdlib,
and a few edits of it. The C and the CUDA C are made of it; the exit status must be 0, or 1 with an
error that shows a place. What kjit accepts the C compilers and NVRTC (one in ONE_IN, as it is slow)
must accept too. A kjit built with sanitizers finds the most. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from edits import damaged

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("tests/programs", "tests/golden", "examples", "stdlib")
SECONDS = 600
OWN_MISTAKE = re.compile(
    r"ERROR: \w+Sanitizer|runtime error:|mistake in kjit|internal error|Assertion|core dumped")
ABOUT_THE_EXAMPLE = re.compile(r"has no kernel|@example|there is no file|memory")
KERNEL = re.compile(r"(^@(?:.+\n)+?)def (\w+)\((?:.*\n(?:[ \t].*\n|\n)*)", re.M)


def kernels_of(path):
    """For each kernel of the file, its text without the other kernels."""
    text = path.read_text(errors="surrogateescape")
    found = [match for match in KERNEL.finditer(text) if "@example(" in match[1]]
    for kept in found:
        alone = text
        for other in found:
            if other is not kept:
                alone = alone.replace(other[0], "")
        yield alone


def corpus():
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.k"))]
    return [(path, text) for path in paths for text in kernels_of(path)]


def call(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS,
                              errors="surrogateescape", **more)
    except subprocess.TimeoutExpired:
        return None


def answer_of(done, what):
    """What is wrong with kjit's answer; None if nothing is."""
    if not done:
        return f"{what}: no end"
    if done.returncode in (1, 2, 3) and ABOUT_THE_EXAMPLE.search(done.stderr):
        return None
    if done.returncode not in (0, 1):
        return f"{what}: exit status {done.returncode}: {done.stderr[:600]}"
    if OWN_MISTAKE.search(done.stderr):
        return f"{what}: {done.stderr[:600]}"
    if done.returncode == 1 and not re.search(r"^\S+:\d+:\d+: error: .", done.stderr, re.M):
        return f"{what}: no error with a place: {done.stderr[:600]}"
    return None


def refused_by_cc(text):
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            done = call([compiler, "-std=gnu11", "-w", "-Werror=implicit-function-declaration",
                         "-fsyntax-only", "-x", "c", "-"], input=text)
            if not done or done.returncode:
                said = [line for line in done.stderr.splitlines() if "error" in line] if done else []
                return f"{compiler} refuses: {' '.join(said[:2])}" if done else f"{compiler}: no end"
    return None


def trial(seed, options, kernels):
    """What is wrong with the seed's kernel or None, its text, and whether kjit accepted it."""
    chance = random.Random(seed)
    path, text = chance.choice(kernels)
    text = damaged(chance, text)
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "k.k"
        file.write_text(text, errors="surrogateescape")
        environment = {**os.environ, "KJIT_PATH": str(path.parent)}
        words = [options.kjit, "build", str(file)] + (["--debug"] if chance.random() < 0.3 else [])
        accepted = False
        for stage in ("c", "cuda"):
            done = call(words + ["--emit", stage, "-o", place + "/"], env=environment)
            wrong = answer_of(done, f"--emit {stage}")
            if wrong or done.returncode:
                return wrong, text, False
            accepted = True
        for emitted in pathlib.Path(place).glob("*.c"):
            wrong = refused_by_cc(emitted.read_text())
            if wrong:
                return wrong, text, True
        if options.compile and seed % options.compile == 0:
            done = call(words + ["--emit", "cubin", "--arch", "sm_90", "-o", place + "/"],
                        env=environment)
            if not done or done.returncode:
                return f"NVRTC: {done.stderr[:600] if done else 'no end'}", text, True
    return None, text, accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--compile", type=int, default=4, metavar="ONE_IN")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", default="build/random", metavar="FOLDER")
    options = parser.parse_args()
    os.environ["KJIT_CACHE_SIZE"] = "0"
    doctor = call([options.kjit, "doctor"])
    nvrtc = any(line.startswith("found") and "NVRTC" in line for line in doctor.stdout.splitlines())
    if not nvrtc:
        options.compile = 0
    kernels, keep = corpus(), pathlib.Path(options.keep)
    passed = failed = accepted = 0
    end = time.monotonic() + options.seconds
    print(f"{len(kernels)} kernels" + ("" if nvrtc else "; no NVRTC here"), flush=True)
    seeds = range(options.first, options.first + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while time.monotonic() < end and seeds:
            some, seeds = seeds[:16], seeds[16:]
            for seed, (wrong, text, took) in zip(some, pool.map(trial, some,
                                                                itertools.repeat(options),
                                                                itertools.repeat(kernels))):
                passed, failed = passed + (not wrong), failed + bool(wrong)
                accepted += took
                if wrong:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"mutant{seed}.k").write_text(text, errors="surrogateescape")
                    print(f"FAILED mutant {seed}: {wrong}", flush=True)
    print(f"{accepted} of {passed + failed} still were programs")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
