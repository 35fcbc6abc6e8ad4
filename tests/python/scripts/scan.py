import numpy as np
from numba import cuda, int64

BLOCK = 128


@cuda.jit
def scan_blocks(x, out, sums):
    shared = cuda.shared.array(BLOCK, int64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    offset = 1
    while offset < BLOCK:
        value = shared[t - offset] if t >= offset else 0
        cuda.syncthreads()
        shared[t] += value
        cuda.syncthreads()
        offset *= 2
    if i < x.size:
        out[i] = shared[t]
    if t == BLOCK - 1:
        sums[cuda.blockIdx.x] = shared[t]


@cuda.jit
def add_sums(out, sums):
    i = cuda.grid(1)
    if cuda.blockIdx.x > 0 and i < out.size:
        out[i] += sums[cuda.blockIdx.x - 1]


def scan(x):
    blocks = -(-x.size // BLOCK)
    out, sums = cuda.device_array_like(x), cuda.device_array(blocks, np.int64)
    scan_blocks[blocks, BLOCK](x, out, sums)
    if blocks > 1:
        add_sums[blocks, BLOCK](out, scan(sums))
    return out


x = np.random.default_rng(10).integers(-50, 50, 30_000)
np.testing.assert_array_equal(scan(cuda.to_device(x)).copy_to_host(), np.cumsum(x))
