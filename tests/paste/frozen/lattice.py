"""Lattice Boltzmann, D2Q9."""
import numpy as np
from numba import cuda, float64, int32, void

# velocities and weights
cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1], dtype=np.int32)
cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1], dtype=np.int32)
w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
opp = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
Q = len(w)
tau = 0.6
omega = 1.0 / tau
cs2 = 1. / 3.
sig = void(float64[:, :, :], float64[:, :, :], int32[:, :])


@cuda.jit(device=True)
def equilibrium(k, rho, ux, uy):
    cu = cx[k] * ux + cy[k] * uy
    return w[k] * rho * (1.0 + cu / cs2 + 0.5 * cu * cu / cs2 ** 2 - 0.5 * (ux * ux + uy * uy) / cs2)


@cuda.jit(sig)
def collide_stream(f, new, solid):
    x, y = cuda.grid(2)
    nx, ny = solid.shape
    if x >= nx or y >= ny:
        return
    rho = 0.0
    ux = 0.0
    uy = 0.0
    for k in range(Q):
        rho += f[k, x, y]
        ux += f[k, x, y] * cx[k]
        uy += f[k, x, y] * cy[k]
    ux /= rho
    uy /= rho
    for k in range(Q):
        if solid[x, y]:
            v = f[opp[k], x, y]
        else:
            v = f[k, x, y] - omega * (f[k, x, y] - equilibrium(k, rho, ux, uy))
        new[k, (x + cx[k]) % nx, (y + cy[k]) % ny] = v


@cuda.jit
def initialise(f, rho0):
    x, y = cuda.grid(2)
    if x < f.shape[1] and y < f.shape[2]:
        for k in range(Q):
            f[k, x, y] = equilibrium(k, rho0, 0.1, 0.)


def curl(u, v): return np.gradient(v, axis=0) - np.gradient(u, axis=1)
