import numpy as np


def _kept(n, most):
    return np.maximum(np.minimum(n, most), 0)


def ways():
    n, k = np.arange(128) - 40, 8
    c = _kept(n, k)
    full = c == k
    out = np.array([full] * 20)
    out[3] = ~full
    out[7] = c == n
    out[8] = n <= k
    out[14] = (c <= k) & (c >= k - 2)
    out[18] = out[19] = c > 3
    return {"out": out, "held": c.astype(np.int32)}


def types():
    n = np.arange(128) - 40
    k = n[60]
    rows = [_kept(n.astype(t), 20) == 20 for t in (np.int8, np.int16, np.int32, np.int64)]
    rows += [np.minimum(n.astype(t), t(20)) == 20 for t in (np.uint8, np.uint16, np.uint32, np.uint64)]
    rows += [_kept(n, k) == k] * 4
    full = _kept(n, 20) == 20
    return {"out": np.array([*rows, full, ~full, full, _kept(n - 3, 20) == 20])}


def floats():
    f = (np.arange(128) - 60) * 20.0
    x = f.astype(int)
    full = x >= 255
    return {"out": np.array([full, x < 1000, full, full, (x >= 0) & (x <= 600), full, full,
                             x * 2 >= 255])}


def slices():
    x, n = np.arange(16, dtype=np.float32), np.arange(128) - 40
    largest = np.maximum(x[:8], 15 - x[:8])
    lengths = [[len(x[:stop]) == 16, len(x[4:stop]) == 12, len(x[:stop]) != 16,
                len(x[stop:]) == 16] for stop in n]
    return {"out": np.tile(largest, (128, 1)), "lengths": np.array(lengths).T}
