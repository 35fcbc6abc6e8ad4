"""NumPy's views are NumPy's own."""
import numpy as np

from expect import fails, options, tolerance


def fills():
    out, row, plane = np.zeros((3, 4, 5)), np.arange(5), np.arange(20).reshape(4, 5)
    out[...] = -1
    out[0] = 7
    out[1, 1:3] = row
    out[1, 0, ::2] = 2.5
    out[1, 3, ::-1] = row
    out[2] = plane
    out[2, :, 0] = plane[::-1, 4]
    out[0, 1:-1, 2:4] = plane[:2, :1]
    return {"out": out}


def augmented_fills():
    out, x = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(4, dtype=np.int32)
    out[1:3] += 1
    out[:, 1] *= x[:3]
    out[0] -= x
    out[2, ::2] /= 2
    out *= 2
    out[0, 0] += 1
    return {"out": out}


def overlapping_fills():
    up, down, square, mixed = np.arange(8), np.arange(8), np.arange(16).reshape(4, 4), np.arange(6)
    up[1:] = up[:-1].copy()
    down[:-1] = down[1:].copy()
    square[1:, 1:] = square[:-1, :-1].copy()
    mixed[2:] += mixed[:-2].copy()
    return {"up": up, "down": down, "square": square, "mixed": mixed}


def fills_by_thread():
    mine = [np.array([t, t, t, 10, 20, t + 30]) for t in range(4)]
    out = np.array(mine[::-1], dtype=np.int16)
    for t in range(4):
        out[t, 1:3] += mine[t][4:].astype(np.int16)
    return {"out": out}


def reshapes():
    x = np.arange(24, dtype=np.int32).reshape(4, 6)
    out = np.zeros(16)
    z = x.reshape(2, 3, 4)
    out[:8] = [12, 23, z.transpose(1, 0, 2)[2, 1, 0], 7, 11, 23, x.view(np.int64)[0, 1], 24]
    x[3].view(np.float32)[2] = 1.0
    out[8:13] = [x[3, 2], 4, 23 + 1 + 1, x.reshape(1, 1, 2, 2, 2, 3, 1, 1)[0, 0, 1, 1, 1, 1, 0, 0], 6]
    return {"out": out, "x": x}


def reshapes_that_run_decides():
    return {"out": np.array([4, 23, 4, 20, 24, 4, 6, 0.0])}


def reductions():
    x = np.array([[3, -1, 4], [1, -5, 9]])
    out = np.zeros(20)
    out[:7] = [x.sum(), x.prod(), x.mean(), x.min(), x.max(), x.argmin(), x.argmax()]
    out[7:17] = [3 + 0.75 - 15, np.nan, 1, 2, 1, 0, 1, 1, x[:, ::2].sum() - 1 + 1.5, 5]
    return {"out": out}


def _numbers():
    x = np.array([[1.5, np.nan, -0.5], [4.25, -2.0, np.nan]])
    f = np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4)
    n, z = np.array([100, -28, 127, 3], np.int8), np.array([1 + 2j, 3 - 1j])
    return x, f, n, z, np.array([True, False, True])


def _rows(functions):
    x, f, n, _, _ = _numbers()
    return [[function(a) for function in functions] for a in (x, x.T[1:], f[:, ::2], n)]


@tolerance(1e-6, 1e-12)  # sums in another order, of float32 too
def spread():
    _, f, n, z, b = _numbers()
    out = np.zeros((5, 3))
    out[:4, :2] = _rows((np.var, np.std))
    out[4, :2] = np.var(z), np.std(b)
    out[:2, 2] = f[1].std() + 10 * n.var(), z.std() + b.var()
    return {"out": out}


@tolerance(1e-6, 1e-12)
def spread_of_numbers():
    z = _numbers()[3]
    return {"out": np.array([*_rows((np.nanmean, np.nanvar, np.nanstd)),
                             [np.var(z), z.mean().imag, np.nan]])}


@tolerance(1e-6, 1e-12)
def sums_and_ends_of_numbers():
    z = _numbers()[3]
    return {"out": np.array([*_rows((np.nansum, np.nanprod, np.nanmin, np.nanmax)),
                             [z.sum().real + z.prod().real, 2, 0, np.nan]])}


def complex_parts():
    out = np.zeros((3, 2), np.complex64)
    parts = np.zeros((2, 3), np.float32)
    for t in range(2):
        out[t, 0] = 1 + t + 5j
        out[t, 1] = 5j
    out[2, 1] = 3j
    parts[:] = [[1, 2, 1], [5, 5, 1]]
    return {"out": out, "parts": parts}


def walks():
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    out = np.zeros(24, np.int64)
    out[:6] = x.ravel() + 10 * x.T.ravel()
    found = [10 * i + j for i, j in np.ndindex(2, 3) if j != 1]
    for (i, j), v in np.ndenumerate(x[:, ::-1]):
        if v == 3:
            break
        found.append(100 * i + 10 * j + v)
    found += [2 * v for v in x[1]]
    x[1, 1] = 9
    x.T[2, 0] = 8
    found.append(9 + 3 + 6)
    out[6:6 + len(found)] = found
    out[18:] = x.T.ravel()
    return {"out": out, "x": x}


def facts():
    return {"out": np.array([1, 1, 0, 1, 18, 16, 34, 3, 7, 20, 1, 0, 0, 0, 0, 0])}


def odd_arguments():
    return {"out": np.array([6 + 18, 3, 6, 1.0]), "one": np.full((1,) * 8, 6.0)}


@options("--debug")
@fails(3, "views.k:.*ValueError: what is assigned has another shape")
def shapes_differ():
    return {}


@options("--debug")
@fails(3, "views.k:.*ValueError: the elements do not fit the new shape")
def reshape_does_not_fit():
    return {}


@options("--debug")
@fails(3, "views.k:.*IndexError: index -4 is out of range for axis 0")
def row_out_of_range():
    return {}


def overlapping_backwards():
    a, b, c, d = np.arange(10), np.arange(10), np.arange(24).reshape(4, 6), np.arange(24).reshape(4, 6)
    e = np.arange(12).reshape(3, 4).T
    a[:-1] = a[1:].copy()
    b[-2::-1] = b[:0:-1].copy()
    c[:, :-1] = c[:, 1:].copy()
    d[:-1, ::2] = d[1:, ::2].copy()
    e[1:] = e[:-1].copy()
    return {"a": a, "b": b, "c": c, "d": d, "e": e}


def overlapping_axes():
    f, t, deep = np.arange(20).reshape(5, 4).T, np.arange(20).reshape(4, 5), np.arange(60).reshape(3, 4, 5).T
    a, b, c = np.arange(8), np.arange(8), np.arange(8)
    rows, later, last, spread = (np.arange(12.0).reshape(3, 4) for _ in range(4))
    scaled = np.arange(8.0)
    f[1:, :-1] = f[:-1, 1:].copy()
    t[1:, :-1] = t[:-1, 1:].copy()
    deep[1:, :-1, 1:] += deep[:-1, 1:, :-1].copy()
    a[1:], b[:-2], c[2:] = a[:-1].copy(), b[2:].copy(), c[:-2].copy()
    rows[:] -= rows[0].copy()
    later[:] *= later[1].copy()
    last[:] -= last[2].copy()
    last[1] = last[0, ::-1]
    spread[:] -= spread[1:2].copy()
    spread[:] += spread[:, 2:3].copy()
    scaled[:] *= scaled[3]
    scaled[1:4] += scaled[6]
    scaled[::-1] -= scaled[2]
    return {"f": f, "t": t, "deep": deep, "a": a, "b": b, "c": c, "rows": rows, "later": later, "last": last,
            "spread": spread, "scaled": scaled}


def overlapping_single_rows():
    across, down = np.arange(64 * 20).reshape(64, 4, 5), np.arange(64 * 20).reshape(64, 5, 4)
    turned = np.arange(64 * 60).reshape(64, 3, 4, 5)
    for i in range(64):
        row, to, by = i % 4, i // 4 % 4, i // 16
        a, d, t = across[i], down[i], turned[i].T
        a[:, to:to + 2] = a[row:row + 1, by:by + 2].copy()
        d[to:to + 2] = d[by:by + 2, row:row + 1].copy()
        t[to:to + 2, :, 1:] += t[by:by + 2, row:row + 1, :-1].copy()
    return {"across": across, "down": down, "turned": turned}


def as_functions():
    x, b = np.array([[2, -7.5, 3], [4, 0.5, 1]]), np.array([[0, 1], [2, 3]])
    return {"out": np.array([x.sum(), x.prod(), x.mean(), x.min(), x.max(), x.min(), x[1:].max(),
                             x.argmin(), x.argmax(), b.any() + 2 * b[:1, :1].any(),
                             b.all() + 2 * b[1].all(), x.reshape(3, 2)[1, 0], x.ravel()[4],
                             x.T[2, 1]])}


def counted():
    signed, unsigned = np.zeros((4, 6), np.int64), np.zeros(8, np.uint64)
    narrow = np.zeros(8, np.int32)
    signed[:, 2], signed[:, 4] = 1, 3
    unsigned[::2] = 2 ** 64 - 1
    narrow[1::2] = 1
    return {"signed": signed, "unsigned": unsigned, "narrow": narrow}


def of_pointers():
    x = np.arange(12.0)
    return {"out": x.reshape(4, 3) * 100 + x.reshape((4, 3), order="F"), "rest": np.array([15.0, 6, 5])}
