import numpy as np, numba
from numba import cuda, types, from_dtype
from collections import namedtuple

particle_dtype = np.dtype([
    ("pos", np.float64, 3),
    ("vel", np.float64, (3,)),
    ("w", np.float64),
    ("alive", np.bool_),
    ("cell", np.int32),
], align=True)
particle = from_dtype(particle_dtype)
bank_t = numba.types.Array(particle, 1, "C")
Material = namedtuple("Material", ["sigma_s", "sigma_a", "nu"])
MATERIALS = [Material(0.7, 0.3, 0.0), Material(0.5, 0.2, 2.4)]
FUEL = MATERIALS[1]._replace(nu=2.5)
TOTAL = [m.sigma_s + m.sigma_a for m in MATERIALS]
N_MAT = len(MATERIALS)
XS = np.array(MATERIALS)
INF = 1e10
IN, OUT = True, False


@cuda.jit(device=True)
def distance(p, lo, hi):
    best = INF
    for k in range(3):
        v = p["vel"][k]
        if v == 0.0:
            continue
        d = ((hi if v > 0 else lo) - p["pos"][k]) / v
        best = d if d < best else best
    return best


@cuda.jit
def move(bank, lo, hi):
    i = cuda.grid(1)
    if i >= bank.size:
        return
    p = bank[i]
    if not p.alive:
        return
    d = distance(p, lo, hi)
    for k in range(3):
        p.pos[k] += d * p.vel[k]
    p.cell += 1


@cuda.jit
def absorb(bank, out):
    i = cuda.grid(1)
    if i < bank.size:
        m = bank[i].cell % N_MAT
        total = XS[m, 0] + XS[m, 1]
        bank[i].w *= XS[m, 0] / total
        out[i] = TOTAL[m] + FUEL.nu
        if bank[i].w < 0.25:
            bank[i].alive = OUT


@cuda.jit((bank_t, types.float64[::1]))
def weigh(bank, out):
    for i in range(cuda.grid(1), bank.shape[0], cuda.gridsize(1)):
        out[i] = bank[i]["w"] if bank[i]["alive"] else 0
