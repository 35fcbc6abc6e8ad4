from numba import cuda
import numba as nb
import numpy as np
from ..settings import nx, ny, omega, damping, SCHEME, THREADS, DEFAULTS
from .. import settings as S
from .reduce_ import block_sum, TPB as REDUCE_TPB

TX, TY = THREADS
HALO = 1
dx2 = DEFAULTS["grid"]["dx"] ** 2


@cuda.jit
def relax(p, f, colour):
    i, j = cuda.grid(2)
    if i < HALO or j < HALO or i >= p.shape[0] - HALO or j >= p.shape[1] - HALO:
        return
    if (i + j) & 1 != colour:
        return
    new = 0.25 * (p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1] - dx2 * f[i, j])
    if SCHEME == 0:
        p[i, j] = new
    else:
        p[i, j] = (1 - omega) * p[i, j] + omega * new


@cuda.jit
def tiled(p, out):
    tile = cuda.shared.array((TX + 2 * HALO, TY + 2 * HALO), nb.float64)
    i, j = cuda.grid(2)
    ti, tj = cuda.threadIdx.x + HALO, cuda.threadIdx.y + HALO
    n, m = p.shape
    inside = i < n and j < m
    tile[ti, tj] = p[i, j] if inside else 0.0
    if cuda.threadIdx.x == 0:
        tile[0, tj] = p[i - 1, j] if i > 0 and j < m else 0.0
        e = i + TX
        tile[TX + 1, tj] = p[e, j] if e < n and j < m else 0.0
    if cuda.threadIdx.y == 0:
        tile[ti, 0] = p[i, j - 1] if j > 0 and i < n else 0.0
        e = j + TY
        tile[ti, TY + 1] = p[i, e] if e < m and i < n else 0.0
    cuda.syncthreads()
    if inside:
        out[i, j] = damping * (tile[ti - 1, tj] + tile[ti + 1, tj] + tile[ti, tj - 1] + tile[ti, tj + 1])


@cuda.jit
def residual(p, out):
    i = cuda.grid(1)
    v = p.flat[i] ** 2 if i < p.size else 0.
    s = block_sum(v)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(out, 0, s)
    assert cuda.blockDim.x == REDUCE_TPB, "launch with %d threads" % REDUCE_TPB
