import math

import numpy as np

from expect import options, tolerance


@tolerance(2e-3, 1e-6)
def quick():
    x = np.linspace(0.1, 1, 64).astype(np.float32).astype(np.float64)
    rows = [np.cos(x), np.sin(x), np.tan(x), np.exp(x), np.log(x), np.log2(x), np.log10(x), x**x,
            np.tanh(x), x / (x + 1)]
    return {"out": np.array(rows, np.float32)}


def not_finite():
    x = np.array([1, math.inf, -math.inf, math.nan])
    return {"out": np.array([np.isnan(x), np.isinf(x), x - x, x * 2])}


def functions_of_what_is_none():
    out = np.full((3, 4), math.nan)
    out[2, 3] = 0
    near = np.full((3, 4), math.nan, np.float32)
    return {"out": out, "near": near}


@options("--debug")
def no_division_raises():
    return {"out": np.array([math.inf, -math.inf], np.float32)}
