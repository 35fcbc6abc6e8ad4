# Running sums by blocks: each scans its part in shared memory, the parts' sums are scanned again.
import numpy as np
from numba import cuda, int64

BLOCK = 32


@cuda.jit
def scan_blocks(values, out, sums):
    shared = cuda.shared.array(BLOCK, int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    shared[t] = values[i] if i < values.size else 0
    cuda.syncthreads()
    step = 1
    while step < BLOCK:
        other = shared[t - step] if t >= step else 0
        cuda.syncthreads()
        shared[t] += other
        cuda.syncthreads()
        step *= 2
    if i < values.size:
        out[i] = shared[t]
    if t == BLOCK - 1:
        sums[cuda.blockIdx.x] = shared[t]


@cuda.jit
def add_before(out, sums):
    i = cuda.grid(1)
    if i < out.size and cuda.blockIdx.x > 0:
        out[i] += sums[cuda.blockIdx.x - 1]


def scan(values):
    blocks = (values.size + BLOCK - 1) // BLOCK
    out, sums = cuda.device_array(values.size, np.int64), cuda.device_array(blocks, np.int64)
    scan_blocks[blocks, BLOCK](values, out, sums)
    if blocks > 1:
        add_before[blocks, BLOCK](out, scan(sums))
    return out


for n in (1, 31, 32, 33, 1000):
    values = np.arange(n) * 7 % 13 - 3
    found = scan(cuda.to_device(values)).copy_to_host()
    print(n, found[-1], np.array_equal(found, np.cumsum(values)))
