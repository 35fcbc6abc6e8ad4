"""Which devices there are, and how kernels are launched on them."""
import functools
import warnings

from numba import cuda

try:
    has_cuda = cuda.is_available()
except Exception:
    has_cuda = False

try:
    import cupy
    has_cupy = cupy.is_available()
except (ImportError, AssertionError):
    has_cupy = False
    warnings.warn("cupy is not there: arrays stay on the host")

gpu_installed = has_cuda and has_cupy


def blocks_2d(nx, ny, width=1, height=128):
    """Blocks and threads for a grid of nx by ny."""
    return (int(nx / width + 1), int(ny / height + 1)), (width, height)


if gpu_installed:

    class compiled:
        """Compiles a kernel for each list of types that it is launched with."""

        def __init__(self, function):
            functools.update_wrapper(self, function)
            self.python_function = function
            self.kernels = {}

        def __getitem__(self, shape):
            def launch(*arguments):
                key = tuple(getattr(a, "dtype", type(a)) for a in arguments)
                if key not in self.kernels:
                    self.kernels[key] = cuda.jit()(self.python_function)
                self.kernels[key][shape](*arguments)
            return launch
