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
