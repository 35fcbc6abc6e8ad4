import functools
import math

import numpy as np
from numba import cuda, float32, types
from numba.core.errors import NumbaPerformanceWarning
import warnings

warnings.simplefilter('ignore', category=NumbaPerformanceWarning)


@functools.lru_cache(maxsize=None)
def make_convolve(radius=3, tpb=64):
    """A kernel for each radius."""
    width = 2 * radius + 1
    size = tpb + 2 * radius

    @cuda.jit
    def convolve(x, weights, out):
        cache = cuda.shared.array(size, float32)
        i = cuda.grid(1)
        t = cuda.threadIdx.x
        n = x.shape[0]
        left = i - radius
        cache[t] = x[left] if 0 <= left < n else 0
        if t < 2 * radius:
            right = left + tpb
            cache[t + tpb] = x[right] if 0 <= right < n else 0
        cuda.syncthreads()
        if i < n:
            s = float32(0)
            for k in range(width):
                s += cache[t + k] * weights[k]
            out[i] = s

    @cuda.jit
    def flip(weights):
        i = cuda.threadIdx.x
        if i < radius:
            weights[i], weights[width - 1 - i] = weights[width - 1 - i], weights[i]

    return convolve, flip


def make_power(exponent, scale=2.0):
    @cuda.jit(device=True, inline=True)
    def power(x):
        r = 1.0
        for _ in range(exponent):
            r *= x
        return r * scale

    @cuda.jit
    def apply(x):
        i = cuda.grid(1)
        if i < len(x):
            x[i] = power(x[i])

    return apply


if __name__ == "__main__":
    kernel, _ = make_convolve(5)
    x = np.random.rand(1 << 20).astype(np.float32)
    out = np.empty_like(x)
    kernel[math.ceil(x.size / 64), 64](x, np.ones(11, np.float32), out)
    assert not np.isnan(out).any(), f"{np.isnan(out).sum()} are NaN"
