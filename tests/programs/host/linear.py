"""Linear algebra by hand: LU, QR, Cholesky, eigenvalues, least squares."""
import numpy as np
from numba import njit


@njit
def lu(a):
    n = a.shape[0]
    order = np.arange(n)
    sign = 1
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if a[p, k] == 0.0:
            raise ZeroDivisionError("singular")
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
            order[k], order[p] = order[p], order[k]
            sign = -sign
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return order, sign


@njit
def back_substitute(u, b):
    x = b.copy()
    for i in range(len(b) - 1, -1, -1):
        for j in range(i + 1, len(b)):
            x[i] -= u[i, j] * x[j]
        x[i] /= u[i, i]
    return x


@njit
def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            l[i, j] = np.sqrt(s) if i == j else s / l[j, j]
    return l


def qr(a):
    q, r = np.zeros_like(a), np.zeros((a.shape[1],) * 2)
    for j in range(a.shape[1]):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = np.dot(q[:, i], v)
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


def eigenvalues(a, sweeps=60):
    a = a.copy()
    for _ in range(sweeps):
        shift = a[-1, -1] * np.eye(len(a))
        q, r = qr(a - shift)
        a = r @ q + shift
    return np.sort(np.diag(a))


def power_method(a, tolerance=1e-10):
    v = np.ones(a.shape[0])
    value, steps = 0.0, 0
    while True:
        w = a @ v
        v = w / np.linalg.norm(w)
        new = v @ a @ v
        steps += 1
        if abs(new - value) < tolerance:
            return new, v, steps
        value = new


a = np.array([[4.0, -2, 1, 3], [3, 6, -4, 1], [2, 1, 8, -2], [1, -1, 2, 5]])
work = a.copy()
order, sign = lu(work)
l, u = np.tril(work, -1) + np.eye(4), np.triu(work)
print("order", order, "sign", sign, "error", np.abs(a[order] - l @ u).max() < 1e-12)
print("det %.6f" % (sign * np.prod(np.diag(u))), "%.6f" % np.linalg.det(a))
b = np.array([1.0, 2, 3, 4])
y = np.linalg.solve(l, b[order])
print(np.round(back_substitute(u, y), 6), np.allclose(a @ back_substitute(u, y), b))
s = a @ a.T + np.eye(4)
c = cholesky(s)
print(np.round(c, 4))
print("cholesky", np.allclose(c @ c.T, s), np.allclose(np.triu(c, 1), 0))
values = eigenvalues(s)
print("eigenvalues", np.round(values, 5), "trace", np.isclose(values.sum(), np.trace(s)))
top, vector, steps = power_method(s)
print("greatest", round(float(top), 5), np.round(np.abs(vector), 3), 5 < steps < 200)
t = np.linspace(0, 1, 12)
design = np.vander(t, 4, increasing=True)
q, r = qr(design)
target = 1 - 2 * t + 3 * t**3 + 0.01 * np.cos(40 * t)
fit = back_substitute(r, q.T @ target)
print("fit", np.round(fit, 4), "residual %.5f" % np.linalg.norm(design @ fit - target))
print("orthogonal", np.allclose(q.T @ q, np.eye(4)), np.round(np.abs(r.diagonal()).min(), 5))
