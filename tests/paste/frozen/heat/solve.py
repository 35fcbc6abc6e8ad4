#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Heat equation in two dimensions.

Usage:
    solve.py [--steps N] [--plot]
"""
import argparse
import sys
import time
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numba import cuda, float32, float64

from . import params
from .params import ALPHA, BLOCK as TPB

sys.path.insert(0, str(Path(__file__).parent))
plt.rcParams.update({"font.size": 12, 'axes.grid': True, **{"figure.dpi": 120}})


def init(nx: int = params.NX, ny: int = params.NY, *, hot=100.0):
    u = np.zeros((nx, ny))
    u[nx // 4:3 * nx // 4, ...] = hot
    return u


@cuda.jit
def step(u, new, dt):
    i, j = cuda.grid(2)
    n, m = u.shape
    if 0 < i < n - 1 and 0 < j < m - 1:
        lap = (u[i + 1, j] - 2 * u[i, j] + u[i - 1, j]) / params.DX**2 + \
              (u[i, j + 1] - 2 * u[i, j] + u[i, j - 1]) / params.DY**2
        new[i, j] = u[i, j] + ALPHA * dt * lap
    elif i < n and j < m:
        new[i, j] = u[i, j]


@cuda.jit
def step_shared(u, new, dt):
    tile = cuda.shared.array((TPB[0] + 2, TPB[1] + 2), float64)
    i, j = cuda.grid(2)
    tx = cuda.threadIdx.x + 1
    ty = cuda.threadIdx.y + 1
    n, m = u.shape
    inside = i < n and j < m
    if inside:
        tile[tx, ty] = u[i, j]
        if tx == 1 and i > 0:
            tile[0, ty] = u[i - 1, j]
        if tx == TPB[0] and i < n - 1:
            tile[tx + 1, ty] = u[i + 1, j]
        if ty == 1 and j > 0:
            tile[tx, 0] = u[i, j - 1]
        if ty == TPB[1] and j < m - 1:
            tile[tx, ty + 1] = u[i, j + 1]
    cuda.syncthreads()
    if inside:
        if i == 0 or j == 0 or i == n - 1 or j == m - 1:
            new[i, j] = tile[tx, ty]
        else:
            lap = tile[tx + 1, ty] + tile[tx - 1, ty] + tile[tx, ty + 1] + tile[tx, ty - 1]
            new[i, j] = tile[tx, ty] + ALPHA * dt * (lap - 4 * tile[tx, ty]) / params.DX ** 2


@cuda.jit("void(float64[:,:], float64[:])")
def total(u, out):
    i = cuda.grid(1)
    if i < u.shape[0]:
        s = 0.0
        for j in range(u.shape[1]):
            s += u[i, j]
        cuda.atomic.add(out, 0, s)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--plot", action="store_true")
    args = parser.parse_args(argv)
    u = cuda.to_device(init())
    new = cuda.device_array_like(u)
    grid = tuple((s + b - 1) // b for s, b in zip(u.shape, TPB))
    start = time.perf_counter()
    for _ in range(args.steps):
        step[grid, TPB](u, new, 1e-7)
        u, new = new, u
    cuda.synchronize()
    print(f'{args.steps} steps: {(time.perf_counter() - start) * 1e3:.2f} ms, '
          f"{'plotted' if args.plot else 'not plotted'}")
    if args.plot:
        try:
            plt.imshow(u.copy_to_host(), cmap='hot')
            plt.savefig("heat.png")
        except (OSError, ValueError) as error:
            print("cannot plot:", error, file=sys.stderr)
        finally:
            plt.close('all')
    return 0


if __name__ == "__main__":
    sys.exit(main())
