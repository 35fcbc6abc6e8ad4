import numpy as np


def swap():
    return {"out": np.array([2, 1])}


def loop_else():
    return {"out": np.array([0, 10, 3, 4])}


def assignments():
    m = np.array([[0, 44], [-1, 6]], np.int8)
    return {"out": np.array([8, 6.5, 2, 8, 44, 8, 0.5, 24, 2.5, 12, 0, 0]), "m": m}


def choices():
    return {"out": np.array([2, 5, 7, 43, 1, 8, 0, 7, 1, 0])}


def loops():
    return {"out": np.array([7 + 1 - 2, 1, 0, 6, (10 * 10 + 6) * 10 + 2, 3, 0, 2])}


def early_returns():
    return {"out": np.array([4.0, -1])}


def silent_raise():
    return {"out": np.array([0.0, 1, 0, 1]), "seen": np.zeros(1)}


def rebound_arrays():
    return {"out": np.array([1.0, 2, 3 + 0 + 6])}


def evaluated_once():
    out, calls = np.zeros((32, 6)), np.zeros(32, np.int32)
    for i in range(32):
        out[i, :2] = 3 < i < 9, 1
        out[i, 2] = 20 < i < 25
        out[i, 3] = (i < 4 or 0) + (i > 4 and 2.5)
        out[i, 4] = 1 if i % 2 else 7
        out[i, 5] = 5 == 5 != i > 2 in (1, 2)
        calls[i] = 1 + (i > 20) + (i >= 4) + (i > 4) + i % 2
    return {"out": out, "calls": calls}


def stores_in_augmented_assignments():
    i = np.arange(32)
    last = np.where(i % 5 > 0, i % 5 - 1, 9)
    return {"out": np.stack([100 + i, (i * 2.6).astype(int), last, i * 0 - 1], 1).astype(np.int8),
            "x": np.stack([i, i // 2]).astype(np.int32)}


def conditional_expressions_as_statements():
    i = np.arange(32)
    return {"x": np.stack([5 * (i % 2) + 100, 7 * (i % 2 == 0), i * (i <= 4) + 9 * (i > 20)], 1)
            .astype(np.int32),
            "printed": "from 3\n"}
