#!/usr/bin/env python3
"""Random kernels, right and wrong: what is found in them must not depend on rehearsals.

    rehearsed.py [--kjit build/kjit] [--first SEED] [--count N] [--keep FOLDER]

Each kernel is checked twice: thread by thread (KJIT_REHEARSE=never), and where every launch may be
rehearsed (always). One of the two finding something that the other does not is a failure, and so
are other results; the file is left in FOLDER. How many kernels were clean, and how many of these
were rehearsed, is told beside: if none were, nothing was shown. Ends in `N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EACH = 20      # kernels a file
SECONDS = 600


class Maker:
    """One kernel on one-dimensional x and y, two-dimensional a and b, counts c, and shared s."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.block = self.pick([4, 8, 16, 32, 33, 40])
        self.grid = self.pick([1, 2, 3, 5])
        self.flat = self.chance(0.6)      # the launch has one axis
        self.threads = self.block * self.grid
        self.n = self.threads + self.pick([0, 0, 0, -1, -3, 1, 5])
        self.rows, self.columns = self.pick([(6, 9), (8, 8), (9, 17)])
        self.tame = self.pick([0.3, 0.6, 0.9])  # how often what is right is drawn
        self.depth = 0
        self.lines = []

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def index(self):
        """For x and y."""
        if self.chance(self.tame):
            return "i"
        c = self.pick([0, 1, 1, 2, self.block])
        return self.pick([
            "i", "i", "i", "i", f"i + {c}", f"i - {c}", "n - 1 - i", "-1 - i", "t", "w", f"w * {self.block} + t",
            f"t * {self.grid} + w", "i // 2", "i * 2", f"i % {self.pick([3, self.block, self.n])}", "i ^ 1",
            f"(i + {c}) % n", "k", "int32(i)", "i << 1", "i >> 1", "m", "min(i, n - 1)", "abs(i)", "step(i)",
            "c[0]", "i if i < n else 0"])

    def shared_index(self):
        if self.chance(self.tame):
            return "t"
        c = self.pick([0, 1, 1, 2])
        return self.pick(["t", "t", "t", f"t + {c}", f"t - {c}", f"{self.block} - 1 - t", "t ^ 1", "t // 2", "0",
                          f"(t + {c}) % {self.block}", "k", "m"])

    def pair(self):
        if self.chance(self.tame):
            return "row, column"
        return self.pick(["row, column", "row, column", "row, column", "column, row", "row, column + 1", "row, 0",
                          "row - 1, column", "row + 1, column", "-1, column", "row, k"])

    def element(self):
        if self.chance(0.25):
            return f"s[{self.shared_index()}]"
        if not self.flat and self.chance(0.6):
            return f"{self.pick(['a', 'a', 'b'])}[{self.pair()}]"
        return f"{self.pick(['x', 'x', 'y'])}[{self.index()}]"

    def target(self):
        if self.chance(0.3):
            return f"s[{self.shared_index()}]"
        if not self.flat and self.chance(0.7):
            return f"b[{self.pair()}]"
        if self.chance(0.08):
            return f"own[{self.pick(['0', 't % 4', 'k'])}]"
        return f"y[{self.index()}]"

    def condition(self):
        small = self.pick([1, 2, self.block // 2])
        simple = ["i < n", "i < n", "i < n", "i < y.size", "i + 1 < n", f"t < {small}", "t == 0", "i == 0", "w == 0",
                  "t % 2 == 0", f"t >= {small}", "i > 0", "x[0] > 0", "flag", "not flag", f"w < {self.grid - 1}",
                  "row < a.shape[0] and column < a.shape[1]", "i < n and x[min(i, n - 1)] > 0",
                  "i >= 1 and i < n - 1", f"t < {small} or w == 0"]
        if self.chance(self.tame):
            return "i < n" if self.flat else "i < n and row < a.shape[0] and column < a.shape[1]"
        return self.pick(simple)

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def nested(self, head, count):
        self.put(head)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1

    def statement(self):
        kind = self.random.random()
        inner = self.pick([1, 1, 2])
        if kind < 0.33 or self.depth > 2:
            self.put(f"{self.target()} {self.pick(['=', '=', '='])} "
                     f"{self.pick([self.element(), self.element() + ' + ' + self.element(), 'float32(i)'])}")
        elif kind < 0.38:
            self.put(f"{self.target()} += {self.element()}")
        elif kind < 0.62:
            self.nested(f"if {self.condition()}:", inner)
            if self.chance(0.2):
                self.nested("else:", 1)
        elif kind < 0.72:
            self.put("cuda.syncthreads()")
        elif kind < 0.80:
            ends = self.pick(["0, 4", f"i, n, {self.threads}", "t, 8", "3, -1, -1", "0, n, 7", "i, i + 3", "0, c[1]"])
            self.nested(f"for k in range({ends}):", inner)
        elif kind < 0.86:
            begin, goes, step = self.pick([("1", "< 8", "* 2"), (str(self.block // 2), "> 0", "// 2"),
                                           ("3", "> 0", "- 1")])
            name = f"m{self.depth}"       # which nothing else changes
            self.put(f"{name} = {begin}")
            self.put(f"while {name} {goes}:")
            self.depth += 1
            self.put(f"m = {name}")
            self.statement()
            if self.chance(0.7):
                self.put("cuda.syncthreads()")
            self.put(f"{name} = {name} {step}")
            if self.chance(0.2):
                self.put(f"if {self.condition()}:")
                self.put("    " + self.pick(["break", "continue"]))
            self.depth -= 1
        elif kind < 0.90:
            self.put(f"m = {self.pick(['i', 't', 'i + 1', 'c[t % 4]', 'i * 3', '-m'])}")
        elif kind < 0.93:
            self.put(f"cuda.atomic.add(c, {self.pick(['0', 't % 4', 'w', 'i'])}, 1)")
        elif kind < 0.96:
            self.put(f"if {self.pick(['i >= n', 't > 5', 'flag'])}:")
            self.put("    return")
        else:
            self.put(f"{self.target()} = put(y, {self.index()}, {self.element()})")

    def kernel(self, number):
        """The text; its launch is in it."""
        shape = f"({self.rows}, {self.columns})"
        launch = (f"grid={self.grid}, block={self.block}" if self.flat
                  else f"grid=({self.pick([2, 3])}, 2), block=({self.pick([4, 8])}, 4)")
        output = self.pick(["zeros", "zeros", "zeros", "empty"])
        guarded = self.chance(self.tame)
        if guarded:
            self.put(f"if {self.condition()}:")
            self.depth += 1
        for _ in range(self.random.randint(1, 4)):
            self.statement()
        if guarded:
            self.depth -= 1
            self.statement()
        body = "\n".join(self.lines)
        return f"""
@example(x=normal({self.n}, seed=1, dtype=float32), y={output}({self.n}, dtype=float32),
         a=normal({shape}, seed=2, dtype=float32), b=zeros({shape}, dtype=float32),
         c=zeros(4, dtype=int64), flag={self.pick([True, False])}, {launch})
@cuda.jit
def k{number}(x, y, a, b, c, flag):
    s = cuda.shared.array({self.block}, float32)
    own = cuda.local.array(4, float32)
    i = cuda.grid(1)
    column, row = cuda.grid(2)
    t = cuda.threadIdx.x
    w = cuda.blockIdx.x
    n = x.size
    k = 0
    m = 0
{body}
"""


HEAD = """from numba import cuda, float32, int32

def step(i):
    return i + 1

def put(y, i, value):
    if i < y.size and i >= 0:
        y[i] = value
    return value
"""


def findings(kjit, path, way):
    """By kernel: what was found, as comparable text, and whether it was rehearsed."""
    try:
        done = subprocess.run([kjit, "check", "--json", "--orders", "1", str(path)], capture_output=True, text=True,
                              timeout=SECONDS, env={**os.environ, "KJIT_REHEARSE": way})
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode not in (0, 4):
        return f"exit status {done.returncode}: {done.stderr[:2000]}"
    return {kernel["kernel"]: (json.dumps(kernel["findings"]), kernel["rehearsed"])
            for kernel in json.loads(done.stdout)["kernels"]}


def results(kjit, path, kernel, way, folder):
    """The arrays that the kernel leaves, as bytes."""
    saved = [word for name in "ybc" for word in ("--save", f"{name}={folder}/{way}.{name}.npy")]
    subprocess.run([kjit, "run", "-q", "--device", "check", f"{path}:{kernel}", *saved], capture_output=True,
                   env={**os.environ, "KJIT_REHEARSE": way})
    return [pathlib.Path(folder, f"{way}.{name}.npy").read_bytes() for name in "ybc"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=ROOT / "build" / "kjit", type=lambda name: pathlib.Path(name).absolute())
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    passed = failed = clean = rehearsed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        last = options.first + options.count
        for first in range(options.first, last, EACH):
            path = folder / f"rehearsed_{first}.k"
            path.write_text(HEAD + "".join(Maker(seed).kernel(seed) for seed in range(first, min(first + EACH, last))))
            by_thread, at_once = (findings(options.kjit, path, way) for way in ("never", "always"))
            if isinstance(by_thread, str) or isinstance(at_once, str):
                print(path, by_thread, at_once)
                failed += 1
                continue
            for kernel, (found, _) in by_thread.items():
                also, fast = at_once[kernel]
                clean += found == "[]"
                rehearsed += fast
                wrong = found != also
                if not wrong and fast:
                    wrong = results(options.kjit, path, kernel, "never", name) != results(
                        options.kjit, path, kernel, "always", name)
                if wrong:
                    print(f"{path}:{kernel}: {found[:400]}\n    but: {also[:400]}")
                failed += wrong
                passed += not wrong
    print(f"{clean} clean, {rehearsed} of them rehearsed")
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
