"""Gridding, NUFFT and SENSE for magnetic resonance imaging."""
from __future__ import annotations
import abc
import enum
import functools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numba import cuda, complex64, complex128, float32, int32
import pywt
import sigpy as sp

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from .recon import Pipeline

__all__ = ["interpolate", "gridding"]
jit = functools.partial(cuda.jit, fastmath=False)
device = functools.partial(cuda.jit, device=True, inline="always")


class Kernel(enum.IntEnum):
    SPLINE = 0
    KAISER_BESSEL = enum.auto()


@dataclass(frozen=True)
class Oversampling:
    factor: float = 1.25
    width: int = 4

    @property
    def beta(self) -> float:
        return math.pi * math.sqrt((self.width / self.factor) ** 2 * (self.factor - .5) ** 2 - .8)


OS: Final = Oversampling()
BETA: Final[float] = OS.beta
HALF = OS.width / 2


@device
def i0(x):
    t = x / 3.75
    if x < 3.75:
        t *= t
        return 1 + t * (3.5156229 + t * (3.0899424 + t * (1.2067492 + t * .2659732)))
    return math.exp(x) / math.sqrt(x) * (.39894228 + .01328592 / t)


@device
def weight(x, kind):
    if abs(x) > 1:
        return 0.
    match kind:
        case Kernel.SPLINE:
            return 1 - abs(x)
        case Kernel.KAISER_BESSEL:
            return i0(BETA * math.sqrt(1 - x * x))
        case _:
            return 1.


@jit
def gridding(coord, data, grid, kind):
    p = cuda.grid(1)
    if p >= coord.shape[0]:
        return
    ky, kx = coord[p, 0], coord[p, 1]
    ny, nx = grid.shape
    y0, y1 = math.ceil(ky - HALF), math.floor(ky + HALF)
    x0, x1 = math.ceil(kx - HALF), math.floor(kx + HALF)
    for y in range(y0, y1 + 1):
        wy = weight((y - ky) / HALF, kind)
        for x in range(x0, x1 + 1):
            w = wy * weight((x - kx) / HALF, kind)
            v = w * data[p]
            cuda.atomic.add(grid.real, (y % ny, x % nx), v.real)
            cuda.atomic.add(grid.imag, (y % ny, x % nx), v.imag)


@jit
def interpolate(grid, coord, out, kind):
    p = cuda.grid(1)
    if p < coord.shape[0]:
        acc = complex64(0)
        for dy in range(-int(HALF), int(HALF) + 1):
            for dx in range(-int(HALF), int(HALF) + 1):
                y, x = round(coord[p, 0]) + dy, round(coord[p, 1]) + dx
                w = weight((y - coord[p, 0]) / HALF, kind) * weight((x - coord[p, 1]) / HALF, kind)
                acc += grid[y % grid.shape[0], x % grid.shape[1]] * w
        out[p] = acc


@jit
def combine(coils, maps, image):
    y, x = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        top = 0j
        low = 1e-12
        for c in range(coils.shape[0]):
            m = maps[c, y, x]
            top += m.conjugate() * coils[c, y, x]
            low += (m * m.conjugate()).real
        image[y, x] = top / low


@jit
def soft_threshold(x, lam, out):
    i = cuda.grid(1)
    if i < x.size:
        a = abs(x[i])
        out[i] = x[i] / a * max(a - lam, 0) if a > 0 else x[i] * 0


class Operator(abc.ABC):
    _ops: dict[str, Operator] = {}
    kind: Literal["spline", "kb"] = "kb"

    def __matmul__(self, other: NDArray) -> NDArray:
        return self.apply(other)

    @abc.abstractmethod
    def apply(self, x): ...


def main():
    rng = np.random.default_rng(4)
    coord = rng.uniform(0, 16, (30, 2)).astype("f4")
    data = (rng.random(30) + 1j * rng.random(30)).astype("c8")
    for kind in Kernel:
        grid = np.zeros((16, 16), "c8")
        gridding[1, 32](coord, data, grid, int(kind))
        out = np.zeros(30, "c8")
        interpolate[1, 32](grid, coord, out, int(kind))
        print(kind.name, f"{abs(grid).sum():.2f} {abs(out).sum():.1f}")
    coils, maps = (rng.random((2, 3, 5, 6)) + 1j * rng.random((2, 3, 5, 6)))
    image = np.zeros((5, 6), complex)
    combine[(1, 1), (8, 8)](coils, maps, image)
    print(f"{image.sum():.6f}")
    thin = np.zeros(30, "c8")
    soft_threshold[1, 32](data, np.float32(.6), thin)
    print(np.count_nonzero(thin), f"{thin.sum():.4f}")


if __name__ == "__main__":
    main()
