"""cuda.reduce and cuda.Reduce, called with functions of the module and with lambdas."""
import numpy as np
from numba import cuda

SHIFT = 2


def longer(a, b):
    return a if abs(a) > abs(b) else b


add = cuda.reduce(lambda a, b: a + b)
least = cuda.Reduce(lambda left, right: min(left,
                                            right))
x = np.arange(1000.0)
print(add(x), add(np.arange(7, dtype=np.int32)), add(x, init=5), least(x - 3, init=7))
print(cuda.reduce(longer)(np.array([1.0, -7.0, 3.0])), cuda.Reduce(lambda a, b: a * b % 1009)(np.arange(1, 600), init=1))
out = np.zeros(1)
add(x, res=out)
print(out)


@cuda.reduce
def either(a, b):
    return a | b


print(either(np.array([1, 4, 8])))
