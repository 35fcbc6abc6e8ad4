"""A solver whose kernels are made in its constructor's helper."""
import math
from numba import cuda
import numba
import numpy as np


def build_kernels(order: int = 4, block=128, periodic: bool = True):
    if order == 2:
        c = (1.0, -2.0, 1.0)
    elif order == 4:
        c = (-1 / 12, 4 / 3, -5 / 2, 4 / 3, -1 / 12)
    else:
        raise NotImplementedError(f"order {order}")
    half = order // 2

    def laplace(u, i, n):
        s = 0.0
        for k in range(order + 1):
            j = i + k - half
            if periodic:
                j = (j + n) % n
            else:
                j = min(max(j, 0), n - 1)
            s += c[k] * u[j]
        return s

    laplace = cuda.jit(laplace, device=True)

    @cuda.jit
    def wave(u, old, new, r2):
        i = cuda.grid(1)
        n = u.size
        if i < n:
            new[i] = 2 * u[i] - old[i] + r2 * laplace(u, i, n)

    @cuda.jit
    def diffuse(u, new, r):
        i = cuda.grid(1)
        if i < u.size:
            new[i] = u[i] + r * laplace(u, i, u.size)

    return wave, diffuse


class Solver:
    def __init__(self, n, order=4):
        self.n = n
        self.kernels = build_kernels(order)

    def make_init(self, amplitude=1.0):
        @cuda.jit
        def init(u, n_waves):
            i = cuda.grid(1)
            if i < u.size:
                u[i] = amplitude * math.sin(2 * math.pi * n_waves * i / u.size)
        return init


solver = Solver(1 << 12) if cuda.is_available() else None
