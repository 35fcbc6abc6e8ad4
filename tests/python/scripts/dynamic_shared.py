import numpy as np
from numba import cuda, float32, int32


@cuda.jit
def reverse(x):
    shared = cuda.shared.array(0, dtype=int32)
    t = cuda.threadIdx.x
    shared[t] = x[t]
    cuda.syncthreads()
    x[t] = shared[cuda.blockDim.x - 1 - t]


@cuda.jit
def two_arrays(x, y):
    f32 = cuda.shared.array(0, dtype=float32)[:64]
    i32 = cuda.shared.array(0, dtype=int32)[64:128]
    t = cuda.threadIdx.x
    f32[t] = x[t]
    i32[t] = 2 * t
    cuda.syncthreads()
    y[t] = f32[63 - t] + i32[t]


x = np.arange(100, dtype=np.int32)
reverse[1, 100, 0, 100 * 4](x)
np.testing.assert_array_equal(x, np.arange(100)[::-1])
x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
two_arrays[1, 64, 0, 128 * 4](x, y)
np.testing.assert_array_equal(y, x[::-1] + 2 * np.arange(64))
