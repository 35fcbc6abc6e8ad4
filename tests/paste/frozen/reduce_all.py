"""Reductions of several kinds, in the manner of lecture notes."""
import math
from numba import cuda, float64, int64
import numpy as np
import pytest

THREADS_PER_BLOCK = 2 ** 8
WARP = 32
FULL = 0xffffffff
neutral = {"add": 0, "max": -np.inf, "min": np.inf}


@cuda.reduce
def sum_reduce(a, b):
    return a + b


@cuda.jit
def reduce_shared(x, partial):
    s = cuda.shared.array(THREADS_PER_BLOCK, float64)
    i, t = cuda.grid(1), cuda.threadIdx.x
    s[t] = x[i] if i < x.size else 0.
    cuda.syncthreads()
    step = THREADS_PER_BLOCK // 2
    while step > 0:
        if t < step:
            s[t] += s[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@cuda.jit(device=True)
def warp_sum(v):
    offset = WARP // 2
    while offset > 0:
        v += cuda.shfl_down_sync(FULL, v, offset)
        offset //= 2
    return v


@cuda.jit
def reduce_warp(x, out):
    i = cuda.grid(1)
    v = 0.0
    while i < x.size:
        v += x[i]
        i += cuda.gridsize(1)
    v = warp_sum(v)
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, v)


@cuda.jit
def maximum(x, out):
    i = cuda.grid(1)
    best = -math.inf
    for k in range(i, x.size, cuda.gridsize(1)):
        best = max(best, x[k])
    cuda.atomic.max(out, 0, best)


@pytest.fixture(scope="module", params=[10, 1000, pytest.param(10 ** 6, marks=pytest.mark.slow)])
def data(request):
    rng = np.random.default_rng(0)
    yield rng.standard_normal(request.param)


@pytest.mark.parametrize("threads", [32, 64])
def test_sum(data, threads):
    out = np.zeros(1)
    reduce_warp[8, threads](data, out)
    assert out[0] == pytest.approx(data.sum()), (
        "sums differ: "
        f"{out[0]:.6g} and {data.sum():.6g}")
