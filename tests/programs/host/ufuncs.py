# @vectorize, @guvectorize and @cuda.reduce.
import math
import numpy as np
from numba import cuda, float32, float64, guvectorize, int64, vectorize

SCALE = 3
weights = np.array([0.5, 0.25])


@vectorize(["float64(float64, float64)"])
def add_scaled(a, b):
    return a + SCALE * b


@vectorize([int64(int64, int64), float32(float32, float32), float64(float64, float64)])
def larger(a, b):
    if a > b:
        return a
    return b


@vectorize(["float64(float64)"])
def weighted(x):
    return x * weights[0] + math.sqrt(weights[1])


@guvectorize([(float64[:], float64[:], float64[:])], "(n),(n)->()")
def dot(x, y, out):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * y[i]
    out[0] = total


@guvectorize(["void(int64[:], int64, int64[:])"], "(n),()->(n)")
def shifted(x, by, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + by


@guvectorize([(float64[:, :], float64[:, :], float64[:, :])], "(m,n),(n,p)->(m,p)")
def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@cuda.reduce
def total(a, b):
    return a + b


x = np.arange(6).reshape(2, 3) / 2
print(add_scaled(x, 1.0), add_scaled(x, x[0]), add_scaled(x.T, 2.0)[2])
print(larger(x, 1.0).dtype, larger(np.arange(4), 2), larger(np.arange(4), 2).dtype)
print(larger(x.astype(np.float32), np.float32(1)).dtype, weighted(x))
SCALE = 5
print(dot(x, x), dot(x, x[0]), dot(x[0], x[1]))
print(shifted(np.arange(3), 10), shifted(np.arange(6).reshape(2, 3), np.array([1, 2])))
print(product(x, x.T), product(np.ones((4, 2, 3)), np.ones((3, 2))).shape)
print(total(np.arange(1000)), total(np.arange(10), init=5))
print(total(np.arange(100000, dtype=np.float64)))

into = np.zeros(3)
print(weighted(np.ones(3), out=into) is into, into)
