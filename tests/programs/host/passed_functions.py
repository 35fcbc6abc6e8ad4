"""Functions that kernels are given read the names of the module as they are at the launch."""
import numpy as np
from numba import cuda


def launched(g):
    @cuda.jit
    def apply(out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = g(i)
    out = np.zeros(3)
    apply[1, 3](out)
    return out


def times(n):
    @cuda.jit(device=True)
    def f(x):
        return x * n + shifted(x)
    return f


K = 7


@cuda.jit(device=True)
def shifted(x):
    return x * 4 + K


plus = cuda.jit(device=True)(lambda x: x + K)
double = times(2)
print(launched(shifted), launched(plus), launched(double))
K = 8
print(launched(shifted), launched(plus), launched(double))
K = np.arange(9).size
print(launched(shifted), launched(plus), launched(double))
