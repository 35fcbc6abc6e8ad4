import numpy as np
from numba import cuda

N = 4
x = np.arange(N) * 1.5


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


for step in range(2):
    double[1, 32](x)
print(N, x)
