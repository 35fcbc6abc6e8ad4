import numpy as np
from numba import cuda, float64

ALL = 0xffffffff


@cuda.jit(device=True)
def warp_sum(value):
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(ALL, value, offset)
        offset //= 2
    return value


@cuda.jit
def block_sums(x, sums):
    parts = cuda.shared.array(32, float64)
    total = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    total = warp_sum(total)
    warp = cuda.threadIdx.x // 32
    if cuda.laneid == 0:
        parts[warp] = total
    cuda.syncthreads()
    if warp == 0:
        total = warp_sum(parts[cuda.laneid] if cuda.laneid < cuda.blockDim.x // 32 else 0.0)
        if cuda.laneid == 0:
            sums[cuda.blockIdx.x] = total


x = np.random.default_rng(14).random(10_000)
sums = np.zeros(8)
block_sums[8, 128](x, sums)
np.testing.assert_allclose(sums.sum(), x.sum(), rtol=1e-12)
