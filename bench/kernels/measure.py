#!/usr/bin/env python3
"""Kernels by kjit beside numba-cuda, nvcc, NVRTC, experts and libraries, in one run on one GPU, on
the same arrays.

    measure.py [--kjit build/libkjit.so] [--out FOLDER] [--only REGEX] [--peers LIST] [--quick]

For each row of rows.py every contender first runs at a small size, and what it leaves is compared
with NumPy's; then at the full size, where it must agree with the plain CUDA kernel; then all are
timed in turn, by events on one stream: each round a few launches in a row behind a kernel that
keeps the GPU busy meanwhile, so that the host's part is not in it. What is wrong or fails is said
and not timed. Prints medians, spreads and ratios and whether the row's bar is met; with --out also
writes them to FOLDER/kernels-GPU.txt, and all figures to FOLDER/kernels-GPU.json.

Contenders: kjit, numba (numba-cuda, the .k file's text as it is), nvcc (plain.cu, -O3), nvrtc (the
same text), and those of the row: expert (expert.cu), axes (the naive product with its axes
exchanged), CUB, cuBLAS. `floor` is the bytes that have to be moved at the rate of a copy that is
measured, too. Who is not there is said to be missing. --peers chooses among them, "kjit,nvcc".

Rows run in a process of their own, which is started again if a kernel breaks it. The exit status is
1 if kjit failed or was wrong in a row; a bar that is missed is only said.
"""
import argparse
import ctypes
import json
import pathlib
import queue
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

import gpu as cuda
import libkjit
import rows
from check import difference

HERE = pathlib.Path(__file__).resolve().parent
ROW_SECONDS = 90       # after which the contender that runs is given up
BUSY_US = 100          # for each launch that the host gives meanwhile; numba's take 30
PEERS = ["kjit", "numba", "nvcc", "nvrtc", "axes", "expert", "CUB", "cuBLAS"]


# ---- the process that measures -------------------------------------------------------------------


class Numba:
    """numba-cuda, on memory that is there already."""

    def __init__(self):
        # What NumPy has dropped and numba still names.
        for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
            if not hasattr(np, old):
                setattr(np, old, getattr(np, new))
        warnings.simplefilter("ignore")
        import numba
        from numba import cuda as target
        self.target, self.modules = target, {}
        try:
            import numba_cuda
            self.version = f"numba-cuda {numba_cuda.__version__}, numba {numba.__version__}"
        except ImportError:
            self.version = f"numba {numba.__version__}"

    def kernel(self, path, name):
        if path not in self.modules:
            self.modules[path] = {}
            exec(compile(path.read_text(), str(path), "exec"), self.modules[path])
        return self.modules[path][name]

    def array(self, array, pointer):
        class Memory:
            __cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str,
                                        "data": (pointer, False), "version": 3,
                                        "strides": array.strides()}
        return self.target.as_cuda_array(Memory())

    def launcher(self, kernel, grid, block, args):
        ready = kernel[grid, block]
        return lambda: ready(*args)


class Arrays:
    """The memory of a row's array arguments."""

    def __init__(self, bench, work):
        self.bench, self.work = bench, work
        self.pointers = {name: bench.gpu.alloc(value.bytes()) for name, value in self.each()}
        for name, _ in self.each():
            self.fill(name)

    def each(self):
        return [(name, value) for name, value in self.work.args.items()
                if isinstance(value, rows.Array)]

    def fill(self, name):
        """As it is before a launch."""
        array, pointer = self.work.args[name], self.pointers[name]
        if array.fill is None:
            return self.bench.gpu.zero(pointer, array.bytes())
        kind, low, high = array.fill
        count, item = array.count(), array.dtype.itemsize
        if kind == "whole":
            function = f"whole_{item}"
        elif array.dtype.kind == "c":
            function, count = "uniform_float", 2 * count
        else:
            function = f"{kind}_{'float' if item == 4 else 'double'}"
        seed = list(self.work.args).index(name) + 1
        self.bench.data.run(function, (1024, 1, 1), (256, 1, 1), ctypes.c_ulonglong(pointer),
                            ctypes.c_ulonglong(count), ctypes.c_ulonglong(seed),
                            ctypes.c_double(low), ctypes.c_double(high))

    def reset(self):
        for name in self.work.outputs:
            self.fill(name)

    def download(self):
        self.bench.gpu.wait()
        views = {}
        for name, array in self.each():
            base = np.empty(array.base_shape(), array.dtype)
            self.bench.gpu.download(base, self.pointers[name])
            views[name] = array.view(base)
        return views

    def free(self):
        for pointer in self.pointers.values():
            self.bench.gpu.free(pointer)


class Bench:
    """The measuring process."""

    def __init__(self, config):
        self.config = config
        self.gpu = cuda.Gpu()
        self.modules, self.kjit, self.numba, self.cub, self.cublas = {}, None, None, None, None
        self.data = self.module("data.nvrtc")
        self.begin, self.end = self.gpu.event(), self.gpu.event()

    def module(self, name):
        """Machine code that is there already, or what NVRTC makes of plain.cu and the like."""
        if name not in self.modules:
            text, by = name.split(".")
            path = self.config["cubins"].get(text) if by == "nvcc" else None
            if by == "nvcc" and not path:
                raise cuda.Failed("there is no nvcc")
            cubin = pathlib.Path(path).read_bytes() if path else cuda.nvrtc_cubin(
                (HERE / f"{text}.cu").read_text(), self.gpu.arch)
            self.modules[name] = self.gpu.module(cubin)
        return self.modules[name]

    # ---- contenders: each gives a function that launches ----

    def of_kjit(self, row, work, arrays):
        if not self.kjit:
            self.kjit = libkjit.Kjit(self.config["kjit"], "cuda")
        args = [self.kjit.array(arrays.pointers[name], value.dtype, value.shape, value.strides(),
                                libkjit.ON_DEVICE)
                if isinstance(value, rows.Array) else self.kjit.scalar(value)
                for name, value in work.args.items()]
        return self.kjit.prepare(self.kjit.kernel(HERE / row.file, row.kernel), work.grid,
                                 work.block, args)

    def of_numba(self, row, work, arrays):
        if not self.numba:
            self.numba = Numba()
        args = [self.numba.array(value, arrays.pointers[name]) if isinstance(value, rows.Array)
                else value for name, value in work.args.items()]
        return self.numba.launcher(self.numba.kernel(HERE / row.file, row.kernel), work.grid,
                                   work.block, args)

    def of_module(self, module, step, arrays):
        values = [ctypes.c_ulonglong(arrays.pointers[p]) if p in arrays.pointers
                  else cuda.number(arrays.work.args[p] if isinstance(p, str) else p)
                  for p in step.params]
        return self.module(module).launcher(step.kernel, step.grid, step.block, values, step.shared)

    def of_library(self, which, operation, params, arrays):
        values = [ctypes.c_void_p(arrays.pointers[p]) if p in arrays.pointers
                  else arrays.work.args[p] if isinstance(p, str) else p for p in params]
        if which == "cub":
            if not self.config["cub"]:
                raise cuda.Failed("there is no nvcc")
            self.cub = self.cub or cuda.Cub(self.config["cub"])
            return self.cub.launcher(operation, *values)
        self.cublas = self.cublas or cuda.Cublas()
        return self.cublas.launcher(operation, *values)

    def launcher(self, contender, row, work, arrays):
        if contender == "kjit":
            return self.of_kjit(row, work, arrays)
        if contender == "numba":
            return self.of_numba(row, work, arrays)
        if contender in ("nvcc", "nvrtc"):
            step = rows.Step(work.plain or row.kernel, work.grid, work.block, work.params)
            return self.of_module(f"plain.{contender}", step, arrays)
        peer = work.peers[contender]
        if isinstance(peer, rows.Step):
            return self.of_module("expert.nvcc" if "expert" in self.config["cubins"]
                                  else "expert.nvrtc", peer, arrays)
        return self.of_library(peer[0], peer[1], peer[2:], arrays)

    # ---- right or wrong ----

    def wrong_at_small(self, contender, row):
        """None, or what differs from NumPy's results."""
        work = row.small()
        arrays = Arrays(self, work)
        before = arrays.download()
        launch = self.launcher(contender, row, work, arrays)
        launch()
        after = arrays.download()
        want = work.expected(before)
        getattr(launch, "close", lambda: None)()
        arrays.free()
        for name in work.outputs:
            what = difference(after[name], want[name], work)
            if what:
                return f"{name} is not NumPy's: {what}"
        return None

    def apart(self, work, name, mine, theirs, atol):
        """How many elements of an output are not those of another contender's."""
        array = work.args[name]
        kind = {"f4": "float", "f8": "double", "c8": "float"}.get(array.dtype.str[1:])
        count = array.count() * (2 if array.dtype.kind == "c" else 1)
        apart = self.gpu.alloc(8)
        self.gpu.zero(apart, 8)
        self.data.run(f"apart_{kind or array.dtype.itemsize}", (1024, 1, 1), (256, 1, 1),
                      ctypes.c_ulonglong(mine), ctypes.c_ulonglong(theirs),
                      ctypes.c_ulonglong(count), ctypes.c_double(atol),
                      ctypes.c_double(work.rtol), ctypes.c_ulonglong(apart))
        self.gpu.wait()
        found = np.zeros(1, np.uint64)
        self.gpu.download(found, apart)
        self.gpu.free(apart)
        return int(found[0])

    # ---- time ----

    def time_us(self, launch, count):
        """What a launch takes, of `count` in a row after one that is not counted."""
        self.data.run("busy", (1, 1, 1), (1, 1, 1), ctypes.c_ulonglong(1000 * BUSY_US * (count + 2)))
        launch()
        self.gpu("cuEventRecord", self.begin, None)
        for _ in range(count):
            launch()
        self.gpu("cuEventRecord", self.end, None)
        return self.gpu.elapsed_us(self.begin, self.end) / count

    def once_us(self, launch):
        self.gpu.wait()
        start = time.perf_counter()
        launch()
        self.gpu.wait()
        return 1e6 * (time.perf_counter() - start)

    def samples(self, launches):
        """{contender: microseconds of its rounds}, the contenders in turn."""
        plan, taken = {}, {name: [] for name in launches}
        for name, launch in launches.items():
            say(begin=name)
            one = min(self.time_us(launch, 1) for _ in range(2)) if name not in self.slow \
                else self.slow[name]
            count = int(min(max(100 / one, 1), 10))
            budget = 1e6 * self.config["seconds"]
            rounds = int(min(max(budget / ((count + 1) * one + BUSY_US * (count + 2)), 3), 31))
            plan[name] = (count, 2 if one > 3e5 else rounds)
        for turn in range(max(rounds for _, rounds in plan.values())):
            for name, launch in launches.items():
                if turn < plan[name][1]:
                    say(begin=name)
                    taken[name].append(self.time_us(launch, plan[name][0]))
        return taken

    def copy_rate(self):
        """Bytes read and written a microsecond, by the better of the driver's copy and a kernel's."""
        bytes = 1 << 30
        source, to = self.gpu.alloc(bytes), self.gpu.alloc(bytes)
        self.gpu.zero(source, bytes)
        kernel = self.data.launcher("copy16", (bytes // 16 // 1024, 1, 1), (256, 1, 1),
                                    [ctypes.c_ulonglong(source), ctypes.c_ulonglong(to),
                                     ctypes.c_ulonglong(bytes // 16)])
        driver = (lambda: self.gpu("cuMemcpyDtoDAsync_v2", ctypes.c_ulonglong(to),
                                   ctypes.c_ulonglong(source), ctypes.c_size_t(bytes), None))
        times = [statistics.median(self.time_us(launch, 2) for _ in range(11))
                 for launch in (kernel, driver)]
        self.gpu.free(source), self.gpu.free(to)
        return 2 * bytes / min(times)

    # ---- a row ----

    def measure(self, row, contenders):
        """Says of each contender what is wrong with it, or its microseconds."""
        work = row.full()
        self.slow, launches, arrays, reference = {}, {}, Arrays(self, work), None
        # The plain kernel first: the others are compared with it.
        for name in sorted(contenders, key=["nvcc", "nvrtc", *PEERS].index):
            say(begin=name)
            try:
                if name in ("kjit", "numba", "nvcc", "nvrtc"):
                    wrong = self.wrong_at_small(name, row)
                    if wrong:
                        say(wrong=name, why=wrong)
                        continue
                launch = self.launcher(name, row, work, arrays)
                arrays.reset()
                took = self.once_us(launch)
                if took > 3e5:  # compiling may be in it
                    arrays.reset()
                    self.slow[name] = self.once_us(launch)
            except Exception as error:
                text = str(error).strip().split("\n")[0][:300]
                say(missing=name, why=text or type(error).__name__)
                self.gpu.wait()  # if the GPU is broken, this ends the process
                continue
            wrong = self.compare(work, name, arrays, reference) if reference else None
            if not reference:
                reference = {o: self.kept(work, o, arrays) for o in work.outputs}
            if wrong:
                say(wrong=name, why=wrong)
                continue
            launches[name] = launch
        launches = {name: launches[name] for name in contenders if name in launches}
        say(times=self.samples(launches) if launches else {})
        for pointer in (reference or {}).values():
            self.gpu.free(pointer)
        if "kjit" in launches:
            launches["kjit"].close()
        arrays.free()

    def kept(self, work, name, arrays):
        bytes = work.args[name].bytes()
        copy = self.gpu.alloc(bytes)
        self.gpu.copy(copy, arrays.pointers[name], bytes)
        return copy

    def compare(self, work, contender, arrays, reference):
        for name, theirs in reference.items():
            apart = self.apart(work, name, arrays.pointers[name], theirs,
                               work.loose.get(contender, work.atol))
            if apart:
                return f"{apart} elements of {name} are not the plain kernel's"
        return None


def say(**what):
    print(json.dumps(what), flush=True)


def worker(config):
    bench = Bench(config)
    say(gpu=bench.gpu.name, arch=bench.gpu.arch)
    if config["rate"]:
        say(rate=bench.copy_rate())
    for line in sys.stdin:
        order = json.loads(line)
        bench.measure(rows.ROWS[order["row"]], order["contenders"])
        say(done=order["row"], numba=bench.numba.version if bench.numba else None)


# ---- the process that asks -----------------------------------------------------------------------


class Worker:
    """The measuring process, as seen from here."""

    def __init__(self, config, python):
        self.process = subprocess.Popen(
            [python, "-B", str(HERE / "measure.py"), "--worker", json.dumps(config)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.errors = queue.Queue(), []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            try:
                self.lines.put(json.loads(line))
            except ValueError:
                pass  # what a library prints
        self.lines.put(None)

    def read_errors(self):
        self.errors += self.process.stderr

    def ask(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hear(self, seconds):
        """What it says next; None if it has ended, or says nothing for so long."""
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def end(self):
        """Why it is no more."""
        hung = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        time.sleep(0.1)
        words = [line.strip() for line in self.errors if line.strip()]
        return "it does not end" if hung and not words else words[-1] if words \
            else f"exit status {self.process.returncode}"


class Measurement:
    def __init__(self, options):
        self.options, self.worker, self.rate, self.gpu, self.arch = options, None, None, None, None
        self.numba = None
        self.config = {"kjit": str(options.kjit.resolve()), "cubins": {}, "cub": None, "rate": True,
                       "seconds": 0.08 if options.quick else 0.3}

    def compile(self, folder):
        """What nvcc makes of the texts, all at once."""
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc:
            return
        arch = f"-arch={self.options.arch or 'native'}"
        jobs = {text: [nvcc, "-O3", arch, "-cubin", "-o", f"{folder}/{text}.cubin",
                       str(HERE / f"{text}.cu")] for text in ("plain", "expert")}
        jobs["cub"] = [nvcc, "-O3", arch, "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "-o",
                       f"{folder}/libcub.so", str(HERE / "cub.cu")]
        running = {text: subprocess.Popen(job, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          text=True) for text, job in jobs.items()}
        for text, process in running.items():
            said = process.communicate()[0]
            if process.returncode:
                print(f"nvcc fails for {text}.cu: {said.strip()[:1000]}", flush=True)
            elif text == "cub":
                self.config["cub"] = f"{folder}/libcub.so"
            else:
                self.config["cubins"][text] = f"{folder}/{text}.cubin"

    def start(self):
        """None, or why there is no process that measures."""
        self.worker = Worker(self.config, sys.executable)
        while True:
            said = self.worker.hear(ROW_SECONDS)
            if said is None:
                return self.worker.end()
            self.gpu, self.arch = said.get("gpu", self.gpu), said.get("arch", self.arch)
            self.rate = said.get("rate", self.rate)
            if "rate" in said or ("gpu" in said and not self.config["rate"]):
                self.config["rate"] = False
                return None

    def measure(self, index, contenders):
        """{"times": {contender: [...]}, "failures": {contender: why}} of a row."""
        result = {"times": {}, "failures": {}}
        left = list(contenders)
        while left:
            if not self.worker and (why := self.start()):
                result["failures"].update({name: f"no process: {why}" for name in left})
                break
            self.worker.ask(row=index, contenders=left)
            begun = None
            while True:
                said = self.worker.hear(ROW_SECONDS)
                if said is None:
                    break
                begun = said.get("begin", begun)
                for how in ("wrong", "missing"):
                    if how in said:
                        result["failures"][said[how]] = said["why"]
                result["times"] = said.get("times", result["times"])
                if "done" in said:
                    self.numba = said["numba"] or self.numba
                    return result
            why, self.worker = self.worker.end(), None
            result["failures"][begun or left[0]] = f"ended the process: {why}"
            left = [name for name in left if name not in result["failures"]]
        return result


def spread(times):
    """Half the distance of the quartiles, of the median."""
    low, high = np.percentile(times, [25, 75])
    return (high - low) / 2 / statistics.median(times)


def bars_of(row, result, floor):
    """[(the bar's name, its limit, kjit's ratio or None, the verdict)]. What is over by no more than
    both spreads together, and by no more than a hundredth, is even."""
    found, times = [], result["times"]
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, limit in row.bars.items():
        if name == "expert or floor":
            name = "expert" if "expert" in medians else "floor"
        base = floor if name == "floor" else medians.get(name)
        if not base or "kjit" not in medians:
            found.append((name, limit, None, "not measured"))
            continue
        ratio = medians["kjit"] / base
        noise = min(0.01, spread(times["kjit"]) + (spread(times[name]) if name in times else 0))
        verdict = "met" if ratio <= limit else "even" if ratio <= limit + noise else "MISSED"
        found.append((name, limit, ratio, verdict))
    return found


class Report:
    def __init__(self):
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line.rstrip())


def cell(times):
    """A median with its spread."""
    if not times:
        return f"{'-':>10} {'':5}"
    return f"{statistics.median(times):10.1f} ±{100 * spread(times):<4.1f}"


def table(report, results, name):
    """Times of the rows of a set, then kjit's ratios and bars."""
    columns = ["kjit", "numba", "nvcc", "nvrtc", "axes", "expert"]
    report.say(f"\nThe {name} set, microseconds of the GPU: median ± half the distance of the "
               "quartiles in %")
    report.say(f"{'':38}" + "".join(f"{c:>10}{'':7}" for c in [*columns, "library"])
               + f"{'floor':>10}")
    for row, result, floor in results:
        if row.set != name:
            continue
        library = next((n for n in ("CUB", "cuBLAS") if n in result["times"]), None)
        cells = [cell(result["times"].get(c)) for c in columns]
        cells.append(cell(result["times"].get(library)))
        report.say(f"{row.name:38}" + " ".join(cells)
                   + (f" {floor:9.1f}" if floor else f" {'-':>9}")
                   + (f"  {library}" if library else ""))
    report.say(f"\nkjit's median over that of (bar): {name} set")
    for row, result, floor in results:
        if row.set != name:
            continue
        medians = {n: statistics.median(t) for n, t in result["times"].items()}
        words, named = [], set()
        for peer, limit, ratio, verdict in bars_of(row, result, floor):
            named.add(peer)
            words.append(f"{peer} ({limit:.2f}) " + (f"{ratio:.3f} " if ratio else "") + verdict)
        for peer in [*medians, "floor"]:
            base = floor if peer == "floor" else medians[peer]
            if peer not in named and peer != "kjit" and base and "kjit" in medians:
                words.append(f"{peer} {medians['kjit'] / base:.3f}")
        report.say(f"{row.name:38} " + ", ".join(words))


def tell_failures(report, results):
    """Each complaint once, with the rows it is about."""
    about = {}
    for row, result, _ in results:
        for name, why in result["failures"].items():
            about.setdefault((name, why), []).append(row.name)
    for (name, why), names in about.items():
        where = "every row" if len(names) == len(results) else "; ".join(names)
        report.say(f"{name}: {why} ({where})")
    return any(name == "kjit" for name, _ in about)


def summary(report, results):
    for name in ("first", "second"):
        met = missed = unknown = 0
        slow = []
        for row, result, floor in results:
            if row.set != name:
                continue
            verdicts = [verdict for *_, verdict in bars_of(row, result, floor)]
            unknown += "not measured" in verdicts
            good = "MISSED" not in verdicts and "kjit" in result["times"]
            met, missed = met + good, missed + (not good)
            if not good:
                slow.append(row.name)
        if met + missed:
            report.say(f"{name} set: {met} of {met + missed} rows meet what bars could be measured"
                       + (f" ({unknown} rows lack a peer)" if unknown else "")
                       + ("; not: " + "; ".join(slow) if slow else ""))


def drivers_version():
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True)
        return done.stdout.split("\n")[0].strip() or "unknown"
    except OSError:
        return "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--kjit", default="build/libkjit.so", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="the folder of the results' files")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose name has it")
    parser.add_argument("--peers", default=",".join(PEERS), help="contenders besides kjit: %(default)s")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--arch", help="for nvcc, sm_90 say; else the machine's")
    options = parser.parse_args()
    if options.worker:
        return worker(json.loads(options.worker))
    start = time.monotonic()
    wanted = options.peers.split(",")
    for name in wanted:
        if name not in PEERS:
            parser.error(f"no peer is called {name}: {', '.join(PEERS)}")
    measurement, report, results = Measurement(options), Report(), []
    with tempfile.TemporaryDirectory(prefix="kjit-bench.") as folder:
        measurement.compile(folder)
        if why := measurement.start():
            print(f"measure.py: nothing can be measured: {why}")
            return 1
        for index, row in enumerate(rows.ROWS):
            if not re.search(options.only, row.name):
                continue
            work = row.full()
            contenders = ["kjit"] + [name for name in PEERS[1:] if name in wanted and
                                     (name in work.peers or name in ("numba", "nvcc", "nvrtc"))]
            result = measurement.measure(index, contenders)
            floor = work.moved / measurement.rate if work.moved else None
            results.append((row, result, floor))
            medians = {n: round(statistics.median(t), 1) for n, t in result["times"].items()}
            print(f"# {time.monotonic() - start:5.1f} s  {row.name}: {medians} "
                  f"{result['failures'] or ''}", flush=True)
        if measurement.worker:
            measurement.worker.end()
    write(report, measurement, results, options, time.monotonic() - start)
    return any("kjit" in result["failures"] for _, result, _ in results)


def write(report, measurement, results, options, seconds):
    report.say(f"\ndate:    {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}, "
               f"{seconds:.0f} s")
    report.say(f"GPU:     {measurement.gpu} ({measurement.arch}), driver {drivers_version()}")
    report.say("command: make bench-gpu (bench/kernels/measure.py)"
               + (f" --only {options.only!r}" if options.only else "")
               + (" --quick" if options.quick else ""))
    report.say(f"numba:   {measurement.numba or 'missing'}")
    report.say(f"copy:    {measurement.rate / 1e6:.3f} TB/s read plus written, 1 GiB")
    for name in ("first", "second"):
        if any(row.set == name for row, _, _ in results):
            table(report, results, name)
    report.say()
    summary(report, results)
    tell_failures(report, results)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^a-z0-9]+", "-", measurement.gpu.lower().replace("nvidia", "")).strip("-")
        (options.out / f"kernels-{name}.txt").write_text("\n".join(report.lines).lstrip() + "\n")
        (options.out / f"kernels-{name}.json").write_text(json.dumps({
            "gpu": measurement.gpu, "bytes_a_us": measurement.rate,
            "rows": [{"name": row.name, "set": row.set, "floor_us": floor, "bars": row.bars,
                      **result} for row, result, floor in results]}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
