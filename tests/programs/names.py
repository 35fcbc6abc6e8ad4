import numpy as np


def functions_of_cuda():
    x = np.arange(4.0)
    return {"x": (x - 1) * 6 + 1 + np.array([1.5, 2.5, 1.5, 2.5])}


def double2ull():
    return {"M_PI": np.arange(4.0) ** 2}


def stops_of_loops():
    turns = np.arange(64) // 32 + 3
    return {"x": (5 + 7 * turns) * 1000 + 11 + 9 * turns}


def in_other_dress():
    return {"fix": np.arange(4.0) + 3.5}
