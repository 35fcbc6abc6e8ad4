"""Histograms and lines in the dtype of what they are of; uint64 beside floats."""
import numpy as np
a = ((np.arange(7, 43, 1) % 251 - 8).reshape((9, 4)) * 0.1).astype(np.float32)
for bins in (3, 5, 7, 10, 33):
    for r in (None, (-1, 11), (0.1, 2.7)):
        c, e = np.histogram(a, bins=bins, range=r)
        print(c, e.dtype, e[:4], np.histogram(a.astype(np.float64), bins=bins, range=r)[0], np.histogram((a * 10).astype(np.int64), bins=bins, range=r)[0])
print(np.linspace(np.float32(0.1), np.float32(0.7), 7), np.linspace(0, np.float32(1), 4).dtype, np.histogram(np.full(4, 3), 3), np.histogram(np.full(4, 3, np.float32), 2))
v = (np.arange(8, 43, 7) % 17 - 3).reshape(5).astype(np.uint64)
v[-1] = v[0] - v[1]
x = v[-1]
print(np.float64(4) < x, x > 4.5, x < 4.0, x > 4, 4 < x, np.float64(4) <= x, v > 4.0, v < np.float64(4), np.float32(4) < x, x == 18446744073709551615.0, x > np.int64(5), x + 0.5, float(x), x / 2, x * 1.0, np.sqrt(x), x.astype(np.float64), min(x, 5.0), x >= np.float64(1e19))
print(np.searchsorted([-2, 0, 1.5, 4], v), np.searchsorted(np.array([1, 5, 7], np.uint64), v), np.searchsorted([1, 5], v), np.histogram(v, bins=5, range=(-1, 11))[0], np.digitize(v, [1, 3]), np.clip(v, 1, 6), np.minimum(v, 3), np.round(x), abs(x), -x, np.histogram(v, bins=[0, 4, 8])[0])
