"""Stencils and updates for a two-species reaction, assembled from small builders.

Which kernels there are is decided in one place, from tables, so that a run can be configured by
editing these and nothing else.
"""
import argparse
import functools
import logging
from collections import OrderedDict
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from numba import cuda

log = logging.getLogger(__name__)

THREADS = 128
RATES = {"slow": 0.25, "fast": 2.0}
REACTION = dict(feed=0.5, kill=0.125)


def make_decay(rate, offset=0.0):
    """x' = -rate x + offset, one step of it."""

    @cuda.jit
    def decay(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] - rate * x[i] + offset

    return decay


def make_reaction(feed, kill, *, order=2):
    @cuda.jit
    def react(u, v, out):
        i = cuda.grid(1)
        if i < u.size:
            out[i] = feed * (1 - u[i]) - kill * v[i] ** order

    return react


def make_typed(signature, factor):
    @cuda.jit(signature)
    def scaled(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = factor * x[i]

    return scaled


@dataclass
class Grid:
    points: int = 64
    spacing: float = 0.5


class Diffusion:
    """Second difference along a line, for one spacing."""

    def __init__(self, spacing):
        self.weight = 1 / spacing ** 2
        self.kernel = self.build()

    def build(self):
        weight = self.weight

        @cuda.jit
        def diffuse(x, out):
            i = cuda.grid(1)
            if 0 < i < x.size - 1:
                out[i] = weight * (x[i - 1] - 2 * x[i] + x[i + 1])

        return diffuse


# ---- by partial application, and with what tables hold
quarter = functools.partial(make_decay, 0.25)()
lifted = functools.partial(make_decay, offset=3.0)(0.5)
pair = (0.75, 1.0)
driven = make_decay(*pair)
react = make_reaction(**REACTION)
cubic = make_reaction(**{**REACTION, "order": 3})

# ---- one for each entry
by_rate = {name: make_decay(rate) for name, rate in RATES.items()}
slow, fast = [make_decay(rate) for rate in RATES.values()]
steps = [make_decay(0.125 * n) for n in range(1, 4)]
steps[0] = make_decay(1.0, offset=7.0)
first = steps[0]
stages = []
for n in range(3):
    stages.append(make_decay(n, n + 0.5))
last_stage = stages[-1]
typed = OrderedDict((name, make_typed(f"void({name}[::1], {name}[::1])", 4))
                    for name in ("float32", "float64"))
single = typed["float32"]

# ---- of objects
diffusion = Diffusion(0.5)
diffuse = diffusion.kernel



# ---- of plain functions
def double(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = 2 * x[i]


def square(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] ** 2


MAPS = {"double": double, "square": square}
maps = {name: cuda.jit(function) for name, function in MAPS.items()}


class Shift:
    def __init__(self):
        self.kernel = cuda.jit(self.shifted)

    @staticmethod
    def shifted(x, out):
        i = cuda.grid(1)
        if i + 1 < x.size:
            out[i] = x[i + 1]


shift = Shift()

# ---- by what only a run can tell
measured = make_decay(np.loadtxt("rates.txt")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    grid = Grid()
    x = cuda.to_device(np.random.rand(grid.points))
    out = cuda.device_array_like(x)
    for _ in range(args.steps):
        for kernel in (slow, fast, first):
            kernel[(grid.points + THREADS - 1) // THREADS, THREADS](x, out)
        x, out = out, x
    log.info("done: %f", x.copy_to_host().sum())
    plt.plot(x.copy_to_host())
    plt.show()


if __name__ == "__main__":
    main()
