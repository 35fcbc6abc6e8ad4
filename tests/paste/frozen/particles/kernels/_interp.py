from numba import cuda
from .. import config


@cuda.jit(device=True, inline=True)
def gather(e, x):
    g = x / config.DX
    j = int(g)
    w = g - j
    return e[j % config.NX] * (1 - w) + e[(j + 1) % config.NX] * w
