"""What the kernels of optional.k leave."""
import numpy as np

from expect import fails, options

THREADS = range(32)


def best_so_far():
    x = [3.0, -1.0, 7.5, 2.0, 7.5, -8.0]
    out = np.zeros((3, 7))
    out[:, 0] = -1, 0, 1
    for n in range(1, 7):
        out[:, n] = max(x[:n]), x.index(max(x[:n])), 2
    return {"out": out}


def falls_off_the_end():
    return {"out": np.array([i - 10 if 10 <= i < 20 else -1 for i in THREADS])}


def returns_none():
    return {"out": np.array([100.0 if i % 3 == 0 else i // 2 * 2 if i % 3 == 1 else i
                             for i in THREADS])}


def as_arguments():
    def row(i):
        v = i if i > 3 else None
        return [-1 if v is None else v + 1, -1, i + 1, 10 * i, i / 2, 10 * (i + (v or 0)),
                (i + 1) * (10 if v is None else v), -1]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def arrays_and_tuples():
    def row(i):
        if i <= 3:
            return [0, 0, 0, 0]
        part = [0, 0] if i == 9 else [i - 1 + 2, i - 2 + i - 1]
        return part + [2.5 * i, 4.5]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def in_expressions():
    def row(i):
        v = None if i < 4 else i - 6
        u = i - 6 if i % 2 else None
        return [v is None, v == 3, v != 3, 1 if v else 2, v or 77, v is not None and v > 3,
                (v and 5) is None, (v == u) + 2 * (u != v) + 4 * (not v), v is None]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def joins():
    def row(i):
        v = 5.0 if i > 3 else 2.5 if i > 2 else None
        first = v * 2 if v is not None else 0
        if i == 7:
            v = None
        if i % 2:
            v = float(i) if i < 16 else None
        last = 3
        for k in range(i):
            last = None if k % 3 == 2 else k if last is None else last + k
        return [first, -1 if v is None else v, 1, i, -1 if last is None else last]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def in_nested_loops():
    def row(i):
        first = total = None
        for a in range(i):
            for b in range(a):
                if first is None and a * b > 20:
                    first = a
                if a * b == 42:
                    break
                total = b if total is None else total + b
            else:
                continue
            total = None
        return [-1 if first is None else first, -1 if total is None else total,
                sum(k for k in range(i) if k > 3)]
    return {"out": np.array([row(i) for i in THREADS]).T}


def across_barriers():
    tile = [i if i % 3 else 0 for i in THREADS]

    def one(i):
        w = None
        for k in range(3):
            seen = tile[(i + k) % 32] + k
            w = seen if seen > 5 else w
        return -1 if i % 3 == 0 else i * 100 + w if w is not None else 0
    return {"out": np.array([one(i) for i in THREADS])}


def bounds_of_slices():
    x = np.arange(40)

    def row(i):
        v = i - 16 if i % 2 else None
        return [len(x[v:]), len(x[:v]), len(x[v::-1]), len(x[3:v:2])]
    return {"out": np.array([row(i) for i in THREADS]).T}


def nothing_but_none():
    return {"out": np.ones(4)}


@options("--debug")
@fails(3, r"TypeError: expected int64, got None")
def none_is_no_number():
    return {}


def through_functions():
    x = [0, 1, 2, 1, 1, 5, 1, 0]

    def row(i):
        s = i if i > 3 else None
        n = i % 8 - 1
        known = s is not None
        return [x.count(i % 3), 1, 84, 5 + (2 * s if known else 42), s + 4 if known else -1,
                3 * s if known else -1, -1 if n < 0 else np.prod(range(1, n + 1)),
                (s if known else -1) + (100 if i % 2 else 2.5),
                s + max(s, 9) + s + s if known else 0, s + 1 if known else 0]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def in_signatures():
    def row(i):
        more = -1 if i < 4 else i + 1
        return [more, more, 1, 2, more - 1, more if i % 2 else -1, max(more, 0) + 0.5]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}


def none_in_tuples():
    def row(i):
        a, b = [(None, i), (i * 2, i), (i, None)][i % 3]
        return [4, -1 if a is None else a, -1 if b is None else b, 7 + i, 2 * i if i > 5 else 0,
                2 * i, i]
    return {"out": np.array([row(i) for i in THREADS], dtype=float).T}
