#!/usr/bin/env python3
"""Compares filters over line lengths: python filters_lab.py --filter box --width 3 --plot out.png"""
import argparse
import time

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numba import cuda

from plasma import shapes
from plasma.device import blocks_2d


def make_window(kind):
    """A factory of factories: what a window of a kind and a width does to a line."""
    if kind not in ("box", "edge"):
        raise ValueError(f"no window {kind!r}")

    def of_width(width, gain=1.0):
        @cuda.jit
        def window(x, y):
            i = cuda.grid(1)
            if width <= i < x.size - width:
                total = 0.0
                for j in range(-width, width + 1):
                    if kind == "box":
                        total += x[i + j]
                    else:
                        total += x[i + j] * (1 if j > 0 else -1 if j < 0 else 0)
                y[i] = gain * total / (2 * width + 1)
        return window
    return of_width


def make_resampler(steps):
    """Kernels by name, as a registry has them."""
    @cuda.jit
    def up(x, y):
        i = cuda.grid(1)
        if i < y.size:
            j = i // steps
            y[i] = x[j] * shapes.linear(i / steps, j)

    @cuda.jit
    def down(x, y):
        i = cuda.grid(1)
        if i < y.size:
            y[i] = x[i * steps]

    return {"up": up, "down": down, "steps": steps}


box = make_window("box")
box3 = box(3)
edge2 = make_window("edge")(2, gain=2.0)
RESAMPLE = {"twice": make_resampler(2), "four": make_resampler(4)}
resample = make_resampler(4)
down4 = resample["down"]
STAGES = [box(1), edge2]
last_stage = STAGES[-1]


class Lab:
    """Times kernels and keeps what they took."""

    def __init__(self, n):
        self.x = np.random.default_rng(0).random(n)
        self.rows = []

    @staticmethod
    @cuda.jit
    def difference(x, y):
        i = cuda.grid(1)
        if 0 < i < x.size:
            y[i] = x[i] - x[i - 1]

    def measure(self, name, kernel):
        y = np.zeros_like(self.x)
        begin = time.perf_counter()
        kernel[(self.x.size + 127) // 128, 128](self.x, y)
        self.rows.append((name, time.perf_counter() - begin))
        return y

    def plot(self, path):
        figure, axes = plt.subplots()
        axes.bar([name for name, _ in self.rows], [1e3 * t for _, t in self.rows])
        axes.set_ylabel("ms")
        figure.savefig(path)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--filter", choices=["box", "edge"], default="box")
    parser.add_argument("--width", type=int, default=3)
    parser.add_argument("-n", type=int, default=1 << 16)
    parser.add_argument("--plot")
    arguments = parser.parse_args(argv)
    print("grids would be", blocks_2d(arguments.n, arguments.n))
    lab = Lab(arguments.n)
    lab.measure(arguments.filter, make_window(arguments.filter)(arguments.width))
    lab.measure("difference", Lab.difference)
    if arguments.plot:
        lab.plot(arguments.plot)


if __name__ == "__main__":
    main()
