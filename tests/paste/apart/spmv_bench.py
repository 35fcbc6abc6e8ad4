# -*- coding: utf-8 -*-
import sys, os, json
import numpy as np, scipy.sparse as sp
from numba import cuda, jit, prange, vectorize, guvectorize, float64, int32, void
from collections import namedtuple, defaultdict
from functools import partial, lru_cache
from contextlib import contextmanager
import cupy as cp

CSR = namedtuple("CSR", ["data", "indices", "indptr"])
WARP = 32
registry = defaultdict(list)

def register(*formats):
    def deco(fn):
        for f in formats:
            registry[f].append(fn)
        return fn
    return deco

@contextmanager
def timed(name):
    ev = [cuda.event() for _ in range(2)]
    ev[0].record()
    yield ev
    ev[1].record(); ev[1].synchronize()
    print(f"{name:<20s}{cuda.event_elapsed_time(*ev):8.3f} ms")

@register("csr")
@cuda.jit
def csr_scalar(data, indices, indptr, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = 0.
        for jj in range(indptr[row], indptr[row + 1]):
            acc += data[jj] * x[indices[jj]]
        y[row] = acc

@cuda.jit(device=True)
def warp_sum(v, mask=0xffffffff):
    off = WARP // 2
    while off:
        v += cuda.shfl_down_sync(mask, v, off)
        off >>= 1
    return v

@register("csr", "csr_vec")
@cuda.jit((float64[:], int32[:], int32[:], float64[:], float64[:]))
def csr_vector(data, indices, indptr, x, y):
    lane = cuda.threadIdx.x & (WARP - 1)
    row = (cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x) // WARP
    if row >= y.shape[0]:
        return
    lo, hi = indptr[row:row + 2]
    acc = 0.0
    for jj in range(lo + lane, hi, WARP):
        acc += data[jj] * x[indices[jj]]
    acc = warp_sum(acc)
    if not lane:
        y[row] = acc

def make_ell(width, unroll=True, *, dtype="float32"):
    ty = np.dtype(dtype).type
    @cuda.jit(fastmath=True, max_registers=32)
    def ell(vals, cols, x, y):
        r = cuda.grid(1)
        n = y.shape[0]
        if r < n:
            s = ty(0)
            for k in range(width):
                c = cols[k, r]
                s += vals[k, r] * x[c] if c >= 0 else ty(0)
            y[r] = s
    return ell
ell8 = make_ell(8)
kernels = {w: make_ell(w) for w in (4, 8, 16)}

@register("coo")
@cuda.jit
def coo_atomic(row, col, val, x, y):
    for i in range(cuda.grid(1), row.size, cuda.gridsize(1)):
        cuda.atomic.add(y, row[i], val[i] * x[col[i]])

@cuda.jit
def csr_tuple(A, x, y, alpha):
    """Takes the matrix as one named tuple."""
    r = cuda.grid(1)
    if r < y.size:
        s = x[0] * 0
        for j in range(A.indptr[r], A.indptr[r+1]):
            s += A.data[j] * x[A.indices[j]]
        y[r] = alpha * s + (1 - alpha) * y[r]

if __name__ == '__main__':
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 14
    A = sp.random(n, n, density=16 / n, format='csr', dtype=np.float64)
    x = np.random.rand(n)
    args = [cuda.to_device(a) for a in (A.data, A.indices, A.indptr, x)]
    y = cuda.device_array(n)
    for fmt, fns in registry.items():
        for fn in fns:
            with timed(fn.__name__):
                fn[n // 128, 128](*args, y)
    np.testing.assert_allclose(y.copy_to_host(), A @ x, rtol=1e-10)
