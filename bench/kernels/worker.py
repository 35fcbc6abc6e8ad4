"""The process that measures: `worker.py CONFIG`, asked by measure.py.

It reads a line of JSON for each row, {"row": index, "contenders": [...]}, and writes lines: what it
begins with, {"begin": contender}, so that whoever listens knows what broke it; {"wrong": contender,
"why": text} or {"missing": ...}; {"compiled": [ms of kjit's own, ms of NVRTC]}; {"estimate":
microseconds that kjit expects}; {"times": {contender:
[microseconds of a launch]}}; {"done": index}.
"""
import ctypes
import json
import pathlib
import statistics
import sys
import time
import warnings

import numpy as np

import gpu as cuda
import libkjit
import rows
from check import difference
from work import Array, Step, bf16

HERE = pathlib.Path(__file__).resolve().parent
BUSY_US = 100          # for each launch that the host gives meanwhile; numba's take 30
ORDER = ["nvcc", "nvrtc"]  # the plain kernel first: the others are compared with it


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
                if isinstance(value, Array)]

    def fill(self, name):
        """As it is before a launch."""
        array, pointer = self.work.args[name], self.pointers[name]
        if array.fill is None:
            return self.bench.gpu.zero(pointer, array.bytes())
        kind, low, high = array.fill
        count, item = array.count(), array.dtype.itemsize
        if kind in ("whole", "steps"):
            function = f"{kind}_{item}"
        elif array.dtype.kind == "c":
            function, count = "uniform_float", 2 * count
        elif array.dtype == bf16:
            function = f"{kind}_bfloat"
        else:
            function = kind + {2: "_half", 4: "_float"}.get(item, "_double")
        seed = list(self.work.args).index(name) + 1
        self.bench.data.run(function, (1024, 1, 1), (256, 1, 1), ctypes.c_ulonglong(pointer),
                            ctypes.c_ulonglong(count), ctypes.c_ulonglong(seed),
                            ctypes.c_double(low), ctypes.c_double(high))

    def reset(self):
        for name in self.work.outputs:
            self.fill(name)

    def download(self):
        return {name: array.view(self.bench.downloaded(array, self.pointers[name]))
                for name, array in self.each()}

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

    def of_kjit(self, row, work, arrays, other=None):
        """`other` is another kernel of the row's file, of which nothing more is said."""
        if not self.kjit:
            self.kjit = libkjit.Kjit(self.config["kjit"], "cuda")
        args = [self.kjit.array(arrays.pointers[name], value.dtype, value.shape, value.strides(),
                                libkjit.ON_DEVICE)
                if isinstance(value, Array) else self.kjit.scalar(value)
                for name, value in work.args.items()]
        kernel = self.kjit.kernel(HERE / row.file, other or row.kernel)
        launch = self.kjit.prepare(kernel, work.grid, work.block, args)
        if other:
            return launch
        report = self.kjit.report()
        if report.compiled:
            say(compiled=[report.frontend_ms, report.compiler_ms])
        say(estimate=self.kjit.estimate_us(kernel, args, self.kjit.config(work.grid, work.block)))
        return launch

    def of_numba(self, row, work, arrays):
        if not self.numba:
            self.numba = Numba()
        args = [self.numba.array(value, arrays.pointers[name]) if isinstance(value, Array)
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
            step = Step(work.plain or row.kernel, work.grid, work.block, work.params)
            return self.of_module(f"{row.cuda}.{contender}", step, arrays)
        peer = work.peers[contender]
        if contender == "plain":
            return self.of_kjit(row, work, arrays, peer[1])
        if isinstance(peer, Step):
            return self.of_module("expert.nvcc" if "expert" in self.config["cubins"]
                                  else "expert.nvrtc", peer, arrays)
        return self.of_library(peer[0], peer[1], peer[2:], arrays)

    def downloaded(self, array, pointer):
        """The memory behind an array."""
        base = np.empty(array.base_shape(), array.dtype)
        self.gpu.wait()
        self.gpu.download(base, pointer)
        return base

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
            what = difference(name, after[name], want[name], work)
            if what:
                return f"{name} is not NumPy's: {what}"
        return None

    def apart(self, work, name, mine, theirs, atol):
        """How many elements of an output are not those of another contender's."""
        array = work.args[name]
        if name in work.unordered:
            mine, theirs = (np.sort(self.downloaded(array, pointer), axis=None)
                            for pointer in (mine, theirs))
            return int((mine != theirs).sum())
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

    def cleared(self, work, arrays, launch):
        """A function that launches after `cleared` has become zeros."""
        rooms = [(arrays.pointers[name], work.args[name].bytes()) for name in work.cleared]

        def run():
            for pointer, bytes in rooms:
                self.gpu.zero(pointer, bytes)
            launch()
        return run if rooms else launch

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

    def operation_rate(self, type, one):
        """Multiplications whose product is added, a microsecond."""
        blocks, threads, rounds, to = 8192, 256, 512, self.gpu.alloc(8)
        kernel = self.data.launcher(f"fused_{type}", (blocks, 1, 1), (threads, 1, 1),
                                    [ctypes.c_ulonglong(to), ctypes.c_int(rounds), one])
        took = statistics.median(self.time_us(kernel, 2) for _ in range(11))
        self.gpu.free(to)
        return blocks * threads * rounds * 16 / took

    def rates(self):
        """What floors are made of."""
        return {"bytes": self.copy_rate(),
                "float32": self.operation_rate("float", ctypes.c_float(0.999)),
                "float64": self.operation_rate("double", ctypes.c_double(0.999)),
                "int32": self.operation_rate("int", ctypes.c_int(12345677))}

    # ---- a row ----

    def measure(self, row, contenders):
        """Says of each contender what is wrong with it, or its microseconds."""
        work = row.full()
        self.slow, launches, arrays, reference = {}, {}, Arrays(self, work), None
        for name in sorted(contenders, key=[*ORDER, *contenders].index):
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
        timed = {name: self.cleared(work, arrays, launch) for name, launch in launches.items()}
        say(times=self.samples(timed) if timed else {})
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
    if config["rates"]:
        say(rates=bench.rates())
    for line in sys.stdin:
        order = json.loads(line)
        bench.measure(rows.ROWS[order["row"]], order["contenders"])
        say(done=order["row"], numba=bench.numba.version if bench.numba else None)


if __name__ == "__main__":
    worker(json.loads(sys.argv[1]))
