import numpy as np


def places():
    return {"out": np.array([12, 3, 4, 11, 3, 25, 3142, 16, 1, 32.0])}


def past_the_end():
    out = np.zeros(64)
    out[:3] = 1, 2, 3
    return {"out": out}


def arrays_come_apart():
    return {"out": np.array([393, 123, 4, 43.0, 0, 0, 0, 0]), "y": np.array([4, 3, -1.0])}


def found():
    return {"out": np.array([1 + 4 + 8, 12, -6, 3.1, 1 + 8, 41, 6133, 131, 4, np.inf, 3,
                             3 + 2 + 4, 0, 0, 0, 0])}


def searched():
    x = np.array([1, 2, 2, 2, 5, np.inf, np.nan])
    v = np.array([0, 1, 2, 3, 5, 6, np.inf, np.nan])
    left, right = np.searchsorted(x, v), np.searchsorted(x, v, "right")
    z = np.array([0, -0.0, 0.5, 3, -1.5])
    return {"out": np.array([left, right, left, 0 * left]), "s": np.sinc(z)}


def ranges_are_what_they_were():
    a = np.arange(10)
    a[3] = 7
    return {"a": a, "out": np.array([2, 9, 3, 6, 2, 2, 11, 1])}
