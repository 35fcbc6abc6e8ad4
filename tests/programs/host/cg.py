"""Conjugate gradients on array expressions alone: the second difference in one dimension."""
import numpy as np


def apply(x):
    y = 2.0 * x
    y[1:] -= x[:-1]
    y[:-1] -= x[1:]
    return y


def solve(b, tolerance=1e-10, most=200):
    x = np.zeros_like(b)
    r = b - apply(x)
    p = r.copy()
    rr = np.dot(r, r)
    for k in range(most):
        if rr < tolerance ** 2:
            return x, k
        q = apply(p)
        alpha = rr / np.dot(p, q)
        x += alpha * p
        r -= alpha * q
        before, rr = rr, np.dot(r, r)
        p = r + (rr / before) * p
    return x, most


n = 40
wanted = np.sin(np.arange(1, n + 1) * (np.pi / (n + 1)))
x, steps = solve(apply(wanted))
print("steps:", steps)
np.testing.assert_allclose(x, wanted, rtol=1e-8)
b = np.ones(n)
x, steps = solve(b)
print("steps:", steps, "largest:", f"{x.max():.6f}", "residual below 1e-9:", np.abs(apply(x) - b).max() < 1e-9)
