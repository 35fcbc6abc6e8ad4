"""Lattice Boltzmann D2Q9 in a lid-driven cavity, settings in a dataclass."""
import json
import time
from dataclasses import dataclass, asdict
from functools import lru_cache, partial, wraps
from pathlib import Path

import numpy as np
from numba import config, cuda, float64, int32
from tqdm import tqdm

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0


@dataclass(frozen=True)
class Settings:
    nx: int = 64
    ny: int = 48
    viscosity: float = 0.02
    lid: float = 0.1
    block: tuple = (16, 8)

    @property
    def tau(self):
        return 3 * self.viscosity + 0.5


S = Settings(nx=128)
NX, NY = S.nx, S.ny
OMEGA = 1.0 / (3 * S.viscosity + 0.5)
VELOCITIES = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
CX = np.array([c[0] for c in VELOCITIES], dtype=np.int32)
CY = np.array([c[1] for c in VELOCITIES], dtype=np.int32)
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = np.array([VELOCITIES.index((-x, -y)) for x, y in VELOCITIES]) if False else np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
Q = len(VELOCITIES)


def timed(function):
    @wraps(function)
    def inner(*args, **kwargs):
        begin = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            print(f"{function.__name__}: {time.perf_counter() - begin:.3f} s")
    return inner


@cuda.jit(device=True, fastmath=True)
def equilibrium(q, rho, ux, uy):
    cu = 3.0 * (CX[q] * ux + CY[q] * uy)
    return W[q] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy))


@cuda.jit
def collide(f, rho, u):
    x, y = cuda.grid(2)
    if x >= f.shape[1] or y >= f.shape[2]:
        return
    local = cuda.local.array(Q, float64)
    density = momentum_x = momentum_y = 0.0
    for q in range(Q):
        local[q] = f[q, x, y]
        density += local[q]
        momentum_x += CX[q] * local[q]
        momentum_y += CY[q] * local[q]
    rho[x, y] = density
    u[0, x, y], u[1, x, y] = momentum_x / density, momentum_y / density
    for q in range(Q):
        f[q, x, y] = local[q] - OMEGA * (local[q] - equilibrium(q, density, u[0, x, y], u[1, x, y]))


@cuda.jit
def stream(src, dst):
    x, y = cuda.grid(2)
    nx, ny = src.shape[1:]
    if not (x < nx and y < ny):
        return
    for q in range(Q):
        fx, fy = x - CX[q], y - CY[q]
        if 0 <= fx < nx and 0 <= fy < ny:
            dst[q, x, y] = src[q, fx, fy]
        else:
            lid = 6.0 * W[q] * CX[q] * S.lid if fy >= ny else 0.0
            dst[q, x, y] = src[OPPOSITE[q], x, y] + lid


@cuda.jit
def start(f):
    x, y = cuda.grid(2)
    if x < NX and y < NY:
        for q in range(Q):
            f[q, x, y] = W[q]


class Solver:
    def __init__(self, settings: Settings = S, out: str | Path = "."):
        self.settings, self.out = settings, Path(out)
        shape = (Q, settings.nx, settings.ny)
        self.f, self.g = (cuda.device_array(shape) for _ in range(2))
        self.grid = tuple(-(-n // b) for n, b in zip(shape[1:], settings.block))

    @timed
    def run(self, steps=1000, every=100):
        launch = self.grid, self.settings.block
        for step in (bar := tqdm(range(steps))):
            collide[launch](self.f, self.rho, self.u)
            stream[launch](self.f, self.g)
            self.f, self.g = self.g, self.f
            if not step % every:
                bar.set_postfix({"step": step})
        (self.out / "settings.json").write_text(json.dumps(asdict(self.settings), indent=2))
