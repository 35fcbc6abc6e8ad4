#!/usr/bin/env python3
"""Runs random kernels in every way there is, which must all leave the same bits.

    compare.py [--kjit build/kjit] [--first SEED] [--count N] [--cuda] [--jobs N]
               [--keep FOLDER]

The ways: each C compiler found (gcc, clang), the kernel as it stands; unoptimised; on the GPU with
--cuda. Some kernels have debug=True, in all ways. Where NVRTC is found it must accept each for an old or for a newer
generation. What kjit refuses counts as wrong too: the kernels are well typed. A seed makes the
same kernel everywhere, so `compare.py --first SEED --count 1` shows a failure again; its text is
left in FOLDER. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from generate import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHITECTURES = ("sm_75", "sm_90")
SECONDS = 120


def ways_of(options):
    """Name, environment, options of @cuda.jit, further words."""
    ways = []
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            ways.append((compiler, {"KJIT_CC": compiler}, "", ["--device", "cpu"]))
    ways.append(("unoptimised", {}, "opt=False", ["--device", "cpu"]))
    if options.cuda:
        ways.append(("cuda", {}, "", ["--device", "cuda"]))
        ways.append(("cuda unoptimised", {}, "opt=False", ["--device", "cuda"]))
    return ways


def call(command, environment):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None


def run(way, seed, folder, kjit):
    """The arrays that the kernel left, or a complaint."""
    name, environment, decoration, words = way
    path, made = folder / "k.k", program(seed, decoration)
    path.write_text(made.text)
    saves = [word for output in made.outputs for word in ("--save", f"{output}={folder}/{output}.npy")]
    done = call([kjit, "run", str(path), "-q", *words, *saves], environment)
    if not done or done.returncode:
        return f"{name}: " + (f"exit status {done.returncode}: {done.stderr[:300]}" if done
                              else "no end")
    return {output: np.load(folder / f"{output}.npy") for output in made.outputs}


def same(name, a, b):
    """Which elements agree."""
    return np.isclose(a, b, 1e-5, 1e-5, equal_nan=True) if name.startswith("near") else a == b


def compare(first, other, name):
    for output, want in first.items():
        differ = np.flatnonzero(~same(output, want, other[output]))
        if differ.size:
            place = int(differ[0])
            return f"{name}: {output}[{place}] is {other[output][place]!r}, not {want[place]!r}"
    return ""


def trial(seed, options, ways, nvrtc):
    text, answers = program(seed).text, []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        first = run(ways[0], seed, folder, options.kjit)
        if isinstance(first, str):
            answers.append(first)
        for way in ways[1:] if not answers else []:
            other = run(way, seed, folder, options.kjit)
            answers.append(other if isinstance(other, str) else compare(first, other, way[0]))
        (folder / "k.k").write_text(text)
        if nvrtc:
            arch = ARCHITECTURES[seed % len(ARCHITECTURES)]
            done = call([options.kjit, "build", str(folder / "k.k"), "--emit", "cubin", "--arch",
                         arch, "-o", str(folder / "k.cubin")], {})
            if not done or done.returncode:
                answers.append(f"{arch}: {done.stderr[:300] if done else 'no end'}")
    return seed, text, [answer for answer in answers if answer]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="build/random", metavar="FOLDER")
    options = parser.parse_args()
    os.environ["KJIT_CACHE_SIZE"] = "0"
    doctor = call([options.kjit, "doctor"], {})
    nvrtc = any(line.startswith("found") and "NVRTC" in line for line in doctor.stdout.splitlines())
    ways, failed = ways_of(options), 0
    print(f"seeds {options.first} to {options.first + options.count - 1}: "
          + ", ".join(way[0] for way in ways) + (f", NVRTC {' '.join(ARCHITECTURES)}" if nvrtc
                                                 else "; no NVRTC here"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.count)
        for seed, text, answers in pool.map(lambda seed: trial(seed, options, ways, nvrtc), seeds):
            if answers:
                failed += 1
                keep = pathlib.Path(options.keep)
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}.k").write_text(text)
                print(f"FAILED seed {seed}: " + "; ".join(answers), flush=True)
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
