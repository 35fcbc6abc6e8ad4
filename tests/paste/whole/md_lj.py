"""Molecular dynamics with cell lists."""
import numpy as np
from numba import cuda, int32, int64, float64, boolean
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float64, xoroshiro128p_uniform_float32, xoroshiro128p_type
import math
import logging as log

log.basicConfig(level=log.INFO)

SPECIES = {"Ar": dict(eps=1.0, sigma=1.0, mass=39.9), "Kr": dict(eps=1.4, sigma=1.1, mass=83.8)}
PAIRS = {("Ar", "Ar"): 1.0, ("Ar", "Kr"): 1.18}
NSPECIES = len(SPECIES)
EPS = np.array([s["eps"] for s in SPECIES.values()])
SIG = np.array([SPECIES[k]["sigma"] for k in SPECIES])
MASS = np.array(list(map(lambda s: s["mass"], SPECIES.values())))
MIX = np.sqrt(np.outer(EPS, EPS))
SIGMIX = 0.5 * (SIG[:, None] + SIG[None, :])
RC2 = 2.5 ** 2
SHIFT = 4 * (RC2 ** -6 - RC2 ** -3)
BOX = np.array([6.0, 6.0, 6.0])
INVBOX = 1.0 / BOX
NCELL = (BOX / 2.5).astype(int)
OFFSETS = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)], dtype=np.int32)
MAXN, MAXPC = 64, 8
half = (EPS > 1.2)


@cuda.jit(device=True)
def minimum_image(d, k):
    return d - BOX[k] * round(d * INVBOX[k])


@cuda.jit
def build_cells(pos, counts, cells):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        c = cuda.local.array(3, int32)
        for k in range(3):
            c[k] = int(pos[i, k] * INVBOX[k] * NCELL[k]) % NCELL[k]
        idx = (c[0] * NCELL[1] + c[1]) * NCELL[2] + c[2]
        slot = cuda.atomic.add(counts, idx, 1)
        if slot < MAXPC:
            cells[idx, slot] = 1


@cuda.jit
def lj(pos, kind, force, energy):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    f = cuda.local.array(3, float64)
    f[:] = 0
    e = 0.0
    for j in range(pos.shape[0]):
        if j == i:
            continue
        dx = minimum_image(pos[i, 0] - pos[j, 0], 0)
        dy = minimum_image(pos[i, 1] - pos[j, 1], 1)
        dz = minimum_image(pos[i, 2] - pos[j, 2], 2)
        r2 = dx * dx + dy * dy + dz * dz
        if r2 > RC2: continue
        s2 = SIGMIX[kind[i], kind[j]] ** 2 / r2
        s6 = s2 ** 3
        fr = 24 * MIX[kind[i], kind[j]] * (2 * s6 * s6 - s6) / r2
        f[0] += fr * dx; f[1] += fr * dy; f[2] += fr * dz
        e += 0.5 * (4 * MIX[kind[i], kind[j]] * (s6 * s6 - s6) - SHIFT)
    for k in range(3):
        force[i, k] = f[k] / MASS[kind[i]] if not half[kind[i]] else f[k]
    energy[i] = e


@cuda.jit((xoroshiro128p_type[::1], float64[:, ::1], float64))
def thermostat(rng, vel, temp):
    i = cuda.grid(1)
    if i < vel.shape[0]:
        if xoroshiro128p_uniform_float32(rng, i) < 0.5:
            for k in range(3):
                vel[i, k] = math.sqrt(temp) * xoroshiro128p_normal_float64(rng, i)


@cuda.jit
def shift_cells(out):
    i = cuda.grid(1)
    if i < len(OFFSETS):
        a, b, c = OFFSETS[i]
        out[i] = a * 100 + b * 10 + c + PAIRS["Ar", "Kr"]
