"""The loops of bench/kernels/<name>.k for numba's parallel target, those that can be written in it:
what needs atomics, shared memory or barriers cannot. They take what the kernels take."""
import math

import numba
import numpy as np
from numba import prange

parallel = numba.njit(parallel=True)


@parallel
def inc(a):
    for i in prange(a.shape[0]):
        a[i] += np.float32(1)


@parallel
def mult(a, b, product):
    for i in prange(len(a)):
        product[i] = a[i] * b[i]


@parallel
def saxpy(alpha, x, y):
    for i in prange(x.size):
        y[i] = alpha * x[i] + y[i]


@parallel
def axpby(alpha, x, beta, y, z):
    for i in prange(z.size):
        z[i] = alpha * x[i] + beta * y[i]


@parallel
def clip(x, low, high, clipped):
    for i in prange(x.size):
        clipped[i] = min(max(x[i], low), high)


@parallel
def threshold(picture, limit, marked):
    for row in prange(picture.shape[0]):
        for col in range(picture.shape[1]):
            marked[row, col] = 255 if picture[row, col] > limit else 0


@parallel
def multiply_complex(x, y, z):
    for i in prange(x.size):
        z[i] = x[i] * y[i]


@parallel
def scale_strided(x, factor, y):
    for i in prange(x.shape[0]):
        y[i] = x[i] * factor


@parallel
def masked_update(values, mask, factor):
    for row in prange(values.shape[0]):
        for col in range(values.shape[1]):
            if mask[row, col]:
                values[row, col] *= factor


@parallel
def gather(source, where, found):
    for i in prange(where.size):
        found[i] = source[where[i]]


@parallel
def blend(a, b, t, mixed):
    for i in prange(mixed.size):
        s = min(max(t[i], np.float32(0)), np.float32(1))
        s = s * s * (np.float32(3) - np.float32(2) * s)
        mixed[i] = a[i] + (b[i] - a[i]) * s


@parallel
def conv3(x, mean):
    for i in prange(mean.shape[0]):
        mean[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.


@parallel
def stencil5(now, later):
    for i in prange(1, now.shape[0] - 1):
        for j in range(1, now.shape[1] - 1):
            around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
            later[i, j] = now[i, j] + np.float32(0.2) * (around - np.float32(4) * now[i, j])


@parallel
def stencil7(now, rate, later):
    for i in prange(1, now.shape[0] - 1):
        for j in range(1, now.shape[1] - 1):
            for k in range(1, now.shape[2] - 1):
                total = now[i - 1, j, k] + now[i + 1, j, k]
                total += now[i, j - 1, k] + now[i, j + 1, k]
                total += now[i, j, k - 1] + now[i, j, k + 1]
                later[i, j, k] = now[i, j, k] + rate * (total - 6. * now[i, j, k])


@parallel
def count_above(x, limit, count):
    above = 0
    for i in prange(x.size):
        if x[i] > limit:
            above += 1
    count[0] += above


@parallel
def tree_sum(x, total):
    sum = np.float32(0)
    for i in prange(x.shape[0]):
        sum += x[i]
    total[0] += sum


@parallel
def dot(x, y, total):
    sum = 0.0
    for i in prange(x.size):
        sum += x[i] * y[i]
    total[0] += sum


@parallel
def row_sums(a, sums):
    for i in prange(a.shape[0]):
        for k in range(a.shape[1]):
            sums[i] += a[i, k]


@parallel
def running_sums(a, sums):
    for i in prange(a.shape[0]):
        so_far = np.float32(0)
        for k in range(a.shape[1]):
            so_far += a[i, k]
            sums[i, k] = so_far


@parallel
def banded(p, q, r):
    for i in prange(r.shape[0]):
        sum = np.float32(0)
        for j in range(q.shape[0]):
            if 0 <= i - j and i - j < p.shape[0]:
                sum += p[i - j] * q[j]
        r[i] = sum


@parallel
def matmul_memory(a, b, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            for k in range(b.shape[0]):
                out[i, j] += a[i, k] * b[k, j]


@parallel
def matmul_naive(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            sum = 0.
            for k in range(a.shape[1]):
                sum += a[i, k] * b[k, j]
            c[i, j] = sum


@parallel
def transpose_naive(a, turned):
    for row in prange(a.shape[0]):
        for col in range(a.shape[1]):
            turned[col, row] = a[row, col]


@parallel
def transpose_indexed(a, turned):
    for j in prange(a.shape[1]):
        for i in range(a.shape[0]):
            turned[j, i] = a[i, j]


@parallel
def matvec(a, x, y):
    for i in prange(a.shape[0]):
        sum = np.float32(0)
        for k in range(a.shape[1]):
            sum += a[i, k] * x[k]
        y[i] = sum


@parallel
def matmul_batched(a, b, c):
    for n in prange(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                sum = np.float32(0)
                for k in range(a.shape[2]):
                    sum += a[n, i, k] * b[n, k, j]
                c[n, i, j] = sum


@parallel
def distances(a, b, apart):
    for i in prange(apart.shape[0]):
        for j in range(apart.shape[1]):
            sum = np.float32(0)
            for k in range(a.shape[1]):
                step = a[i, k] - b[j, k]
                sum += step * step
            apart[i, j] = math.sqrt(sum)


@parallel
def add_transposed(a, b, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = a[j, i] + b[i, j]


@parallel
def permute(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                out[k, j, i] = a[i, j, k]
