import numpy as np

I = np.arange(64)


def _rows(of):
    return np.array([of(int(i)) for i in I])


def fields_by_name():
    state = np.zeros(64, np.dtype([("x", np.float32), ("y", np.int32), ("z", np.float64)]))
    state["x"], state["y"], state["z"] = I + 0.5, I, 100
    return {"state": state, "out": 2 * I + 0.5}


def functions_in_tuples():
    def row(i):
        return [(i + 2) * 1000 + 4 * i + max(7, i), np.floor(i + 0.25 + 1), (i + 3) * (i - 3), 4 * i,
                2 + i / 2, i / 2]
    return {"out": _rows(row) * 1.0}


def texts_and_types():
    def row(i):
        return [22, i + 0.75 + i, i == 5, i + float(np.float32(0.1)) + 5, int(2.9 * i) + 4]
    return {"out": _rows(row) * 1.0}


def _digits(r):
    total = 0
    for i in r:
        total = total * 10 + i
    return total + len(r) * 1000000


def ranges_are_values():
    def row(i):
        n = i % 6
        both = range(n, 20, 3)
        return [sum(range(i)) + sum(range(i, 0, -7)) + max(range(i, 70, 3)) - min(range(9, n, -2)),
                _digits(range(n)) + _digits(range(9, n, -2)),
                _digits(range(n) if n > 3 else range(n, -1, -1)),
                _digits(range(n, 7) if n > 2 else range(3)),
                _digits(range(n) if n < 3 else range(n - 3, n)), 3 + sum(range(n)),
                both[1] * 100 + both.stop + (n + 3 in both) + len(both)]
    return {"out": _rows(row)}


def _of(a, s):
    total = 0.0
    for v in a[s].flat:
        total = total * 10 + v
    return total + a[s].size * 1000000


def slices_are_values():
    x, m = np.arange(8.0), np.arange(6.0).reshape(2, 3)

    def row(i):
        n = i % 8
        around = slice(n + 2) if n < 2 else slice(n - 2, n + 2)
        at = slice(None, 1), slice(1, None)
        return [_of(x, slice(n, None)) + _of(x, slice(None, n, 2)) + _of(x, slice(None)),
                _of(x, around) + _of(m[0], around),
                _of(x, slice(None, None, -n) if n > 2 else slice(1, 6)),
                _of(x, slice(n) if n < 3 else slice(n, n + 2)),
                m[at][0, 1] * 100 + _of(m, at) + _of(m, (n % 2, slice(2))),
                n * 100 + 1 + around.stop, _of(x, slice(0, 2)) + 2 * _of(x, slice(n, n + 1)) +
                sum(_of(x, slice(k, n + k)) for k in range(3)),
                _of(x, slice(n, n + 3)) + _of(x[n:], slice(1)) + 2, n * 3]
    return {"out": _rows(row)}
