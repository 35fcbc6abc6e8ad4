from math import *

from numba import cuda

_hidden = 3
value = 7 + sqrt(4)


def double(x):
    return 2 * x


@cuda.jit
def add(x):
    x[0] += sqrt(x[0])
