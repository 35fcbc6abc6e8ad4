"""A device of kjit's, by libkjit: modules from text, launches with NumPy's arrays and scalars.

Arrays are given to kernels where they lie, with the strides they have.
"""
import contextlib
import ctypes
import enum
import os
import pathlib
import sys
import tempfile

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench/kernels"))
import libkjit

from paste import Unwritable

UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic")
TIMES = {"M": 64, "m": 96}  # where KJIT_DTYPE_DATETIME64_Y and KJIT_DTYPE_TIMEDELTA64_Y stand
BROKEN = 10  # KJIT_BROKEN
C = ctypes.CDLL(None)


class Refused(Exception):
    """What kjit said."""


def bare(value):
    """The array behind the simulator's device arrays and cuda.In and the like."""
    while hasattr(value, "_ary"):
        value = value._ary
    if type(value).__name__ == "In":  # what the kernel does to it is not seen
        return bare(value.value).copy()
    return bare(value.value) if type(value).__name__ in ("Out", "InOut") else value


class Printed:
    """What C code writes to the standard output meanwhile, as `text`."""

    def __enter__(self):
        sys.__stdout__.flush()
        C.fflush(None)
        self.kept, self.file = os.dup(1), tempfile.TemporaryFile()
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        C.fflush(None)
        os.dup2(self.kept, 1)
        os.close(self.kept)
        self.file.seek(0)
        self.text = self.file.read().decode()
        self.file.close()


class Device(libkjit.Kjit):
    broken = False  # nothing more can be run on it

    def __init__(self, path, device):
        self.records, self.prints = {}, set()
        super().__init__(path, device, disk_cache=True)

    def __call__(self, name, *args):
        if status := getattr(self.library, name)(*args):
            self.broken |= status == BROKEN
            raise Refused(self.library.kjit_error_message().decode())

    def from_text(self, text, name):
        """A kernel of a module that consists of this text."""
        if text not in self.modules:
            module = ctypes.c_void_p()
            self("kjit_load_source", self.context, text.encode(), b"pasted.k", None, ctypes.byref(module))
            self.modules[text] = module
        kernel = ctypes.c_void_p()
        self("kjit_get_kernel", self.modules[text], name.encode(), ctypes.byref(kernel))
        if "print(" in text:
            self.prints.add(kernel.value)
        return kernel

    def compile(self, kernel):
        self("kjit_compile_signature", kernel, None)

    def run(self, kernel, grid, block, shared, args):
        """Launches and waits; gives what was printed."""
        keep = []
        packed = (libkjit.Arg * len(args))(*[self.argument(arg, keep) for arg in args])
        config = libkjit.LaunchConfig(ctypes.sizeof(libkjit.LaunchConfig), grid, block, shared, None)
        with Printed() if kernel.value in self.prints else contextlib.nullcontext() as printed:
            self("kjit_launch", kernel, ctypes.byref(config), packed, ctypes.c_size_t(len(args)))
            self("kjit_synchronize", self.context)
        for back in keep:
            if callable(back):
                back()
        return printed.text if printed else ""

    def fill_states(self, states, seed, subsequence_start):
        """The states of numba's random generators, an array of them."""
        self("kjit_xoroshiro128p_states", ctypes.c_void_p(states.ctypes.data), ctypes.c_size_t(states.size),
             ctypes.c_uint64(int(seed)), ctypes.c_uint64(int(subsequence_start)))

    # ---- arguments ----------------------------------------------------------------------------

    def dtype(self, dtype):
        """A kjit_dtype, and the kjit_record of records."""
        if dtype.names:
            return libkjit.RECORD, ctypes.addressof(self.record(dtype))
        if dtype.kind in TIMES:
            return TIMES[dtype.kind] + UNITS.index(np.datetime_data(dtype)[0]), None
        if dtype.name not in self.dtypes:
            raise Unwritable(f"the dtype {dtype}")
        return self.dtypes[dtype.name], None

    def record(self, dtype):
        key = str(dtype), dtype.itemsize
        if key not in self.records:
            fields = (libkjit.Field * len(dtype.names))()
            for field, name in zip(fields, dtype.names):
                inner, field.offset = dtype.fields[name][:2]
                field.name, field.rank = name.encode(), len(inner.shape)
                field.shape[:len(inner.shape)] = inner.shape
                field.dtype, field.record = self.dtype(inner.base)
            self.records[key] = libkjit.Record(fields, len(fields), dtype.itemsize), fields
        return self.records[key][0]

    def argument(self, value, keep):
        """A kjit_arg; what it points to, and what is to be done after the launch, is put in `keep`."""
        value = bare(value)
        if isinstance(value, np.ndarray):
            return self.array_argument(value)
        if isinstance(value, np.void) and value.dtype.names:
            copy = np.array(value)
            keep += [copy, lambda: [value.__setitem__(name, copy[name]) for name in value.dtype.names]]
            return self.array_argument(copy)
        if isinstance(value, tuple):
            items = (libkjit.Arg * len(value))(*[self.argument(item, keep) for item in value])
            keep.append(items)
            arg = libkjit.Arg(libkjit.TUPLE)
            arg.tuple = libkjit.Items(ctypes.addressof(items), len(items))
            return arg
        if isinstance(value, enum.IntEnum):
            value = value.value
        if type(value) in (bool, int, float, complex):
            value = np.array(value)[()] if type(value) is not int else \
                (np.int64 if value < 2**63 else np.uint64)(value)
        if isinstance(value, np.generic):
            return self.scalar_argument(value)
        raise Unwritable(f"an argument of type {type(value).__name__}")

    def array_argument(self, value):
        number, record = self.dtype(value.dtype)
        arg = libkjit.Arg(libkjit.ARRAY)
        arg.array = libkjit.Array(value.ctypes.data, number, value.ndim,
                                  0 if value.flags.writeable else libkjit.READONLY)
        arg.array.shape[:value.ndim], arg.array.strides[:value.ndim] = value.shape, value.strides
        arg.array.record = record
        return arg

    def scalar_argument(self, value):
        arg = libkjit.Arg(libkjit.SCALAR, self.dtype(value.dtype)[0])
        if value.dtype.kind == "c":
            arg.complex_parts[:] = value.real, value.imag
        elif value.dtype.kind in "Mm":
            arg.integer = int(value.view(np.int64))
        elif value.dtype.kind in "biu":
            arg.integer = ctypes.c_int64(int(value)).value
        else:
            arg.number = float(value)
        return arg
