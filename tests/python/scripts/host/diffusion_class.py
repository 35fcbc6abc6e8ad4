#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Lid-driven diffusion, object oriented, with an optional plot."""
from __future__ import annotations
import argparse
import math
import time
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
from numba import cuda, float32, int32
import numba as nb

try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

TPB = (16, 16)


@dataclass
class Config:
    nx: int = 64
    ny: int = 48
    steps: int = 20
    alpha: float = 0.1
    extra: dict = field(default_factory=dict)


@cuda.jit(device=True, inline=True)
def clamp(i: int, n: int) -> int:
    return min(max(i, 0), n - 1)


@cuda.jit("void(float32[:,:], float32[:,:], float32)")
def step_kernel(u, out, alpha):
    i, j = cuda.grid(2)
    nx, ny = u.shape
    if i >= nx or j >= ny:
        return
    c = u[i, j]
    lap = u[clamp(i - 1, nx), j] + u[clamp(i + 1, nx), j] + u[i, clamp(j - 1, ny)] + u[i, clamp(j + 1, ny)] - float32(4) * c
    out[i, j] = c + alpha * lap


class Simulation:
    """Holds two buffers on the device"""
    instances = 0

    def __init__(self, cfg: Config, initial: Optional[np.ndarray] = None):
        self.cfg = cfg
        type(self).instances += 1
        host = initial if initial is not None else np.zeros((cfg.nx, cfg.ny), np.float32)
        self._bufs = [cuda.to_device(host), cuda.device_array_like(host)]
        self._blocks = tuple(math.ceil(n / t) for n, t in zip(host.shape, TPB))

    @property
    def field(self):
        return self._bufs[0].copy_to_host()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        del self._bufs

    def run(self, steps):
        kernel = step_kernel[self._blocks, TPB]
        for _ in range(steps):
            kernel(self._bufs[0], self._bufs[1], np.float32(self.cfg.alpha))
            self._bufs.reverse()
        cuda.synchronize()
        return self


def reference(u, alpha, steps):
    for _ in range(steps):
        p = np.pad(u, 1, mode="edge")
        u = (u + np.float32(alpha) * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - np.float32(4) * u)).astype(np.float32)
    return u


def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--nx", type=int, default=64)
    ap.add_argument("--plot", action="store_true")
    args = ap.parse_args(argv)
    cfg = Config(nx=args.nx)
    rng = np.random.default_rng(0)
    u0 = rng.random((cfg.nx, cfg.ny), dtype=np.float32)
    t0 = time.perf_counter()
    with Simulation(cfg, u0) as sim:
        got = sim.run(cfg.steps).field
    print(f"{cfg.steps} steps took {(time.perf_counter() - t0) > 0}")
    np.testing.assert_allclose(got, reference(u0, cfg.alpha, cfg.steps), rtol=1e-4)
    print("signatures:", step_kernel.signatures, nb.typeof(np.float32(2)), nb.typeof(u0))
    if args.plot and plt is not None:
        plt.imshow(got)
        plt.show()


if __name__ == "__main__":
    main()
