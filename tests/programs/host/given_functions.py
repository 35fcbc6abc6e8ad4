"""Factories of kernels that are given functions: device functions, lambdas, built-in ones."""
import math
import numpy as np
from numba import cuda

BIAS = 5


@cuda.jit(device=True)
def square(v):
    return v * v


@cuda.jit(device=True)
def f(v):
    return -v - 1


def make(f, n):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = f(x[i]) + n

    return kernel


def difference(pair):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = pair[0](x[i]) - pair[1](x[i])

    return kernel


for function in (square, f, math.sqrt, abs, lambda v: v * BIAS,
                 lambda n: n + 1 if n > 1
                 else 0):
    x = np.arange(4.0)
    make(function, 2)[1, 8](x)
    print(np.round(x, 6))
x = np.arange(4.0)
difference((square, f))[1, 8](x)
print(x)

chosen = square


@cuda.jit
def by_name(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = chosen(x[i]) + 0.5


x = np.arange(4.0)
by_name[1, 8](x)
print(x)
