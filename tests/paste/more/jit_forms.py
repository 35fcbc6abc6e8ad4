import math
import numba
from numba import cuda, jit, njit
from numba.cuda import jit as cujit


def clamp(x, lo, hi):
    return min(max(x, lo), hi)


def softplus(x, /, beta=1.0, *, cap=20.0):
    return x if x * beta > cap else math.log1p(math.exp(beta * x)) / beta


clamp_gpu = cuda.jit(device=True)(clamp)
softplus_gpu = cuda.jit(softplus, device=True, inline=True)
sigmoid = njit(lambda_ if False else clamp)


def _scale(x, a):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = clamp_gpu(x[i] * a, 0.0, 1.0)


scale = cuda.jit(_scale)
scale_fast = cuda.jit("void(float32[:], float32)", fastmath=True)(_scale)


@cuda.jit(func_or_sig=None, fastmath=True)
def activate(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = softplus_gpu(x[i], cap=10.0)


@cujit(func_or_sig="void(float64[:])")
def activate64(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = softplus_gpu(x[i], 2.0)


@numba.cuda.jit(debug=False, opt=True, cache=True)
def both(x, y):
    i = numba.cuda.grid(1)
    if i < x.size:
        y[i] = clamp(softplus_gpu(x[i]), 0, 1)
