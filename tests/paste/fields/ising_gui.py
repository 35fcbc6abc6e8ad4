"""Ising and Potts models with a checkerboard update; parallel tempering."""
from __future__ import print_function

import contextlib
import datetime as dt
import logging.config
import os.path as osp
import pickle
import threading

import numba.cuda as nc
import numpy as np
from numba.cuda import grid, jit, random as crandom

LOGGING = {"version": 1, "handlers": {"h": {"class": "logging.StreamHandler"}}, "root": {"handlers": ["h"]}}
logging.config.dictConfig(LOGGING)
STARTED = dt.datetime.now()
HERE = osp.dirname(osp.abspath(__file__))
J = 1.0
Q = 3
BETAS = np.linspace(0.2, 0.6, 8)
EXPS = np.exp(-2.0 * J * np.outer(BETAS, np.arange(-4, 5)))
lock = threading.Lock()


class Recorder(object):
    instances = []

    def __init__(self, name=None):
        self.name = name or "run-%s" % STARTED.strftime("%Y%m%d")
        self.rows = []
        Recorder.instances.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        with lock, open(osp.join(HERE, self.name + ".pkl"), "wb") as out:
            pickle.dump(self.rows, out, protocol=2)
        return False

    def __lshift__(self, row):
        self.rows.append(row)
        return self


@jit
def ising(spins, states, replica, colour):
    i, j = grid(2)
    n, m = spins.shape[1], spins.shape[2]
    if i < n and j < m and (i + j) & 1 == colour:
        s = spins[replica, i, j]
        around = spins[replica, i - 1, j] + spins[replica, (i + 1) % n, j] \
            + spins[replica, i, j - 1] + spins[replica, i, (j + 1) % m]
        if crandom.xoroshiro128p_uniform_float64(states, i * m + j) < EXPS[replica, s * around + 4]:
            spins[replica, i, j] = -s


@nc.jit
def potts(spins, states, beta):
    k = nc.grid(1)
    stride = nc.gridsize(1)
    n = spins.shape[0]
    while k < n:
        old = spins[k]
        new = (old + 1 + int(crandom.xoroshiro128p_uniform_float32(states, k) * (Q - 1))) % Q
        delta = 0
        for d in (-1, +1):
            other = spins[(k + d) % n]
            delta += (old == other) - (new == other)
        if delta <= 0 or crandom.xoroshiro128p_uniform_float32(states, k) < np.exp(-beta * J * delta):
            spins[k] = new
        k += stride


@nc.jit
def energy(spins, out):
    buf = nc.shared.array(0, dtype=np.float64)
    t = nc.threadIdx.x
    buf[t] = 0
    n, m = spins.shape[1:]
    for k in range(t, n * m, nc.blockDim.x):
        i, j = k // m, k % m
        buf[t] -= J * spins[nc.blockIdx.x, i, j] * (spins[nc.blockIdx.x, (i + 1) % n, j] + spins[nc.blockIdx.x, i, (j + 1) % m])
    nc.syncthreads()
    s = nc.blockDim.x // 2
    while s > 0:
        if t < s:
            buf[t] += buf[t + s]
        nc.syncthreads()
        s //= 2
    if t == 0:
        out[nc.blockIdx.x] = buf[0]


with contextlib.suppress(ImportError):
    import tkinter as tk

    class App(tk.Tk):
        def draw(self, *_):
            self.after(10, self.draw)
