"""Monte Carlo transport of neutrons in slabs, particles in banks of records."""
import math, sys
import numpy as np
import numba
from numba import cuda, njit, from_dtype
from numba.core import types

ALIVE, CAPTURED, LEAKED = 0, 1, 2
N_GROUPS = 2

particle_type = np.dtype([
    ('x', np.float64), ('y', np.float64), ('z', np.float64),
    ('dir', np.float64, (3,)), ('w', np.float64), ('g', np.int32),
    ('state', np.uint8), ('seed', np.uint64)], align=True)
particle = numba.from_dtype(particle_type)

material_type = np.dtype([
    ('total', np.float64, (N_GROUPS,)), ('scatter', np.float64, (N_GROUPS, N_GROUPS)),
    ('fission', np.float64, (N_GROUPS,)), ('nu', np.float64)])
material = from_dtype(material_type)

tally_type = np.dtype([('flux', np.float64), ('score', np.int64)])

A = np.uint64(6364136223846793005)
C = np.uint64(1442695040888963407)
INF = math.inf
SURFACES = (0.0, 1.0, 2.5, 4.0)
MATERIAL_OF = (0, 1, 0)


@cuda.jit(device=True)
def rnd(p):
    p['seed'] = p['seed'] * A + C
    return (p['seed'] >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@cuda.jit(device=True)
def cell_of(x):
    for k in range(len(SURFACES) - 1):
        if SURFACES[k] <= x < SURFACES[k + 1]:
            return k
    return -1


@cuda.jit(device=True)
def to_surface(p, cell):
    mu = p['dir'][0]
    if mu > 0:
        return (SURFACES[cell + 1] - p['x']) / mu
    if mu < 0:
        return (SURFACES[cell] - p['x']) / mu
    return INF


@cuda.jit(device=True)
def isotropic(p):
    mu = 2 * rnd(p) - 1
    phi = 2 * math.pi * rnd(p)
    s = math.sqrt(1 - mu * mu)
    p['dir'][0] = mu
    p['dir'][1] = s * math.cos(phi)
    p['dir'][2] = s * math.sin(phi)


@cuda.jit
def source(bank, seed):
    i = cuda.grid(1)
    if i < bank.size:
        p = bank[i]
        p.x = 1e-6
        p.y = p.z = 0.0
        p.w = 1.0
        p.g = 0
        p.state = ALIVE
        p.seed = seed + np.uint64(i) * np.uint64(0x9E3779B97F4A7C15)
        isotropic(p)
        p.dir[0] = abs(p.dir[0])


@cuda.jit
def transport(bank, mats, tally, max_steps):
    i = cuda.grid(1)
    if i >= bank.shape[0]:
        return
    p = bank[i]
    for step in range(max_steps):
        if p['state'] != ALIVE:
            break
        cell = cell_of(p['x'])
        if cell < 0:
            p['state'] = LEAKED
            break
        mat = mats[MATERIAL_OF[cell]]
        g = p['g']
        d_col = -math.log(1 - rnd(p)) / mat['total'][g]
        d_surf = to_surface(p, cell)
        d = min(d_col, d_surf)
        cuda.atomic.add(tally['flux'], cell, p['w'] * d)
        cuda.atomic.add(tally['score'], cell, 1)
        eps = 1e-9 if d_surf <= d_col else 0.0
        p['x'] += (d + eps) * p['dir'][0]
        p['y'] += d * p['dir'][1]
        p['z'] += d * p['dir'][2]
        if d_surf <= d_col:
            continue
        xi = rnd(p) * mat['total'][g]
        for gg in range(N_GROUPS):
            xi -= mat['scatter'][g, gg]
            if xi < 0:
                p['g'] = gg
                isotropic(p)
                break
        else:
            if xi - mat['fission'][g] < 0:
                p['w'] *= mat['nu']
            p['state'] = CAPTURED


@cuda.jit
def count_states(bank, counts):
    i = cuda.grid(1)
    if i < bank.size:
        cuda.atomic.add(counts, bank[i].state, 1)


@njit
def reference(x):
    return x + 1


def main():
    bank = np.zeros(64, particle_type)
    mats = np.zeros(2, material_type)
    mats[0] = ([1.0, 2.0], [[0.5, 0.3], [0.0, 1.5]], [0.1, 0.3], 2.43)
    mats[1] = ([3.0, 5.0], [[1.0, 0.5], [0.2, 2.5]], [0.0, 0.0], 0.0)
    tally = np.zeros(3, tally_type)
    d_bank = cuda.to_device(bank)
    source[2, 32](d_bank, np.uint64(1234))
    transport[2, 32](d_bank, mats, tally, 200)
    counts = np.zeros(3, np.int64)
    count_states[2, 32](d_bank, counts)
    print(counts.tolist(), tally['score'].tolist())
    print(np.round(tally['flux'], 9).tolist())


if __name__ == "__main__":
    main()
