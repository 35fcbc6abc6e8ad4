"""N-body simulation with animation."""
import math
import numpy as np
from numba import cuda, float32
from dataclasses import dataclass, field
from typing import Optional, List

try:
    import pygame
    from pygame.locals import QUIT, KEYDOWN
    HAVE_PYGAME = True
except ImportError:
    pygame = None
    HAVE_PYGAME = False

SOFTENING = 1e-9
G = 6.674e-11
THREADS = 128


@dataclass
class Config:
    n: int = 1024
    dt: float = 0.01
    colors: List[str] = field(default_factory=lambda: ["red", "green"])
    seed: Optional[int] = None

    @property
    def blocks(self) -> int:
        return math.ceil(self.n / THREADS)


@cuda.jit(device=True)
def body_body(bi, bj, acc):
    rx, ry, rz = bj[0] - bi[0], bj[1] - bi[1], bj[2] - bi[2]
    dist = rx * rx + ry * ry + rz * rz + SOFTENING
    inv = 1.0 / math.sqrt(dist)
    s = bj[3] * inv * inv * inv
    return acc[0] + rx * s, acc[1] + ry * s, acc[2] + rz * s


@cuda.jit(fastmath=True)
def forces(pos, acc):
    sh = cuda.shared.array((THREADS, 4), dtype=float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    a = (0.0, 0.0, 0.0)
    me = (pos[i, 0], pos[i, 1], pos[i, 2])
    for tile in range(cuda.gridDim.x):
        k = tile * THREADS + t
        for c in range(4):
            sh[t, c] = pos[k, c]
        cuda.syncthreads()
        for j in range(THREADS):
            a = body_body(me, sh[j], a)
        cuda.syncthreads()
    acc[i, 0], acc[i, 1], acc[i, 2] = a


@cuda.jit
def integrate(pos, vel, acc, dt):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    for c in range(3):
        vel[i, c] += G * acc[i, c] * dt
        pos[i, c] += vel[i, c] * dt


class Simulation:
    """Holds what lies on the device."""

    def __init__(self, config: Config) -> None:
        self.config = config
        rng = np.random.default_rng(config.seed)
        self.pos = cuda.to_device(rng.random((config.n, 4)).astype(np.float32))
        self.vel = cuda.device_array((config.n, 3), np.float32)
        self.acc = cuda.device_array((config.n, 3), np.float32)

    def __repr__(self):
        return f"{type(self).__name__}(n={self.config.n:,}, dt={self.config.dt!r})"

    def step(self):
        forces[self.config.blocks, THREADS](self.pos, self.acc)
        integrate[self.config.blocks, THREADS](self.pos, self.vel, self.acc, self.config.dt)

    def run(self, steps):
        yield from (self.step() for _ in range(steps))


if __name__ == "__main__":
    sim = Simulation(Config(n=4096))
    if HAVE_PYGAME:
        pygame.init()
        running = True
        while running:
            for event in pygame.event.get():
                if event.type == QUIT:
                    running = False
            sim.step()
    else:
        for _ in sim.run(10):
            pass
