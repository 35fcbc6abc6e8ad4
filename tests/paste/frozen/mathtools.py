__all__ = ['lerp', 'smooth', "PHI"]
import math
import constants_table as tables
from numba import cuda, jit

PHI = (1 + math.sqrt(5)) / 2


def lerp(a, b, w):
    """Between a and b."""
    return a + (b - a) * w


@jit(nopython=True)
def smooth(x):
    return x * x * (3 - 2 * x)
