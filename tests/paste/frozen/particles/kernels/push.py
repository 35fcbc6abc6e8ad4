from numba import cuda
import math
import particles.config
import particles.config as cfg
from ..config import qm, DX
from ._interp import gather


@cuda.jit
def push_particles(x, v, e, dt):
    i = cuda.grid(1)
    if i < x.shape[0]:
        v[i] += qm * gather(e, x[i]) * dt
        x[i] = (x[i] + v[i] * dt) % cfg.LENGTH


@cuda.jit
def kinetic(v, out):
    i = cuda.grid(1)
    if i < v.shape[0]:
        cuda.atomic.add(out, 0, 0.5 * particles.config.mass * v[i] ** 2)
