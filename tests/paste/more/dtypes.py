"""Arrays of records."""
import numpy as np
from numba import cuda, from_dtype, types
import numba as nb

particle_dtype = np.dtype([("x", np.float32, (3,)), ("v", np.float32, (3,)), ("mass", "f4"), ("id", np.int32)],
                          align=True)
particle = from_dtype(particle_dtype)
KICK: float = 0.5
f4 = nb.float32
sig = nb.void(particle[:], f4)


@cuda.jit(sig)
def leapfrog(ps, dt):
    i = cuda.grid(1)
    if i < ps.size:
        p = ps[i]
        for c in range(3):
            p.v[c] += KICK * dt / p.mass
            p.x[c] += p.v[c] * dt


@cuda.jit([(particle[:], types.float32[:]), nb.void(particle[:], nb.float64[:])])
def kinetic(ps, out):
    i = cuda.grid(1)
    if i < ps.size:
        v = ps[i]["v"]
        out[i] = 0.5 * ps[i].mass * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)


def view(buffer: bytes) -> np.ndarray:
    return np.frombuffer(buffer, dtype=particle_dtype, count=len(buffer) // particle_dtype.itemsize)


if not hasattr(np, "bool"):
    np.bool = np.bool_
