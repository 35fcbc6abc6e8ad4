"""Multigrid for Poisson; conjugate gradients; kernels in a class that is made with a configuration."""
import abc
import atexit
import os
import weakref
from math import ceil, floor, sqrt
from operator import attrgetter, itemgetter, mul
from string import Template

import numpy as np
from numba import cuda
from numba import types as nt

TPB = int(os.getenv("TPB", 16))
NU = {"pre": 2, "post": 1}
WEIGHT = 2 / 3
STENCIL = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
NEIGHBOURS = [(i - 1, j - 1) for i, row in enumerate(STENCIL) for j, v in enumerate(row) if v == 1]
FULL = np.outer([1, 2, 1], [1, 2, 1]) / 16.0
MESSAGE = Template("level $level: $residual")
double = nt.float64


def grid_for(shape, tpb=TPB):
    return tuple(ceil(n / tpb) for n in shape)


class Operator(metaclass=abc.ABCMeta):
    order = 2
    scale = 1.0 / order ** 2

    @property
    @abc.abstractmethod
    def kernels(self):
        """What it launches."""


class Poisson(Operator):
    alive = weakref.WeakSet()
    omega = WEIGHT

    def __init__(self, n=128, boundary="dirichlet"):
        self.n, self.boundary = n, boundary
        self.smooth = self._make_smoother()

    def _make_smoother(self):
        omega = self.omega
        scale = self.scale

        @cuda.jit
        def smoother(u, f, out, h):
            i, j = cuda.grid(2)
            n, m = u.shape
            if 0 < i < n - 1 and 0 < j < m - 1:
                s = 0.0
                for di, dj in NEIGHBOURS:
                    s += u[i + di, j + dj]
                out[i, j] = (1 - omega) * u[i, j] + omega * scale * (s - h * h * f[i, j])
            elif i < n and j < m:
                out[i, j] = u[i, j]

        return smoother

    @property
    def kernels(self):
        return [self.smooth]


@cuda.jit
def residual(u, f, r, h):
    i, j = cuda.grid(2)
    if i == 0 or j == 0 or i >= u.shape[0] - 1 or j >= u.shape[1] - 1:
        if i < u.shape[0] and j < u.shape[1]:
            r[i, j] = 0.0
        return
    lap = sum((u[i - 1, j], u[i + 1, j], u[i, j - 1], u[i, j + 1])) - 4 * u[i, j]
    r[i, j] = f[i, j] - lap / h ** 2


@cuda.jit
def restrict(fine, coarse):
    i, j = cuda.grid(2)
    if 0 < i < coarse.shape[0] - 1 and 0 < j < coarse.shape[1] - 1:
        total = 0.0
        for a in range(3):
            for b in range(3):
                total += FULL[a, b] * fine[2 * i + a - 1, 2 * j + b - 1]
        coarse[i, j] = total


@cuda.jit
def dot(a, b, out):
    sm = cuda.shared.array(shape=(TPB * TPB,), dtype=double)
    t, total = cuda.threadIdx.x, 0.0
    for k in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        total += a[k] * b[k]
    sm[t] = total
    cuda.syncthreads()
    step = TPB * TPB >> 1
    while step >= 1:
        if t < step:
            sm[t] += sm[t + step]
        step >>= 1
        cuda.syncthreads()
    if not t:
        cuda.atomic.add(out, 0, sm[0])


@atexit.register
def bye():
    print(MESSAGE.safe_substitute(level=0), sep="", end="\n", flush=True)
