import numpy as np
from numba import vectorize, guvectorize, float64, int64
K = 2.0
@vectorize([float64(float64)])
def scaled(x):
    return x * K
print(scaled(np.arange(3.0)))
K = 5.0
print(scaled(np.arange(3.0)))
@vectorize
def lazy(x):
    return x * K
print(lazy(np.arange(3.0)))
K = 7.0
print(lazy(np.arange(3.0)))
print(lazy(np.arange(3)))
@guvectorize([(float64[:], float64[:], float64[:])], "(n),()->(n)")
def add_scalar(x, s, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + s[0]
print(add_scalar(np.arange(3.0), 4.0))
print(add_scalar(np.ones((2, 3)), np.array([1.0, 2.0])))
@guvectorize([(float64[:], float64[:])], "(n)->()")
def total(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    out[0] = s
print(total(np.arange(4.0)), total(np.ones((2, 3))))
