from numba import cuda
import numpy as np

from .. import core
from ..core.grid import h, dt, halo, courant as _courant
from . import grid as g

__all__ = ["step", "inject", "absorb"]
c2 = (9 / 8, -1 / 24)
DT2 = dt ** 2
width = g.blocks(32) * 2


@cuda.jit
def step(p, old, vel, new):
    ix, iz = cuda.grid(2)
    if halo <= ix < p.shape[0] - halo and halo <= iz < p.shape[1] - halo:
        lap = 0.0
        for k in range(len(c2)):
            lap += c2[k] * (p[ix + k + 1, iz] + p[ix - k - 1, iz] + p[ix, iz + k + 1]
                            + p[ix, iz - k - 1] - 4 * p[ix, iz])
        new[ix, iz] = 2 * p[ix, iz] - old[ix, iz] + vel[ix, iz] ** 2 * DT2 / (h * h) * lap


@cuda.jit
def inject(p, wavelet, it):
    i = cuda.grid(1)
    if i == 0:
        p[g.nx // 2, g.nz // 2] += wavelet[it] * _courant


@cuda.jit
def absorb(p):
    ix, iz = cuda.grid(2)
    if ix < p.shape[0] and iz < p.shape[1]:
        d = min(ix, iz, p.shape[0] - 1 - ix, p.shape[1] - 1 - iz)
        if d < width:
            p[ix, iz] *= 1 - 0.015 * (1 - d / width) ** 2
