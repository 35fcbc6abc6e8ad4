"""Euler equations in one dimension with HLL fluxes."""
from __future__ import annotations

import numpy as np
from numba import cuda

from . import params
from .params import *
from .params import CASE as case

CELLS = case["cells"]
LEFT, RIGHT = (case[side] for side in ("left", "right"))
ENERGY = {side: case[side][2] / (GAMMA - 1) + 0.5 * case[side][0] * case[side][1] ** 2 for side in ["left", "right"]}
VARIABLES = 3


@cuda.jit(device=True)
def primitive(u):
    rho = Limits.clip(u[0])
    velocity = u[1] / rho
    return rho, velocity, Limits.clip((GAMMA - 1) * (u[2] - 0.5 * rho * velocity * velocity))


@cuda.jit(device=True)
def flux(u):
    rho, v, p = primitive(u)
    return u[1], u[1] * v + p, (u[2] + p) * v


@cuda.jit(device=True)
def hll(left, right):
    rl, vl, pl = primitive(left)
    rr, vr, pr = primitive(right)
    wl, wr = roe_weights(rl, rr)
    v = wl * vl + wr * vr
    c = max((GAMMA * pl / rl) ** 0.5, (params.GAMMA * pr / rr) ** 0.5)
    sl, sr = min(v - c, vl - c), max(v + c, vr + c)
    fl, fr = flux(left), flux(right)
    if sl >= 0:
        return fl
    if sr <= 0:
        return fr
    a = (sr * fl[0] - sl * fr[0] + sl * sr * (right[0] - left[0])) / (sr - sl)
    b = (sr * fl[1] - sl * fr[1] + sl * sr * (right[1] - left[1])) / (sr - sl)
    e = (sr * fl[2] - sl * fr[2] + sl * sr * (right[2] - left[2])) / (sr - sl)
    return a, b, e


@cuda.jit
def initial(u):
    i = cuda.grid(1)
    if i < u.shape[1]:
        rho, v, p = LEFT if i < CELLS // 2 else RIGHT
        u[0, i], u[1, i] = rho, rho * v
        u[2, i] = ENERGY["left"] if i < CELLS // 2 else ENERGY["right"]


@cuda.jit
def step(u, new, dt_dx):
    i = cuda.grid(1)
    if 0 < i < u.shape[1] - 1:
        east = hll(u[:, i], u[:, i + 1])
        west = hll(u[:, i - 1], u[:, i])
        for k in range(VARIABLES):
            new[k, i] = u[k, i] - dt_dx * (east[k] - west[k])


@cuda.jit
def speeds(u, out):
    i = cuda.grid(1)
    fastest = 0.0
    for j in range(i, u.shape[1], cuda.gridsize(1)):
        rho, v, p = primitive(u[:, j])
        fastest = max(fastest, abs(v) + (GAMMA * p / rho) ** 0.5)
    cuda.atomic.max(out, 0, fastest)
