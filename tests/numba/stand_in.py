"""numba.cuda with kjit in the place of the simulator's kernels.

prepare() puts it there, before the tests are imported. `progress` says what kjit did for the test that
is running, and how far the test judged it.
"""
import builtins
import contextlib
import copy
import functools
import inspect
import itertools
import linecache
import os
import re
import sys
import unittest

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numba
import numpy as np
from cuda.core._utils.cuda_utils import CUDAError

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, old):  # numba asks for them, NumPy 2.4 has them no more
        setattr(np, old, getattr(np, new))

from numba import cuda
from numba.core import errors as numba_errors
from numba.cuda import compiler, testing, types, typing
from numba.cuda.core import config, sigutils
from numba.cuda.core import errors as cuda_errors
from numba.cuda.np import numpy_support
from numba.cuda.simulator.kernel import FakeCUDAKernel, normalize_kernel_dimensions

import device
import libdevice
import missing
from paste import Paste, Unwritable, function_of, signature_text

OPTIONS = ("debug", "fastmath", "max_registers", "launch_bounds", "lineinfo", "shared_memory_carveout")
open_device = None  # gives the device, and opens it when it is first asked for


class Listing(str):
    """Stands for a text of numba's, as PTX, LLVM's IR or its complaints: nothing is asserted of it."""

    def __contains__(self, part):
        return True

    def split(self, *_):
        return []

    splitlines = split


class Listings(dict):
    """One for each signature that is asked for."""

    def __missing__(self, signature):
        return Listing()


class Refused(*dict.fromkeys((cuda_errors.TypingError, numba_errors.TypingError)), TypeError, ValueError,
              CUDAError):
    """kjit's complaint, for tests that expect numba's."""

    def __str__(self):
        return Listing(super().__str__())


class Progress:
    """Of one test: is it running, what did kjit do, and was an assertion held against it?"""
    running = False
    compiled = refused = ran = judged = 0

    def begin(self):
        self.running, self.compiled, self.refused, self.ran, self.judged = True, 0, 0, 0, 0

    def assertion(self):
        self.judged += self.ran > 0


progress = Progress()


# ---- kernels ----------------------------------------------------------------------------------------


def raise_as_numba(message, function):
    """What kjit complains of, as the exception that numba raises for it."""
    raised = re.search(r"(?:^|: )(\w+(?:Error|Exception|Iteration))\b:? ?(.*)", message)
    if "error: " not in message and raised:
        kind = function.__globals__.get(raised[1]) or getattr(builtins, raised[1], RuntimeError)
        raise kind(raised[2])
    raise Refused(message)


@contextlib.contextmanager
def asking(function, text):
    try:
        yield
        progress.compiled += 1
    except device.Refused as error:
        progress.refused += 1
        raise_as_numba(f"{error}\n{text}", function)


class Overloads(dict):
    """Of a kernel: there is one for each signature, and else one that stands for all."""

    def __init__(self, kernel):
        super().__init__({signature.args: Overload(kernel, signature) for signature in map(
            functools.partial(parsed, kernel), kernel.declared)} or {(): Overload(kernel, None)})

    def __missing__(self, args):
        return next(iter(self.values()))


class Overload:
    def __init__(self, kernel, signature):
        self.kernel, self.signature = kernel, signature
        self.inspect_asm = self.inspect_llvm = lambda *_: Listing()

    def max_cooperative_grid_blocks(self, block):
        return 1024


def parsed(kernel, signature):
    """A signature as numba has it, of a text or a tuple too; its result, where that is not said of a
    device function, as numba infers it for the processor."""
    args, result = sigutils.normalize_signature(signature)
    if result is None and kernel._device:
        result = numba.njit(args)(kernel.fn).nopython_signatures[0].return_type
    return typing.signature(result or types.none, *args)


def kind_of(value):
    """What tells compilations for different arguments apart."""
    if isinstance(value, tuple):
        return tuple(map(kind_of, value))
    flags = getattr(value, "flags", None)
    return type(value), str(getattr(value, "dtype", "")), getattr(value, "ndim", 0), str(flags)


class Kernel(FakeCUDAKernel):
    """A jitted function whose launches go to kjit."""

    def __init__(self, function, signatures, device, options, extensions=()):
        super().__init__(function, device, extensions=extensions)
        self.declared, self.options, self.texts = signatures, options, {}
        if signatures and not device and progress.running:
            self.compile()

    def decorator(self, device=False):
        words = [f"{name}={value!r}" for name, value in self.options.items()] + ["device=True"] * device
        if self.declared:
            words.insert(0, f"[{', '.join(repr(signature_text(s)) for s in self.declared)}]")
        return f"@cuda.jit({', '.join(words)})"

    def text(self, args=()):
        """The module, as it was when the kernel was first asked for with arguments of these types."""
        key = tuple(map(kind_of, map(device.bare, args)))
        if key not in self.texts:
            paste = Paste()
            paste.function(self.fn, self.name(), self.decorator())
            self.texts[key] = paste.text()
        return self.texts[key]

    def recompile(self):
        self.texts.clear()

    def name(self):
        return self.fn.__name__.replace("<lambda>", "kernel")

    def compile(self, signature=None):
        if signature is not None and not self.declared:
            self.declared = [signature]
        if self.declared:
            text = self.text()
            with asking(self.fn, text):
                open_device().compile(open_device().from_text(text, self.name()))
        return self

    def __getitem__(self, configuration):
        return copy.copy(super().__getitem__(configuration))

    def arguments(self, args):
        """What the kernel's extensions make of them, and what to do after the launch."""
        after = []
        for extension in reversed(self.extensions):
            args = [extension.prepare_args(None, arg, stream=0, retr=after)[1] for arg in args]
        return args, after

    def __call__(self, *args):
        if self._device:
            raise Unwritable("a device function that the host calls")
        grid, block = normalize_kernel_dimensions(self.grid_dim, self.block_dim)
        if 0 in grid:  # forall(0): nothing to do
            return
        expected = len(inspect.signature(self.fn).parameters)
        if expected != len(args):
            raise TypeError(f"{len(args)} arguments for {expected} parameters")
        args, after = self.arguments(args)
        text = self.text(args)
        with asking(self.fn, text):
            kernel = open_device().from_text(text, self.name())
            printed = open_device().run(kernel, grid, block, self.dynshared_size, args)
        progress.ran += 1
        sys.stdout.write(printed)
        for step in after:
            step()

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        tpb = tpb or 128
        return self[-(-ntasks // tpb), tpb, stream, sharedmem]

    @property
    def signatures(self):
        """numba's keys of overloads."""
        return list(self.overloads)

    @property
    def overloads(self):
        """numba's, by types of arguments: here one that stands for any."""
        return Overloads(self)

    def inspect_asm(self, signature=None):
        return Listings({(): Listing()}) if signature is None else Listing()

    inspect_llvm = inspect_sass = inspect_asm


def jit(first=None, device=False, link=None, extensions=(), **options):
    if link:
        raise Unwritable("code in another language, to be linked")
    options = {name: value for name, value in options.items() if name in OPTIONS and value is not None}
    if function_of(first):
        return Kernel(function_of(first), [], device, options, extensions)
    signatures = [] if first is None else first if isinstance(first, list) else [first]
    return lambda function: Kernel(function_of(function), signatures, device, options, extensions)


# ---- compiling without launching -----------------------------------------------------------------


def compile_text(function, signature, *, device=False, **_):
    """In the place of cuda.compile_ptx() and the like: kjit compiles the function as a kernel. The text
    is a Listing. Those that call a function of libdevice are launched and judged as well."""
    if device:
        raise Unwritable("a device function, compiled by itself")
    kernel = Kernel(function_of(function), [signature], False, {}).compile()
    names = kernel.fn.__code__.co_names
    if names[:1] == ("libdevice",):
        parameters = [(getattr(kind, "dtype", kind), isinstance(kind, types.Array)) for kind in signature]
        libdevice.judge(names[1], kernel, [(numpy_support.as_dtype(kind), out) for kind, out in parameters])
    return Listing(), None


# ---- tests ------------------------------------------------------------------------------------------


def counted(assertion):
    """An assertion that tells `progress`, and lets Listings pass."""

    @functools.wraps(assertion)
    def judge(*args, **words):
        if not any(isinstance(arg, Listing) for arg in itertools.chain(args, words.values())):
            result = assertion(*args, **words)
            progress.assertion()
            return result

    return judge


def leave_words_open():
    """assertRaisesRegex takes kjit's complaints whatever their words."""
    context = unittest.case._AssertRaisesContext
    leave = context.__exit__

    def leave_any(self, kind, error, trace):
        if isinstance(error, Refused):
            self.expected_regex = None
        return leave(self, kind, error, trace)

    context.__exit__ = leave_any


def count_assertions():
    for name in dir(unittest.TestCase):
        if name.startswith("assert") and name not in ("assertRaises", "assertRaisesRegex", "assertWarns",
                                                      "assertWarnsRegex", "assertLogs", "assertNoLogs"):
            setattr(unittest.TestCase, name, counted(getattr(unittest.TestCase, name)))
    for name in dir(np.testing):
        if name.startswith("assert_"):
            setattr(np.testing, name, counted(getattr(np.testing, name)))
    leave_words_open()
    for name in ("assertFileCheckAsm", "assertFileCheckLLVM"):
        setattr(testing.CUDATestCase, name, lambda *args, **words: None)


def remember_sources():
    """Functions that exec() makes can be read afterwards."""
    numbers, exec_plain = itertools.count(), builtins.exec

    def exec_remembered(code, names=None, own=None, /, **words):
        if names is None:
            frame = sys._getframe(1)
            names, own = frame.f_globals, frame.f_locals
        if isinstance(code, str):
            file = f"<text {next(numbers)}>"
            linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
            code = compile(code, file, "exec")
        exec_plain(code, names, names if own is None else own, **words)

    builtins.exec = exec_remembered


def prepare():
    """From here on the tests find kjit, and no reason to be skipped."""
    cuda.jit = jit
    cuda.compile = cuda.compile_ptx = cuda.compile_for_current_device = compile_text
    cuda.compile_ptx_for_current_device = compile_text
    for name in ("compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device"):
        setattr(compiler, name, compile_text)
    for name in dir(testing):
        if name.startswith("skip_on_cudasim"):
            setattr(testing, name, lambda reason: lambda test: test)
    testing.skip_if_cudadevrt_missing = lambda test: test
    missing.supply(lambda: open_device(), lambda: progress.running)
    count_assertions()
    remember_sources()
    config.ENABLE_CUDASIM = 0  # the tests are to do what they do on a GPU
