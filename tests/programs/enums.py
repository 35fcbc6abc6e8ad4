import numpy as np


def members():
    rows = [[1, 0, 1, 1, 1, 1, 1, 0, 8, 1, 1, 2], [0, 1, 1, 1, 2, 0, 0, 1, 7, 2, 1, 2],
            [0, 0, 0, 0, -3, 0, 1, 0, 8, 2, 1, 2]]
    return {"out": np.array([rows[i % 3] for i in range(64)])}


def integers():
    x = np.zeros(600, np.int64)
    x[500:564] = 500
    x[2], x[0] = 5, 128
    out = []
    for i in range(64):
        s = 2 if i % 2 else -7
        out.append([s, s + 1, s * 500 - i, s // 2, -s, ~s, s < 500, s == 2, s == 11, s == 2, 0,
                    abs(s), 0, s | 1, 501, s if i % 4 else i, s + 1, 1, 3, i, min(2, i), 1101, 0, 1])
    return {"x": x, "out": np.array(out)}


def other_values():
    return {"out": np.array([[-0.0, 10, 0, 0, 1, 0, 3.5, 1], [0.5, 43, 1, 1, 0, 0, 3.5, 1]])}


def as_any_integer():
    x = np.arange(10)
    x[5:7] = 500
    return {"x": x, "out": np.array([[8, 7, 5, 12, 4, 504, 2, 0.5]] * 3)}


def of_signatures():
    return {"out": np.array([1 << 40, -7, -4, 250.0])}


def in_arrays():
    return {"out": np.array([500, -7, 2, 5, 2, 2])}
