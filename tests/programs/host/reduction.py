"""A sum in two steps: blocks in shared memory, then what they leave."""
import numpy as np
from numba import cuda, float64

THREADS = 64


@cuda.jit
def partial(x, sums):
    shared = cuda.shared.array(THREADS, dtype=float64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    total = 0.0
    while i < x.size:
        total += x[i]
        i += cuda.gridsize(1)
    shared[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]


def total(x, blocks=4):
    sums = cuda.device_array(blocks)
    result = cuda.device_array(1)
    partial[blocks, THREADS](x, sums)
    partial[1, THREADS](sums, result)
    return result.copy_to_host()[0]


for n in (1, 100, 1000):
    x = cuda.to_device(np.arange(n, dtype=np.float64))
    got = total(x)
    print(n, got, got == n * (n - 1) / 2)
