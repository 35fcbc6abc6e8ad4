import numpy as np
from numba import cuda


@cuda.jit
def race(a):
    a[0] = cuda.grid(1)


x = np.zeros(1)
race[1, 4](x)
print("launched")
