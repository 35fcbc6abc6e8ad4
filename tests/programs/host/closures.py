"""Kernels made in functions, with what they close over, and constants that the program computes."""
import math
import numpy as np
from numba import cuda

SIZE = int(math.sqrt(64))
weights = []
for k in range(3):
    weights.append(0.5 ** k)
WEIGHTS = tuple(weights)


def make(factor, offset=0):
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] * factor + offset

    return kernel


@cuda.jit
def smooth(x, out):
    i = cuda.grid(1)
    if i < SIZE:
        total = 0.0
        for k in range(len(WEIGHTS)):
            if i + k < SIZE:
                total += WEIGHTS[k] * x[i + k]
        out[i] = total


x = np.arange(SIZE, dtype=np.float64)
out = np.zeros(SIZE)
for kernel in [make(2), make(3.5, 1), make(factor=-1, offset=10)]:
    kernel[1, 32](x, out)
    print(out)
smooth[1, 32](x, out)
print(out)
