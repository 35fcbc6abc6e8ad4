#!/usr/bin/env python3
"""kjit's runtime beside the bare driver, numba-cuda and CuPy, all measured in one run on one GPU.

    peers.py --kjit BUILD/kjit --benches BUILD/bench [--out FOLDER]

Prints medians and ratios; with --out also writes them, with the date, the GPU, its driver and the
command, to FOLDER/runtime-GPU.txt. BUILD/bench/launch, transfer, compile and context are run as
they are; numba-cuda and CuPy each in a process of this Python. Who is not there is said to be
missing. A step that fails is reported, and makes the exit status 1.
"""
import argparse
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time

LAUNCHES, ROUNDS = 1000, 101  # as bench/launch.c
SAMPLES, BINS, CALLS = 1_000_000, 150, 200  # as bench/transfer.c
HERE = pathlib.Path(__file__).resolve().parent


# ---- the peers, each in a process of its own ----------------------------------------------------


def launch_us(launch, wait):
    """What giving the GPU a small kernel takes, in microseconds, the GPU's own time left out."""
    rounds = []
    for index in range(-3, ROUNDS):
        begin = time.perf_counter()
        for _ in range(LAUNCHES):
            launch()
        end = time.perf_counter()
        wait()
        if index >= 0:
            rounds.append(1e6 * (end - begin) / LAUNCHES)
    return statistics.median(rounds)


def call_us(call):
    rounds = []
    for index in range(-20, CALLS):
        begin = time.perf_counter()
        call()
        if index >= 0:
            rounds.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(rounds)


def samples():
    import numpy
    return ((numpy.arange(SAMPLES) % 997) / 125 - 4).astype(numpy.float32)


def measure_numba():
    global cuda, math  # where kernels look for names
    import numpy
    # What NumPy has dropped and numba still names.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(numpy, old):
            setattr(numpy, old, getattr(numpy, new))
    import math
    import warnings

    import numba
    from numba import cuda
    warnings.simplefilter("ignore")

    @cuda.jit
    def one(a):
        if a.shape[0] < 0:
            a[0] = 0

    @cuda.jit
    def five(a, b, c, n, s):
        if n < 0:
            a[0] = b[0] + c[0] * s

    @cuda.jit
    def hist(x, low, high, bins):
        width = (high - low) / bins.shape[0]
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            b = math.floor((x[i] - low) / width)
            if b >= 0 and b < bins.shape[0]:
                cuda.atomic.add(bins, b, 1)

    a = cuda.to_device(numpy.zeros(1024, numpy.float32))
    one_ready, five_ready, hist_ready = one[1, 32], five[1, 32], hist[64, 64]
    x, bins = samples(), numpy.zeros(BINS, numpy.int32)
    low, high = numpy.float32(-4), numpy.float32(4)
    result = {
        "one": launch_us(lambda: one_ready(a), cuda.synchronize),
        "five": launch_us(lambda: five_ready(a, a, a, 7, 2.5), cuda.synchronize),
        "hist": call_us(lambda: hist_ready(x, low, high, bins)),
    }
    if not bins.any():
        raise RuntimeError("numba's histogram is empty")
    try:
        import numba_cuda
        result["version"] = f"numba-cuda {numba_cuda.__version__}, numba {numba.__version__}"
    except ImportError:
        result["version"] = f"numba {numba.__version__}"
    return result


def measure_cupy():
    import cupy
    import numpy
    text = r"""
    extern "C" __global__ void one(float *a) { if (!a) a[0] = 0; }
    extern "C" __global__ void five(float *a, float *b, float *c, long long n, float s)
    { if (n < 0) a[0] = b[0] + c[0] * s; }
    """
    module = cupy.RawModule(code=text)
    one, five = module.get_function("one"), module.get_function("five")
    a = cupy.zeros(1024, cupy.float32)
    n, s = numpy.int64(7), numpy.float32(2.5)
    wait = cupy.cuda.Device().synchronize
    return {
        "one": launch_us(lambda: one((1,), (32,), (a,)), wait),
        "five": launch_us(lambda: five((1,), (32,), (a, a, a, n, s)), wait),
        "version": f"CuPy {cupy.__version__}",
    }


PEERS = {"numba": measure_numba, "cupy": measure_cupy}


# ---- the report ---------------------------------------------------------------------------------


class Report:
    def __init__(self):
        self.lines, self.failed = [], False

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def run(self, *command):
        """What a program prints, or None if it fails."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
        self.failed = True
        words = (done.stderr or done.stdout).strip().splitlines()[-3:]
        self.say(f"{pathlib.Path(command[0]).name} failed ({done.returncode}): {' / '.join(words)}")
        return None

    def measure(self, peer):
        """The figures of a peer; {} if it is missing or cannot be used, which is said."""
        done = subprocess.run([sys.executable, __file__, "--measure", peer], capture_output=True,
                              text=True)
        if done.returncode == 0:
            figures = json.loads(done.stdout.strip().splitlines()[-1])
            self.say(f"{peer}: {figures['version']}")
            return figures
        words = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        errors = [line for line in words if "Error" in line and not line.startswith(" ")]
        self.say(f"{peer}: not measured: {(errors or words)[-1]}")
        return {}

    def table(self, title, rows, base):
        """Rows (name, figures); ratios are to the figures of `base`."""
        self.say(f"\n{title}")
        for name, figures in rows:
            cells = []
            for figure, least in zip(figures, base):
                if figure is None:
                    cells.append(f"{'-':>10}{'':9}")
                else:
                    ratio = f"{figure / least:7.2f} x" if least else ""
                    cells.append(f"{figure:10.2f}{ratio:9}")
            self.say(f"    {name:34}" + "  ".join(cells).rstrip())


def figures(text, pattern):
    """The numbers that a pattern finds in what a program printed; None for each if it did not run."""
    if not text:
        return [None] * re.compile(pattern).groups
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"peers.py: nothing like {pattern!r} in\n{text}")
    return [float(number) for number in found.groups()]


def machine(report, kjit, benches):
    gpu, driver = "unknown GPU", "unknown"
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version",
                               "--format=csv,noheader"], capture_output=True, text=True)
        gpu, driver = [word.strip() for word in done.stdout.splitlines()[0].split(",")]
    except (OSError, IndexError, ValueError):
        found = re.search(r"cuda:0\s+([^,\n]*)", report.run(kjit, "doctor") or "")
        gpu = found.group(1).strip() if found else gpu
    report.say(f"date:    {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}")
    report.say(f"GPU:     {gpu}, driver {driver}")
    command = ["python3", "bench/peers.py", "--kjit", str(kjit), "--benches", str(benches)]
    report.say(f"command: {shlex.join(command)}")
    return gpu


def launches(report, benches, numba, cupy):
    text = report.run(benches / "launch")
    number = r" cuLaunchKernel ([\d.]+) us, kjit ([\d.]+) us"
    prepared = [figures(text, f"prepared launch of {name}:{number}") for name in ("one", "five")]
    called = [figures(text, f"KJIT_CALL of {name}:{number}") for name in ("one", "five")]
    bare = [one[0] for one in prepared]
    report.table("A launch with 1 and with 5 arguments, microseconds of the processor "
                 f"(median of {ROUNDS} rounds of {LAUNCHES})",
                 [("cuLaunchKernel", bare),
                  ("kjit, prepared launch", [one[1] for one in prepared]),
                  ("kjit, KJIT_CALL", [one[1] for one in called]),
                  ("CuPy, RawKernel", [cupy.get("one"), cupy.get("five")]),
                  ("numba-cuda", [numba.get("one"), numba.get("five")])], bare)
    compiled = figures(text, r"NVRTC alone ([\d.]+) ms, kjit with loading ([\d.]+) ms")
    report.table("A compilation, milliseconds", [("NVRTC alone", compiled[:1]),
                                                 ("kjit, with loading", compiled[1:])],
                 compiled[:1])


def transfers(report, benches, numba):
    text = report.run(benches / "transfer")
    call, parts = figures(text, r"host arrays: ([\d.]+) us, parts ([\d.]+) us")
    report.table(f"A histogram of {SAMPLES} samples in host arrays, microseconds "
                 f"(median of {CALLS} calls)",
                 [("its parts, each at its best", [parts]), ("kjit, KJIT_CALL", [call]),
                  ("numba-cuda", [numba.get("hist")])], [parts])
    for line in (text or "").splitlines():
        report.say(f"    ({line})")


def starts(report, kjit, benches):
    text = report.run(sys.executable, HERE / "startup.py", kjit, "cuda", benches / "context")
    run, context = figures(text, r"first result: ([\d.]+) ms; .*: ([\d.]+) ms;")
    report.table("From the start of a process to its first result, compiled before, milliseconds "
                 "(median of 15 runs)",
                 [("a process that makes a context", [context]),
                  ("kjit run examples/hist.k", [run])], [context])


def compilations(report, benches):
    text = report.run(benches / "compile")
    first, one, slowest = figures(text, r"start and all: (\d+) ms; later one by one (\d+) ms, the "
                                        r"slowest of them ([\d.]+) ms")
    rows = [("all at once, NVRTC's start included", [first]), ("one by one", [one])]
    for threads, took in re.findall(r"by (\d+) threads .*: (\d+) ms", text or ""):
        name = f"{threads} at once" if threads != "0" else "one a processor at once"
        rows.append((name, [float(took)]))
    report.table("Twenty kernels compiled, milliseconds (median of 5 rounds)", rows, [one])
    if slowest:
        report.say(f"    (the slowest of them by itself: {slowest} ms)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--measure", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--kjit", default="build/kjit", type=pathlib.Path)
    parser.add_argument("--benches", default="build/bench", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="the folder of the result's file")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(PEERS[options.measure]()))
        return 0
    report = Report()
    gpu = machine(report, options.kjit, options.benches)
    numba, cupy = report.measure("numba"), report.measure("cupy")
    benches = options.benches.resolve()
    launches(report, benches, numba, cupy)
    transfers(report, benches, numba)
    starts(report, options.kjit.resolve(), benches)
    compilations(report, benches)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^a-z0-9]+", "-", gpu.lower().replace("nvidia", "")).strip("-")
        (options.out / f"runtime-{name}.txt").write_text("\n".join(report.lines) + "\n")
    return report.failed


if __name__ == "__main__":
    sys.exit(main())
