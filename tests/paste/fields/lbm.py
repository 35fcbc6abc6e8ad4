"""Lattice Boltzmann D2Q9: cylinder in a channel."""
import json
import math
import sys
from collections import OrderedDict, defaultdict
from types import SimpleNamespace

import numpy as np
from numba import config, cuda, float32, int8, njit, prange

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
if len(sys.argv) > 1:
    with open(sys.argv[1]) as fh:
        overrides = json.load(fh)
else:
    overrides = {}

par = SimpleNamespace(nx=400, ny=100, re=100.0, u0=0.1)
par.nu = par.u0 * par.ny / 9 / par.re
OMEGA = 1.0 / (3.0 * par.nu + 0.5)
EX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
EY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, dtype=np.float32)
OPP = tuple(next(j for j in range(9) if EX[j] == -EX[i] and EY[j] == -EY[i]) for i in range(9))
assert len(W) == 9 and abs(W.sum() - 1) < 1e-6
CELL = {"fluid": 0, "wall": 1, "inlet": 2}
FLUID, WALL, INLET = CELL.values()
stats = defaultdict(list)


@cuda.jit(device=True)
def feq(i, rho, ux, uy):
    cu = 3.0 * (EX[i] * ux + EY[i] * uy)
    return W[i] * rho * (1.0 + cu + 0.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))


@cuda.jit
def collide(f, kind, macro):
    x, y = cuda.grid(2)
    if x >= par.nx or y >= par.ny or kind[x, y] == WALL:
        return
    rho = ux = uy = 0.0
    for i in range(9):
        fi = f[i, x, y]
        rho += fi
        ux += EX[i] * fi
        uy += EY[i] * fi
    if kind[x, y] == INLET:
        ux, uy = par.u0, 0.0
    else:
        ux /= rho
        uy /= rho
    macro[x, y, 0], macro[x, y, 1], macro[x, y, 2] = rho, ux, uy
    for i in range(9):
        f[i, x, y] += OMEGA * (feq(i, rho, ux, uy) - f[i, x, y])


@cuda.jit
def stream(f, new, kind):
    x, y = cuda.grid(2)
    if x < par.nx and y < par.ny:
        for i in range(9):
            sx = (x - EX[i] + par.nx) % par.nx
            sy = (y - EY[i] + par.ny) % par.ny
            if kind[sx, sy] == WALL:
                new[i, x, y] = f[OPP[i], x, y]
            else:
                new[i, x, y] = f[i, sx, sy]


@njit(parallel=True)
def vorticity_cpu(macro):
    out = np.zeros(macro.shape[:2])
    for i in prange(1, macro.shape[0] - 1):
        for j in range(1, macro.shape[1] - 1):
            out[i, j] = macro[i + 1, j, 2] - macro[i - 1, j, 2]
    return out


def animate(macro, *, fps=30):
    import matplotlib.animation as animation
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(8, 2))
    im = ax.imshow(vorticity_cpu(macro).T, cmap="RdBu")
    ani = animation.FuncAnimation(fig, lambda k: (im.set_array(macro[..., k % 3].T),), frames=100, blit=True)
    ani.save("lbm.mp4", fps=fps)
