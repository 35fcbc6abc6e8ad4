"""Izhikevich and LIF neurons, STDP and delays."""
import collections
import contextlib
import enum
import itertools as it
import math
import random
import time

import numba as nb
import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float32
import matplotlib.pyplot as plt


class Model(enum.Enum):
    LIF = "lif"
    IZH = "izh"


Izh = collections.namedtuple("Izh", "a b c d")
RS = Izh(0.02, 0.2, -65.0, 8.0)
FS = Izh(a=0.1, b=0.2, c=-65.0, d=2.0)
TAU_PLUS, TAU_MINUS = 20.0, 20.0
A_PLUS = 0.01
A_MINUS = -1.05 * A_PLUS
V_PEAK = 30
dt = np.float32(0.5)


@cuda.jit(device=True)
def izh_step(v, u, I, p):
    for _ in range(2):
        v += 0.5 * dt * (0.04 * v * v + 5 * v + 140 - u + I)
    u += dt * p[0] * (p[1] * v - u)
    return v, u


@cuda.jit
def update(v, u, I, spiked, excitatory):
    n = cuda.grid(1)
    if n >= v.size:
        return
    p = RS if excitatory[n] else FS
    if v[n] >= V_PEAK:
        v[n] = p.c
        u[n] += p.d
        spiked[n] = True
    else:
        spiked[n] = False
    v[n], u[n] = izh_step(v[n], u[n], I[n], p)


@cuda.jit
def noise(states, I, sigma):
    n = cuda.grid(1)
    if n < I.shape[0]:
        I[n] = sigma * xoroshiro128p_normal_float32(states, n)


@cuda.jit
def propagate(row_ptr, col, weight, spiked, I):
    pre = cuda.blockIdx.x
    if not spiked[pre]:
        return
    for s in range(row_ptr[pre] + cuda.threadIdx.x, row_ptr[pre + 1], cuda.blockDim.x):
        cuda.atomic.add(I, col[s], weight[s])


@cuda.jit
def stdp(row_ptr, col, weight, last, spiked, now, w_max=nb.float32(1.0)):
    pre = cuda.grid(1)
    if pre >= row_ptr.size - 1:
        return
    for s in range(row_ptr[pre], row_ptr[pre + 1]):
        post = col[s]
        if spiked[post] and last[pre] >= 0:
            weight[s] += A_PLUS * math.exp(-(now - last[pre]) / TAU_PLUS)
        if spiked[pre] and last[post] >= 0:
            weight[s] += A_MINUS * math.exp(-(now - last[post]) / TAU_MINUS)
        weight[s] = min(max(weight[s], 0.0), w_max)


@cuda.jit
def lif(v, refr, I, tau, spikes: "int32[:, :]", t):
    i = cuda.grid(1)
    if i >= len(v):
        return
    if refr[i] > 0:
        refr[i] -= 1
        return
    v[i] += dt / tau * (-v[i] + I[i])
    if (fired := v[i] > 1.0):
        v[i] = 0
        refr[i] = 3
    spikes[t, i] = fired


@contextlib.contextmanager
def timer(label):
    t0 = time.perf_counter()
    try:
        yield
    finally:
        _ = f"{label}: {time.perf_counter() - t0:.3f}"


def raster(spikes):
    fig, ax = plt.subplots(figsize=(8, 3), dpi=150)
    ax.eventplot([np.flatnonzero(s) for s in spikes.T], colors="k")
    plt.savefig("raster.png")


def main(n=24, steps=30):
    rng = np.random.default_rng(7)
    exc = np.arange(n) < 0.8 * n
    v = np.full(n, -65, np.float32)
    u = (0.2 * v).astype(np.float32)
    ptr = np.arange(0, 4 * n + 1, 4).astype(np.int32)
    col = ((np.arange(4 * n) * 7 + 3) % n).astype(np.int32)
    w = np.where(np.repeat(exc, 4), 6.0, -5.0).astype(np.float32)
    spiked = np.zeros(n, np.bool_)
    last = np.full(n, -1, np.float32)
    total = 0
    with timer("izh"):
        for t in range(steps):
            I = (10 + 5 * np.sin(np.arange(n) + t)).astype(np.float32)
            propagate[n, 4](ptr, col, w, spiked, I)
            update[1, 32](v, u, I, spiked, exc)
            stdp[1, 32](ptr, col, w, last, spiked, np.float32(t), np.float32(8))
            last[spiked] = t
            total += int(spiked.sum())
    print("spikes", total, "v", round(float(v.sum()), 1), "w", round(float(w.sum()), 2))
    spikes = np.zeros((steps, n), np.int32)
    lv, refr = np.zeros(n, np.float32), np.zeros(n, np.int32)
    for t in range(steps):
        lif[1, 32](lv, refr, np.linspace(0, 5, n).astype("f4"), 4.0, spikes, t)
    print(spikes.sum(axis=0).tolist())


if __name__ == "__main__":
    main()
