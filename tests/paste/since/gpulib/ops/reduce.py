import numpy as np
from numba import cuda, float64
from gpulib.config import Settings
import gpulib.config as cfg

WARP_SIZE = 32
BLOCK = cfg.settings.block
N_WARPS = cfg.settings.warps
FULL_MASK = 0xffffffff


@cuda.jit(device=True)
def warp_sum(v):
    for off in (16, 8, 4, 2, 1):
        v += cuda.shfl_xor_sync(FULL_MASK, v, off)
    return v


@cuda.jit(device=True)
def block_sum(v, scratch):
    lane = cuda.threadIdx.x % WARP_SIZE
    wid = cuda.threadIdx.x // WARP_SIZE
    v = warp_sum(v)
    if lane == 0:
        scratch[wid] = v
    cuda.syncthreads()
    v = scratch[lane] if cuda.threadIdx.x < N_WARPS else 0.0
    if wid == 0:
        v = warp_sum(v)
    return v


@cuda.jit
def dot(a, b, out):
    sm = cuda.shared.array(WARP_SIZE, float64)
    acc = 0.0
    for i in range(cuda.grid(1), min(a.size, b.size), cuda.gridsize(1)):
        acc += a[i] * b[i]
    acc = block_sum(acc, sm)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(out, 0, acc)


@cuda.reduce
def total(a, b):
    return a + b


class RunningStats:
    """Welford on the GPU."""
    _kernel = None

    @classmethod
    def kernel(cls):
        if cls._kernel is None:
            @cuda.jit
            def welford(x, mean, m2):
                j = cuda.grid(1)
                if j < x.shape[1]:
                    m, s = 0.0, 0.0
                    for i, v in enumerate(x[:, j]):
                        d = v - m
                        m += d / (i + 1)
                        s += d * (v - m)
                    mean[j], m2[j] = m, s
            cls._kernel = welford
        return cls._kernel
