import numpy as np


def swap():
    return {"out": np.array([2, 1])}


def loop_else():
    return {"out": np.array([0, 10, 3, 4])}
