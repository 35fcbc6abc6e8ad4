"""The CUDA driver, NVRTC and cuBLAS by ctypes: no more of them than the measurement needs. Nothing
is looked for before it is asked for."""
import ctypes
import glob
import os
import sys

from ctypes import byref, c_char_p, c_double, c_float, c_int, c_longlong, c_size_t, c_uint, \
    c_ulonglong, c_void_p

import numpy as np


class Failed(Exception):
    pass


def library(*names):
    """The first of these libraries that can be loaded, wherever it may lie; None if none can."""
    folders = ["", "/usr/local/cuda/lib64/"]
    for site in sys.path:
        folders += [folder + "/" for folder in glob.glob(os.path.join(site, "nvidia", "*", "lib"))]
    for name in names:
        for folder in [""] if "/" in name else folders:
            try:
                return ctypes.CDLL(folder + name)
            except OSError:
                pass
    return None


# ---- NVRTC ---------------------------------------------------------------------------------------


def nvrtc_cubin(text, arch):
    """Machine code of a CUDA text, by NVRTC."""
    nvrtc = library(*filter(None, [os.environ.get("KJIT_NVRTC")]), "libnvrtc.so.13",
                    "libnvrtc.so.12", "libnvrtc.so")
    if not nvrtc:
        raise Failed("there is no NVRTC")
    program, size = c_void_p(), c_size_t()
    nvrtc.nvrtcCreateProgram(byref(program), text.encode(), b"bench.cu", 0, None, None)
    options = (c_char_p * 1)(f"--gpu-architecture={arch}".encode())
    result = nvrtc.nvrtcCompileProgram(program, 1, options)
    if result:
        nvrtc.nvrtcGetProgramLogSize(program, byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        raise Failed(f"NVRTC: {log.value.decode()}")
    nvrtc.nvrtcGetCUBINSize(program, byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    nvrtc.nvrtcDestroyProgram(byref(program))
    return cubin.raw


# ---- the driver ----------------------------------------------------------------------------------


class Gpu:
    """The first GPU, by its primary context, which kjit, numba and CUDA's libraries share."""

    def __init__(self):
        self.cuda = library("libcuda.so.1")
        if not self.cuda:
            raise Failed("there is no CUDA driver")
        device, context, number = c_int(), c_void_p(), c_int()
        self("cuInit", 0)
        self("cuDeviceGet", byref(device), 0)
        name = ctypes.create_string_buffer(100)
        self("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        arch = ""
        for attribute in (75, 76):  # the compute capability's parts
            self("cuDeviceGetAttribute", byref(number), attribute, device)
            arch += str(number.value)
        self.arch = f"sm_{arch}"
        self("cuDevicePrimaryCtxRetain", byref(context), device)
        self("cuCtxSetCurrent", context)

    def __call__(self, name, *args):
        result = getattr(self.cuda, name)(*args)
        if result:
            text = c_char_p()
            self.cuda.cuGetErrorName(result, byref(text))
            raise Failed(f"{name}: {(text.value or b'error').decode()} ({result})")

    def wait(self):
        self("cuCtxSynchronize")

    def alloc(self, bytes):
        pointer = c_ulonglong()
        self("cuMemAlloc_v2", byref(pointer), c_size_t(max(bytes, 16)))
        return pointer.value

    def free(self, pointer):
        self("cuMemFree_v2", c_ulonglong(pointer))

    def zero(self, pointer, bytes):
        self("cuMemsetD8_v2", c_ulonglong(pointer), 0, c_size_t(bytes))

    def copy(self, to, source, bytes):
        self("cuMemcpyDtoD_v2", c_ulonglong(to), c_ulonglong(source), c_size_t(bytes))

    def download(self, host, pointer):
        """Fills a contiguous NumPy array."""
        self("cuMemcpyDtoH_v2", c_void_p(host.ctypes.data), c_ulonglong(pointer),
             c_size_t(host.nbytes))

    def module(self, cubin):
        module = c_void_p()
        self("cuModuleLoadData", byref(module), cubin)
        return Module(self, module)

    def event(self):
        event = c_void_p()
        self("cuEventCreate", byref(event), 0)
        return event

    def elapsed_us(self, begin, end):
        ms = c_float()
        self("cuEventSynchronize", end)
        self("cuEventElapsedTime", byref(ms), begin, end)
        return 1e3 * ms.value


class Module:
    def __init__(self, gpu, module):
        self.gpu, self.module, self.functions = gpu, module, {}

    def launcher(self, name, grid, block, values, shared=0):
        """A function that launches, everything decided. Values are ctypes'."""
        if name not in self.functions:
            function = c_void_p()
            self.gpu("cuModuleGetFunction", byref(function), self.module, name.encode())
            self.functions[name] = function
        function = self.functions[name]
        if shared > 48 * 1024:
            self.gpu("cuFuncSetAttribute", function, 8, c_int(shared))
        params = (c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        sizes = [c_uint(size) for size in (*grid, *block)]
        launch, gpu = self.gpu.cuda.cuLaunchKernel, self.gpu

        def run(_keep=values):
            if launch(function, *sizes, c_uint(shared), None, params, None):
                gpu("cuLaunchKernel", function, *sizes, c_uint(shared), None, params, None)
        return run

    def run(self, name, grid, block, *values):
        self.launcher(name, grid, block, values)()


def number(value):
    """A scalar for a CUDA kernel or a C function: Python's int is int, its float is double."""
    if isinstance(value, float):
        return c_double(value)
    if isinstance(value, (int, np.int32)):
        return c_int(value)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())


# ---- libraries -----------------------------------------------------------------------------------


class Cublas:
    """Products of row-major matrices by cuBLAS, which has them column by column: so c' = b' a'."""

    def __init__(self):
        self.library = library("libcublas.so.13", "libcublas.so.12", "libcublas.so")
        if not self.library:
            raise Failed("there is no cuBLAS")
        self.handle = c_void_p()
        self.check(self.library.cublasCreate_v2(byref(self.handle)))

    def check(self, result):
        if result:
            raise Failed(f"cuBLAS says {result}")

    def launcher(self, operation, *params):
        return getattr(self, operation)(*params)

    def gemm(self, function, real, a, b, c, n, k, m, a_turned=False, b_turned=False):
        """c = a b, of n by k and k by m; what is turned lies there transposed."""
        one, zero = real(1), real(0)
        args = (self.handle, int(b_turned), int(a_turned), m, n, k, byref(one), b,
                k if b_turned else m, a, n if a_turned else k, byref(zero), c, m)
        return lambda: self.check(function(*args))

    def sgemm(self, *params):
        return self.gemm(self.library.cublasSgemm_v2, c_float, *params)

    def dgemm(self, *params):
        return self.gemm(self.library.cublasDgemm_v2, c_double, *params)

    def gemm_ex(self, kind, item, a, b, c, n, k, m):
        """c = a b in float32, of numbers of cuBLAS's `kind`, computed as `item` says."""
        one, zero = c_float(1), c_float(0)
        args = (self.handle, 0, 0, m, n, k, byref(one), b, kind, m, a, kind, k, byref(zero), c, 0, m, item, -1)
        return lambda: self.check(self.library.cublasGemmEx(*args))

    def gemm_tf32(self, *params):
        return self.gemm_ex(0, 77, *params)  # CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32

    def gemm_half(self, *params):
        return self.gemm_ex(2, 68, *params)  # CUDA_R_16F, CUBLAS_COMPUTE_32F

    def gemm_bfloat(self, *params):
        return self.gemm_ex(14, 68, *params)  # CUDA_R_16BF

    def dgemm_by_turned(self, a, c, n, k):
        """c = a a^T"""
        return self.gemm(self.library.cublasDgemm_v2, c_double, a, a, c, n, k, n, b_turned=True)

    def sgemm_turned_by(self, a, c, k, n):
        """c = a^T a"""
        return self.gemm(self.library.cublasSgemm_v2, c_float, a, a, c, n, k, n, a_turned=True)

    def gemv(self, a, x, y, n, m, turned):
        one, zero = c_float(1), c_float(0)
        args = (self.handle, int(not turned), m, n, byref(one), a, m, x, 1, byref(zero), y, 1)
        return lambda: self.check(self.library.cublasSgemv_v2(*args))

    def sgemv(self, *params):
        """y = a x"""
        return self.gemv(*params, turned=False)

    def sgemv_turned(self, *params):
        """y = a^T x"""
        return self.gemv(*params, turned=True)

    def dgeam_turned(self, a, turned, n, m):
        """The transpose of n by m."""
        one, zero = c_double(1), c_double(0)
        args = (self.handle, 1, 0, n, m, byref(one), a, m, byref(zero), turned, n, turned, n)
        return lambda: self.check(self.library.cublasDgeam(*args))

    def gemm_batched(self, function, real, a, b, c, s, n, k, m):
        one, zero = real(1), real(0)
        args = (self.handle, 0, 0, m, n, k, byref(one), b, m, c_longlong(k * m), a, k,
                c_longlong(n * k), byref(zero), c, m, c_longlong(n * m), s)
        return lambda: self.check(function(*args))

    def sgemm_batched(self, *params):
        return self.gemm_batched(self.library.cublasSgemmStridedBatched, c_float, *params)

    def dgemm_batched(self, *params):
        return self.gemm_batched(self.library.cublasDgemmStridedBatched, c_double, *params)


class Cub:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def launcher(self, operation, *params):
        function = getattr(self.library, operation)
        args = [p if isinstance(p, c_void_p) else number(p) for p in params]

        def run():
            result = function(*args)
            if result:
                raise Failed(f"CUB says {result}")
        return run
