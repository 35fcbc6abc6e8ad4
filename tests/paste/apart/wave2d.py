#!/usr/bin/env python
"""2-D acoustic wave solver. Usage: python wave2d.py --nx 512 --steps 1000 --plot"""
from __future__ import annotations
import argparse, dataclasses, time, logging
from pathlib import Path
from typing import Optional, Tuple, Callable
import numpy as np
try:
    import matplotlib.pyplot as plt
    HAVE_PLT = True
except ImportError:
    plt = None
    HAVE_PLT = False
import numba as nb
from numba import cuda, types, float32, int32

log = logging.getLogger(__name__)
TPB: Tuple[int, int] = (16, 16)
STENCIL = {2: (1.0, -2.0), 4: (4.0 / 3.0, -1.0 / 12.0, -5.0 / 2.0), 8: np.array([8/5, -1/5, 8/315, -1/560, -205/72], dtype=np.float32)}
ORDER = 4
HALO = ORDER // 2
C0, C1, CC = (float32(c) for c in STENCIL[4])

@dataclasses.dataclass(frozen=True)
class Params:
    nx: int = 256
    ny: int = 256
    dx: float = 10.0
    dt: float = 1e-3
    f0: float = 15.0
    @property
    def shape(self):
        return self.ny, self.nx
    def ricker(self, t: float) -> float:
        a = (np.pi * self.f0 * (t - 1.0 / self.f0)) ** 2
        return (1 - 2 * a) * np.exp(-a)

DEFAULT = Params()
SRC = (DEFAULT.ny // 2, DEFAULT.nx // 2)

@cuda.jit(device=True, inline=True)
def laplacian(u, i, j):
    s = 2 * CC * u[i, j]
    for k, c in enumerate((C0, C1)):
        s += c * (u[i + k + 1, j] + u[i - k - 1, j] + u[i, j + k + 1] + u[i, j - k - 1])
    return s

@cuda.jit("void(float32[:,::1], float32[:,::1], float32[:,::1], float32)", fastmath=True)
def step(u, up, vel2, dtdx2):
    j, i = cuda.grid(2)
    if HALO <= i < u.shape[0] - HALO and HALO <= j < u.shape[1] - HALO:
        up[i, j] = 2 * u[i, j] - up[i, j] + dtdx2 * vel2[i, j] * laplacian(u, i, j)

@cuda.jit
def inject(u, amp):
    u[SRC] += amp

@cuda.jit
def sponge(u, width: int, strength: float = 0.015):
    i, j = cuda.grid(2)
    ny, nx = u.shape
    if i >= ny or j >= nx:
        return
    d = min(i, j, ny - 1 - i, nx - 1 - j)
    if d < width:
        u[i, j] *= math_exp(-(strength * (width - d)) ** 2)

from math import exp as math_exp

class Solver:
    """Holds the device arrays."""
    block = TPB
    def __init__(self, p: Params = DEFAULT, stream=None):
        self.p, self.stream = p, stream or cuda.stream()
        self.u, self.up = (cuda.to_device(np.zeros(p.shape, np.float32)) for _ in range(2))
        self.grid = tuple(-(-n // b) for n, b in zip(p.shape[::-1], self.block))
        self._energy = self._make_energy(np.float32)
    @staticmethod
    def _make_energy(dtype):
        @cuda.jit
        def energy(u, up, out):
            sm = cuda.shared.array(shape=(TPB[1], TPB[0]), dtype=dtype)
            tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
            j, i = cuda.grid(2)
            v = dtype(0)
            if i < u.shape[0] and j < u.shape[1]:
                d = u[i, j] - up[i, j]
                v = d * d
            sm[ty, tx] = v
            cuda.syncthreads()
            if tx == 0 and ty == 0:
                acc = dtype(0)
                for a in range(TPB[1]):
                    for b in range(TPB[0]):
                        acc += sm[a, b]
                cuda.atomic.add(out, 0, acc)
        return energy
    def __enter__(self): return self
    def __exit__(self, *exc): self.stream.synchronize()
    def run(self, n: int, cb: Optional[Callable] = None):
        for it in range(n):
            inject[1, 1, self.stream](self.u, np.float32(self.p.ricker(it * self.p.dt)))
            step[self.grid, self.block, self.stream](self.u, self.up, self.u, np.float32(1))
            self.u, self.up = self.up, self.u
            if cb and not it % 100: cb(it, self)

def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--nx", type=int, default=256); ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--plot", action="store_true")
    a = ap.parse_args(argv)
    with Solver(dataclasses.replace(DEFAULT, nx=a.nx)) as s:
        t0 = time.perf_counter(); s.run(a.steps, lambda i, s: log.info(f"{i:5d} {s.u.copy_to_host().max():.3e}"))
        print(f"{a.steps / (time.perf_counter() - t0):.1f} steps/s")
        if a.plot and HAVE_PLT:
            plt.imshow(s.u.copy_to_host(), cmap="seismic"); plt.savefig(Path(__file__).with_suffix(".png"))

if __name__ == "__main__":
    main()
