"""Numbers of the case, kept apart from the kernels."""
import numpy as np

__all__ = ["GAMMA", "CASE", "roe_weights", "Limits"]
GAMMA = 1.4
CASE = {"cells": 200, "cfl": 0.4, "left": (1.0, 0.0, 1.0), "right": (0.125, 0.0, 0.1)}


class Limits:
    floor = 1e-8

    @classmethod
    def clip(cls, x):
        return x if x > cls.floor else cls.floor


def roe_weights(left, right):
    a, b = np.sqrt(left), np.sqrt(right)
    return a / (a + b), b / (a + b)
