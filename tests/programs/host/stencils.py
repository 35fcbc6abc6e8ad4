# Expressions over parts of rows that begin behind a row's start: what is written, and what is not.
import numpy as np


def filled(shape, dtype):
    count = 1
    for length in shape:
        count *= length
    return (np.arange(count) * 7 % 101).reshape(shape).astype(dtype)


def show(x):
    """Every element counts, each by its place."""
    whole = x.astype(np.int64).ravel()
    print(x.dtype, x.shape, whole.sum(), (whole * (np.arange(whole.size) % 97)).sum())


for shape in ((3, 3), (9, 11), (33, 70), (5, 300)):
    for dtype in (np.float32, np.float64, np.int8, np.uint16):
        u = filled(shape, dtype)
        v = filled(shape, dtype) * dtype(2)
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        show(v)
        v[2:, 1:] += u[:-2, :-1] * dtype(3)
        v[:, 2:] = v[:, 2:] + np.arange(shape[1] - 2).astype(dtype)
        v[1:, 2:] -= u.T[2:, 1:].T              # columns become rows
        v.T[1:-1, 1:] += u.T[2:, :-1]
        show(v)
        v[0, 1:] = 3
        v[:, 1:2] = 0
        v[1:, 1:] = np.where(u[1:, 1:] > u[:-1, :-1], v[1:, 1:], u[1:, 1:])
        v[1:-1, 1:] = u[1][1:] + u[:-2, :1]     # one row, and one column, for all
        show(v)

w = filled((6, 7, 9), np.float32)
t = w * np.float32(0)
t[1:-1, 1:-1, 1:-1] = w[2:, 1:-1, 1:-1] + w[1:-1, :-2, 1:-1] * w[1:-1, 1:-1, :-2]
show(t)
t.transpose(2, 0, 1)[1:, 1:, 2:] += w.transpose(2, 0, 1)[:-1, 1:, :-2]
show(t)
q = filled((3, 4, 5, 9), np.int32)
z = q * 0
z[1:, 1:, 1:, 1:] = q[:-1, 1:, :-1, 1:] + q[1:, 1:, 1:, :-1]
z[:, :, :, 3:] += 5
show(z)
