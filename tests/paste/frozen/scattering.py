"""Scattering intensities. Uses data files, which are read when this is imported."""
import numpy as np
import cmath, math
from numba import cuda, complex128, float64
from importlib import resources
import yaml

with resources.open_text("scattering.data", "tables.yml") as stream:
    tables = yaml.safe_load(stream)
form_factors = np.array([tables[e]["a"] for e in ("C", "N", "O")])
r_e = 2.8179403262e-15
TWO_PI = 2 * math.pi
assert TWO_PI > 6, "mathematics is broken"

np.seterr(all='ignore')
try:
    from mpi4py import MPI
except ModuleNotFoundError:
    rank = 0
else:
    rank = MPI.COMM_WORLD.Get_rank()
for _i in range(3):
    globals()[f"axis_{_i}"] = _i
del _i


@cuda.jit(device=True)
def phase(q, r):
    return cmath.exp(1j * (q[0] * r[0] + q[1] * r[1] + q[2] * r[2]))


@cuda.jit
def amplitude(qs, rs, f, out):
    i = cuda.grid(1)
    if i < qs.shape[0]:
        s = 0j
        for k in range(rs.shape[0]):
            s += f[k] * phase(qs[i], rs[k])
        out[i] = s


@cuda.jit
def intensity(amp, out):
    i = cuda.grid(1)
    if i < amp.size:
        out[i] = r_e ** 2 * (amp[i].real ** 2 + amp[i].imag ** 2) / TWO_PI


@cuda.jit
def debye(qs, rs, out):
    i = cuda.grid(1)
    if i < qs.size:
        s = 0.
        for a in range(rs.shape[0]):
            for b in range(a):
                d = 0.
                for c in range(3):
                    d += (rs[a, c] - rs[b, c]) ** 2
                x = qs[i] * math.sqrt(d)
                s += 2 * (math.sin(x) / x if x > 1e-12 else 1.)
        out[i] = s + rs.shape[0]
