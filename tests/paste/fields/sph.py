"""Smoothed-particle hydrodynamics in 2-D (weakly compressible)."""
from __future__ import annotations

import argparse
import logging
import math
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import numpy as np
from numba import cuda, float64, int32

try:
    import matplotlib.pyplot as plt
    HAVE_PLOT = True
except ImportError:
    plt = None
    HAVE_PLOT = False

log = logging.getLogger(__name__)


class Material(NamedTuple):
    rho0: float
    c0: float
    gamma: float = 7.0


@dataclass(frozen=True)
class Config:
    h: float = 0.02
    dx: float = 0.01
    gravity: tuple = (0.0, -9.81)
    material: Material = Material(1000.0, 30.0)
    threads: int = 128
    limits: dict = field(default_factory=lambda: {"x": 1.0, "y": 2.0})

    @property
    def b(self) -> float:
        return self.material.rho0 * self.material.c0 ** 2 / self.material.gamma


CFG = Config()
H = CFG.h
SIGMA = 10.0 / (7.0 * math.pi * H * H)
RHO0, C0, GAMMA = CFG.material
B = CFG.b
GX, GY = CFG.gravity
XMAX = CFG.limits["x"]


@cuda.jit(device=True, inline=True)
def w_cubic(r):
    q = r / H
    if q < 1.0:
        return SIGMA * (1.0 - 1.5 * q ** 2 + 0.75 * q ** 3)
    elif q < 2.0:
        return SIGMA * 0.25 * (2.0 - q) ** 3
    return 0.0


@cuda.jit("float64(float64)", device=True)
def dw_cubic(r):
    q = r / H
    if q < 1.0:
        return SIGMA / H * (-3.0 * q + 2.25 * q * q)
    if q < 2.0:
        return -SIGMA / H * 0.75 * (2.0 - q) ** 2
    return 0.0


@cuda.jit
def density(pos, mass, rho, p):
    i = cuda.grid(1)
    n = pos.shape[0]
    if i >= n:
        return
    acc = 0.0
    xi, yi = pos[i]
    for j in range(n):
        dx, dy = xi - pos[j, 0], yi - pos[j, 1]
        acc += mass[j] * w_cubic(math.hypot(dx, dy))
    rho[i] = acc
    p[i] = B * ((acc / RHO0) ** GAMMA - 1.0)


@cuda.jit
def forces(pos, vel, mass, rho, p, acc, alpha=0.1):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        ax, ay = GX, GY
        for j in range(pos.shape[0]):
            if j == i:
                continue
            dx = pos[i, 0] - pos[j, 0]
            dy = pos[i, 1] - pos[j, 1]
            r = math.sqrt(dx * dx + dy * dy)
            if not (0.0 < r < 2.0 * H):
                continue
            vr = (vel[i, 0] - vel[j, 0]) * dx + (vel[i, 1] - vel[j, 1]) * dy
            visc = 0.0 if vr >= 0 else -alpha * C0 * H * vr / (r * r + 0.01 * H * H) / (0.5 * (rho[i] + rho[j]))
            f = -mass[j] * (p[i] / rho[i] ** 2 + p[j] / rho[j] ** 2 + visc) * dw_cubic(r) / r
            ax += f * dx
            ay += f * dy
        acc[i, 0], acc[i, 1] = ax, ay


@cuda.jit
def integrate(pos, vel, acc, dt: float):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        for k in range(2):
            vel[i, k] += dt * acc[i, k]
            pos[i, k] += dt * vel[i, k]
        if pos[i, 0] < 0 or pos[i, 0] > XMAX:
            vel[i, 0] *= -0.5
            pos[i, 0] = min(max(pos[i, 0], 0.0), XMAX)


class Simulation:
    def __init__(self, n: int, cfg: Config = CFG, rng: Optional[np.random.Generator] = None):
        rng = rng or np.random.default_rng(0)
        self.cfg = cfg
        self.pos = cuda.to_device(rng.random((n, 2)))
        self.vel = cuda.device_array((n, 2))
        self.grid = (n + cfg.threads - 1) // cfg.threads

    def step(self, dt):
        density[self.grid, self.cfg.threads](self.pos, self.mass, self.rho, self.p)
        log.debug("stepped %s", f"{dt:.3e}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000)
    args = parser.parse_args()
    Simulation(args.n).step(1e-4)
