#!/usr/bin/env python3
"""The Python package beside numba-cuda, CuPy's RawKernel and Warp, each in a process of its own, on one device.

    peers.py [--device cuda] [--only kjit,numba,cupy,warp] [--rounds N]

What is measured, the least of several rounds, since other programs only make times longer:
    import      of the library
    first       from the kernel's source to the first result, caches of compiled kernels being empty
    again       the same in a second process, which finds what the first has left
    launch      a kernel of three small device arrays, 1000 launches and a wait
    host        the same with three arrays of NumPy's, which come back (numba and kjit take such; others copy)
    histogram   1,000,000 float32 of NumPy's in 150 bins of NumPy's, until these are there

Warp has no kernels over whole arrays of the host: it is given copies, as CuPy is. Results are compared with NumPy's.
What a machine has not is left out, and said.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("import ms", "first ms", "again ms", "launch us", "host us", "histogram us")
SAMPLES, BINS, LAUNCHES = 1_000_000, 150, 1000
CUDA = r"""
extern "C" __global__ void add(const float *a, const float *b, float *c, long long n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
extern "C" __global__ void histogram(const float *x, long long n, float low, float high, int *counts, long long bins)
{
    double width = (double)(high - low) / bins;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
        double bin = floor((x[i] - low) / width);
        if (0 <= bin && bin < bins)
            atomicAdd(&counts[(int)bin], 1);
    }
}
"""


# ---- the libraries: each gives functions of (arrays of the host) and (its own arrays) ---------------------


def numba_kernels(cuda, math):
    @cuda.jit
    def add(a, b, c):
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]

    @cuda.jit
    def histogram(x, low, high, counts):
        width = (high - low) / counts.size
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            bin = math.floor((x[i] - low) / width)
            if 0 <= bin and bin < counts.size:
                cuda.atomic.add(counts, bin, 1)

    return add, histogram


class OfNumba:
    """numba-cuda, and kjit, which stands for it."""

    def __init__(self, module):
        import math
        import numpy as np
        self.np = np
        self.cuda = __import__(module, fromlist=["cuda"]).cuda
        self.add, self.hist = numba_kernels(self.cuda, math)

    def lend(self, array):
        return self.cuda.to_device(array)

    def launch(self, a, b, c):
        self.add[1, 64](a, b, c)

    host = launch

    def wait(self):
        self.cuda.synchronize()

    def histogram(self, x, counts):
        self.hist[640, 128](x, self.np.float32(-4), self.np.float32(4), counts)


class OfCuPy:
    def __init__(self, _):
        import cupy
        import numpy as np
        self.cupy, self.np = cupy, np
        self.add, self.hist = (cupy.RawKernel(CUDA, name) for name in ("add", "histogram"))

    def lend(self, array):
        return self.cupy.asarray(array)

    def launch(self, a, b, c):
        self.add((1,), (64,), (a, b, c, self.np.int64(c.size)))

    def host(self, a, b, c):
        there = [self.cupy.asarray(one) for one in (a, b, c)]
        self.launch(*there)
        there[2].get(out=c)

    def wait(self):
        self.cupy.cuda.get_current_stream().synchronize()

    def histogram(self, x, counts):
        there = self.cupy.asarray(x), self.cupy.asarray(counts)
        np = self.np
        self.hist((640,), (128,), (there[0], np.int64(x.size), np.float32(-4), np.float32(4), there[1], np.int64(counts.size)))
        there[1].get(out=counts)


class OfWarp:
    def __init__(self, _):
        import warp
        from warp_kernels import add, histogram
        warp.config.quiet = True
        warp.init()  # which newer ones do without
        self.warp, self.add, self.hist = warp, add, histogram

    def lend(self, array):
        return self.warp.array(array, device="cuda")

    def launch(self, a, b, c):
        self.warp.launch(self.add, dim=64, inputs=[a, b, c], block_dim=64)

    def host(self, a, b, c):
        there = [self.lend(one) for one in (a, b, c)]
        self.launch(*there)
        c[:] = there[2].numpy()

    def wait(self):
        self.warp.synchronize()

    def histogram(self, x, counts):
        there = self.lend(x), self.lend(counts)
        self.warp.launch(self.hist, dim=x.size, inputs=[there[0], -4.0, 4.0, there[1]])
        counts[:] = there[1].numpy()


LIBRARIES = {"kjit": (OfNumba, "kjit"), "numba": (OfNumba, "numba"), "cupy": (OfCuPy, "cupy"), "warp": (OfWarp, "warp")}
PATHS = {"numba": "numba.cuda", "kjit": "kjit.cuda"}


# ---- a process ------------------------------------------------------------------------------------------------


def least(rounds, function, count=1):
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best / count


def measure(name, rounds):
    import numpy as np
    np.row_stack = getattr(np, "row_stack", np.vstack)  # which older numbas look for
    begin = time.perf_counter()
    __import__(PATHS.get(name, name))
    imported = time.perf_counter()
    kind, module = LIBRARIES[name]
    library = kind(module)
    hosts = [np.arange(64, dtype=np.float32) for _ in range(3)]
    library.host(*hosts)
    first = time.perf_counter()
    assert np.array_equal(hosts[2], 2 * np.arange(64)), "add"
    own = [library.lend(one) for one in hosts]
    library.launch(*own)
    library.wait()

    def many():
        for _ in range(LAUNCHES):
            library.launch(*own)
        library.wait()

    x = np.random.default_rng(1).standard_normal(SAMPLES, dtype=np.float32)
    counts = np.zeros(BINS, np.int32)
    library.histogram(x, counts)
    expected = np.histogram(x, BINS, (-4, 4))[0]
    assert abs(counts - expected).sum() <= SAMPLES // 10_000 and counts.sum() == expected.sum(), "histogram"
    return {"import ms": 1e3 * (imported - begin), "first ms": 1e3 * (first - imported),
            "launch us": least(rounds, many, LAUNCHES), "host us": least(20 * rounds, lambda: library.host(*hosts)),
            "histogram us": least(20 * rounds, lambda: library.histogram(x, counts))}


def in_process(name, options, folder):
    caches = {"KJIT_CACHE": "kjit", "CUPY_CACHE_DIR": "cupy", "NUMBA_CACHE_DIR": "numba", "CUDA_CACHE_PATH": "driver",
              "WARP_CACHE_PATH": "warp"}
    there = {**os.environ, "KJIT_DEVICE": options.device, **{key: f"{folder}/{part}" for key, part in caches.items()}}
    there.pop("PYTHONDONTWRITEBYTECODE", None)  # installed libraries are compiled
    run = subprocess.run([sys.executable, __file__, "--rounds", str(options.rounds), "--process", name],
                         capture_output=True, text=True, env=there)
    try:
        return json.loads(run.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return (run.stderr.strip().splitlines() or ["nothing was said"])[-1][:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--only", default=",".join(LIBRARIES))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--process", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.process:
        print(json.dumps(measure(options.process, options.rounds)))
        return
    print("library   " + "".join(f"{column:>14}" for column in COLUMNS))
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            first, again = (in_process(name, options, folder) for _ in range(2))
        if isinstance(again, str):
            print(f"{name:10}not measured: {again}")
            continue
        row = {**again, "first ms": first["first ms"] if isinstance(first, dict) else float("nan"),
               "again ms": again["first ms"]}
        print(f"{name:10}" + "".join(f"{row[column]:14.2f}" for column in COLUMNS), flush=True)


if __name__ == "__main__":
    main()
