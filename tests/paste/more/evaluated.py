import math
import numpy as np
from numba import cuda

N = 1_000_000
TPB = 1 << 7


def blocks_for(n, threads=TPB):
    """How many blocks cover n."""
    return math.ceil(n / threads)


def next_pow2(n):
    p = 1
    while p < n:
        p *= 2
    return p


def halving_steps(n):
    steps = 0
    for _ in range(64):
        if n == 1:
            break
        n //= 2
        steps += 1
    return steps


def gauss(sigma: float):
    norm = 1.0 / (math.sqrt(2 * math.pi) * sigma)
    return norm, -0.5 / sigma ** 2


BLOCKS = blocks_for(N)
PADDED = next_pow2(100)
STEPS = halving_steps(PADDED)
NORM, EXPONENT = gauss(2.0)
WEIGHTS = np.array([1.0, 2.0, 1.0]) / 4
ZEROS = np.array([0.] * 3 + [1.0])
MASKS = tuple(1 << k for k in range(4)) if False else (1, 2, 4, 8)


@cuda.jit
def gaussian(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = NORM * math.exp(EXPONENT * x[i] * x[i])


@cuda.jit
def scan(x):
    s = cuda.shared.array(PADDED, np.float64)
    t = cuda.threadIdx.x
    s[t] = x[t] if t < x.size else 0.
    cuda.syncthreads()
    for k in range(STEPS):
        d = 1 << k
        v = s[t - d] if t >= d else 0.
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
    if t < x.size:
        x[t] = s[t]


@cuda.jit
def smooth(x, y):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        y[i] = WEIGHTS[0] * x[i - 1] + WEIGHTS[1] * x[i] + WEIGHTS[2] * x[i + 1] + ZEROS[0]
    elif i < x.size:
        y[i] = BLOCKS
