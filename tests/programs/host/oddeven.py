"""Odd-even sort: a launch a phase, on slices too."""
import numpy as np
from numba import cuda


@cuda.jit
def phase(x, first):
    i = 2 * cuda.grid(1) + first
    if i + 1 < x.size:
        if x[i] > x[i + 1]:
            x[i], x[i + 1] = x[i + 1], x[i]


def sort(x):
    for k in range(x.size):
        phase[(x.size // 2 + 31) // 32, 32](x, k % 2)


x = (np.arange(50) * 37 + 11) % 53
wanted = np.sort(x)
print("before:", x[:10], "...")
sort(x)
print("after: ", x[:10], "...")
print(np.array_equal(x, wanted))
y = np.array([5, 3, 9, 1, 7, 2], dtype=np.float32)
sort(y[1:5])
print(y)
print("sorted by Python:", sorted([3, 1, 2], reverse=True))
