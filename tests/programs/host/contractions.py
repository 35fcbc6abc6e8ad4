# Products over axes of choice, diagonals that are filled, and loops that numba would share out.
import numpy as np
from numba import njit, prange


@njit(parallel=True)
def rows(a):
    total = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        for j in prange(1, a.shape[1]):
            total[i] += a[i, j]
    return total


a = np.arange(24).reshape(2, 3, 4)
b = np.arange(12).reshape(4, 3)
print(np.tensordot(a, b, axes=([1, 2], [1, 0])))
print(np.tensordot(a, b, axes=(2, 0)).shape, np.tensordot(a, b, axes=([-1], [0]))[1])
print(np.tensordot(a, a, axes=([0, 1, 2], [0, 1, 2])), np.tensordot(a, b, 1).shape)
d = np.sqrt(((b[:, None] - b[None, :]) ** 2).sum(axis=-1))
np.fill_diagonal(d, np.inf)
print(d.argmin(axis=1), d.min())
c = np.zeros((3, 3, 3), dtype=int)
np.fill_diagonal(c, [1, 2, 3])
print(c.sum(axis=0))
print(rows(a[0]))
try_this = np.ones((2, 5))
np.fill_diagonal(try_this, 7)
print(try_this)

# Slopes between places that lie as they like, covariances of two, a polynomial.
t = np.linspace(0, 2, 9)
y = np.sin(t)
print(np.gradient(y, t).round(9), np.gradient(y, t ** 2 + t)[[0, 4, -1]].round(9))
print(np.gradient(a[0] ** 2.0, np.array([0, 1, 4]), axis=0))
print(np.cov(t, y).round(9), np.cov(np.stack([t, y], axis=1), rowvar=False, ddof=0).round(9))
print(np.polyval([1, 2, 3], 2.0), np.polyval([1, -1], np.arange(3)))
