#!/usr/bin/env python3
"""Runs random kernels in every way there is, which must all leave the same bits.

    compare.py [--kjit build/kjit] [--naive] [--first SEED] [--count N] [--ways WAY,...] [--cuda]
               [--sanitize] [--jobs N] [--keep FOLDER]

The kernels are generate.py's, or naive.py's, which optimising passes look for. The ways: no pass
and all passes, each C compiler found (gcc, clang), unoptimised, with its extents and scalars as
constants, checked (where nothing may be found but in arithmetic), and checked where a rehearsal does
not do; --ways has those of a list alone.
With --cuda on the GPU, with and without passes; with --sanitize all passes once more, on the
processor, where each access of memory is watched (gcc's address sanitizer). Some kernels have
debug=True, in all ways. Where NVRTC is found it must accept each, now for no launch in particular,
now for its own and now for what launches have in common, for an old or for a newer generation.
What kjit refuses counts as wrong too: the kernels are well typed. A seed makes the same kernel
everywhere, so `compare.py --first SEED --count 1` shows a failure again; its text is left in
FOLDER. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import generate
import naive

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHITECTURES = ("sm_75", "sm_90")
SECONDS = 120
VALUES = {"zero-division", "invalid-shift", "cast-overflow", "note"}  # kjit says what comes of these
HOT = "none,constants,inlined,returns,registers"    # which leave launches and parameters as they are


def sanitized():
    """The environment in which kernels on the processor watch their memory."""
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True)
    return {"KJIT_PASSES": "all", "KJIT_CC": "gcc -fsanitize=address", "LD_PRELOAD": library.stdout.strip(),
            "ASAN_OPTIONS": "detect_leaks=0"}


def ways_of(options):
    """Name, environment, options of @cuda.jit, further words."""
    cpu, cuda = ["--device", "cpu"], ["--device", "cuda"]
    ways = [("no passes", {"KJIT_PASSES": "none"}, "", cpu),
            ("all passes", {"KJIT_PASSES": "all"}, "", cpu)]
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            ways.append((compiler, {"KJIT_CC": compiler}, "", cpu))
    ways.append(("unoptimised", {}, "opt=False", cpu))
    ways.append(("constants", {}, "", cpu))
    ways.append(("checked", {"KJIT_REHEARSE": "never"}, "", ["--device", "check"]))
    ways.append(("rehearsed", {"KJIT_REHEARSE": "always"}, "", ["--device", "check"]))
    if options.sanitize:
        ways.append(("sanitized", sanitized(), "", cpu))
    if options.cuda:
        ways.append(("cuda", {}, "", cuda))
        ways.append(("cuda no passes", {"KJIT_PASSES": "none"}, "", cuda))
        ways.append(("cuda all passes", {"KJIT_PASSES": "all"}, "", cuda))
        ways.append(("cuda unoptimised", {}, "opt=False", cuda))
    wanted = options.ways.split(",") if options.ways else [way[0] for way in ways]
    return [way for way in ways if way[0] in wanted]


def call(command, environment):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None


def run(way, seed, folder, options):
    """The arrays that the kernel left, or a complaint."""
    name, environment, decoration, words = way
    path, made = folder / "k.k", options.generator.program(seed, decoration)
    path.write_text(made.text)
    saves = [word for output in made.outputs for word in ("--save", f"{output}={folder}/{output}.npy")]
    if name == "constants":
        words = words + [f"--c={folder}/k.c"]
        done = call([options.kjit, "build", str(path), "--emit", "c", "--facts", "hot", "--passes", HOT,
                     "-o", f"{folder}/k.c"], {})
        if not done or done.returncode:
            return f"{name}: {done.stderr[:600] if done else 'no end'}"
    done = call([options.kjit, "run", str(path), "-q", *words, *saves], environment)
    if done and done.returncode == 4 and set(re.findall(r"^\S+: ([a-z-]+): ", done.stderr, re.M)) <= VALUES:
        done.returncode = 0
    if not done or done.returncode:
        return f"{name}: " + (f"exit status {done.returncode}: {done.stderr[:600]}" if done
                              else "no end")
    return {output: np.load(folder / f"{output}.npy") for output in made.outputs}


def same(name, a, b):
    """Which elements agree; what is no number is as good as another that is none."""
    if name.startswith("near"):
        return np.isclose(a, b, 1e-5, 1e-5, equal_nan=True)
    return (a == b) | ((a != a) & (b != b))


def compare(first, other, name):
    for output, want in first.items():
        differ = np.argwhere(~np.atleast_1d(same(output, want, other[output])))
        if differ.size:
            place = tuple(int(axis) for axis in differ[0])
            return (f"{name}: {output}[{', '.join(map(str, place))}] is {other[output][place]!r}, "
                    f"not {want[place]!r}; {len(differ)} of {want.size} differ")
    return ""


def nvrtc_accepts(path, seed, options):
    """What is wrong with a cubin, or nothing."""
    arch = ARCHITECTURES[seed % len(ARCHITECTURES)]
    block = "x".join(re.search(r"block=\(?([\d, ]+)", path.read_text())[1].replace(" ", "").split(","))
    facts = ("none", "launch", f"common,block={block}")[seed % 3]
    done = call([options.kjit, "build", str(path), "--emit", "cubin", "--arch", arch, "--facts", facts,
                 "-o", f"{path}.cubin"], {})
    if done and not done.returncode:
        return ""
    return f"{arch}, facts {facts}: {done.stderr[:300] if done else 'no end'}"


def trial(seed, options, ways, nvrtc):
    text, answers = options.generator.program(seed).text, []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        first = run(ways[0], seed, folder, options)
        if isinstance(first, str):
            answers.append(first)
        for way in ways[1:] if not answers else []:
            other = run(way, seed, folder, options)
            answers.append(other if isinstance(other, str) else compare(first, other, way[0]))
        (folder / "k.k").write_text(text)
        if nvrtc:
            answers.append(nvrtc_accepts(folder / "k.k", seed, options))
    return seed, text, [answer for answer in answers if answer]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--naive", dest="generator", action="store_const", const=naive, default=generate)
    parser.add_argument("--ways", metavar="WAY,...")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--no-nvrtc", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="build/random", metavar="FOLDER")
    options = parser.parse_args()
    os.environ["KJIT_CACHE_SIZE"] = "0"
    doctor = call([options.kjit, "doctor"], {})
    nvrtc = not options.no_nvrtc and any(line.startswith("found") and "NVRTC" in line for line in doctor.stdout.splitlines())
    ways, failed = ways_of(options), 0
    print(f"seeds {options.first} to {options.first + options.count - 1}: "
          + ", ".join(way[0] for way in ways) + (f", NVRTC {' '.join(ARCHITECTURES)}" if nvrtc
                                                 else "; no NVRTC"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.count)
        for seed, text, answers in pool.map(lambda seed: trial(seed, options, ways, nvrtc), seeds):
            if answers:
                failed += 1
                keep = pathlib.Path(options.keep)
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{options.generator.__name__[0]}{seed}.k").write_text(text)
                print(f"FAILED seed {seed}: " + "; ".join(answers), flush=True)
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
