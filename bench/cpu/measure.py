#!/usr/bin/env python3
"""Kernels by kjit on the processor, beside the same loops in C with OpenMP, PoCL and numba, in one
run on the same arrays.

    measure.py [--kjit build/libkjit.so] [--out FOLDER] [--only REGEX] [--peers LIST] [--alone]
               [--quick]

The rows are the first two sets of bench/kernels/rows.py at sizes for a processor (SIZES), and a few
more. Each contender first runs at a small size and is compared with NumPy, then all are timed in
turn, round by round, so that what else the machine does meets all alike. Prints medians in
milliseconds, kjit's ratios, the bars that are met (BARS: of kjit over `hand`), how kjit scales from
one thread to all, what a small launch costs, and the machine's load; with --out also writes that to
FOLDER/cpu-PROCESSOR.txt.

Contenders: kjit; hand (by_hand.c, -O3 -march=native -fopenmp); pocl (kernels.cl); numba (loops.py,
njit(parallel=True)); and once, for the histogram, numba's CUDA simulator. What is not there is said
to be missing. The exit status is 1 if kjit failed or was wrong.
"""
import argparse
import ctypes
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
sys.path[:0] = [str(HERE), str(KERNELS)]

import check  # noqa: E402
import libkjit  # noqa: E402
import opencl  # noqa: E402
import rows  # noqa: E402
from work import Array, Row, Work, cover  # noqa: E402

PEERS = ["hand", "pocl", "numba", "simulator"]
M = 1_000_000

# Sizes for a processor: most arrays do not fit its caches.
SIZES = {
    "inc 268M": {"n": 32 * M},
    "mult 268M [1024, 1024]": {"n": 16 * M},
    "mult 268M [32, 256]": {"n": 16 * M},
    "conv3 268M": {"n": 16 * M},
    "hist 268M, 150 bins [1024, 256]": {"n": 16 * M},
    "hist 268M, 150 bins [64, 64]": {"n": 16 * M},
    "hist 1M, 150 bins [64, 64]": {},
    "matmul seed, sum in memory, 4096^3": {"shape": (512, 512, 512)},
    "matmul docs, naive, 4096^3": {"shape": (512, 512, 512)},
    "matmul docs, shared 16x16, 4096^3": {"shape": (512, 512, 512)},
    "transpose 8192^2, naive, writes columns": {"shape": (2048, 2048)},
    "transpose 8192^2, naive, reads columns": {"shape": (2048, 2048)},
    "transpose 8192^2, shared 32x33": {"shape": (2048, 2048)},
    "sum 268M, shared tree [1024, 256]": {"n": 32 * M},
    "enumerate (banded product), 16k": {"m": 8192, "n": 8192},
    "saxpy 100M, early return": {"n": 16 * M},
    "axpby 67M float64 [2048, 128]": {"n": 8 * M},
    "clip 200M int16": {"n": 32 * M},
    "threshold 16411 x 12289 uint8": {"shape": (6411, 4289)},
    "complex64 product 50M [512, 512]": {"n": 8 * M},
    "scale 80M of strided views": {"n": 10 * M},
    "masked update 8191 x 12289": {"shape": (4191, 3289)},
    "gather 67M of 10M [1024, 256]": {"n": 8 * M, "size": M},
    "blend 100M, device function": {"n": 12 * M},
    "stencil5 8191 x 12289": {"shape": (3191, 4289)},
    "stencil7 383 x 385 x 401 float64": {"shape": (183, 185, 201)},
    "hist2d 100M, 40 x 30 [1024, 256]": {"n": 8 * M},
    "byte counts 200M": {"n": 32 * M},
    "sums of 100 groups, 100M [512, 256]": {"n": 8 * M},
    "most of 1000 groups, 50M": {"n": 8 * M},
    "count above 200M, one counter": {"n": 32 * M},
    "dot 134M, atomics at the end [256, 256]": {"n": 16 * M},
    "row sums in memory 16411 x 8191": {"shape": (4411, 4191)},
    "row sums of F order 65539 x 2053": {"shape": (16539, 1053)},
    "running sums 16411 x 4099": {"shape": (4411, 2099)},
    "matrix-vector 16411 x 8191": {"shape": (4411, 4191)},
    "matmul float64 1021 x 1531 x 2053": {"shape": (421, 531, 453)},
    "500 products 125 x 127 x 129": {"shape": (50, 125, 127, 129)},
    "distances 4099 x 3001 in 64 dimensions": {"rows": 1099, "cols": 1001},
    "add a transpose 8191 x 6151 float64": {"shape": (2191, 2151)},
    "axes reversed 400 x 500 x 600 uint16": {"shape": (200, 250, 300)},
}

PRODUCTS = ("matmul", "500 products", "distances")


def bar(name):
    """What kjit's ratio to `hand` should be at most."""
    return 1.5 if name.startswith(PRODUCTS) else 1.1


# ---- rows that only the processor has ------------------------------------------------------------


def hist_shared(n, grid, block):
    work = rows.hist(n, 150, grid, block)
    args = {"samples": work.args["x"], "low": work.args["low"], "high": work.args["high"],
            "counts": work.args["counts"]}
    return Work(args, grid, block, [], "counts",
                lambda v: work.expected({"x": v["samples"]}), 4 * n)


HIST_SHARED = Row("hist, counters in shared memory [64, 64]", "../../examples/hist_shared.k:"
                  "histogram_shared", hist_shared, {"n": 16 * M, "grid": 64, "block": 64},
                  {"n": 10_007, "grid": 5, "block": 64})
HIST_SHARED.same_as = "hist"


def all_rows():
    """(name, row, its work for measuring)"""
    for row in rows.FIRST + rows.SECOND:
        sizes = {**row.full_sizes, **SIZES[row.name]}
        yield row, row.make(**sizes)
    yield HIST_SHARED, HIST_SHARED.full()


# ---- contenders ------------------------------------------------------------------------------------


class Data:
    """The arrays of a work: bases, and views of them as arguments."""

    def __init__(self, work):
        self.work, self.bases, self.views = work, {}, {}
        for seed, (name, value) in enumerate(work.args.items()):
            if isinstance(value, Array):
                base, _ = check.made(value, seed)
                self.bases[name] = aligned(base)
                self.views[name] = value.view(self.bases[name])
        self.start = {name: base.copy() for name, base in self.bases.items()
                      if name in work.outputs}

    def reset(self):
        for name, base in self.start.items():
            self.bases[name][...] = base


def aligned(array):
    """A copy that begins at a multiple of 128 bytes, as PoCL likes it, and the others too."""
    memory = np.zeros(array.nbytes + 128, np.uint8)
    from_ = -memory.ctypes.data % 128
    copy = memory[from_:from_ + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def entry_name(row, work):
    fortran = any(isinstance(value, Array) and value.order == "F" for value in work.args.values())
    return getattr(row, "same_as", None) or (work.plain or row.kernel) + ("_F" if fortran else "")


def number(value):
    if isinstance(value, (int, np.int64)):
        return ctypes.c_longlong(int(value))
    if isinstance(value, float):
        return ctypes.c_double(value)
    kind = {"f4": ctypes.c_float, "f8": ctypes.c_double, "i2": ctypes.c_short,
            "i4": ctypes.c_int}[value.dtype.str[1:]]
    return kind(value.item())


def spelled(data, array):
    """Arguments for C: an array becomes what array() makes of it, and its extents."""
    values = []
    for name, value in data.work.args.items():
        if isinstance(value, Array):
            values += [array(data.bases[name]), *(ctypes.c_longlong(n) for n in value.shape)]
        else:
            values.append(number(value))
    return values


class Contenders:
    def __init__(self, options, folder):
        self.kjit = libkjit.Kjit(options.kjit.resolve(), "cpu")
        self.alone = libkjit.Kjit(options.kjit.resolve(), "cpu", threads=1)
        self.missing, self.opencl, self.loops = {}, None, None
        wanted = options.peers.split(",")
        self.names = ["kjit"] + [name for name in PEERS[:3] if name in wanted]
        self.small = self.built("small", folder)
        if "hand" in self.names:
            self.hand = self.built("by_hand", folder)
            if not self.hand:
                self.drop("hand", "the C compiler, which CC names if it is set, cannot build it")
        if "pocl" in self.names:
            try:
                self.opencl = opencl.OpenCL((HERE / "kernels.cl").read_text())
            except opencl.Failed as failed:
                self.drop("pocl", str(failed))
        if "numba" in self.names:
            try:
                import loops
                self.loops = loops
            except ImportError as error:
                self.drop("numba", f"not installed ({error})")

    @staticmethod
    def built(name, folder):
        """A C file beside this one as a library, or None."""
        made = f"{folder}/{name}.so"
        try:
            subprocess.run([*os.environ.get("CC", "cc").split(), "-O3", "-march=native", "-fopenmp",
                            "-fPIC", "-shared", "-o", made, str(HERE / f"{name}.c"), "-lm"],
                           check=True)
            return ctypes.CDLL(made)
        except (OSError, subprocess.CalledProcessError):
            return None

    def drop(self, name, why):
        self.missing[name] = why
        self.names.remove(name)

    def launcher(self, name, row, data):
        """A function that runs the kernel to its end; None if this contender cannot have it."""
        return getattr(self, f"of_{name}")(row, data)

    def of_kjit(self, row, data, kjit=None):
        work, kjit = data.work, kjit or self.kjit
        args = [kjit.array(data.bases[name].ctypes.data, value.dtype, value.shape,
                                value.strides(), 0)
                if isinstance(value, Array) else kjit.scalar(value)
                for name, value in work.args.items()]
        return kjit.prepare(kjit.kernel(KERNELS / row.file, row.kernel), work.grid,
                                 work.block, args)

    def of_hand(self, row, data):
        function = getattr(self.hand, entry_name(row, data.work))
        function.restype = None
        values = spelled(data, lambda base: ctypes.c_void_p(base.ctypes.data))
        return lambda: function(*values)

    def of_pocl(self, row, data):
        name = entry_name(row, data.work)
        if data.work.plain is None and row is HIST_SHARED:
            return None
        return self.opencl.launcher("dot_" if name == "dot" else name, data.work.grid, data.work.block,
                                    spelled(data, lambda base: base))

    def of_numba(self, row, data):
        function = getattr(self.loops, row.kernel, None)
        if not function:
            return None
        values = [data.views[name] if isinstance(value, Array) else value
                  for name, value in data.work.args.items()]
        return lambda: function(*values)


# ---- right or wrong, and how fast --------------------------------------------------------------------


def wrong(contenders, name, row):
    """None, or what a contender leaves at a small size that NumPy does not."""
    work = row.small()
    data = Data(work)
    before = {key: view.copy() for key, view in data.views.items()}
    launch = contenders.launcher(name, row, data)
    if not launch:
        return "cannot be written"
    launch()
    want = work.expected(before)
    getattr(launch, "close", lambda: None)()
    for key in work.outputs:
        what = check.difference(key, data.views[key], want[key], work)
        if what:
            return f"{key} is not NumPy's: {what}"
    return None


CLOCK = time.perf_counter


REST = 0.01         # seconds in which the threads of the contender before stop looking for work


def take(launch):
    if CLOCK is time.perf_counter:
        time.sleep(REST)
    begin = CLOCK()
    launch()
    return 1e3 * (CLOCK() - begin)


def measure(contenders, row, work, seconds):
    """{contender: milliseconds of each round}, {contender: why there are none}"""
    data, launches, failures = Data(work), {}, {}
    for name in contenders.names:
        try:
            what = wrong(contenders, name, row)
            if what:
                failures[name] = what
                continue
            launches[name] = contenders.launcher(name, row, data)
            data.reset()
            take(launches[name])
        except Exception as error:  # of numba's compiler, say: the others go on
            failures[name] = (str(error) or repr(error)).strip().split("\n")[0][:200]
            launches.pop(name, None)
    times = {name: [] for name in launches}
    once = {}
    for name, launch in launches.items():
        data.reset()
        once[name] = take(launch)
    end = time.monotonic() + seconds
    for turn in range(31):
        for name, launch in launches.items():
            # What is very slow need not be measured as often.
            if once[name] > 1e3 * seconds / 6 and turn >= 2:
                continue
            times[name].append(take(launch))
        if turn >= 4 and time.monotonic() > end:
            break
    if "kjit" in launches and CLOCK is time.perf_counter:
        scaling(contenders, row, data, times)
    for launch in launches.values():
        getattr(launch, "close", lambda: None)()
    return times, failures


def scaling(contenders, row, data, times):
    """The same with one thread."""
    launch = contenders.of_kjit(row, data, contenders.alone)
    take(launch)
    times["kjit, one thread"] = [take(launch) for _ in range(3)]
    getattr(launch, "close", lambda: None)()


def small_launch(contenders):
    """Nanoseconds of a launch of one block of 32 threads, prepared and not: what small.c measures.
    Of many rounds the quickest, for what the machine does beside only adds."""
    kjit = contenders.kjit
    prepared, whole = contenders.small.prepared_call, contenders.small.whole_call
    prepared.restype = whole.restype = ctypes.c_double
    data, grid, block, calls = Data(rows.inc(32)), (1, 1, 1), (32, 1, 1), 10_000
    row = rows.ROWS[0]
    kernel = kjit.kernel(KERNELS / row.file, row.kernel)
    args = [kjit.array(base.ctypes.data, base.dtype, base.shape, base.strides, 0)
            for base in data.bases.values()]
    launch = kjit.prepare(kernel, grid, block, args)
    config, list_ = kjit.config(grid, block), (libkjit.Arg * len(args))(*args)
    launch()
    taken = [min(call() for _ in range(15)) for call in (
        lambda: prepared(kjit.library.kjit_launch_prepared, launch.prepared, calls),
        lambda: whole(kjit.library.kjit_launch, kernel, ctypes.byref(config), list_,
                      ctypes.c_size_t(len(args)), calls))]
    launch.close()
    return taken


SIMULATED = """
import sys, time, numpy as np
sys.path.insert(0, {folder!r})
from numba import cuda
space = {{}}
exec(compile(open({file!r}).read(), {file!r}, "exec"), space)
def run(n):
    x = np.random.default_rng(1).normal(size=n).astype(np.float32)
    counts = np.zeros(150, np.int32)
    begin = time.perf_counter()
    space["hist"][64, 64](x, np.float32(-4), np.float32(4), counts)
    return time.perf_counter() - begin, counts.sum()
run(4096)
few, many = min(run(4096)[0] for _ in range(3)), run(4096 * 17)[0]
print(few, (many - few) / (4096 * 16))
"""


def simulator():
    """Milliseconds that hist of a million samples takes numba's CUDA simulator: what the launch of
    [64, 64] takes with one sample a thread, and for each further sample what it takes longer with
    17 a thread. None where there is no numba."""
    text = SIMULATED.format(folder=str(KERNELS), file=str(KERNELS / "histograms.k"))
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                         env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"})
    if ran.returncode:
        return None, ran.stderr.strip().split("\n")[-1]
    few, each = map(float, ran.stdout.split())
    return 1e3 * (few + each * (M - 4096)), None


# ---- the report --------------------------------------------------------------------------------------


class Report:
    def __init__(self):
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line.rstrip())


def tell_row(report, row, times, failures, width):
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    cells = [f"{medians[name]:9.2f}" if name in medians else f"{'-':>9}"
             for name in ("kjit", "hand", "pocl", "numba")]
    mine, words = medians.get("kjit"), []
    missed = mine is None
    for name in ("hand", "pocl", "numba"):
        if mine and name in medians:
            limit = bar(row.name) if name == "hand" else 1.0
            ratio = mine / medians[name]
            missed |= ratio > limit
            words.append(f"{name} {ratio:.2f}" + ("" if ratio <= limit else " MISSED"))
    one = medians.get("kjit, one thread")
    report.say(f"{row.name:{width}}" + " ".join(cells)
               + (f" {one / mine:7.2f}" if one and mine else f" {'-':>7}") + "   "
               + ", ".join(words))
    for name, why in failures.items():
        if why != "cannot be written":
            report.say(f"    {name}: {why}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kjit", default="build/libkjit.so", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="the folder of the results' file")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose name has it")
    parser.add_argument("--peers", default=",".join(PEERS), help="contenders besides kjit: %(default)s")
    parser.add_argument("--alone", action="store_true",
                        help="one thread each, and the processor's time: for a machine in use")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args()
    if options.alone:
        global CLOCK
        CLOCK = time.process_time
        if os.environ.get("OMP_NUM_THREADS") != "1":
            os.environ.update(OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1", POCL_MAX_PTHREAD_COUNT="1")
            os.execv(sys.executable, [sys.executable, "-B", *sys.argv])
    report, failed, missed, total = Report(), False, [], 0
    processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()).group(1)
    wanted = [(row, work) for row, work in all_rows() if re.search(options.only, row.name)]
    width = max(len(row.name) for row, _ in wanted) + 1
    with tempfile.TemporaryDirectory(prefix="kjit-bench.") as folder:
        contenders = Contenders(options, folder)
        report.say(f"{processor}, {len(os.sched_getaffinity(0))} cores, load "
                   f"{os.getloadavg()[0]:.2f} at the start, {time.strftime('%Y-%m-%d %H:%M')}")
        if os.getloadavg()[0] > 0.5 and not options.alone:
            report.say("the machine does other things as well: these figures say little")
        if contenders.opencl:
            report.say(f"pocl: {contenders.opencl.version}")
        for name, why in contenders.missing.items():
            report.say(f"{name}: {why}")
        report.say("\nMedians in ms; `scaled`: one thread's time over that of all; kjit's ratio to "
                   "each, and where it is over the bar\n(hand 1.1, products 1.5; the others 1). "
                   "Sizes are in bench/cpu/measure.py, names those of bench/kernels/rows.py.\n")
        report.say(f"{'':{width}}" + " ".join(f"{name:>9}" for name in
                                              ("kjit", "hand", "pocl", "numba")) + "  scaled")
        for row, work in wanted:
            times, failures = measure(contenders, row, work, 0.2 if options.quick else 1.0)
            failed |= "kjit" in failures
            total += 1
            if tell_row(report, row, times, failures, width):
                missed.append(row.name)
        report.say(f"\n{total - len(missed)} of {total} rows meet every bar")
        if contenders.small:
            taken, whole = small_launch(contenders)
            report.say(f"a launch of 32 threads: {taken / 1e3:.2f} us where prepared, "
                       f"{whole / 1e3:.2f} us by kjit_launch()"
                       + ("" if max(taken, whole) < 1000 else " MISSED: 1 us"))
        if "simulator" in options.peers.split(",") and re.search(options.only, "hist 1M"):
            mine = measure(contenders, rows.ROWS[6], rows.ROWS[6].full(), 0.2)[0]["kjit"]
            whole, why = simulator()
            if why:
                report.say(f"numba's CUDA simulator: {why}")
            else:
                report.say(f"numba's CUDA simulator, hist of 1M samples [64, 64]: {whole / 1e3:.1f} s "
                           f"(from 4,096 and 69,632 samples), {whole / statistics.median(mine):.0f} "
                           "times what kjit takes"
                           + ("" if whole >= 1000 * statistics.median(mine) else " MISSED: 1000"))
        report.say(f"load at the end {os.getloadavg()[0]:.2f}")
        contenders.kjit.close()
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\([RTM]+\)|CPU|@.*", "", processor).lower())
        (options.out / f"cpu-{name.strip('-')}.txt").write_text("\n".join(report.lines) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
