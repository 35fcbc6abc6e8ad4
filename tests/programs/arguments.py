"""What the kernels of arguments.k leave."""
import numpy as np


def numbers():
    return {"out": np.array([1, 2.5, 1, -3, 15, 1 - 2j, np.float32(0.1), 7])}


def arrays():
    i = np.arange(64)
    return {"out": i + (64.0 + i) * i, "x": -i.astype(np.float32)}


def nested():
    return {"out": np.array([1, 2.5, 3, 10, 3, 0.5, 4, 0.5])}


def of_nothing():
    return {"out": np.array([0.0, 7])}


def arrays_at_run_time():
    t = np.array([[0.0], [1], [7]]) * np.ones(32)
    i = np.arange(32)
    out = t[i % 3, i] + t[-1 - i % 3, 31 - i]
    t[i % 3, i] += 100
    return {"out": out, "sums": np.full(3, 160.0), "t[0]": t[0], "b": t[1], "t[2]": t[2]}


def numbers_at_run_time():
    t = np.array([1, 2, 4, 8, -16])
    i = np.arange(32)
    return {"out": t[i % 5] + t[-1 - i % 5] + t.sum() + 4 + 2 + 2 + 1 + 1}


def passed_on():
    return {"out": np.array([7, 1.5, 4, 4.5, 1 + 3, 14, 0, 0])}


def declared():
    i = np.arange(32)
    return {"out": 3.0 + i + np.where(i % 2, 1, i)}


def layouts_of_one_type():
    m = np.arange(64).reshape(8, 8)
    i, j = np.indices((4, 3))
    return {"out": np.where((i + j) % 2, 5, m[::2, 1::3]).astype(float)}


def written_in_tuples():
    return {"t[0][0]": np.array([10.0]), "t[1][0]": np.array([20.0])}


def as_shape_and_index():
    i = np.arange(12)
    return {"out": i // 4 * 10 + i % 4}


def declared_as_calls():
    return {"out": np.arange(4, 8) + 2.0}
