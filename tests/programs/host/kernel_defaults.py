"""Launches that leave out arguments of which the kernel has defaults."""
import numpy as np
from numba import cuda

WIDTH = 3


@cuda.jit
def scale(x, by=2, plus=WIDTH + 1.5, flip=False):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * by + plus
        if flip:
            x[i] = -x[i]


def make(by):
    @cuda.jit
    def scaled(x, times=by, offsets=(by, 1)):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = x[i] * times + offsets[0] - offsets[1]
    return scaled


WIDTH = 100
x = np.arange(4.0)
scale[1, 32](x)
print(x)
scale[1, 32](x, 3)
print(x)
scale[1, 32](x, 3, 1, True)
print(x)
scale.forall(x.size)(x, 1)
print(x)
twice, thrice = make(2), make(3)
twice[1, 32](x)
thrice[1, 32](x)
print(x)
thrice[1, 32](x, 1.5, (0, 0))
print(x)


@cuda.jit
def corner(x):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        x[i, j] += 1


plane = np.zeros((3, 2))
corner.forall(3)(plane)  # along one axis
print(plane)
