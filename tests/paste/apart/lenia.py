"""Continuous cellular automaton (Lenia) on the GPU."""
import os, sys
os.environ.setdefault("NUMBA_CUDA_LOG_LEVEL", "WARNING")
import math, random, itertools
import numpy as np
import numba.cuda as cu
from numba import float32 as f4, uint8 as u1, complex64 as c8
from numba.types import UniTuple, Tuple
from typing import NamedTuple, Final
import click
from PIL import Image
from tqdm import trange

R: Final = 13
N = 1 << 8
BETA = [1, 2/3, 1/3]
KERNEL = np.fromfunction(lambda y, x: np.hypot(y - R, x - R) / R, (2 * R + 1, 2 * R + 1))
KERNEL = np.where(KERNEL < 1, np.exp(4 - 1 / np.maximum(KERNEL * (1 - KERNEL), 1e-9)), 0).astype(np.float32)
KERNEL /= KERNEL.sum()
MU, SIGMA, DT = 0.15, 0.017, 0.1
threads = bx, by = 32, 8
blocks = tuple(math.ceil(N / t) for t in threads)
LUT = {name: i for i, name in enumerate("dead growing alive".split())}
ALIVE = LUT["alive"]

class Rule(NamedTuple):
    mu: float
    sigma: float
    kind: int = 0

growth = cu.jit(lambda u, r: 2 * math.exp(-((u - r.mu) / r.sigma) ** 2 / 2) - 1, device=True)

@cu.jit(device=True)
def wrap(i, n=N):
    return (i % n + n) % n

@cu.jit
def convolve(src, dst, rule):
    x, y = cu.grid(2)
    if x >= src.shape[1] or y >= src.shape[0]: return
    K = cu.const.array_like(KERNEL)
    acc = f4(0)
    for dy in range(-R, R + 1):
        for dx in range(-R, R + 1):
            acc += K[dy + R, dx + R] * src[wrap(y + dy), wrap(x + dx)]
    v = src[y, x] + f4(DT) * growth(acc, rule)
    dst[y, x] = min(max(v, 0.), 1.)

@cu.jit
def convolve_shared(src, dst, mu, sigma):
    tile = cu.shared.array((by + 2 * R, bx + 2 * R), f4)
    tx, ty = cu.threadIdx.x, cu.threadIdx.y
    x0, y0 = cu.blockIdx.x * bx - R, cu.blockIdx.y * by - R
    for yy in range(ty, tile.shape[0], by):
        for xx in range(tx, tile.shape[1], bx):
            tile[yy, xx] = src[wrap(y0 + yy), wrap(x0 + xx)]
    cu.syncthreads()
    s = f4(0.)
    k = cu.const.array_like(KERNEL)
    for dy, dx in np.ndindex(k.shape):
        s += k[dy, dx] * tile[ty + dy, tx + dx]
    x, y = cu.grid(2)
    if x < N and y < N:
        g = 2 * math.exp(-((s - mu) / sigma) ** 2 / 2) - 1
        dst[y, x] = max(f4(0), min(f4(1), src[y, x] + DT * g))

@cu.jit
def colour(f, rgb):
    x, y = cu.grid(2)
    if (x < f.shape[1]) & (y < f.shape[0]):
        v = f[y, x]
        rgb[y, x, 0] = u1(255 * v)
        rgb[y, x, 1] = u1(255 * v ** 2)
        rgb[y, x, 2] = u1(255 * (1 - abs(2 * v - 1)))

@cu.jit
def classify(f, hist):
    loc = cu.shared.array(len(LUT), np.uint32)
    t = cu.threadIdx.x + cu.threadIdx.y * cu.blockDim.x
    if t < len(LUT):
        loc[t] = 0
    cu.syncthreads()
    x, y = cu.grid(2)
    if x < f.shape[1] and y < f.shape[0]:
        v = f[y, x]
        cls = LUT["dead"] if v < .1 else LUT["growing"] if v < .5 else ALIVE
        cu.atomic.inc(loc, cls, 1 << 30)
    cu.syncthreads()
    if t < len(LUT):
        cu.atomic.add(hist, t, loc[t])

@click.command()
@click.option("--steps", default=100)
def cli(steps):
    rng = np.random.default_rng(0)
    a = cu.to_device(rng.random((N, N), dtype=np.float32)); b = cu.device_array_like(a)
    for _ in trange(steps):
        convolve[blocks, threads](a, b, Rule(MU, SIGMA)); a, b = b, a
    rgb = cu.device_array((N, N, 3), np.uint8)
    colour[blocks, threads](a, rgb)
    Image.fromarray(rgb.copy_to_host()).save("lenia.png")

if __name__ == "__main__":
    cli()
