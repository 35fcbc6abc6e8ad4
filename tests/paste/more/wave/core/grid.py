"""The grid, and what follows from it."""
import math
from typing import NamedTuple

order = 4
h = 5.0
dt = 5e-4
shape = nx, nz = 256, 128
extent = (nx * h, nz * h)
courant = dt / h
halo = order // 2 + 1
n_levels = int(math.log2(nx))
taper = [math.exp(-((i / 20) ** 2)) for i in range(20)]


class Point(NamedTuple):
    x: float
    z: float


def blocks(threads, n=nx):
    return -(-n // threads)
