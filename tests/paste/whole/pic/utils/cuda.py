"""CUDA helpers"""
import numba
from numba import cuda

numba_version = tuple(int(v) for v in numba.__version__.split(".")[:2])
cuda_installed = False
try:
    import cupy
    cupy_installed = cupy.cuda.is_available()
except ImportError:
    cupy = None
    cupy_installed = False
cuda_installed = True


def cuda_tpb_bpg_1d(x, TPB=256):
    TPB = 1 if x <= 0 else TPB
    return int(x / TPB) + 1, TPB


class compile_cupy:
    """Decorator that keeps one compiled kernel per signature."""

    def __init__(self, func):
        self.python_func = func
        self.numba_kernels = {}

    def __getitem__(self, bpg_tpb):
        def call(*args):
            key = tuple(type(a) for a in args)
            if key not in self.numba_kernels:
                self.numba_kernels[key] = cuda.jit(self.python_func)
            return self.numba_kernels[key][bpg_tpb](*args)
        return call
