"""Runs numba-cuda's own tests with kjit's package in the place of numba.

    suite.py [--jobs N] [--gpus N] [--limit SECONDS] [--total SECONDS] [--all FILE] [TEST ...]

numba-cuda is to be installed where this Python finds it, with its tests (it comes with them), pytest,
filecheck, cffi and ml_dtypes, and kjit before it (PYTHONPATH=build/python). The tests' files are
imported where `numba` is kjit, as `python -m kjit` has it (beside.py); KJIT_DEVICE says where kernels
run. TEST is the beginning of a name: test_atomics, test_array.TestCudaArray; without one, all are run.

A test that passed is `passed` if libkjit launched a kernel in it and an assertion held after that,
`not judged` if none came after it, `host` if there was no launch: it is of the host's API. internals.tsv
lists what concerns neither kernels nor the host's API, left_out.tsv the tests that are known to fail,
each with the reason. Exits 1 if another one failed; a test that takes longer than the limit, or ends the
process, has failed. What the total leaves no time for, or an interrupt, is counted as `not run`.
"""
import argparse
import ast
import collections
import concurrent.futures
import importlib
import inspect
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import textwrap
import threading
import time
import unittest

import beside

import pytest

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ("cudapy", "doc_examples", "cudadrv", "nocuda", "nrt", "core", "cudasim")
ON_GPU = os.environ.get("KJIT_DEVICE", "").startswith("cuda")
CHUNK = 20  # tests that a worker is given at a time


# ---- in a worker ----------------------------------------------------------------------------------


def asserts(test):
    """Does a test have assert statements of Python's, which nothing counts?"""
    try:
        method = getattr(test, test._testMethodName)
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, SyntaxError, TypeError):
        return False
    return any(isinstance(node, ast.Assert) for node in ast.walk(tree))


class Outcome(unittest.TestResult):
    """Of one test: (kind, text), the worst of its parts."""
    kind, said = "passed", ""

    def note(self, error):
        if isinstance(error[1], (unittest.SkipTest, pytest.skip.Exception)):
            self.kind, self.said = "skipped", str(error[1])
        else:
            self.kind, self.said = "failed", self._exc_info_to_string(error, None)

    def _exc_info_to_string(self, error, test):
        return super()._exc_info_to_string(error, test or unittest.TestCase())

    def addError(self, test, error):
        self.note(error)

    def addFailure(self, test, error):
        self.note(error)

    def addSubTest(self, test, subtest, error):
        if error and self.kind != "failed":
            self.note(error)

    def addSkip(self, test, reason):
        self.kind, self.said = "skipped", reason

    def addExpectedFailure(self, test, error):
        self.kind, self.said = "expected", "numba fails it too"

    def addUnexpectedSuccess(self, test):
        pass


def bring_back():
    """The device, if the last test reset it by the driver, of which kjit is not told."""
    from kjit import cuda, errors
    try:
        cuda.synchronize()
    except errors.CudaAPIError:
        cuda.current_context().reset()


def run_one(name):
    """(kind, text, launches)"""
    from judging import progress
    if ON_GPU:
        bring_back()
    outcome, test = Outcome(), next(iter(unittest.defaultTestLoader.loadTestsFromName(name)))
    progress.begin()
    beside.running = True
    test.run(outcome)
    beside.running = False
    if outcome.kind == "passed" and not progress.launches:
        outcome.kind = "host"
    elif outcome.kind == "passed" and not progress.judged and not asserts(test):
        outcome.kind, outcome.said = "not judged", "no assertion after a launch"
    return outcome.kind, outcome.said, progress.launches


def work(pipe, gpus):
    """Takes names of tests from the pipe, and gives what came of each. `gpus`: their order, if it is not the driver's."""
    if gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpus
    import faulthandler
    import judging
    faulthandler.enable()
    beside.prepare()
    judging.count_assertions()
    sys.stdout = open(os.devnull, "w")
    while name := pipe.recv():
        pipe.send(collect() if name == COLLECT else run_one(name))


# ---- the tests ------------------------------------------------------------------------------------

COLLECT = "collect"  # in place of a test's name


def names_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from names_of(test)
        else:
            yield test.id()


def collect():
    """Names of all tests; and modules that are not to be had, with what came of them instead."""
    names, lost = [], []
    for path in (path for part in FOLDERS for path in sorted((beside.ROOT / "tests" / part).glob("test_*.py"))):
        module = f"numba.cuda.tests.{path.parent.name}.{path.stem}"
        try:
            importlib.import_module(module)
            names += names_of(unittest.defaultTestLoader.loadTestsFromName(module))
        except (unittest.SkipTest, pytest.skip.Exception) as error:
            lost.append((module, ("skipped", str(error), 0)))
        except Exception as error:
            lost.append((module, ("failed", f"{type(error).__name__}: {error}", 0)))
    return names, lost


def short(name):
    return name.split(".tests.")[-1]


def table(name):
    """The rows of a list of exceptions: the beginning of tests' names, and the reason."""
    lines = (HERE / name).read_text().splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def reason_in(rows, name):
    """The row that names a test, its class or its module, the longest first."""
    parts = short(name).split(".")
    for count in range(len(parts), 0, -1):
        if reason := rows.get(".".join(parts[:count])):
            return reason
    return None


LATE = "not run", "there was no time left for it"


class Worker:
    """A process, made when it is needed, anew where a test has ended the last one. Each has another GPU for its first."""
    starting = threading.Lock()  # a process must not inherit the end of another's pipe

    def __init__(self, options, number=0):
        self.options, self.process = options, None
        self.gpus = ",".join(str((number + i) % options.gpus) for i in range(options.gpus)) if options.gpus > 1 else None

    def start(self):
        with self.starting:
            self.pipe, end = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=work, args=(end, self.gpus))
            self.process.start()
            end.close()

    def run(self, name):
        if not self.process:
            self.start()
        try:
            self.pipe.send(name)
            if self.answers():
                return self.pipe.recv()
            kind, said = "failed", f"took longer than {self.options.limit:g} s"
            if time.monotonic() > self.options.ends:
                kind, said = LATE
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.process.join()
            kind, said = "failed", f"ended the process, with status {self.process.exitcode}"
        self.end()
        return kind, said, 0

    def answers(self):
        """In time? What ends a run moves its end."""
        limit = time.monotonic() + self.options.limit
        while not self.pipe.poll(0.2):
            if time.monotonic() > min(limit, self.options.ends):
                return False
        return True

    def end(self):
        self.process.kill()
        self.process.join()
        self.process = None

    def stop(self):
        if self.process:
            self.pipe.send(None)
            self.process.join(max(self.options.ends - time.monotonic(), 1))
        if self.process:
            self.end()


def run_all(names, options):
    """{name: (kind, text, launches)}; each as it comes goes into the file that --all names."""
    chunks = [names[i:i + CHUNK] for i in range(0, len(names), CHUNK)]
    results, waiting = {}, collections.deque(chunks)

    def run_chunk(worker, chunk):
        for name in chunk:
            began = time.monotonic()
            if began < options.ends:
                results[name] = worker.run(name)
                print(json.dumps({"test": short(name), "kind": results[name][0], "said": results[name][1],
                                  "launches": results[name][2],
                                  "seconds": round(time.monotonic() - began, 2)}), file=everything, flush=True)

    def run_chunks(number):
        worker = Worker(options, number)
        while waiting:
            try:
                chunk = waiting.popleft()
            except IndexError:
                break
            run_chunk(worker, chunk)
        worker.stop()

    def stop(*_):
        options.ends = 0

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    with open(options.all or os.devnull, "w") as everything, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(run_chunks, number) for number in range(options.jobs)]:
            done.result()
    return {name: results.get(name, (*LATE, 0)) for name in names}


# ---- the report -------------------------------------------------------------------------------------


KINDS = ("passed", "not judged", "host", "failed", "left out", "internal", "skipped", "not run")
BESIDE = ("internal", "skipped", "not run")  # what concerns neither kernels nor the host's API, or is not known
GOOD = ("passed", "not judged", "host")


def ended(said):
    """Was the test stopped, or did it end its process? That is never excused."""
    return said.startswith(("took longer", "ended the process"))


def judge(results, lost):
    """[(name, kind, text, launches)], kinds as they are counted."""
    left_out, internals = table("left_out.tsv"), table("internals.tsv")
    for name, (kind, said, launches) in [*results.items(), *lost]:
        if not ended(said) and reason_in(internals, name):
            kind, said = "internal", reason_in(internals, name)
        elif kind == "failed" and not ended(said) and reason_in(left_out, name):
            said = reason_in(left_out, name)
            kind = "skipped" if said.startswith("needs a GPU") and not ON_GPU else "left out"
        elif kind == "expected":
            kind = "internal"
        yield name, kind, said, launches


def gist(said):
    """The line of a failure's text that says most."""
    lines = [line for line in said.splitlines() if line.strip()] or [""]
    return next((line for line in lines if "error: " in line), lines[-1])[:150]


def report(rows):
    kinds = collections.Counter(row[1] for row in rows)
    for kind in ("internal", "left out", "skipped"):
        for said, count in collections.Counter(row[2] for row in rows if row[1] == kind).most_common():
            print(f"{kind}: {count:4} {said}")
    for name, kind, said, _ in rows:
        if kind == "failed":
            print(f"FAILED {short(name)}: {gist(said)}")
    concern = sum(kinds.values()) - sum(kinds[kind] for kind in BESIDE)
    good = sum(kinds[kind] for kind in GOOD)
    print(f"{sum(kinds.values())} collected: " + ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS[4:]))
    launches = sum(row[3] for row in rows if row[1] in GOOD)
    print(f"{concern} concern kernels and the host's API, of which {100 * good / max(concern, 1):.1f} % passed: "
          f"{kinds['passed'] + kinds['not judged']} with {launches} launches, {kinds['not judged']} of these without an "
          f"assertion after one; {kinds['host']} without a launch")
    print(f"{good} passed, {kinds['failed']} failed")
    return kinds


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--gpus", type=int, default=1, help="over which the jobs are spread")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a test may take")
    parser.add_argument("--total", type=float, default=1e6, help="seconds that all of them may take")
    parser.add_argument("--all", help="a file for what came of every test, as JSON lines")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    return parser.parse_args()


def chosen(name, words):
    return not words or any(short(name).split(".", 1)[-1].startswith(word) for word in words)


def is_not_run(name):
    return (reason_in(table("internals.tsv"), name) or "").startswith("not run")


def main():
    options = arguments()
    options.ends = time.monotonic() + options.total
    multiprocessing.set_start_method("spawn")
    collector = Worker(options)
    collected = collector.run(COLLECT)
    collector.stop()
    if isinstance(collected[0], str):
        sys.exit(f"suite.py: collecting the tests {collected[1]}")
    names, lost = collected
    names = [name for name in names if chosen(name, options.tests) and not is_not_run(name)]
    lost = [row for row in lost if chosen(row[0], options.tests)]
    results = run_all(names, options)
    rows = list(judge(results, lost))
    kinds = report(rows)
    return 1 if kinds["failed"] or not kinds["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
