"""
Lattice Boltzmann, multiple relaxation times, cylinder in a channel
"""
import numpy as np
from numpy.linalg import inv
from numba import cuda
import math, sys, os
from pylab import *   # noqa

nx, ny = 24, 16
maxIter = 1000
Re = 150.0
q = 9
uLB = 0.04
r = ny // 9
nulb = uLB * r / Re
omega = 1.0 / (3. * nulb + 0.5)
tau = 1 / omega

c = np.array([(x, y) for x in [0, -1, 1] for y in [0, -1, 1]])  # Lattice velocities
t = 1. / 36. * np.ones(q)
t[np.asarray([np.linalg.norm(ci) < 1.1 for ci in c])] = 1. / 9.
t[0] = 4. / 9.
cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
w = np.array([4/9] + [1/9] * 4 + [1/36] * 4)
opp = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6], dtype=np.int32)
E = np.stack([cx, cy], axis=1)
e2 = np.vstack((cx, cy)).T.copy()
M = np.array([
    [1, 1, 1, 1, 1, 1, 1, 1, 1],
    [-4, -1, -1, -1, -1, 2, 2, 2, 2],
    [4, -2, -2, -2, -2, 1, 1, 1, 1],
    [0, 1, 0, -1, 0, 1, -1, -1, 1],
    [0, -2, 0, 2, 0, 1, -1, -1, 1],
    [0, 0, 1, 0, -1, 1, 1, -1, -1],
    [0, 0, -2, 0, 2, 1, 1, -1, -1],
    [0, 1, -1, 1, -1, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, -1, 1, -1]], dtype=float)
Minv = np.linalg.inv(M)
S = np.diag([1.0, 1.1, 1.1, 1.0, 1.2, 1.0, 1.2, omega, omega])
MSM = Minv @ S @ M
noslip = [c.tolist().index((-c[i]).tolist()) for i in range(q)]
i1 = arange(q)[asarray([ci[0] < 0 for ci in c])]
w_sum = w.sum()


@cuda.jit
def equilibrium(rho, u, feq):
    i, j = cuda.grid(2)
    if i < nx and j < ny:
        usqr = 3. / 2. * (u[0, i, j] ** 2 + u[1, i, j] ** 2)
        for k in range(q):
            cu = 3.0 * (cx[k] * u[0, i, j] + cy[k] * u[1, i, j])
            feq[k, i, j] = rho[i, j] * w[k] * (1. + cu + 0.5 * cu ** 2 - usqr)


@cuda.jit
def collide_mrt(f, feq, fout):
    i, j = cuda.grid(2)
    if i >= nx or j >= ny: return
    d = cuda.local.array(9, dtype=np.float64)
    for k in range(q):
        d[k] = f[k, i, j] - feq[k, i, j]
    for k in range(q):
        s = 0.
        for l in range(q):
            s += MSM[k, l] * d[l]
        fout[k, i, j] = f[k, i, j] - s


@cuda.jit
def stream(fin, fout):
    i, j = cuda.grid(2)
    if i < nx and j < ny:
        for k in range(q):
            fout[k, (i + E[k, 0]) % nx, (j + e2[k, 1]) % ny] = fin[opp[k], i, j] * w_sum


@cuda.jit
def bounce(fin, fout):
    i, j = cuda.grid(2)
    if i < nx and j < ny:
        for k in range(q):
            fout[k, i, j] = fin[noslip[k], i, j]


for time in range(maxIter if __name__ == "__main__" else 0):
    fin = zeros((q, nx, ny))
    equilibrium[(2, 1), (16, 16)](ones((nx, ny)), zeros((2, nx, ny)), fin)
    if (time % 100 == 0):
        clf(); imshow(sqrt(fin[0] ** 2), cmap=cm.Reds)
        savefig("vel." + str(time / 100).zfill(4) + ".png")
