import numpy as np
import numba
from numba import cuda

BINS = 64


@cuda.jit
def histogram(x, low, high, bins):
    local = cuda.shared.array(BINS, numba.int32)
    t = cuda.threadIdx.x
    if t < BINS:
        local[t] = 0
    cuda.syncthreads()
    width = (high - low) / BINS
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        b = int((x[i] - low) / width)
        if x[i] >= low and b < BINS:
            cuda.atomic.add(local, b, 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(bins, t, local[t])


x = np.random.default_rng(4).normal(size=50_000)
bins = np.zeros(BINS, np.int32)
histogram[16, 128](x, -4.0, 4.0, bins)
expected, _ = np.histogram(x[x < 4], BINS, (-4, 4))
np.testing.assert_array_equal(bins, expected)
