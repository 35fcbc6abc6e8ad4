"""Runs numba-cuda's own tests with kjit in the place of its simulator.

    suite.py [--kjit PROGRAM] [--failures FILE] [MODULE ...]

numba-cuda is to be installed where this Python finds it, with its tests (it comes with them), pytest
and filecheck. Each launch of a test becomes a .k file (paste.py) and a call of `kjit run`; the arrays
come back, and numba's assertions judge them. MODULE is test_atomics and the like; without one, all
modules run that launch kernels. A test counts only if it launched or compiled something by kjit: what
stops before it, at numba's host side, is `not run`. left_out.tsv lists the tests that are known to
fail, each with the reason. Exits 1 if another one failed.
"""
import argparse
import builtins
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
import pytest
from numba import cuda
from numba.core import errors as numba_errors
from numba.cuda import testing
from numba.cuda.core import errors as cuda_errors
from numba.cuda.simulator.kernel import FakeCUDAKernel, normalize_kernel_dimensions

from paste import Paste, Unwritable, function_of, signature_text

HERE = pathlib.Path(__file__).resolve().parent
OPTIONS = ("debug", "fastmath", "max_registers", "launch_bounds", "lineinfo",
           "shared_memory_carveout")
# modules of the host's side, of the compiler's texts and of other ways to write kernels
HOST = """test_array_alignment test_caching test_cffi test_compiler test_const_string test_cuda_array_interface test_debug
    test_debuginfo test_debuginfo_types test_dispatcher test_extending test_extending_types test_ffi test_fp8_bindings
    test_gufunc test_gufunc_scalar test_gufunc_scheduling test_inline test_inspect test_ipc test_ir
    test_ir_utils test_launch_config_sensitive test_lineinfo test_multigpu test_multiprocessing test_multithreads test_numba_interop test_overload
    test_serialize test_stream_api test_tracing test_vectorize test_vectorize_complex
    test_vectorize_decor test_vectorize_device test_vectorize_scalar_arg test_warning
    test_montecarlo test_random test_laplace""".split()


class Refused(*dict.fromkeys((cuda_errors.TypingError, numba_errors.TypingError))):
    """kjit's complaint, for tests that expect numba's."""


program = "build/kjit"
launches = 0  # of the test that is running
# what a test says that looks for numba's own words, or for its host side
OTHER_WORDS = re.compile(r"^(.* not found in |\".*\" does not match )['\"](.*: )?pasted\.k", re.DOTALL)
HOST_SIDE = (AttributeError, ImportError, StopIteration, Unwritable, subprocess.TimeoutExpired)


# ---- values ---------------------------------------------------------------------------------------


def bare(value):
    while hasattr(value, "_ary"):
        value = value._ary
    if type(value).__name__ == "In":  # what the kernel does to it is not seen
        return bare(value.value).copy()
    return bare(value.value) if type(value).__name__ in ("Out", "InOut") else value


def value_text(folder, name, value, arrays):
    """A value as kjit's command line takes it; arrays go through files, and are noted in `arrays`."""
    value = bare(value)
    path = folder / f"{name}.npy"
    if isinstance(value, np.ndarray):
        np.save(path, value)
        arrays.append((name, value))
        return f'load("{path}")'
    if isinstance(value, np.void):
        np.save(path, np.array([value], value.dtype))
        arrays.append((name, value))
        return f'load("{path}")[0]'
    if isinstance(value, (np.datetime64, np.timedelta64)):
        raise Unwritable(f"an argument of type {value.dtype}")
    if isinstance(value, np.bool_):
        return repr(bool(value))
    if isinstance(value, np.generic):
        return f"{value.dtype.name}({value.item()!r})"
    if type(value) in (bool, int, float, complex):
        return repr(value)
    if isinstance(value, tuple):
        items = [value_text(folder, f"{name}[{i}]", item, arrays) for i, item in enumerate(value)]
        return f"({''.join(item + ',' for item in items)})"
    raise Unwritable(f"an argument of type {type(value).__name__}")


def bring_back(old, new):
    """What a kernel left in an array, or in a record."""
    if isinstance(old, np.void):
        for field in old.dtype.names:
            old[field] = new.reshape(-1)[0][field]
    elif old.flags.writeable:
        old[...] = new


# ---- kernels ----------------------------------------------------------------------------------------


def raise_as_numba(message, function):
    """What kjit complains of, as the exception that numba raises for it."""
    raised = re.search(r"(?:^|: )(\w+(?:Error|Exception|Iteration))\b:? ?(.*)", message)
    if "error: " not in message and raised:
        kind = function.__globals__.get(raised[1]) or getattr(builtins, raised[1], RuntimeError)
        raise kind(raised[2])
    raise Refused(message)


def call(folder, words, function, text):
    global launches
    launches += 1
    (folder / "pasted.k").write_text(text)
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise_as_numba(done.stderr.replace(f"{folder}/", "") + "\n" + text, function)
    return done.stdout


class Kernel(FakeCUDAKernel):
    """A jitted function whose launches go to kjit."""

    def __init__(self, function, signatures, device, options):
        super().__init__(function, device)
        self.signatures, self.options = signatures, options
        if signatures and not device:
            with tempfile.TemporaryDirectory() as folder:
                self.build(pathlib.Path(folder))

    def decorator(self, device=False):
        words = [f"{name}={value!r}" for name, value in self.options.items()] + ["device=True"] * device
        if self.signatures:
            words.insert(0, f"[{', '.join(repr(signature_text(s)) for s in self.signatures)}]")
        return f"@cuda.jit({', '.join(words)})"

    def text(self):
        paste = Paste()
        paste.function(self.fn, self.name(), self.decorator())
        return paste.text()

    def name(self):
        return self.fn.__name__.replace("<lambda>", "kernel")

    def build(self, folder):
        call(folder, ["build", "--emit", "ir", f"{folder}/pasted.k:{self.name()}"], self.fn,
             self.text())

    def launch(self, folder, args):
        grid, block = normalize_kernel_dimensions(self.grid_dim, self.block_dim)
        arrays, outputs = [], []
        if 0 in grid:  # forall(0): nothing to do
            return
        names = list(inspect.signature(self.fn).parameters)
        if len(names) != len(args):
            raise TypeError(f"{len(args)} arguments for {len(names)} parameters")
        words = ["run", "-q", "--device", "cpu", f"{folder}/pasted.k:{self.name()}", "--grid",
                 f"{','.join(map(str, grid))}x{','.join(map(str, block))}"]
        if self.dynshared_size:
            words += ["--shared", str(self.dynshared_size)]
        words += [f"{name}={value_text(folder, name, arg, arrays)}"
                  for name, arg in zip(names, args)]
        for name, array in arrays:
            outputs.append((array, folder / f"{len(outputs)}.after.npy"))
            words += ["--save", f"{name}={outputs[-1][1]}"]
        printed = call(folder, words, self.fn, self.text())
        sys.stdout.write(printed.replace(f"{self.name()} wrote no array\n", ""))
        for array, path in outputs:
            bring_back(array, np.load(path))

    def __call__(self, *args):
        if self._device:
            raise Unwritable("a device function that the host calls")
        with tempfile.TemporaryDirectory() as folder:
            self.launch(pathlib.Path(folder), args)


def jit(first=None, device=False, **options):
    options = {name: value for name, value in options.items() if name in OPTIONS and value is not None}
    if function_of(first):
        return Kernel(function_of(first), [], device, options)
    signatures = [] if first is None else first if isinstance(first, list) else [first]
    return lambda function: Kernel(function_of(function), signatures, device, options)


# ---- tests -----------------------------------------------------------------------------------------


class Outcome(unittest.TextTestResult):
    """Counts; a test that fails without kjit having been asked says nothing of kjit."""

    left_out = {}

    def startTest(self, test):
        global launches
        launches = 0
        super().startTest(test)

    def judge(self, test, error):
        name = test.id().split(".tests.")[-1].split(" ")[0]
        if not launches or isinstance(error[1], HOST_SIDE):
            self.skipped.append((test, str(error[1])))
        elif isinstance(error[1], AssertionError) and OTHER_WORDS.match(str(error[1])):
            self.expectedFailures.append((test, "the message is kjit's own"))
        elif name in self.left_out:
            self.expectedFailures.append((test, self.left_out[name]))
        else:
            self.failures.append((test, self._exc_info_to_string(error, test)))

    def addError(self, test, error):
        self.judge(test, error)

    def addFailure(self, test, error):
        self.judge(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            self.judge(subtest, error)


def prepare():
    """From here on the tests find kjit, and no reason to be skipped."""
    cuda.jit = jit
    for name in dir(testing):
        if name.startswith("skip_on_cudasim"):
            setattr(testing, name, lambda reason: lambda test: test)


def load(module):
    """The tests of a module; none if it asks for what only the host has."""
    try:
        return unittest.defaultTestLoader.loadTestsFromName(module)
    except (Exception, pytest.skip.Exception) as error:
        print(f"{module.split('.')[-1]}: not run: {error}", flush=True)
        return unittest.TestSuite()


def modules_of(words):
    folder = pathlib.Path(testing.__file__).parent / "tests"
    found = sorted(folder.glob("cudapy/test_*.py")) + sorted(folder.glob("doc_examples/test_*.py"))
    chosen = [path for path in found if path.stem in words or (not words and path.stem not in HOST)]
    return [f"numba.cuda.tests.{path.parent.name}.{path.stem}" for path in chosen]


def ids(results):
    """The tests behind them; a part of a test stands for the whole."""
    return {test.id().split(" ")[0] for test, _ in results}


def main():
    global program
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=program)
    parser.add_argument("--failures", help="where the failures' texts go")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    options = parser.parse_args()
    program = str(pathlib.Path(options.kjit).resolve())
    lines = (HERE / "left_out.tsv").read_text().splitlines()
    Outcome.left_out = dict(line.split("\t") for line in lines if not line.startswith("#"))
    prepare()
    passed = failed = left_out = not_run = 0
    with open(os.devnull, "w") as nowhere, open(options.failures or os.devnull, "w") as texts:
        for module in modules_of(options.modules):
            tests = load(module)
            result = unittest.TextTestRunner(stream=nowhere, resultclass=Outcome).run(tests)
            bad = ids(result.failures)
            out = ids(result.expectedFailures) - bad
            idle = ids(result.skipped) - bad - out
            good = max(result.testsRun - len(bad | out | idle), 0)
            for name in sorted(bad):
                print(f"FAILED {name.split('.tests.')[-1]}")
            for test, text in result.failures:
                texts.write(f"{test.id()}\n{text}\n")
            if not result.testsRun:
                continue
            print(f"{module.split('.')[-1]}: {good} passed, {len(bad)} failed, {len(out)} left out, "
                  f"{len(idle)} not run", flush=True)
            passed, failed = passed + good, failed + len(bad)
            left_out, not_run = left_out + len(out), not_run + len(idle)
    print(f"{left_out} left out, {not_run} not run")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
