"""One loop for the host's numba and for the GPU, as introductions have it: jit with and without brackets, py_func, prange."""
import math

import numba
import numpy as np
from numba import cuda, njit, prange


@numba.jit(nopython=True)
def inc_cpu(a: np.ndarray):
    for i in range(len(a)):
        a[i] += 1


@njit(parallel=True, fastmath=True)
def total_cpu(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i]
    return total


@numba.experimental.jitclass([("value", numba.float64)])
class Kept:
    def __init__(self, value):
        self.value = value


@njit
def clip(x, low, high):
    return min(max(x, low), high)


@cuda.jit
def inc_gpu(a: np.ndarray):
    idx = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if idx < a.shape[0]:
        a[idx] += 1


@cuda.jit
def clip_gpu(a, low, high):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = clip(a[i], low, high)


a = np.zeros(1000, np.float32)
inc_cpu.py_func(a)
inc_cpu(a)
assert (a == 2).all()
blocksize = 256
gridsize = math.ceil(a.shape[0] / blocksize)
inc_gpu[gridsize, (32, 32)]  # configured, and never launched
d_a = cuda.to_device(a)
inc_gpu[gridsize, blocksize](d_a)
cuda.synchronize()
a = d_a.copy_to_host()
assert (a == 3).all()
inc_gpu[2, 64](a)  # not enough threads for all elements
np.testing.assert_array_equal(a, np.where(np.arange(1000) < 128, 4, 3))
assert total_cpu(a) == a.sum() and total_cpu.py_func is not None

b = np.linspace(-2, 2, 1000)
clipped = b.copy()
clip_gpu[gridsize, blocksize](clipped, -1.0, Kept(0.5).value)
np.testing.assert_array_equal(clipped, np.clip(b, -1.0, 0.5))
assert clip(7, 0, 5) == 5 and clip.py_func(-1, 0, 5) == 0
