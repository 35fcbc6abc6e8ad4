#!/usr/bin/env python3
"""Runs random kernels in every way there is, which must all leave the same bits.

    compare.py [--kjit build/kjit] [--generators NAME,...] [--first SEED] [--count N] [--ways WAY,...]
               [--cuda] [--sanitize] [--tool TOOL] [--no-nvrtc] [--jobs N] [--seconds S] [--minutes M]
               [--keep FOLDER] [--row COMMIT]

The kernels are generate.py's, or naive.py's, which optimising passes look for, or inexact.py's, of
numbers without bounds, or with `--generators generate,naive` those of both for each seed; `generate:lanes+held` makes programs of these families of
the language alone. The ways (ways.py): no pass and all
passes, each C compiler found (gcc, clang), unoptimised, with its extents and scalars as constants,
checked (where nothing may be found but in arithmetic), and checked where a rehearsal does not do;
--ways has those of a list alone, and `quick,in turn` is what many kernels are run with, or
`quick,gcc in turn,clang in turn` where each is to go by both compilers. With --cuda on the GPU too,
with and without passes; with --sanitize all passes once more, on the processor, where each access of memory is watched (gcc's
address sanitizer); with --tool all that under that tool of compute-sanitizer, memcheck for one,
which then has to be silent.
Some kernels have debug=True, in all ways. Where NVRTC is found it must accept each, now for no
launch in particular, now for its own and now for what launches have in common, for an old or for a
newer generation.

Kernels run many to a process (worker.py), in JOBS processes. One that crashes, or takes more than
S seconds in one of the ways, compiling counted, fails, and the rest go on in a new process. After
M minutes no kernel is begun, and the result is of those that were. What kjit refuses counts as wrong
too: the kernels are well typed.
A seed makes the same kernel everywhere, so `compare.py --first SEED --count 1` shows a failure
again; its text is left in FOLDER. --row prints a line for the table of README.md, with that
commit. Ends in `N passed, N failed`.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from ways import ON_CPU, ON_CUDA, TURNS, WAYS, at_hand, is_known, program_of

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EACH = 500          # kernels to a process
SILENT = ("COMPUTE-SANITIZER", "ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards")


def surroundings(ways):
    """The environment of a worker: little waiting that burns, a memory that is watched if need be."""
    more = {"KJIT_CACHE_SIZE": "0"}
    if "sanitized" in ways:
        library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True)
        more |= {"LD_PRELOAD": library.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    return {name: value for name, value in os.environ.items()
            if name not in ("KJIT_CC", "KJIT_PASSES", "KJIT_REHEARSE")} | more


def sanitizer(tool):
    """The command to put in front of a worker's."""
    if not tool:
        return []
    program = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    if not program:
        sys.exit("compare.py: --tool needs compute-sanitizer, of CUDA's toolkit, in PATH")
    # What the driver is asked about plain memory, and answers with an error, is no fault.
    quiet = ["--report-api-errors", "no"] if tool == "memcheck" else []
    return [program, "--tool", tool, "--target-processes", "all", "--print-limit", "20", *quiet]


class Runner:
    """A worker process, started anew when it has ended."""

    def __init__(self, options, ways, found):
        library = pathlib.Path(options.kjit).resolve().parent / "libkjit.so"
        self.command = [*sanitizer(options.tool), sys.executable, "-B", str(HERE / "worker.py"), str(library)]
        self.environment, self.found, self.process, self.left = surroundings(ways), found, None, 0
        self.seconds = options.seconds
        self.errors = tempfile.TemporaryFile("w+", errors="replace")

    def start(self):
        self.errors.truncate(0)
        self.errors.seek(0)
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=self.errors, env=self.environment, start_new_session=True)
        self.left = EACH

    def kill(self, hung):
        """Ends the process for good, and what it started."""
        hung.append(True)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def watch(self, hung):
        """Lets the process have so many seconds from now on."""
        timer = threading.Timer(self.seconds, self.kill, [hung])
        timer.daemon = True
        timer.start()
        return timer

    def close(self):
        """Ends the process; what it has still to say."""
        if not self.process:
            return []
        self.process.stdin.close()
        rest = self.process.stdout.read().splitlines()
        self.process.wait()
        self.process = None
        return [line for line in rest if is_complaint(line)]

    def end(self, way, hung):
        """How the process came to end, in words."""
        status = self.process.wait()
        self.errors.seek(0)
        last = self.errors.read().strip()[-1500:]
        died = f"signal {-status}" if status < 0 else f"exit status {status}"
        how = f"no end within {self.seconds:g} s" if hung else died
        return f"{way}: {how}" + (f": {last}" if last else "")

    def ask(self, task):
        """What is wrong with a kernel."""
        wrong, way, hung, broken = [], "start", [], False
        if not self.left:
            wrong += self.close()
        if not self.process:
            self.start()
        self.left -= 1
        timer = self.watch(hung)
        try:
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        for line in self.process.stdout:
            words = json.loads(line) if line.startswith("{") else {}
            if is_complaint(line):
                wrong.append(line.strip())
            self.found.update([words["opened"]] if "opened" in words else [])
            if "begin" in words:
                way = words["begin"]
                timer.cancel()
                timer = self.watch(hung)
            wrong += [words["wrong"]] if "wrong" in words else []
            broken |= "broken" in words
            if "done" in words:
                break
        else:
            ended = self.end(way, hung)
            if way == "start" and not hung:
                sys.exit(f"compare.py: {ended}")
            wrong += [] if broken else [ended]
            self.process = None
        timer.cancel()
        return wrong


def is_complaint(line):
    """Whether compute-sanitizer has found something."""
    return line.startswith("========= ") and not any(word in line for word in SILENT)


def has_nvrtc(kjit):
    doctor = subprocess.run([kjit, "doctor"], capture_output=True, text=True).stdout
    return any(line.startswith("found") and "NVRTC" in line for line in doctor.splitlines())


def run_all(tasks, options, ways, found):
    """Each task with what is wrong with it, in their order, as far as there is time."""
    mine, runners, end = threading.local(), [], time.monotonic() + 60 * options.minutes

    def ask(task):
        if time.monotonic() > end:
            return task, None
        if not hasattr(mine, "runner"):
            mine.runner = Runner(options, ways, found)
            runners.append(mine.runner)
        return task, mine.runner.ask(task)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from ((task, wrong) for task, wrong in pool.map(ask, tasks) if wrong is not None)
    for runner in runners:
        left = runner.close()
        if left:
            yield None, left


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--generators", default="generate", metavar="NAME,...")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--ways", metavar="WAY,...")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--tool", choices=["memcheck", "racecheck", "initcheck", "synccheck"])
    parser.add_argument("--no-nvrtc", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--keep", default="build/random", metavar="FOLDER")
    parser.add_argument("--row", metavar="COMMIT")
    options = parser.parse_args()
    ways = options.ways.split(",") if options.ways else \
        ON_CPU + ["sanitized"] * options.sanitize + ON_CUDA * options.cuda
    unknown = [way for way in ways if not is_known(way)]
    if unknown:
        parser.error(f"there is no way '{unknown[0]}', but {', '.join([*WAYS, *TURNS])}")
    return options, at_hand(ways)


def keep(options, task, wrong):
    name, seed = task["generator"], task["seed"]
    folder = pathlib.Path(options.keep)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name[0]}{seed}.k").write_text(program_of(name)(seed).text)
    print(f"FAILED {name} seed {seed}: " + "; ".join(wrong), flush=True)


def main():
    options, ways = parse()
    nvrtc = not options.no_nvrtc and has_nvrtc(options.kjit)
    seeds = f"{options.first} to {options.first + options.count - 1}"
    said = ", ".join(ways) + (", NVRTC" if nvrtc else "") + (f", {options.tool}" if options.tool else "")
    print(f"seeds {seeds} of {options.generators}: {said}", flush=True)
    generators, found = options.generators.split(","), collections.Counter()
    tasks = [{"generator": generator, "seed": seed, "ways": ways, "nvrtc": nvrtc}
             for seed in range(options.first, options.first + options.count) for generator in generators]
    done, failed, begin = 0, 0, time.monotonic()
    for task, wrong in run_all(tasks, options, ways, found):
        failed += bool(wrong)
        if not task:
            print("FAILED, of a seed unknown: " + "; ".join(wrong), flush=True)
            continue
        done += 1
        if wrong:
            keep(options, task, wrong)
        if done % EACH == 0:
            print(f"{done} of {len(tasks)}: {failed} failed", flush=True)
    result = f"{max(done - failed, 0)} passed, {failed} failed"
    if done < len(tasks):
        seeds = f"{options.first} on, {done} kernels"
    if options.row:
        print(f"| {options.row} | {', '.join(generators)} | {seeds} | {said} | {', '.join(sorted(found))} | "
              f"{result}, {time.monotonic() - begin:.0f} s |")
    print(result)
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
