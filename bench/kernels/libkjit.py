"""libkjit by ctypes: include/kjit.h, as far as the measurement needs it."""
import ctypes
import pathlib
import re
import ssl  # noqa: F401: so that Python's own libcrypto goes before one that was carried

import numpy as np

READONLY, ON_DEVICE = 1, 2
SCALAR, ARRAY, TUPLE = 0, 1, 2
RECORD = 255


class Array(ctypes.Structure):
    """kjit_array"""
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_int32),
                ("flags", ctypes.c_uint32), ("shape", ctypes.c_int64 * 8),
                ("strides", ctypes.c_int64 * 8), ("record", ctypes.c_void_p)]


class Field(ctypes.Structure):
    """kjit_field"""
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("record", ctypes.c_void_p),
                ("offset", ctypes.c_size_t), ("rank", ctypes.c_int32), ("shape", ctypes.c_int64 * 8)]


class Record(ctypes.Structure):
    """kjit_record"""
    _fields_ = [("fields", ctypes.POINTER(Field)), ("count", ctypes.c_size_t),
                ("bytes", ctypes.c_size_t)]


class Items(ctypes.Structure):
    """The tuple of a kjit_arg."""
    _fields_ = [("items", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class As(ctypes.Union):
    _fields_ = [("integer", ctypes.c_int64), ("number", ctypes.c_double),
                ("complex_parts", ctypes.c_double * 2), ("array", Array), ("tuple", Items)]


class Arg(ctypes.Structure):
    """kjit_arg"""
    _anonymous_ = ["value"]
    _fields_ = [("kind", ctypes.c_int), ("dtype", ctypes.c_int), ("value", As)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("grid", ctypes.c_uint32 * 3),
                ("block", ctypes.c_uint32 * 3), ("shared_bytes", ctypes.c_size_t),
                ("stream", ctypes.c_void_p)]


class OpenOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p),
                ("no_disk_cache", ctypes.c_int), ("threads", ctypes.c_int)]


class LoadOptions(ctypes.Structure):
    """kjit_load_options"""
    _fields_ = [("size", ctypes.c_size_t), ("defines", ctypes.c_void_p), ("define_count", ctypes.c_size_t),
                ("debug", ctypes.c_int), ("fastmath", ctypes.c_int), ("passes", ctypes.c_char_p),
                ("max_registers", ctypes.c_int), ("unroll", ctypes.c_int), ("compiler_options", ctypes.c_char_p),
                ("texts", ctypes.c_void_p), ("text_count", ctypes.c_size_t), ("schedule", ctypes.c_char_p)]


class EmitOptions(ctypes.Structure):
    """kjit_emit_options"""
    _fields_ = [("size", ctypes.c_size_t), ("stage", ctypes.c_char_p), ("signature", ctypes.c_char_p),
                ("args", ctypes.c_void_p), ("arg_count", ctypes.c_size_t), ("arch", ctypes.c_char_p),
                ("text", ctypes.c_char_p), ("text_name", ctypes.c_char_p), ("facts", ctypes.c_char_p),
                ("after", ctypes.c_char_p), ("config", ctypes.c_void_p)]


class Finding(ctypes.Structure):
    """The front of a kjit_check_finding."""
    _fields_ = [("size", ctypes.c_size_t), ("rule", ctypes.c_char_p), ("advice", ctypes.c_int),
                ("kernel", ctypes.c_char_p), ("message", ctypes.c_char_p),
                ("note", ctypes.c_char_p), ("element", ctypes.c_char_p),
                ("times", ctypes.c_uint64), ("file", ctypes.c_char_p), ("line", ctypes.c_uint32)]


class Report(ctypes.Structure):
    """kjit_report"""
    _fields_ = [("size", ctypes.c_size_t), ("compiled", ctypes.c_int), ("disk_hit", ctypes.c_int),
                ("frontend_ms", ctypes.c_double), ("compiler_ms", ctypes.c_double),
                ("load_ms", ctypes.c_double), ("run_ms", ctypes.c_double),
                ("bytes_in", ctypes.c_uint64), ("bytes_out", ctypes.c_uint64)]


def load(path):
    """A library; where it was carried to another machine, with what that lacks from beside it."""
    while True:
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            lacking = path.parent / str(error).split(":")[0]
            if lacking == path or not lacking.is_file():
                raise
            load(lacking)


class Kjit:
    """A device, by the library at `path`. What it cannot do is a RuntimeError."""

    def __init__(self, path, device, threads=0, disk_cache=False):
        self.library = load(pathlib.Path(path))
        self.library.kjit_error_message.restype = ctypes.c_char_p
        self.library.kjit_dtype_name.restype = ctypes.c_char_p
        self.dtypes = {self.library.kjit_dtype_name(i).decode(): i for i in range(1, 16)}
        self.dtypes["void16"] = self.dtypes["bfloat16"]
        self.context, self.modules = ctypes.c_void_p(), {}
        options = OpenOptions(ctypes.sizeof(OpenOptions), device.encode(), not disk_cache, threads)
        self("kjit_open", ctypes.byref(options), ctypes.byref(self.context))

    def __call__(self, name, *args):
        if getattr(self.library, name)(*args) != 0:
            raise RuntimeError(f"{name}: {self.library.kjit_error_message().decode()}")

    def close(self):
        self.library.kjit_close(self.context)

    def kernel(self, path, name, schedule=None):
        if (path, schedule) not in self.modules:
            module, options = ctypes.c_void_p(), LoadOptions(ctypes.sizeof(LoadOptions))
            options.schedule = None if schedule is None else schedule.encode()
            self("kjit_load_file", self.context, str(path).encode(), ctypes.byref(options), ctypes.byref(module))
            self.modules[path, schedule] = module
        kernel = ctypes.c_void_p()
        self("kjit_get_kernel", self.modules[path, schedule], name.encode(), ctypes.byref(kernel))
        return kernel

    def emitted(self, kernel, stage, args, config=None, facts=None, arch=None):
        """What kjit_emit() gives, as bytes; `args` is a ctypes array of Arg."""
        data, length = ctypes.c_void_p(), ctypes.c_size_t()
        options = EmitOptions(ctypes.sizeof(EmitOptions), stage, None, ctypes.addressof(args), len(args), arch,
                              None, None, facts, None, config and ctypes.addressof(config))
        self("kjit_emit", kernel, ctypes.byref(options), ctypes.byref(data), ctypes.byref(length))
        text = ctypes.string_at(data, length.value)
        self.library.kjit_free(data)
        return text

    def estimate_us(self, kernel, args, config, arch=None):
        """What kjit expects of a launch; `args` is a list."""
        said = self.emitted(kernel, b"estimate", (Arg * len(args))(*args), config, b"hot", arch)
        return int(re.match(rb"time +(\d+) ns", said)[1]) / 1e3

    def array(self, pointer, dtype, shape, strides, flags):
        """An array as an argument; strides in bytes."""
        arg = Arg(ARRAY)
        arg.array = Array(pointer, self.dtypes[np.dtype(dtype).name], len(shape), flags)
        arg.array.shape[:len(shape)] = shape
        arg.array.strides[:len(shape)] = strides
        return arg

    def scalar(self, value):
        """Python's int is an int64, its float a float64, as numba has them."""
        if isinstance(value, (int, float)):
            value = np.int64(value) if isinstance(value, int) else np.float64(value)
        arg = Arg(SCALAR, self.dtypes[value.dtype.name])
        if value.dtype.kind == "f":
            arg.number = float(value)
        else:
            arg.integer = int(value)
        return arg

    def report(self):
        """What the last call did."""
        report = Report(ctypes.sizeof(Report))
        self.library.kjit_last_report(ctypes.byref(report))
        return report

    def findings(self):
        """What the device check found, each as its rule and a text: none elsewhere."""
        self.library.kjit_check_count.restype = ctypes.c_size_t
        found, finding = [], Finding(ctypes.sizeof(Finding))
        for index in range(self.library.kjit_check_count(self.context)):
            self("kjit_check_finding_at", self.context, ctypes.c_size_t(index), ctypes.byref(finding))
            rule = finding.rule.decode()
            found.append((rule, f"{rule} at line {finding.line}: {finding.message.decode()}"))
        self.library.kjit_check_clear(self.context)
        return found

    @staticmethod
    def config(grid, block):
        return LaunchConfig(ctypes.sizeof(LaunchConfig), grid, block, 0, None)

    def launch(self, kernel, grid, block, args):
        config = self.config(grid, block)
        self("kjit_launch", kernel, ctypes.byref(config), (Arg * len(args))(*args),
             ctypes.c_size_t(len(args)))

    def prepare(self, kernel, grid, block, args):
        """A function that launches."""
        config, prepared = self.config(grid, block), ctypes.c_void_p()
        self("kjit_prepare", kernel, ctypes.byref(config), (Arg * len(args))(*args),
             ctypes.c_size_t(len(args)), ctypes.byref(prepared))
        launch = self.library.kjit_launch_prepared

        def run():
            if launch(prepared):
                raise RuntimeError(self.library.kjit_error_message().decode())
        run.close = lambda: self.library.kjit_close_prepared(prepared)
        run.prepared = prepared
        return run
