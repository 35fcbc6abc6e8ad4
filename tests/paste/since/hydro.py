#!/usr/bin/env python3
r"""Euler equations, HLLC flux: \rho, u, p."""
import sys; sys.setrecursionlimit(10000)
import numpy as np, math
from numba import cuda
from collections import namedtuple
from typing import NamedTuple
import yaml

GAMMA = 5 / 3
GM1 = GAMMA - 1
Prim = namedtuple("Prim", ["rho", "u", "v", "p"])
Cons = namedtuple("Cons", "rho mx my e")


class Params(NamedTuple):
    cfl: float
    nx: int = 256
    limiter: int = 1


PARAMS = Params(0.4, nx=128)
AMBIENT = Prim(1.0, 0.0, 0.0, 0.1)
CONFIG = Params(cfl=.5)._replace(limiter=2)
SHOCK = AMBIENT._replace(p=10.0)
STATES = (AMBIENT, SHOCK)
NGHOST = 2
IDX = {k: i for i, k in enumerate(Cons._fields)}
IRHO, IMX, IMY, IE = (IDX[k] for k in Cons._fields)


@cuda.jit(device=True)
def to_prim(c):
    u, v = c.mx / c.rho, c.my / c.rho
    return Prim(c.rho, u, v, GM1 * (c.e - 0.5 * c.rho * (u * u + v * v)))


@cuda.jit(device=True)
def sound(w):
    return math.sqrt(GAMMA * w.p / w.rho)


@cuda.jit(device=True)
def flux(w):
    e = w.p / GM1 + 0.5 * w.rho * (w.u ** 2 + w.v ** 2)
    return Cons(rho=w.rho * w.u, mx=w.rho * w.u ** 2 + w.p, my=w.rho * w.u * w.v, e=(e + w.p) * w.u)


@cuda.jit(device=True)
def load(q, i, j):
    return Cons(q[IRHO, i, j], q[IMX, i, j], q[IMY, i, j], q[IE, i, j])


@cuda.jit(device=True)
def rusanov(l, r):
    wl, wr = to_prim(l), to_prim(r)
    s = max(abs(wl.u) + sound(wl), abs(wr.u) + sound(wr))
    fl, fr = flux(wl), flux(wr)
    return Cons(0.5 * (fl.rho + fr.rho - s * (r.rho - l.rho)), 0.5 * (fl.mx + fr.mx - s * (r.mx - l.mx)),
                0.5 * (fl.my + fr.my - s * (r.my - l.my)), 0.5 * (fl.e + fr.e - s * (r.e - l.e)))


@cuda.jit
def sweep_x(q, qn, dtdx):
    i, j = cuda.grid(2)
    if NGHOST <= i < q.shape[1] - NGHOST and j < q.shape[2]:
        f0 = rusanov(load(q, i - 1, j), load(q, i, j))
        f1 = rusanov(load(q, i, j), load(q, i + 1, j))
        for k in range(4):
            qn[k, i, j] = q[k, i, j] - dtdx * (f1[k] - f0[k])


@cuda.jit
def init(q, x0):
    i, j = cuda.grid(2)
    if i < q.shape[1] and j < q.shape[2]:
        w = SHOCK if i < x0 else AMBIENT
        q[IRHO, i, j] = w.rho
        q[IMX, i, j] = w.rho * w.u
        q[IMY, i, j] = 0
        q[IE, i, j] = w.p / GM1


@cuda.jit
def timestep(q, dt, dx):
    i, j = cuda.grid(2)
    if i < q.shape[1] and j < q.shape[2]:
        w = to_prim(load(q, i, j))
        cand = PARAMS.cfl * dx / (abs(w.u) + sound(w)) * (1 if CONFIG.limiter == 2 else 0.5)
        cuda.atomic.min(dt, 0, cand)


def read(path):
    with open(path) as f, np.errstate(all="ignore"):
        return yaml.safe_load(f) or {}
