#!/usr/bin/env python3
"""Runs every kernel of examples/ and compares what it wrote with what NumPy says.

    reference.py [--kjit build/kjit] [--device cpu] [WORD ...]

WORDs choose the kernels whose name contains one. The inputs are saved along with the results, so
that nothing here depends on how kjit draws its random numbers. Prints a line a kernel and then
`N passed, N failed`; exits 1 if one failed.
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
EXAMPLES = ROOT / "examples"
SECONDS = 600


class Case:
    """One run. `expected` takes the saved arrays that `inputs` names and gives the result, which
    must be `output` to within `atol + rtol * |expected|`; with neither it must be the same."""

    def __init__(self, kernel, inputs, output, expected, rtol=0.0, atol=0.0, options=""):
        self.kernel = kernel
        self.inputs = inputs.split()
        self.output = output
        self.expected = expected
        self.rtol = rtol
        self.atol = atol
        self.options = options.split()

    def name(self):
        return " ".join([self.kernel, *self.options])


# ---- what the kernels should compute --------------------------------------------------------


def counted(values, low, high, bins):
    """How many values fall in each bin of [low, high), with the kernels' own rounding."""
    bin = np.floor((values - low) / ((high - low) / np.float64(bins)))
    return np.bincount(bin[(bin >= 0) & (bin < bins)].astype(np.int64), minlength=bins)


def histogram(samples):
    return counted(samples, np.float32(-4), np.float32(4), 150).astype(np.int32)


def three_point_mean(signal):
    s = signal.astype(np.float64)
    return (s[:-2] + s[1:-1] + s[2:]) / 3


def product(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


def block_rows(x, block, fill):
    """x as rows of `block` elements, the last one filled up."""
    return np.append(x, np.full(-x.size % block, fill, x.dtype)).reshape(-1, block)


def block_sums(x):
    return block_rows(x, 256, 0).sum(axis=1, dtype=np.float64)


def even_pairs(x):
    pairs = np.zeros_like(x)
    even = np.arange(0, x.size - 1, 2)
    pairs[even] = x[even] + x[even + 1]
    return pairs


def convolved(p, q):
    return np.convolve(p.astype(np.float64), q.astype(np.float64))


def next_generation(world):
    around = sum(np.roll(world, (down, right), (0, 1)).astype(np.int64)
                 for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
    return ((around == 3) | ((around == 2) & (world == 1))).astype(np.uint8)


def log_sums(logs):
    return np.logaddexp.reduce(block_rows(logs, 64, logs[-1]), axis=1)


def log_complements(logs):
    near_one = logs > -np.log(2)
    with np.errstate(divide="ignore"):
        return np.where(near_one, np.log(-np.expm1(logs)), np.log1p(-np.exp(logs)))


def swings(weeks):
    found = []
    for i, week in enumerate(weeks):
        year = weeks[max(i - 26, 0):i + 27]
        year = year[~np.isnan(year)]
        if year.size >= 40 and not np.isnan(week):
            found.append(week - year.mean())
    found = np.array(found)
    return counted(found[(found >= -4.05) & (found < 4.05)], -4.05, 4.05, 32).astype(np.int32)


CASES = [
    Case("hist.k:histogram", "samples", "counts", histogram),
    Case("hist.k:histogram", "samples", "counts", histogram, options="--grid 7x96"),
    Case("hist_shared.k:histogram_shared", "samples", "counts", histogram),
    Case("hist_shared.k:histogram_shared", "samples", "counts", histogram, options="--grid 3x40"),
    Case("measured.k:season", "weeks", "counts", swings),
    Case("increment.k:increment", "", "a", lambda: np.arange(1, 100_001, dtype=np.float32)),
    Case("vector_add.k:vector_add", "a b", "total", lambda a, b: a + b),
    Case("multiply.k:multiply", "a b", "product", lambda a, b: a * b),
    Case("multiply.k:multiply", "a b", "product", lambda a, b: a * b, options="--grid 3x33"),
    Case("counter.k:count_threads", "", "counter", lambda: np.array([1024, 1023], np.int32)),
    Case("counter.k:count_threads", "", "counter", lambda: np.array([203, 202], np.int32),
         options="--grid 7x29"),
    Case("matmul.k:matmul", "a b", "c", product, 1e-5, 1e-4),
    Case("matmul_shared.k:matmul_shared", "a b", "c", product, 1e-5, 1e-4),
    Case("matmul_shared.k:matmul_shared", "a b", "c", product, 1e-5, 1e-4,
         "-D TILE=8 --grid 27,32x8,8"),
    Case("convolution.k:smooth", "signal", "mean", three_point_mean, 1e-5, 1e-6),
    Case("convolution.k:smooth_shared", "signal", "mean", three_point_mean, 1e-5, 1e-6),
    Case("transpose.k:transpose_naive", "a", "turned", np.transpose),
    Case("transpose.k:transpose_shared", "a", "turned", np.transpose),
    Case("transpose.k:transpose_padded", "a", "turned", np.transpose),
    Case("reduce.k:sum_interleaved", "x", "sums", block_sums, 1e-5, 1e-4),
    Case("reduce.k:sum_sequential", "x", "sums", block_sums, 1e-5, 1e-4),
    Case("reduce.k:sum_all", "x", "total", lambda x: x.sum(keepdims=True)),
    Case("reduce.k:sum_all", "x", "total", lambda x: x.sum(keepdims=True), options="--grid 3x256"),
    Case("divergence.k:pairs_divergent", "x", "pairs", even_pairs),
    Case("divergence.k:pairs_uniform", "x", "pairs", even_pairs),
    Case("kernel_tuner_matmul.k:matmul_naive", "A B", "C", product, 1e-5, 1e-4),
    Case("kernel_tuner_matmul.k:matmul_naive", "A B", "C", product, 1e-5, 1e-4,
         "-D block_size_x=16 -D block_size_y=2"),
    Case("kernel_tuner_matmul.k:matmul_shared", "A B", "C", product, 1e-5, 1e-4),
    Case("kernel_tuner_matmul.k:matmul_shared", "A B", "C", product, 1e-5, 1e-4,
         "-D WIDTH=64 -D block_size_x=16 -D block_size_y=16"),
    Case("kernel_tuner_matmul.k:matmul_tiled", "A B", "C", product, 1e-5, 1e-4),
    Case("kernel_tuner_matmul.k:matmul_tiled", "A B", "C", product, 1e-5, 1e-4,
         "-D tile_size_x=2 -D tile_size_y=1 -D block_size_x=64"),
    Case("banded.k:banded", "p q", "r", convolved, 1e-4),
    Case("banded.k:banded_pairs", "p q", "r", convolved, 1e-4),
    Case("banded.k:banded_shared", "p q", "r", convolved, 1e-4),
    Case("banded.k:banded_warp", "p q", "r", convolved, 1e-4),
    Case("life.k:generation", "world", "later", next_generation),
    Case("log_sum.k:log_sum", "logs", "sums", log_sums, 1e-13),
    Case("log_sum.k:log_rest", "logs", "rest", log_complements, 1e-12),
]

# ---- running them ---------------------------------------------------------------------------


def difference(got, want, case):
    """None, or what is wrong with `got`."""
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    exact = not (case.rtol or case.atol)
    if exact and got.dtype != want.dtype:
        return f"{got.dtype}, not {want.dtype}"
    apart = np.abs(got.astype(np.float64) - want.astype(np.float64))
    bad = ~(apart <= case.atol + case.rtol * np.abs(want))
    if not bad.any():
        return None
    first = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{bad.sum()} of {bad.size} differ, first at {first}: {got[first]}, not {want[first]}"


def run(case, kjit, device, folder):
    """None, or what went wrong."""
    names = [*case.inputs, case.output]
    command = [kjit, "run", str(EXAMPLES / case.kernel), "-q", "--device", device, *case.options]
    for name in names:
        command += ["--save", f"{name}={folder / name}.npy"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"not done after {SECONDS} s"
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip() or "nothing said"
        return f"exit status {done.returncode}: {said}"
    try:
        arrays = [np.load(folder / f"{name}.npy") for name in names]
    except (OSError, ValueError) as wrong:
        return f"exit status 0, but: {wrong}"
    return difference(arrays[-1], case.expected(*arrays[:-1]), case)


def attempt(case, options):
    with tempfile.TemporaryDirectory() as folder:
        return run(case, options.kjit, options.device, pathlib.Path(folder))


def kernels():
    """FILE:KERNEL of every kernel in examples/."""
    kernel = re.compile(r"^@cuda\.jit(?!\(device)[^\n]*\ndef (\w+)", re.M)
    return {f"{path.name}:{name}" for path in EXAMPLES.glob("*.k")
            for name in kernel.findall(path.read_text(encoding="utf-8"))}


def main():
    parser = argparse.ArgumentParser(description="compare the examples' results with NumPy's")
    parser.add_argument("--kjit", default=str(ROOT / "build" / "kjit"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()

    failures = {kernel: "no reference" for kernel in kernels() - {case.kernel for case in CASES}}
    chosen = [case for case in CASES
              if not options.words or any(word in case.name() for word in options.words)]
    if options.words:
        failures = {}
    for kernel, failure in sorted(failures.items()):
        print(f"failed: {kernel}: {failure}")

    failed = len(failures)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for case, failure in zip(chosen, pool.map(lambda case: attempt(case, options), chosen)):
            failed += failure is not None
            print(f"failed: {case.name()}: {failure}" if failure else f"ok: {case.name()}",
                  flush=True)
    print(f"{len(failures) + len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
