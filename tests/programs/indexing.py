"""What the kernels of indexing.k leave, by NumPy's own indices."""
import numpy as np


def kinds():
    x, m = np.arange(12), np.arange(24).reshape(2, 3, 4)
    out = np.zeros(48, dtype=np.int64)
    x[3], m[1, 2, 3] = 105, 1023
    out[:37] = [11, 11, 3, 2, 14, 23, 23, 23, 22, 3, 1, 22, 23, 23, 23, 23, 100, 1023, 1023, 100, 3,
                7, 16, 3, 105, 1, 4, 10, 3, 15, 1, 5, -8, 1, 1, 12, 20]
    out[11] = np.arange(24).reshape(2, 3, 4)[:, None, 1:, ::-2][1, 0, 1, 0]
    return {"out": out, "x": x, "m": m, "zero": np.array(8)}


def slices_at_run_time():
    x = np.arange(10)
    out = np.full((7, 729), -1)
    for i in range(729):
        start, stop, step = i // 81 * 3 - 14, i // 9 % 9 * 3 - 13, i % 9 - 4
        if step:
            v = x[start:stop:step]
            out[:6, i] = [v.size, v.sum() - 1, x[start:stop].size,
                          x[start:].size * 100 + x[:stop].size,
                          x[::step].size * 100 + x[start::step].size, x[:stop:step].size]
            if v.size:
                out[6, i] = v[0] * 100 + v[-1]
    return {"out": out}


def layouts_of_slices():
    m, f = np.arange(60).reshape(3, 4, 5), np.full((4, 5), 9, order="F")
    out = np.zeros((3, 32), dtype=np.int64)
    facts = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0, 1, 1, 0, 0, 2, 2, 0, 1, 2,
             1, 1, 0, 0, 1, 1, 0, 1]
    out[0, :len(facts)] = facts
    views = [m[1], m.T[:, :, 1], m[1, ::-1, 1:4], m[2:0:-1, -1], f, f[1:3, 1:3], f.T[1:]]
    out[1, :14] = np.ravel([v.shape for v in views])
    out[2, :14] = np.ravel([v.strides for v in views])
    return {"out": out}


def views_share_memory():
    x = np.arange(24).reshape(4, 6)
    x[1:, ::2][1, 2] = -1
    x.T[5][0] = -2
    x[::-1, ::-1][0][0] = -3
    x[2, 1] = -4
    x[:2, 3] *= 10
    shared, mine = x.copy(), x[1].copy()
    shared[1:3, 1::2][0, 0] = 50
    mine[::-2][1] = 60
    i, j = np.indices(x.shape)
    seen = [x[:, 0].sum(), (x[1:3, ::2].ravel() * np.arange(6)).sum(), (x * (i + j)).sum(),
            (x[:, 4:] * (i - j)[:, :2]).sum(), x[::2].sum(), x[1:].ravel()[7] + 18, 0, 0]
    return {"x": x, "out": shared + mine, "seen": np.array(seen)}


def readonly():
    return {"out": np.full(32, 32.5)}


def flat_and_shapes():
    x = np.arange(12).reshape(3, 4)
    x.flat[3], x[1, 0] = 50, 60
    x[2, 2] += 7
    x[1:] += 100
    a, b, c = x[::-1]
    return {"x": x, "out": np.array([62, x[:, 0].sum(), a[0] + b[1] * c[2], 44, 25, 4, 107, 0])}


def arrays_without_axes():
    x = np.arange(64.0)
    return {"y": x[:, None] * 2 + np.arange(3), "all": np.array(x.sum()), "last": np.array(63)}
