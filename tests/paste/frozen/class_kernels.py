"""Kernels as static methods of a class."""
import math
import numpy as np
from numba import cuda
import scipy.constants as const
from scipy.constants import c as LIGHT, hbar, pi
from enum import IntEnum


class Boundary(IntEnum):
    OPEN = 0
    PERIODIC = 1
    REFLECTING = 2


class Photon:
    N_BINS = 128
    COUNT = 0

    def __init__(self, energy, weight=1.):
        self.energy, self.weight = energy, weight
        Photon.COUNT += 1

    @staticmethod
    @cuda.jit(device=True)
    def wavelength(energy):
        return const.h * const.c / energy

    @staticmethod
    @cuda.jit
    def propagate(x, direction, t, bound):
        i = cuda.grid(1)
        if i < x.size:
            y = x[i] + direction[i] * LIGHT * t
            if bound == Boundary.PERIODIC:
                y = y % 1.0
            elif bound == Boundary.REFLECTING and y < 0:
                y = -y
            x[i] = y

    @classmethod
    def count(cls):
        return cls.COUNT

    def __lt__(self, other): return self.energy < other.energy


@cuda.jit
def colours(energy, out):
    i = cuda.grid(1)
    if i < energy.size:
        lam = Photon.wavelength(energy[i])
        out[i] = 2 * pi / lam * hbar


@cuda.jit
def bins(x, hist):
    i = cuda.grid(1)
    if i < x.size:
        b = int(x[i] * Photon.N_BINS)
        if 0 <= b < Photon.N_BINS:
            cuda.atomic.add(hist, b, 1)


class Runner(object):
    def __call__(self, *args, **kwargs):
        with cuda.defer_cleanup():
            for photon in sorted([Photon(e) for e in np.linspace(1, 2, 5)], reverse=True):
                yield photon
        del args
