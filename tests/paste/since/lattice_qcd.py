"""SU(3)/U(1) gauge toy on GPU with complex arithmetic."""
import cmath
import numpy as np
from numba import complex64, complex128, cuda, float64, int64
from numba import jit

NC = 3
NDIM = 4
DIMS = (8, 8, 8, 16)
VOL = int(np.prod(DIMS))
BETA = 5.7
EYE = np.eye(NC, dtype=np.complex128)
GELL_MANN = np.zeros((3, NC, NC), dtype=np.complex128)
GELL_MANN[0, 0, 1] = GELL_MANN[0, 1, 0] = 1
GELL_MANN[1, 0, 1] = -1j
GELL_MANN[1, 1, 0] = 1j
GELL_MANN[2, 0, 0], GELL_MANN[2, 1, 1] = 1, -1
STRIDES = tuple(int(np.prod(DIMS[k + 1:])) for k in range(NDIM))


@cuda.jit(device=True)
def neighbour(site, mu, sign):
    coord = (site // STRIDES[mu]) % DIMS[mu]
    new = (coord + sign) % DIMS[mu]
    return site + (new - coord) * STRIDES[mu]


@cuda.jit(device=True)
def matmul3(a, b, c):
    for i in range(NC):
        for j in range(NC):
            s = 0j
            for k in range(NC):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@cuda.jit(device=True)
def matmul3_dag(a, b, c):
    for i in range(NC):
        for j in range(NC):
            s = complex128(0)
            for k in range(NC):
                s += a[i, k] * b[j, k].conjugate()
            c[i, j] = s


@cuda.jit
def plaquette(U, out):
    site = cuda.grid(1)
    if site >= VOL:
        return
    t1 = cuda.local.array((NC, NC), complex128)
    t2 = cuda.local.array((NC, NC), complex128)
    total = 0.0
    for mu in range(NDIM):
        for nu in range(mu):
            xmu = neighbour(site, mu, 1)
            xnu = neighbour(site, nu, 1)
            matmul3(U[site, mu], U[xmu, nu], t1)
            matmul3_dag(t1, U[xnu, mu], t2)
            matmul3_dag(t2, U[site, nu], t1)
            tr = t1[0, 0] + t1[1, 1] + t1[2, 2]
            total += tr.real / NC
    out[site] = total / 6


@cuda.jit
def rotate(U, eps, gen):
    site, mu = cuda.grid(2)
    if site < VOL and mu < NDIM:
        tmp = cuda.local.array((NC, NC), dtype=np.complex128)
        r = cuda.local.array((NC, NC), dtype=np.complex128)
        for i in range(NC):
            for j in range(NC):
                r[i, j] = EYE[i, j] + 1j * eps * GELL_MANN[gen, i, j]
        matmul3(r, U[site, mu], tmp)
        U[site, mu, :, :] = tmp[:, :]


@cuda.jit
def u1_links(theta, link, action):
    i = cuda.grid(1)
    if i < theta.size:
        z = cmath.exp(1j * theta[i])
        link[i] = z
        action[i] = BETA * (1 - z.real) + cmath.phase(z) * abs(z)


@cuda.jit
def dft(x, X, inverse):
    k = cuda.grid(1)
    n = x.shape[0]
    if k < n:
        sign = 1 if inverse else -1
        acc = complex64(0j)
        for j in range(n):
            ang = sign * 2 * cmath.pi * j * k / n
            acc += x[j] * complex(cmath.cos(ang).real, cmath.sin(ang).real)
        X[k] = acc / n if inverse else acc
