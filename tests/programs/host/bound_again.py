"""Functions that @vectorize and its like have made, called before and behind another binding of
their name: each call means the function that was defined."""
import numpy as np
from numba import cuda, guvectorize, njit, vectorize

scale = 2
x = np.arange(4.0)


@cuda.reduce
def total(a, b):
    return a + b


print(total(x + 1))
total = cuda.reduce(lambda a, b: a * b)
print(total(x + 1, init=1))


@cuda.reduce
def total(a, b):
    return max(a, b)


print(total(x))
total = 3
print(total)


@vectorize(["float64(float64)"])
def scaled(x):
    return x * scale


first = scaled
print(first(x))


def scaled(x):
    return x - 1


print(first(x), scaled(x))


@vectorize
def scaled(x, y):
    return x * y


print(first(x), scaled(x, x))


@guvectorize(["(float64[:], float64, float64[:])"], "(n),()->(n)")
def added(x, y, out):
    for i in range(x.size):
        out[i] = x[i] + y


print(added(x, 1.0))
kept, added = added, 4
print(kept(x, 2.0), added)


@njit
def moved(x):
    return x + scale


before = moved


def moved(x):
    return x


print(before(3), moved(3))
for first in (1, 2):
    print(first)
scale = len("abc")
