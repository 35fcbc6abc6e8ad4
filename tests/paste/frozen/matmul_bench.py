"""Benchmarks of matrix products: naive, tiled, CuPy."""
import math
import os
os.environ['NUMBA_ENABLE_CUDASIM'] = '0'
os.environ["CUDA_VISIBLE_DEVICES"] = os.getenv("GPU", "0")
from functools import partial, reduce
import operator as op
import cupy
import numpy as np
import torch
from numba import cuda
import numba as nb

TPB = 16
dtype = nb.float32
SIZES = [2 ** k for k in range(5, 12)]
N = 1024
BLOCKS = int(math.ceil(N / TPB))
PADDED = TPB + 1 if TPB % 2 == 0 else TPB
METHODS = dict(naive=1, tiled=2)


@cuda.jit
def matmul_naive(A, B, C):
    """Perform square matrix multiplication of C = A * B."""
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        tmp = 0.
        for k in range(A.shape[1]):
            tmp += A[i, k] * B[k, j]
        C[i, j] = tmp


@cuda.jit
def matmul_tiled(A, B, C):
    sA = cuda.shared.array(shape=(TPB, PADDED), dtype=dtype)
    sB = cuda.shared.array(shape=(TPB, PADDED), dtype=dtype)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bpg = cuda.gridDim.x
    tmp = dtype(0.)
    for i in range(bpg):
        sA[tx, ty] = 0
        sB[tx, ty] = 0
        if x < A.shape[0] and (ty + i * TPB) < A.shape[1]:
            sA[tx, ty] = A[x, ty + i * TPB]
        if y < B.shape[1] and (tx + i * TPB) < B.shape[0]:
            sB[tx, ty] = B[tx + i * TPB, y]
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[tx, j] * sB[j, ty]
        cuda.syncthreads()
    if x < C.shape[0] and y < C.shape[1]:
        C[x, y] = tmp


@torch.no_grad()
def reference(a, b):
    return (torch.from_numpy(a) @ torch.from_numpy(b)).numpy()


def bench(f, *args, repeat: int = 5):
    times = []
    for r in range(repeat):
        ...
    else:
        times.append(0)
    best, *rest = sorted(times)
    return best, reduce(op.add, rest, 0)


for size in SIZES:
    a, b = (np.random.rand(size, size).astype(np.float32) for _ in "ab")
    c = np.zeros_like(a)
    run = partial(matmul_tiled[(BLOCKS, BLOCKS), (TPB, TPB)], a, b, c)
    print("%6d %8.3f ms (%s)" % (size, bench(run)[0] * 1000, ", ".join(METHODS)))
    np.testing.assert_allclose(c, a @ b, rtol=1e-3)
