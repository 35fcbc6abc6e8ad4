# -*- coding: utf-8 -*-
# Written for numba 0.4x; still around
from __future__ import print_function
from numba import *
from numba import cuda
import numba as nb
import numpy as np, math
from math import sqrt, pi as PI
from timeit import default_timer as clock
import sys
sys.setrecursionlimit(10000)
np.random.seed(0); np.set_printoptions(precision=3)
f8_1d = f8[:]

tpb = 16
bpg = (64 + tpb - 1) // tpb
sA_shape = (tpb, tpb)


@cuda.jit('void(f4[:,:], f4[:,:], f4[:,:])')
def square_matrix_mult(A, B, C):
    sA = cuda.shared.array(shape=(tpb, tpb), dtype=f4)
    sB = cuda.shared.array(sA_shape, f4)
    tx = cuda.threadIdx.x; ty = cuda.threadIdx.y
    bx = cuda.blockIdx.x; by = cuda.blockIdx.y
    bw = cuda.blockDim.x; bh = cuda.blockDim.y
    x = tx + bx * bw
    y = ty + by * bh
    acc = 0.
    for i in range(bpg):
        if x < C.shape[0] and y < C.shape[1]:
            sA[ty, tx] = A[y, tx + i * tpb]
            sB[ty, tx] = B[ty + i * tpb, x]
        cuda.syncthreads()
        if x < C.shape[0] and y < C.shape[1]:
            for j in range(tpb):
                acc += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if x < C.shape[0] and y < C.shape[1]:
        C[y, x] = acc


@cuda.jit(argtypes=[f8[:], f8]) if False else cuda.jit((f8[:], f8))
def axpb(x, b):
    i = cuda.grid(1)
    if i < x.shape[0]: x[i] = 2*x[i] + b


mandel = cuda.jit(uint32(f8, f8, uint32), device=True)(lambda x, y, n: uint32(x * y) + n)


@cuda.jit(void(uint32[:], f8_1d))
def draw(img, x):
    i = cuda.grid(1)
    if i < img.shape[0]:
        img[i] = mandel(x[i], 2.0, i)


def host_kernel(a, b):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = sqrt(b[i]) * PI


def main():
    kernel = cuda.jit('void(f8[:], f8[:])')(host_kernel)
    x = np.zeros(64); e1 = cuda.event(); e1.record()
    kernel[bpg, tpb](x, x)
    print('%s: %0.2f ms' % ('kernel', 1e3 * clock())),
    compiled = {t: cuda.jit((t[:],))(host_kernel2) for t in (f4, f8)}
    return compiled


def host_kernel2(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] **= 2


if __name__ == '__main__': main()
