import numpy as np


def whole():
    return {"out": np.array([15, 120, 1, -2, -4, 2, 81, 22, 44, -5 + 2 - 8, 2, 2, 1, 1, 5, 42, 15,
                             1, 3, 35, -13, 3, 1, 6])}
