"""Device functions that another module of the folder has."""
import math

from numba import cuda

UNIT = 2.0


@cuda.jit(device=True)
def area(radius):
    return math.pi * square(radius) * UNIT


def square(x):
    return x * x
