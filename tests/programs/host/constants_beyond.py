"""Constants that kernels read from the program around them: infinities, NaN, zeros of either sign, in complex
numbers and arrays, too."""
import cmath

import numpy as np
from numba import cuda

FAR = np.array([[np.inf, 1.0], [-np.inf, np.nan]], dtype=np.float32)
LAST = np.float32(-np.inf)
MIXED = (np.inf, np.float16(np.nan), -0.0)
BELOW = complex(-1.0, -0.0)
NARROW = np.complex64(complex(-1.0, -0.0))
SEVERAL = np.array([[complex(-1.0, -0.0), complex(np.inf, 2.0)]])


@cuda.jit
def reals(out, i):
    out[0] = FAR[i, 0]
    out[1] = FAR[i + 1, 0]
    out[2] = FAR[i + 1, 1]
    out[3] = LAST
    out[4] = MIXED[0]
    out[5] = MIXED[1]
    out[6] = 1 / FAR[i + 1, 0]
    out[7] = MIXED[2]


@cuda.jit
def roots(out, i):
    out[0] = cmath.sqrt(BELOW).imag
    out[1] = cmath.sqrt(NARROW).imag
    out[2] = cmath.sqrt(SEVERAL[0, i]).imag
    out[3] = SEVERAL[0, i + 1].real


out = np.zeros(8)
reals[1, 1](out, 0)
print(out)
roots[1, 1](out, 0)
print(out[:4])
