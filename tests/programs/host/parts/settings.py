"""Names that functions of the file change."""
from numba import cuda

BASE = 40
N = 3


def set_n(value):
    global N
    N = value


@cuda.jit(device=True)
def more(x):
    return x + N
