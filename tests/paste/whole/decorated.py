"""Jit with one set of options, everywhere."""
import functools
import time
from functools import partial, lru_cache, wraps

import numpy as np
from numba import cuda, jit as cpu_jit, njit
from numba.cuda import jit as cujit

gpu = partial(cuda.jit, fastmath=True)
device_func = partial(cuda.jit, device=True, inline="always")
OPTIONS = dict(fastmath=True, max_registers=64)
fast_jit = cuda.jit(**OPTIONS)


def kernel(func=None, **options):
    """Our own jit"""
    options.setdefault("fastmath", True)
    if func is None:
        return lambda f: kernel(f, **options)
    return cuda.jit(func, **options)


def gpujit(f):
    return cuda.jit(f)


def timed(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        t = time.perf_counter()
        try:
            return f(*args, **kwargs)
        finally:
            print(f"{f.__name__}: {time.perf_counter() - t:.3f} s")
    return wrapper


@device_func
def square(x):
    return x * x


@gpujit
def squares(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = square(x[i])


@gpu
def cubes(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * square(x[i])


@fast_jit
def halves(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] / 2


@kernel
def quarters(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] / 4


@kernel(max_registers=32)
def eighths(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] / 8


@cuda.jit(**OPTIONS)
def sixteenths(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] / 16


@cujit(cache=True)
def same(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i]


@gpu(max_registers=40)
def twice(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] + x[i]


@timed
def main(n=1000):
    x = np.random.rand(n)
    out = np.zeros_like(x)
    for k in (squares, cubes, halves):
        k[(n + 127) // 128, 128](x, out)


if __name__ == "__main__":
    main()
