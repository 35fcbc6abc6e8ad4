"""Sparse matrices by rows: built from triplets, multiplied by a kernel, powers iterated."""
import numpy as np
from numba import cuda, float64, int32, void


@cuda.jit(void(float64[:], int32[:], int32[:], float64[:], float64[:]))
def multiply(values, columns, starts, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = 0.0
        for at in range(starts[row], starts[row + 1]):
            total += values[at] * x[columns[at]]
        y[row] = total


def build(rows, columns, values, n):
    """Triplets in any order, those of one place added."""
    key = rows * n + columns
    unique, inverse = np.unique(key, return_inverse=True)
    summed = np.zeros(unique.size)
    np.add.at(summed, inverse, values)
    starts = np.zeros(n + 1, dtype=np.int32)
    starts[1:] = np.cumsum(np.bincount(unique // n, minlength=n))
    return summed, (unique % n).astype(np.int32), starts


n = 300
i = np.arange(n)
rows = np.concatenate([i, i[:-1], i[1:], [0, 5, 5]])
columns = np.concatenate([i, i[1:], i[:-1], [n - 1, 7, 7]])
values = np.concatenate([np.full(n, 2.0), -np.ones(2 * n - 2), [0.5, 0.25, 0.25]])
values_, columns_, starts = build(rows, columns, values, n)
print("entries", values_.size, "longest row", np.diff(starts).max(), starts[-3:])

dense = np.zeros((n, n))
for a, b, v in zip(rows.tolist(), columns.tolist(), values.tolist()):
    dense[a, b] += v

d_values, d_columns, d_starts = (cuda.to_device(a) for a in (values_, columns_, starts))
x = np.random.default_rng(1).random(n)
y = cuda.device_array(n)
multiply[(n + 127) // 128, 128](d_values, d_columns, d_starts, x, y)
print("as dense:", np.allclose(y.copy_to_host(), dense @ x))

v = np.ones(n) / np.sqrt(n)
d_v, d_w = cuda.to_device(v), cuda.device_array(n)
estimate = 0.0
for step in range(200):
    multiply[(n + 127) // 128, 128](d_values, d_columns, d_starts, d_v, d_w)
    w = d_w.copy_to_host()
    estimate, norm = w @ d_v.copy_to_host(), np.linalg.norm(w)
    d_v = cuda.to_device(w / norm)
print("largest eigenvalue about %.3f" % estimate)
print("below 4:", bool(estimate < 4.0), "row sums", np.round(dense.sum(axis=1)[[0, 5, -1]], 3))
