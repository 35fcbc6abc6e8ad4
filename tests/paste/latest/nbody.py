#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""N-body simulation with a leapfrog integrator (GPU and CPU back ends)."""
from __future__ import annotations, print_function

import argparse
import logging
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

try:
    import matplotlib.pyplot as plt
    from mpl_toolkits.mplot3d import Axes3D  # noqa: F401
    HAS_MPL = True
except ImportError:  # pragma: no cover
    plt = None
    HAS_MPL = False

from numba import cuda, float32, njit, prange

if TYPE_CHECKING:
    from numba.cuda.cudadrv.devicearray import DeviceNDArray
    ArrayLike = Union[npt.NDArray[np.float32], DeviceNDArray]

logger = logging.getLogger(__name__)
__version__ = "1.4.2"
SOFTENING: float = 1e-3
TPB = int(os.environ.get("NBODY_TPB", 128))
G = 6.674e-11 if os.getenv("NBODY_SI") else 1.0
_EPS2 = float32(SOFTENING * SOFTENING)


@dataclass(frozen=True)
class Config:
    n: int = 1024
    dt: float = 0.01
    steps: int = 100
    out: Path = field(default_factory=lambda: Path("out"))
    callback: Optional[Callable[[int], None]] = None

    def __post_init__(self):
        if self.n <= 0:
            raise ValueError(f"n must be positive, got {self.n!r}")

    @property
    def blocks(self) -> int:
        return (self.n + TPB - 1) // TPB


@cuda.jit(device=True, inline=True)
def body_body(ax, ay, az, xi, yi, zi, xj, yj, zj, mj):
    rx = xj - xi
    ry = yj - yi
    rz = zj - zi
    d2 = rx * rx + ry * ry + rz * rz + _EPS2
    inv = 1.0 / (d2 * d2 * d2) ** 0.5
    s = mj * inv
    return ax + rx * s, ay + ry * s, az + rz * s


@cuda.jit
def forces(pos, mass, acc):
    sh = cuda.shared.array((TPB, 4), dtype=float32)
    i = cuda.grid(1)
    tx = cuda.threadIdx.x
    n = pos.shape[0]
    xi = yi = zi = float32(0)
    if i < n:
        xi, yi, zi = pos[i, 0], pos[i, 1], pos[i, 2]
    ax = ay = az = float32(0.0)
    for tile in range((n + TPB - 1) // TPB):
        j = tile * TPB + tx
        if j < n:
            for k in range(3):
                sh[tx, k] = pos[j, k]
            sh[tx, 3] = mass[j]
        else:
            sh[tx, 3] = 0
            sh[tx, 0] = sh[tx, 1] = sh[tx, 2] = 0
        cuda.syncthreads()
        for k in range(TPB):
            ax, ay, az = body_body(ax, ay, az, xi, yi, zi, sh[k, 0], sh[k, 1], sh[k, 2], sh[k, 3])
        cuda.syncthreads()
    if i < n:
        acc[i, 0], acc[i, 1], acc[i, 2] = G * ax, G * ay, G * az


@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1], float32)")
def kick_drift(pos: ArrayLike, vel: ArrayLike, acc: ArrayLike, dt: float) -> None:
    """v += a dt; x += v dt"""
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    for k in range(3):
        vel[i, k] += acc[i, k] * dt
        pos[i, k] += vel[i, k] * dt


@njit(parallel=True, fastmath=True)
def energy_cpu(pos, vel, mass):
    e = 0.0
    for i in prange(pos.shape[0]):
        e += 0.5 * mass[i] * (vel[i] ** 2).sum()
    return e


class Simulation:
    _registry: dict[str, type["Simulation"]] = {}

    def __init_subclass__(cls, /, name: str = "", **kw):
        super().__init_subclass__(**kw)
        Simulation._registry[name or cls.__name__.lower()] = cls

    def __init__(self, cfg: Config, *, seed: int | None = None):
        rng = np.random.default_rng(seed)
        self.cfg = cfg
        self.pos = cuda.to_device(rng.standard_normal((cfg.n, 3)).astype(np.float32))
        self.vel = cuda.to_device(np.zeros((cfg.n, 3), np.float32))
        self.acc = cuda.device_array((cfg.n, 3), np.float32)
        self.mass = cuda.to_device(np.full(cfg.n, 1 / cfg.n, dtype=np.float32))

    def step(self) -> None:
        forces[self.cfg.blocks, TPB](self.pos, self.mass, self.acc)
        kick_drift[self.cfg.blocks, TPB](self.pos, self.vel, self.acc, np.float32(self.cfg.dt))

    def run(self):
        with np.errstate(all="ignore"):
            for s in range(self.cfg.steps):
                self.step()
                if (cb := self.cfg.callback) is not None:
                    cb(s)
        return self


class Quiet(Simulation, name="quiet"):
    pass


def parse(argv=None) -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("-n", type=int, default=Config.n)
    p.add_argument("--steps", type=int, default=Config.steps)
    p.add_argument("--plot", action=argparse.BooleanOptionalAction, default=False)
    return p.parse_args(argv)


def main(argv=None) -> int:
    ns = parse(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    t0 = time.perf_counter()
    sim = Simulation._registry["quiet"](Config(n=ns.n, steps=ns.steps), seed=0).run()
    cuda.synchronize()
    logger.info("%d steps in %.3f s", ns.steps, time.perf_counter() - t0)
    if ns.plot and HAS_MPL:
        fig = plt.figure(figsize=(8, 8))
        ax = fig.add_subplot(111, projection="3d")
        ax.scatter(*sim.pos.copy_to_host().T, s=1)
        plt.savefig(ns.out / "nbody.png", dpi=200, bbox_inches="tight")
    return 0


if __name__ == "__main__":
    sys.exit(main())
