#!/usr/bin/env python3
"""Every pair of neighbouring integer operations, `second(first(a, b), c)`, over edge values, against
Python's integers. Compilers put such pairs together, and assemblers make one instruction of them.

    pairs.py [--kjit build/kjit] [--device cpu] [--every N] [TYPE ...]

--every leaves out all but each Nth pair. A kernel computes a few hundred pairs for as many combinations
of operands as it has threads. Prints a line for each pair that is wrong, with operands that show it;
ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = ["int32", "uint32", "int64", "uint64", "int8", "uint8", "int16", "uint16"]
THREADS = 256
ROWS = 240             # of one kernel
SHOWN = 10


class Integers:
    """A type: how numbers become ones of it, and its edges."""

    def __init__(self, name):
        self.name, self.bits, self.signed = name, np.dtype(name).itemsize * 8, name[0] == "i"

    def wrap(self, number):
        number &= (1 << self.bits) - 1
        return number - (1 << self.bits) if self.signed and number >> (self.bits - 1) else number

    def low_bits(self, number):
        return number & ((1 << self.bits) - 1)

    def wide_bits(self, number):
        """What functions see that know integers of 32 and 64 bits alone."""
        return number & ((1 << max(self.bits, 32)) - 1)

    def edges(self):
        top = 1 << (self.bits - 1)
        numbers = [0, 1, 2, 3, 7, 8, 9, -1, -2, -8, top - 1, top, top + 1, 31, -31, 0x5a5a5a5a5a5a5a5a]
        return [self.wrap(number) for number in numbers]


def quotient(t, a, b):
    if b == 0 or (t.bits == 64 and b == -1 and a == -(1 << 63)):
        return 0
    return a // b


def remainder(t, a, b):
    return 0 if b == 0 else a % b


def reverse(t, a):
    return int(f"{t.wide_bits(a):0{max(t.bits, 32)}b}"[::-1], 2)


# How it is written, of {a}, {b} and the type {t}, and what it is.
BINARY = [
    ("{a} + {b}", lambda t, a, b: a + b), ("{a} - {b}", lambda t, a, b: a - b),
    ("{b} - {a}", lambda t, a, b: b - a), ("{a} * {b}", lambda t, a, b: a * b),
    ("{a} & {b}", lambda t, a, b: a & b), ("{a} | {b}", lambda t, a, b: a | b),
    ("{a} ^ {b}", lambda t, a, b: a ^ b), ("{a} // {b}", quotient), ("{a} % {b}", remainder),
    ("{a} << ({b} & {t}({m}))", lambda t, a, b: a << (b & (t.bits - 1))),
    ("{a} >> ({b} & {t}({m}))", lambda t, a, b: a >> (b & (t.bits - 1))),
    ("min({a}, {b})", lambda t, a, b: min(a, b)), ("max({a}, {b})", lambda t, a, b: max(a, b)),
    ("max(min({a}, {b}), {t}(0))", lambda t, a, b: max(min(a, b), 0)),
    ("min(max({a}, {t}(0)), {b})", lambda t, a, b: min(max(a, 0), b)),
    ("{a} == {b}", lambda t, a, b: a == b), ("{a} != {b}", lambda t, a, b: a != b),
    ("{a} < {b}", lambda t, a, b: a < b), ("{a} <= {b}", lambda t, a, b: a <= b),
    ("{a} >= {b}", lambda t, a, b: a >= b), ("{b} if {a} > {b} else {a}", lambda t, a, b: min(a, b)),
    ("{a} if {a} == {b} else {t}(5)", lambda t, a, b: a if a == b else 5),
    ("cuda.selp({a} < {b}, {b}, {a})", lambda t, a, b: max(a, b)),
]
UNARY = [
    ("-{a}", lambda t, a, b: -a), ("~{a}", lambda t, a, b: ~a), ("not {a}", lambda t, a, b: not a),
    ("abs({a})", lambda t, a, b: abs(a)), ("cuda.popc({a})", lambda t, a, b: bin(t.low_bits(a)).count("1")),
    ("cuda.clz({a})", lambda t, a, b: t.bits - t.low_bits(a).bit_length()),
    ("cuda.brev({a})", lambda t, a, b: reverse(t, a)),
    ("cuda.ffs({a})", lambda t, a, b: (a & -a).bit_length()),
    ("max(min({a}, {t}(8)), {t}(0))", lambda t, a, b: max(min(a, 8), 0)),
    ("max({a}, {t}(0))", lambda t, a, b: max(a, 0)), ("min({a}, {t}(8))", lambda t, a, b: min(a, 8)),
    ("{a} == {t}(8)", lambda t, a, b: a == 8), ("{a} != {t}(0)", lambda t, a, b: a != 0),
    ("{a} < {t}(8)", lambda t, a, b: a < 8), ("{a} // {t}(3)", lambda t, a, b: a // 3),
    ("{a} % {t}(7)", lambda t, a, b: a % 7), ("{a} // {t}(8)", lambda t, a, b: a // 8),
    ("{a} % {t}(8)", lambda t, a, b: a % 8), ("{a} * {t}(5)", lambda t, a, b: a * 5),
    ("{a} >> {t}(3)", lambda t, a, b: a >> 3), ("{a} << {t}(3)", lambda t, a, b: a << 3),
    ("{a} & {t}(15)", lambda t, a, b: a & 15), ("{a} if {a} >= {t}(0) else -{a}", lambda t, a, b: abs(a)),
]
SIGNED = [
    ("max(min({a}, {t}(8)), {t}(-1))", lambda t, a, b: max(min(a, 8), -1)),
    ("max({a}, {t}(-1))", lambda t, a, b: max(a, -1)), ("{a} // {t}(-1)", lambda t, a, b: quotient(t, a, -1)),
    ("{a} > {t}(-1)", lambda t, a, b: a > -1),
]


class Pair:
    """`second(first(a, b), c)`, each cut to the type; c is b where `again` says so."""

    def __init__(self, t, first, second, again):
        self.t, self.first, self.second, self.again = t, first, second, again

    def spell(self, operation, a, b):
        return f"{self.t.name}({operation[0].format(a=a, b=b, t=self.t.name, m=self.t.bits - 1)})"

    def text(self):
        return self.spell(self.second, self.spell(self.first, "a", "b"), "b" if self.again else "c")

    def value(self, a, b, c):
        t = self.t
        first = t.wrap(int(self.first[1](t, a, b)))
        return t.wrap(int(self.second[1](t, first, b if self.again else c)))


def pairs_of(t):
    operations = BINARY + UNARY + (SIGNED if t.signed else [])
    for number, first in enumerate(operations):
        for second in operations:
            for again in ((False, True) if "{b}" in second[0] else (False,)):
                yield Pair(t, first, second, again)


def operands(t):
    edges = t.edges()
    return [(edges[k % 16], edges[k // 16], edges[(5 * k + k // 16 * 3) % 16]) for k in range(THREADS)]


def program(t, pairs):
    lines = ["from numba import cuda, " + t.name, "", "",
             '@example(x=load("x.npy"), y=load("y.npy"), z=load("z.npy"), '
             f"out=zeros(({len(pairs)}, {THREADS}), dtype={t.name}), grid=1, block={THREADS})",
             "@cuda.jit", "def pairs(x, y, z, out):", "    k = cuda.grid(1)", "    a = x[k]", "    b = y[k]",
             "    c = z[k]"]
    return "\n".join(lines + [f"    out[{i}, k] = {pair.text()}" for i, pair in enumerate(pairs)]) + "\n"


def judge(kjit, device, t, pairs, folder):
    """The lines to print for what is wrong."""
    folder.mkdir()
    numbers = operands(t)
    for name, column in zip("xyz", zip(*numbers)):
        np.save(folder / f"{name}.npy", np.array(column, t.name))
    (folder / "pairs.k").write_text(program(t, pairs))
    done = subprocess.run([kjit, "run", "pairs.k", "-q", "--device", device, "--save", "out=out.npy"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode:
        return [f"{t.name}: exit status {done.returncode}: {done.stderr[:600]}"] * len(pairs)
    wrong = []
    for pair, row in zip(pairs, np.load(folder / "out.npy").tolist()):
        want = [pair.value(*each) for each in numbers]
        if row != want:
            k = next(k for k in range(THREADS) if row[k] != want[k])
            wrong.append(f"{pair.text()} of {numbers[k]}: {row[k]}, not {want[k]}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=ROOT / "build/kjit")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("type", nargs="*")
    options = parser.parse_args()
    kjit = os.path.abspath(options.kjit)
    jobs, total, failed = [], 0, 0
    for t in map(Integers, options.type or TYPES):
        chosen = list(pairs_of(t))[::options.every]
        jobs += [(t, chosen[i:i + ROWS]) for i in range(0, len(chosen), ROWS)]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = pool.map(lambda job: judge(kjit, options.device, *job[1], pathlib.Path(name) / str(job[0])),
                           enumerate(jobs))
        for (t, pairs), wrong in zip(jobs, results):
            total += len(pairs)
            failed += len(wrong)
            print("\n".join(wrong[:SHOWN]), end="\n" if wrong else "")
    print(f"{total - failed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
