"""The same filter in several precisions: who calls the factory says the signature."""
import sys

import numpy as np
from numba import cuda, float32, float64, types

PRECISIONS = ["void(float32[::1], float32)", "void(float64[::1], float64)"]


def make_decay(signature, power=2):
    @cuda.jit(signature, fastmath=False)
    def decay(x, rate):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= (1 - rate) ** power
    return decay


def make_shift(dtype):
    @cuda.jit(types.void(dtype[::1], dtype))
    def shift(x, offset):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += offset
    return shift


decay32 = make_decay(PRECISIONS[0])
decay64 = make_decay(signature=PRECISIONS[1], power=3)
kernels = {text: make_decay(text) for text in PRECISIONS}
shift64 = make_shift(float64)

registry = {}
for text in PRECISIONS:
    @cuda.jit(text)
    def clamp(x, limit):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = min(x[i], limit)
    registry[text] = clamp


def benchmark(n):
    for text in PRECISIONS:
        @cuda.jit(text)
        def scale(x, factor):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= factor
        scale[1, n](np.ones(n), 2.0)


if __name__ == "__main__":
    benchmark(int(sys.argv[1]) if len(sys.argv) > 1 else 32)
