"""Second order by limited slopes; run as a module: python -m schemes.muscl"""
import abc
import argparse

import numpy as np
from numba import cuda, float64

from . import base
from .base import Scheme


class Loggable(abc.ABC):
    verbose = False

    @abc.abstractmethod
    def log(self):
        ...


class Scheme(Scheme, Loggable):  # the one of this module goes on where the base ends
    order = 2
    width = Scheme.ghost * 2 + 1

    @staticmethod
    def limiter(a, b):
        return 0.0 if a * b <= 0 else a if abs(a) < abs(b) else b

    @classmethod
    def slope(cls, left, here, right):
        return cls.limiter(here - left, right - here) / cls.order


class Steep(Scheme):
    @staticmethod
    @cuda.jit(device=True)
    def limiter(a, b):
        return 0.0 if a * b <= 0 else max(abs(a), abs(b)) * (1.0 if a > 0 else -1.0)


class Plain(base.Scheme):
    @classmethod
    def twice(cls, x, factor=2):
        return cls.pressure(x, factor) + cls.order

    def log(self):
        print(f"{self.shape=}")


@cuda.jit
def slopes(u, out):
    i = cuda.grid(1)
    g = Scheme.ghost
    if g <= i < u.size - g:
        out[i] = Scheme.slope(u[i - 1], u[i], u[i + 1])


@cuda.jit
def steep(u, out):
    window = cuda.local.array(Steep.width, float64)
    i = cuda.grid(1)
    if Steep.ghost <= i < u.size - Steep.ghost:
        for k in range(Steep.width):
            window[k] = u[i + k - Steep.ghost]
        m = Steep.ghost
        out[i] = Steep.slope(window[m - 1], window[m], window[m + 1])


@cuda.jit
def energies(u, out):
    i = cuda.grid(1)
    if i < u.size:
        out[i] = Plain.twice(u[i]) if not Scheme.verbose else Plain.twice(u[i], factor=3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=128)
    u = np.sin(np.linspace(0, 6, parser.parse_args().n))
    out = np.zeros_like(u)
    slopes[4, 64](u, out)
    Plain(4).log()


if __name__ == "__main__":
    main()
