from __future__ import print_function, division
import numpy as np
from math import sqrt, floor, pi
from numba import cuda, types as nbt, from_dtype, typeof
from numba.cuda import atomic, grid, syncthreads, shared as sh, local
try:
    from mpi4py import MPI
    rank = MPI.COMM_WORLD.Get_rank()
except Exception:
    rank = 0

particle = np.dtype([("pos", np.float32, (3,)), ("vel", np.float32, 3), ("id", np.int32), ("q", "f4")], align=True)
particle_t = from_dtype(particle)
BOX = np.array([10., 10., 10.])
CUT = 2.5
NC = tuple(int(b // CUT) for b in BOX)
NCELL = int(np.prod(NC))
MAXP = 64
class Cfg:
    eps, sig = 1.0, 1.0
    shift = 4 * eps * ((sig / CUT) ** 12 - (sig / CUT) ** 6)
    dt: float = 0.005
cfg = Cfg()

@cuda.jit(device=True, fastmath=True)
def min_image(d, L):
    return d - L * floor(d / L + 0.5)

@cuda.jit(device=True)
def cell_of(p):
    c = [0, 0, 0]
    return (int(p[0] / CUT) % NC[0]) + NC[0] * ((int(p[1] / CUT) % NC[1]) + NC[1] * (int(p[2] / CUT) % NC[2]))

@cuda.jit(device=True)
def cell_of2(p):
    c = 0
    m = 1
    for ax in range(3):
        c += int(p[ax] / CUT) % NC[ax] * m
        m *= NC[ax]
    return c

@cuda.jit
def bin_particles(ps, count, table):
    i = grid(1)
    if i < ps.size:
        c = cell_of2(ps[i].pos)
        k = atomic.add(count, c, 1)
        if k < MAXP:
            table[c, k] = i
        else:
            atomic.max(count, NCELL, k + 1)

@cuda.jit
def forces(ps, count, table, f, epot):
    i = grid(1)
    if i >= ps.shape[0]:
        return
    me = ps[i]
    fx = fy = fz = 0.
    e = 0.
    acc = local.array(3, nbt.float64)
    acc[:] = 0
    cx = int(me.pos[0] / CUT); cy = int(me.pos[1] / CUT); cz = int(me.pos[2] / CUT)
    for dz in (-1, 0, 1):
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                c = (cx + dx) % NC[0] + NC[0] * ((cy + dy) % NC[1] + NC[1] * ((cz + dz) % NC[2]))
                for k in range(min(count[c], MAXP)):
                    j = table[c, k]
                    if j == i:
                        continue
                    r2 = 0.
                    d = local.array(3, nbt.float64)
                    for a in range(3):
                        d[a] = min_image(me.pos[a] - ps[j].pos[a], BOX[a])
                        r2 += d[a] ** 2
                    if r2 < CUT ** 2:
                        s6 = (cfg.sig ** 2 / r2) ** 3
                        e += 4 * cfg.eps * s6 * (s6 - 1) - cfg.shift
                        ff = 24 * cfg.eps * s6 * (2 * s6 - 1) / r2
                        for a in range(3):
                            acc[a] += ff * d[a]
    f[i, :] = acc
    atomic.add(epot, 0, e / 2)

@cuda.jit("(f8[:,:], i4[:], i4[:,:])")
def noop(f, c, t):
    pass

@cuda.jit
def kick_drift(ps, f, half):
    for i in range(grid(1), ps.size, cuda.gridsize(1)):
        for a in range(3):
            ps[i]['vel'][a] += np.float32(cfg.dt / 2) * f[i, a]
            if not half:
                ps[i].pos[a] = (ps[i].pos[a] + cfg.dt * ps[i].vel[a]) % BOX[a]

@cuda.reduce
def total(a, b):
    return a + b

if rank == 0 and __name__ == "__main__":
    ps = np.zeros(1000, particle)
    ps["pos"] = np.random.rand(1000, 3) * BOX
    bin_particles.forall(1000)(ps, np.zeros(NCELL + 1, np.int32), np.zeros((NCELL, MAXP), np.int32))
