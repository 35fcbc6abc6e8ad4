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

Contenders: kjit, numba (numba-cuda, the .k file's text as it is), nvcc (plain.cu, or windows.cu and
the like for the third set, -O3), nvrtc (the same text), and those of the row: expert (expert.cu),
axes (the naive product with its axes exchanged; axes64 sums in float64, as the text says), plain (kjit, without
the name that the fourth set has tensor cores by), CUB, cuBLAS.
`floor` is the bytes that have to be moved at the rate of a copy that is measured, too, or the
operations at the rate of nothing else, where they take longer. Of each set the geometric mean over
the floors is said, and which rows are slower than numba or nvcc; of all of them how well kjit's
estimates (kjit build --emit estimate) rank their times. Who is not there is said to be missing.
--peers chooses among them, "kjit,nvcc".

Rows run in a process of their own, which is started again if a kernel breaks it. The exit status is
1 if kjit failed or was wrong in a row; a bar that is missed is only said.
"""
import argparse
import json
import pathlib
import queue
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import report
import rows

HERE = pathlib.Path(__file__).resolve().parent
SILENT_SECONDS = 90    # after which the contender that runs is given up
PEERS = ["kjit", "numba", "nvcc", "nvrtc", "axes", "axes64", "expert", "plain", "CUB", "cuBLAS"]


class Worker:
    """The measuring process, worker.py, as seen from here."""

    def __init__(self, config):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(HERE / "worker.py"), json.dumps(config)],
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
        hung = False
        try:
            self.process.stdin.close()
            self.process.wait(2)
        except (subprocess.TimeoutExpired, OSError):
            hung = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        words = [line.strip() for line in self.errors if line.strip()]
        return "it does not end" if hung else words[-1] if words \
            else f"exit status {self.process.returncode}"


class Measurement:
    def __init__(self, options):
        self.options, self.worker, self.rates, self.gpu, self.arch = options, None, None, None, None
        self.numba = None
        self.config = {"kjit": str(options.kjit.resolve()), "cubins": {}, "cub": None,
                       "rates": True, "seconds": 0.08 if options.quick else 0.3}

    def compile(self, folder):
        """What nvcc makes of the texts, all at once."""
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc:
            return
        arch = f"-arch={self.options.arch or 'native'}"
        jobs = {text: [nvcc, "-O3", arch, "-cubin", "-o", f"{folder}/{text}.cubin",
                       str(HERE / f"{text}.cu")] for text in rows.TEXTS}
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
        self.worker = Worker(self.config)
        while True:
            said = self.worker.hear(SILENT_SECONDS)
            if said is None:
                return self.worker.end()
            self.gpu, self.arch = said.get("gpu", self.gpu), said.get("arch", self.arch)
            self.rates = said.get("rates", self.rates)
            if "rates" in said or ("gpu" in said and not self.config["rates"]):
                self.config["rates"] = False
                return None

    def measure(self, index, contenders):
        """{"times": {contender: [us]}, "failures": {contender: why}, "compiled": [(kjit's ms, NVRTC's)],
        "estimate": us} of a row."""
        result = {"times": {}, "failures": {}, "compiled": [], "estimate": None}
        left = list(contenders)
        while left:
            if not self.worker and (why := self.start()):
                result["failures"].update({name: f"no process: {why}" for name in left})
                break
            self.worker.ask(row=index, contenders=left)
            begun = None
            while True:
                said = self.worker.hear(SILENT_SECONDS)
                if said is None:
                    break
                begun = said.get("begin", begun)
                result["compiled"] += [said["compiled"]] if "compiled" in said else []
                result["estimate"] = said.get("estimate", result["estimate"])  # the last is of the full size
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

    def rows(self, wanted):
        """Each row that is asked for, with its result."""
        for index, row in enumerate(rows.ROWS):
            if re.search(self.options.only, row.name):
                there = [*(["numba", "nvcc", "nvrtc"] if row.cuda else []), *row.full().peers]
                yield row, self.measure(index, ["kjit"] + [name for name in PEERS[1:]
                                                           if name in wanted and name in there])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kjit", default="build/libkjit.so", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="the folder of the results' files")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose name has it")
    parser.add_argument("--peers", default=",".join(PEERS), help="contenders besides kjit: %(default)s")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--arch", help="for nvcc, sm_90 say; else the machine's")
    options = parser.parse_args()
    wanted = options.peers.split(",")
    for name in wanted:
        if name not in PEERS:
            parser.error(f"no peer is called {name}: {', '.join(PEERS)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    start, measurement, results = time.monotonic(), Measurement(options), []
    with tempfile.TemporaryDirectory(prefix="kjit-bench.") as folder:
        measurement.compile(folder)
        if why := measurement.start():
            print(f"measure.py: nothing can be measured: {why}")
            return 1
        try:
            for row, result in measurement.rows(wanted):
                results.append((row, result, row.full().floor(measurement.rates)))
                medians = {n: round(statistics.median(t), 1) for n, t in result["times"].items()}
                print(f"# {time.monotonic() - start:5.1f} s  {row.name}: {medians} "
                      f"{result['failures'] or ''}", flush=True)
        except KeyboardInterrupt:
            print("# interrupted: the rows so far", flush=True)
        if measurement.worker:
            measurement.worker.end()
    report.write(measurement, results, options, time.monotonic() - start)
    return any("kjit" in result["failures"] for _, result, _ in results)


if __name__ == "__main__":
    sys.exit(main())
