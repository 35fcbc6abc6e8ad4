from numba import cuda
import numba

TPB = 64
WARP = 32
FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(x):
    for offset in (16, 8, 4, 2, 1):
        x += cuda.shfl_down_sync(FULL, x, offset)
    return x


@cuda.jit(device=True)
def block_sum(x):
    partial = cuda.shared.array(TPB // WARP, numba.float64)
    lane = cuda.laneid
    warp = cuda.threadIdx.x // WARP
    x = warp_sum(x)
    if lane == 0:
        partial[warp] = x
    cuda.syncthreads()
    if warp == 0:
        x = partial[lane] if lane < TPB // WARP else 0.0
        x = warp_sum(x)
    return x
