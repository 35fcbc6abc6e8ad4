"""Kernels of one name: in branches, in functions that are called with other values, one after the
other. What ran is meant, whatever else the text says."""
import numpy as np
from numba import cuda

y = np.zeros(1)


def pick(n):
    if n == 1:
        @cuda.jit
        def k(y):
            y[0] = 1
    elif n == 2:
        @cuda.jit
        def k(y):
            y[0] = 2
    else:
        @cuda.jit
        def k(y):
            y[0] = n
    return k


def several(word):
    @cuda.jit
    def a(y):
        y[0] = 10

    @cuda.jit
    def b(y):
        y[0] = 20
    if word.upper() == "A":
        return a
    return b


for n in (1, 2, 3, 4):
    pick(n)[1, 1](y)
    print(y[0])
several("a")[1, 1](y)
print(y[0])
several("b")[1, 1](y)
print(y[0])


@cuda.jit
def again(y):
    y[0] = 5


again[1, 1](y)
print(y[0])


@cuda.jit
def again(y):
    y[0] = 6


again[1, 1](y)
print(y[0])
if y.sum() > 5:
    @cuda.jit
    def by_value(y):
        y[0] = 7
else:
    @cuda.jit
    def by_value(y):
        y[0] = 8
by_value[1, 1](y)
print(y[0])
