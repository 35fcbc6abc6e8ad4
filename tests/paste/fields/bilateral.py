#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Bilateral, median and morphological filters."""
import math
import os
import sys
from functools import lru_cache, partial, wraps
from pathlib import Path

import numpy as np
import numba as nb
from numba import cuda
from numba.types import float32, int32, uint8

BLOCK = tuple(int(v) for v in os.environ.get("BLOCK", "16,16").split(","))
RADIUS = 3
PAD = 2 * RADIUS
TILE = (BLOCK[0] + PAD, BLOCK[1] + PAD)
SPATIAL = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1)[:, None] ** 2 + np.arange(-RADIUS, RADIUS + 1)[None, :] ** 2) / 4.0).astype(np.float32)


def timed(fn):
    """Prints how long a host function takes."""
    @wraps(fn)
    def inner(*args, **kwargs):
        import time
        t0 = time.perf_counter()
        try:
            return fn(*args, **kwargs)
        finally:
            print(f"{fn.__name__}: {time.perf_counter() - t0:.3f}s", file=sys.stderr)
    return inner


@cuda.jit(device=True)
def clamp(v, lo, hi):
    return max(lo, min(v, hi))


@cuda.jit(fastmath=True)
def bilateral(src, dst, sigma_r):
    tile = cuda.shared.array(shape=TILE, dtype=float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    h, w = src.shape
    for i in range(tx, TILE[0], cuda.blockDim.x):
        for j in range(ty, TILE[1], cuda.blockDim.y):
            gx = clamp(cuda.blockIdx.x * cuda.blockDim.x + i - RADIUS, 0, h - 1)
            gy = clamp(cuda.blockIdx.y * cuda.blockDim.y + j - RADIUS, 0, w - 1)
            tile[i, j] = src[gx, gy]
    cuda.syncthreads()
    if x >= h or y >= w:
        return
    centre = tile[tx + RADIUS, ty + RADIUS]
    total = norm = float32(0.0)
    for i in range(-RADIUS, RADIUS + 1):
        for j in range(-RADIUS, RADIUS + 1):
            v = tile[tx + RADIUS + i, ty + RADIUS + j]
            weight = SPATIAL[i + RADIUS, j + RADIUS] * math.exp(-((v - centre) ** 2) / (2 * sigma_r ** 2))
            total += weight * v
            norm += weight
    dst[x, y] = total / norm


@cuda.jit
def median3(src, dst):
    y, x = cuda.grid(2)
    if 0 < y < src.shape[0] - 1 and 0 < x < src.shape[1] - 1:
        window = cuda.local.array(9, nb.uint8)
        k = 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                window[k] = src[y + dy, x + dx]
                k += 1
        for a in range(5):
            least = a
            for b in range(a + 1, 9):
                if window[b] < window[least]:
                    least = b
            window[a], window[least] = window[least], window[a]
        dst[y, x] = window[4]


def make_morph(op, size=3):
    """A kernel for one operation and size."""
    half = size // 2
    start = 255 if op is min else 0

    @cuda.jit
    def morph(src, dst):
        y, x = cuda.grid(2)
        if y < src.shape[0] and x < src.shape[1]:
            best = start
            for i in range(max(y - half, 0), min(y + half + 1, src.shape[0])):
                for j in range(max(x - half, 0), min(x + half + 1, src.shape[1])):
                    best = op(best, src[i, j])
            dst[y, x] = best

    return morph


erode, dilate = make_morph(min), make_morph(max)


@timed
def run(path: Path, *, sigma: float = 0.1) -> np.ndarray:
    with open(path, "rb") as handle:
        img = np.load(handle)
    out = cuda.device_array_like(img)
    grid = tuple(math.ceil(s / b) for s, b in zip(img.shape, BLOCK))
    bilateral[grid, BLOCK](cuda.to_device(img), out, sigma)
    return out.copy_to_host()


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])) is None)
