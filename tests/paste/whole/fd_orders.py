"""Finite differences of every order, kernels on demand."""
from __future__ import annotations
from functools import lru_cache, cached_property
from math import factorial
import itertools
import numpy as np
from numba import cuda, float32, float64
import numpy.typing as npt

COEFFS: dict[int, list[float]] = {
    2: [-0.5, 0.0, 0.5],
    4: [1 / 12, -2 / 3, 0.0, 2 / 3, -1 / 12],
}
COEFFS[6] = [-1 / 60, 3 / 20, -3 / 4, 0.0, 3 / 4, -3 / 20, 1 / 60]


def fd_weights(points, order=1):
    """Weights by solving the Vandermonde system"""
    pts = np.asarray(points, dtype=float)
    n = len(pts)
    A = np.vstack([pts ** k for k in range(n)])
    b = np.zeros(n)
    b[order] = factorial(order)
    return np.linalg.solve(A, b)


LAPLACE = fd_weights([-2, -1, 0, 1, 2], 2)


@lru_cache(maxsize=None)
def derivative_kernel(order: int = 4, dtype=np.float64):
    c = COEFFS[order]
    r = len(c) // 2

    @cuda.jit
    def derivative(u, out, h):
        i = cuda.grid(1)
        n = u.shape[0]
        if i < n:
            s = dtype(0)
            for k in range(-r, r + 1):
                s += c[k + r] * u[(i + k + n) % n]
            out[i] = s / h

    return derivative


class Operator:
    _cache = {}

    def __init__(self, order=2, *, periodic=True, scale: float = 1.0):
        self.order = order
        weights = np.array(COEFFS[order]) * scale
        width = weights.size // 2
        flags = {"periodic": periodic}

        def apply(u, out):
            i, j = cuda.grid(2)
            if i < u.shape[0] and j < u.shape[1]:
                acc = 0.0
                for k in range(weights.shape[0]):
                    q = j + k - width
                    if flags["periodic"]:
                        q = q % u.shape[1]
                    elif q < 0 or q >= u.shape[1]:
                        continue
                    acc += weights[k] * u[i, q]
                out[i, j] = acc

        self.kernel = cuda.jit(apply)

    @cached_property
    def symbol(self) -> npt.NDArray[np.complex128]:
        return np.fft.fft(COEFFS[self.order])


@cuda.jit
def laplace(u: npt.NDArray[np.float64], out: npt.NDArray[np.float64]) -> None:
    i = cuda.grid(1)
    if 2 <= i < u.size - 2:
        s = 0.0
        for k, w in enumerate(LAPLACE):
            s += w * u[i + k - 2]
        out[i] = s


def all_kernels():
    for order, dtype in itertools.product(COEFFS, (np.float32, np.float64)):
        yield derivative_kernel(order, dtype)
