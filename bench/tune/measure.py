#!/usr/bin/env python3
"""`kjit tune` beside a loop over plain CUDA C: the three products of examples/kernel_tuner_matmul.k
over the spaces of Kernel Tuner's tutorial, on one GPU, in one run.

    measure.py [--kjit build/kjit] [--out FOLDER] [--width 4096] [--seeds 30]

For each product: the best that `kjit tune` finds in the whole space, and the best of plain.cu
compiled by NVRTC for the same configurations, one after the other, seven launches each, as tuners
do it; how long both took; and kjit's time against the sum of what its kernels ran x 1.3 and what
compiling took over the cores. Then: naive to best, and how near to the best the strategies come with
a quarter of the evaluations, over the seeds. Where Python has kernel_tuner, it tunes the tiled
product, too. With --out the logs and the figures stay in FOLDER.

kjit starts with an empty cache of compiled kernels. The exit status is 1 if a run failed or a result
was wrong; a bar that is missed is only said.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "kernels"))
import gpu as cuda  # noqa: E402  (bench/kernels/gpu.py)

KERNELS = ["naive", "shared", "tiled"]
LAUNCHES = 7
SOURCE = ROOT / "examples" / "kernel_tuner_matmul.k"
failures = []


def fail(text):
    failures.append(text)
    print("FAILED:", text)


# ---- kjit ----------------------------------------------------------------------------------------


def tune(args, kernel, folder):
    """Tunes one product, and gives back what it printed, with the seconds it took."""
    command = [args.kjit, "tune", f"{SOURCE}:matmul_{kernel}", "-D", f"WIDTH={args.width}",
               "--device", args.device, "--strategy", "exhaustive", "-q", "--no-wisdom", "--json",
               "--log", str(folder / f"{kernel}.jsonl"),
               "--report", str(folder / f"{kernel}.html"), "--t4", str(folder / f"{kernel}.t4.json")]
    if args.width > 1024 and args.tolerance:
        command += ["--tolerance", args.tolerance]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "KJIT_CACHE": str(folder / "cache")})
    seconds = time.monotonic() - begin
    if done.returncode:
        fail(f"kjit tune {kernel}: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
        return None
    told = json.loads(done.stdout)
    told["seconds"] = seconds
    return told


def show_kjit(kernel, told, cores):
    records = told["results"] + (told["again"] or []) + [told["untuned"]]
    runs = sum(record.get("kernel_ms", 0) for record in records) / 1e3
    compiling = sum(record.get("compile_ms", 0) for record in told["results"]) / 1e3
    search = max(record.get("at", 0) for record in told["results"])
    bar = 1.3 * runs + compiling / cores
    print(f"{kernel}: kjit {told['best']['objective']:.4g} ms, {told['best']['config']}, "
          f"{told['evaluated']} configurations, {told['outcomes']}")
    print(f"    {told['seconds']:.2f} s in all, {search:.2f} s from the first launch to the last "
          f"configuration; kernels ran {runs:.2f} s, compiling took {compiling:.2f} s of "
          f"{cores} cores' time; bar {bar:.2f} s: {'met' if search <= bar else 'MISSED'} by the "
          f"search, {'met' if told['seconds'] <= bar else 'MISSED'} in all")
    timeline = sorted(told["timeline"].items(), key=lambda mark: mark[1])
    print("    " + ", ".join(f"{name} {at:.3f}" for name, at in timeline) +
          f", end {told['seconds']:.3f} s")
    return {"best_ms": told["best"]["objective"], "config": told["best"]["config"],
            "timeline": told["timeline"],
            "seconds": told["seconds"], "search_seconds": search, "kernel_seconds": runs,
            "compile_seconds": compiling, "bar_seconds": bar}


# ---- plain CUDA C --------------------------------------------------------------------------------


class Plain:
    """The products of plain.cu on matrices of one width."""

    def __init__(self, width):
        self.gpu, self.width = cuda.Gpu(), width
        random = np.random.default_rng(1)
        bytes = 4 * width * width
        self.c, self.a, self.b = (self.gpu.alloc(bytes) for _ in range(3))
        for pointer in (self.a, self.b):
            host = random.standard_normal((width, width), dtype=np.float32)
            self.gpu("cuMemcpyHtoD_v2", ctypes.c_ulonglong(pointer),
                     ctypes.c_void_p(host.ctypes.data), ctypes.c_size_t(bytes))
        self.begin, self.end = self.gpu.event(), self.gpu.event()
        self.expected = None

    def launcher(self, kernel, config):
        shape = {"tile_size_x": 1, "tile_size_y": 1, **config, "WIDTH": self.width}
        text = "".join(f"#define {name} {value}\n" for name, value in shape.items())
        module = self.gpu.module(cuda.nvrtc_cubin(text + (HERE / "plain.cu").read_text(),
                                                  self.gpu.arch))
        grid = (self.width // (shape["block_size_x"] * shape["tile_size_x"]),
                self.width // (shape["block_size_y"] * shape["tile_size_y"]), 1)
        values = [ctypes.c_ulonglong(pointer) for pointer in (self.c, self.a, self.b)]
        block = (shape["block_size_x"], shape["block_size_y"], 1)
        return module.launcher(f"matmul_{kernel}", grid, block, values)

    def check(self, kernel, config):
        found = np.empty((self.width, self.width), np.float32)
        self.gpu.download(found, self.c)
        if self.expected is None:
            self.expected = found
        if not np.allclose(found, self.expected, 1e-3, 1e-3):
            fail(f"plain CUDA {kernel} {config} is wrong")

    def time(self, run):
        times = []
        for _ in range(LAUNCHES):
            self.gpu("cuEventRecord", self.begin, None)
            run()
            self.gpu("cuEventRecord", self.end, None)
            times.append(self.gpu.elapsed_us(self.begin, self.end) / 1e3)
        return statistics.median(times)

    def measure(self, kernel, configs):
        """Milliseconds of each configuration that can be launched."""
        found = []
        for config in configs:
            try:
                run = self.launcher(kernel, config)
                run()
                self.gpu.wait()
                self.check(kernel, config)
                found.append((self.time(run), config))
            except cuda.Failed as error:
                print(f"    plain CUDA {kernel} {config}: {error}".split("\n")[0][:160])
        return found


def show_plain(plain, kernel, told):
    begin = time.monotonic()
    found = plain.measure(kernel, [record["config"] for record in told["results"]])
    seconds = time.monotonic() - begin
    if not found:
        fail(f"plain CUDA {kernel}: nothing ran")
        return None
    ms, config = min(found, key=lambda pair: pair[0])
    print(f"    plain CUDA {ms:.4g} ms, {config}; {len(found)} configurations one after the other "
          f"took {seconds:.2f} s; kjit's best takes {told['best']['objective'] / ms:.3f} of its time")
    return {"best_ms": ms, "config": config, "seconds": seconds}


# ---- Kernel Tuner --------------------------------------------------------------------------------


def kernel_tuner(plain, width):
    """Seconds that Kernel Tuner takes for the tiled space, if there is one."""
    try:
        import kernel_tuner
    except ImportError:
        print("Kernel Tuner: not here")
        return None
    random = np.random.default_rng(1)
    a, b = (random.standard_normal((width, width), dtype=np.float32) for _ in range(2))
    parameters = {"block_size_x": [16, 32, 64], "block_size_y": [1, 2, 4, 8, 16, 32],
                  "tile_size_x": [1, 2, 4], "tile_size_y": [1, 2, 4], "WIDTH": [width]}
    begin = time.monotonic()
    results, _ = kernel_tuner.tune_kernel(
        "matmul_tiled", (HERE / "plain.cu").read_text(), (width, width), [np.zeros_like(a), a, b],
        parameters, grid_div_x=["block_size_x", "tile_size_x"],
        grid_div_y=["block_size_y", "tile_size_y"],
        restrictions=["block_size_x==block_size_y*tile_size_y"], lang="cupy", quiet=True)
    seconds = time.monotonic() - begin
    times = [r["time"] for r in results if isinstance(r.get("time"), float)]
    if not times:
        print(f"Kernel Tuner: nothing ran, in {seconds:.2f} s: {str(results)[:300]}")
        return None
    best = min(times)
    print(f"Kernel Tuner: {best:.4g} ms, {seconds:.2f} s")
    return {"best_ms": best, "seconds": seconds}


# ---- all of it -----------------------------------------------------------------------------------


def simulate(args, folder):
    done = subprocess.run([args.kjit, "tune", "--replay", str(folder / "tiled.jsonl"), "--strategy",
                           "all", "--budget", "25%", "--repeat", str(args.seeds)],
                          capture_output=True, text=True)
    print(f"\nThe tiled space played back, {args.seeds} seeds, found over best:")
    print(done.stdout, end="")
    if done.returncode:
        fail(f"kjit tune --replay: {done.stderr}")
    return done.stdout.splitlines()


def run(args, folder):
    cores, figures, told = len(os.sched_getaffinity(0)), {}, {}
    for kernel in KERNELS:
        told[kernel] = tune(args, kernel, folder)
        if told[kernel]:
            figures[kernel] = {"kjit": show_kjit(kernel, told[kernel], cores)}
    if args.device != "cpu":
        plain = Plain(args.width)
        for kernel in filter(told.get, KERNELS):
            print(f"{kernel}:")
            figures[kernel]["plain"] = show_plain(plain, kernel, told[kernel])
        figures["kernel_tuner"] = kernel_tuner(plain, args.width)
    if told["naive"] and told["tiled"]:
        ratio = told["naive"]["best"]["objective"] / told["tiled"]["best"]["objective"]
        print(f"naive to tiled: {ratio:.2f} by kjit (the tutorial's GPU and compiler: 8.67)")
        if figures["naive"].get("plain"):
            best = min(told[kernel]["best"]["objective"] for kernel in KERNELS if told[kernel])
            plain = figures["naive"]["plain"]["best_ms"]
            print(f"plain CUDA C's naive to kjit's best: {plain / best:.2f}")
        figures["naive_to_best"] = ratio
    if told["tiled"]:
        figures["simulation"] = simulate(args, folder)
    (folder / "tune.json").write_text(json.dumps(figures, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kjit", default=str(ROOT / "build" / "kjit"))
    parser.add_argument("--out")
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--tolerance")
    args = parser.parse_args()
    if args.out:
        pathlib.Path(args.out).mkdir(parents=True, exist_ok=True)
        run(args, pathlib.Path(args.out))
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(args, pathlib.Path(folder))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
