"""Gaussian optics: constant objects with methods, options that are computed, defaults of kernels."""
from dataclasses import dataclass

import numpy as np
from numba import cuda, float32

LEVEL = 2
WAVELENGTH = 1.064e-6


@dataclass
class Lens:
    f: float = 2.0
    n: float = 1.5

    def power(self, shift=0.0):
        return self.n / self.f + shift

    @property
    def radius(self):
        return self.f * (self.n - 1)


LENS = Lens(f=0.1)


class Bench:
    """Its kernel is made by a method that __init__ calls."""
    waist = 1e-3

    def __init__(self, length=1.0):
        self.length = length
        self.steps = 16
        self.kernel = self._make()

    def _make(self):
        waist = self.waist
        steps = self.steps

        @cuda.jit
        def widths(z, out):
            i = cuda.grid(1)
            if i < out.size:
                rayleigh = 3.14159 * waist ** 2 / WAVELENGTH
                for k in range(steps):
                    out[i] += waist * (1 + (z[i] * k / rayleigh) ** 2) ** 0.5

        return widths


@cuda.jit(debug=LEVEL > 2, fastmath=LEVEL == 2, opt=not LEVEL > 5)
def bend(rays, shift: float = 0.5, passes=LEVEL + 1, out=None):
    i = cuda.grid(1)
    if i < rays.shape[0]:
        for _ in range(passes):
            rays[i, 1] -= rays[i, 0] * LENS.power(0.25) + shift
            rays[i, 0] += LENS.radius * rays[i, 1]


if __name__ == "__main__":
    Bench().kernel[1, 32](np.ones(32), np.zeros(32))
