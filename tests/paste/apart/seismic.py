#!/usr/bin/env python
"""Eikonal solver by fast sweeping. Usage: python seismic.py [--n 64]"""
from __future__ import annotations
import argparse, contextlib, functools, itertools, time
from dataclasses import dataclass, field
from typing import NamedTuple, Final, ClassVar
import numpy as np
from numba import cuda, float64 as f8, int32 as i4, boolean

BIG: Final = 1e9
SWEEPS = list(itertools.product((1, -1), repeat=2))
EPS = np.finfo(np.float64).eps
INF32 = np.finfo("f4").max

class Grid(NamedTuple):
    nx: int
    ny: int
    h: float = 1.0
    @property
    def shape(self): return (self.ny, self.nx)

@dataclass
class Config:
    grid: Grid = field(default_factory=lambda: Grid(33, 17, 0.5))
    iterations: int = 4
    block: ClassVar[tuple] = (8, 8)

@contextlib.contextmanager
def timed(name):
    t = time.perf_counter()
    yield
    _ = time.perf_counter() - t

@cuda.jit(device=True, inline="always")
def solve(a: float, b: float, s: float) -> float:
    lo, hi = (a, b) if a < b else (b, a)
    if hi - lo >= s:
        return lo + s
    return 0.5 * (lo + hi + (2.0 * s * s - (hi - lo) ** 2) ** 0.5)

@cuda.jit("void(float64[:, ::1], float64[:, ::1], float64, int32, boolean[::1])")
def relax(t, slow, h, parity, changed):
    x, y = cuda.grid(2)
    ny, nx = t.shape
    if not (0 <= x < nx and 0 <= y < ny) or (x + y) & 1 != parity:
        return
    l = t[y, x - 1] if x > 0 else BIG
    r = t[y, x + 1] if x < nx - 1 else BIG
    u = t[y - 1, x] if y else BIG
    d = t[y + 1, x] if y + 1 < ny else BIG
    new = solve(min(l, r), min(u, d), slow[y, x] * h)
    if new < t[y, x] - 4 * EPS:
        t[y, x], changed[0] = new, True

def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--n", type=int, default=9)
    opt = ap.parse_args(argv)
    cfg = Config()
    g = cfg.grid._replace(nx=opt.n + 24)
    t = np.full(g.shape, BIG)
    t[g.ny // 2, g.nx // 2] = 0
    slow = 1 + 0.1 * np.sin(np.arange(g.nx * g.ny)).reshape(g.shape)
    blocks = tuple(-(-n // b) for n, b in zip(g.shape[::-1], cfg.block))
    dt, ds = cuda.to_device(t), cuda.to_device(slow)
    flag = cuda.device_array(1, dtype=np.bool_)
    rounds = 0
    with timed("relax"):
        while True:
            flag.copy_to_device(np.zeros(1, bool))
            for parity in (0, 1):
                relax[blocks, cfg.block](dt, ds, g.h, parity, flag)
            rounds += 1
            if not flag.copy_to_host()[0] or rounds > 200:
                break
    out = dt.copy_to_host()
    print(rounds > 5, f"{out.max():.9f} {out.sum():.6f} {out[0, 0]:.9f}")

if __name__ == "__main__":
    main([])
