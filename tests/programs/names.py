import numpy as np


def functions_of_cuda():
    x = np.arange(4.0)
    return {"x": (x - 1) * 6 + 1 + np.array([1.5, 2.5, 1.5, 2.5])}


def double2ull():
    return {"M_PI": np.arange(4.0) ** 2}
