from .constants import *
from . import constants as C
from .constants import WATER as default, _private
import numpy as np
from numba import cuda
import math


@cuda.jit(device=True)
def w(r2):
    d = H2 - r2
    return POLY6 * d * d * d if d > 0 else 0.0


@cuda.jit
def density(pos, rho):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    s = 0.0
    for j in range(pos.shape[0]):
        dx = pos[i, 0] - pos[j, 0]
        dy = pos[i, 1] - pos[j, 1]
        s += MASS * w(dx * dx + dy * dy)
    rho[i] = s


@cuda.jit
def pressure(rho, p, kind):
    i = cuda.grid(1)
    if i < rho.size:
        rest = RESTS[kind[i]]
        p[i] = default.stiffness * (rho[i] - rest) + _private


class Integrator:
    dt = 1e-3
    bounds = (0.0, 1.0)
    damping = -0.5
    gravity = C.GRAVITY

    @staticmethod
    @cuda.jit
    def step(pos, vel):
        i = cuda.grid(1)
        if i < pos.shape[0]:
            vel[i, 0] += Integrator.dt * Integrator.gravity.x
            vel[i, 1] += Integrator.dt * C.GRAVITY.y
            for k in range(2):
                pos[i, k] += vel[i, k] * Integrator.dt
                lo, hi = Integrator.bounds
                if pos[i, k] < lo:
                    pos[i, k] = lo
                    vel[i, k] *= Integrator.damping
                elif pos[i, k] > hi:
                    pos[i, k] = hi
                    vel[i, k] *= Integrator.damping


@cuda.jit
def viscosity(rho, out):
    i = cuda.grid(1)
    if i < rho.size:
        out[i] = rho[i] * C.BY_NAME["oil"].viscosity + C.OIL.rest + C.FLUIDS[0].rest
