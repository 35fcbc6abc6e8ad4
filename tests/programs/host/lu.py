"""LU with partial pivoting by kernels of one block, solves, determinants, iterative refinement."""
from numba import cuda, float64, int32
import numpy as np


@cuda.jit
def factor(a, piv, sign):
    best = cuda.shared.array(64, float64)
    where = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    n = a.shape[0]
    for k in range(n):
        best[t] = abs(a[t, k]) if k <= t < n else -1.0
        where[t] = t
        cuda.syncthreads()
        s = 32
        while s > 0:
            if t < s and best[t + s] > best[t]:
                best[t], where[t] = best[t + s], where[t + s]
            cuda.syncthreads()
            s //= 2
        p = where[0]
        if t == 0:
            piv[k] = p
            if p != k:
                sign[0] = -sign[0]
        if t < n and p != k:
            tmp = a[k, t]
            a[k, t] = a[p, t]
            a[p, t] = tmp
        cuda.syncthreads()
        if k < t < n:
            a[t, k] /= a[k, k]
            for j in range(k + 1, n):
                a[t, j] -= a[t, k] * a[k, j]
        cuda.syncthreads()


def substitute(lu, piv, b):
    x = b.copy()
    n = len(x)
    for k in range(n):
        x[[k, piv[k]]] = x[[piv[k], k]]
    for i in range(n):
        x[i] -= lu[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - lu[i, i + 1:] @ x[i + 1:]) / lu[i, i]
    return x


class_sizes = [3, 8, 21]
for n in class_sizes:
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n, n)).round(3)
    a[0, 0] = 0
    want = rng.integers(-9, 10, n).astype(float)
    b = a @ want
    d_a = cuda.to_device(a)
    piv = cuda.device_array(n, np.int32)
    sign = cuda.to_device(np.ones(1))
    factor[1, 64](d_a, piv, sign)
    lu, p = d_a.copy_to_host(), piv.copy_to_host()
    x = substitute(lu, p, b)
    res = [np.abs(a @ x - b).max()]
    for _ in range(2):
        x += substitute(lu, p, b - a @ x)
        res.append(np.abs(a @ x - b).max())
    det = sign.copy_to_host()[0] * np.diag(lu).prod()
    assert np.isclose(det, np.linalg.det(a)), (det, np.linalg.det(a))
    perm = np.arange(n)
    for k, j in enumerate(p):
        perm[k], perm[j] = perm[j], perm[k]
    lower, upper = np.tril(lu, -1) + np.eye(n), np.triu(lu)
    print(n, "exact" if np.allclose(lower @ upper, a[perm]) else "wrong", np.round(x).astype(int)[:8], all(r < 1e-11 for r in res))
    if n == 3:
        print("P =", perm)
        print(np.array2string(lower, precision=4, suppress_small=True))
        print(upper.round(4))
        inv = np.column_stack([substitute(lu, p, e) for e in np.eye(n)])
        print(np.abs(inv @ a - np.eye(n)).max() < 1e-13, f"condition {np.linalg.cond(a):.4f}")

singular = np.arange(9.0).reshape(3, 3)
d = cuda.to_device(singular)
factor[1, 64](d, cuda.device_array(3, np.int32), cuda.to_device(np.ones(1)))
print("rank", np.linalg.matrix_rank(singular), "last pivot small:", bool(abs(d.copy_to_host()[2, 2]) < 1e-12))
