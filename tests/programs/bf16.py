"""As fp16.py, with the numbers of the other format: 8 digits, and the range of float32."""
import math
import pathlib
from fractions import Fraction

import numpy as np

# Its references become this module's, and read the constants below.
exec(pathlib.Path(__file__).with_name("fp16.py").read_text())

EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -0.1, 0.33, 1e-40, -1e-40, 1e-38, 3.38e38, -3.38e38,
         INF, -INF, math.nan]
EVERY = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
OUT = np.float32
DIGITS, LEAST, LARGEST = 8, Fraction(1, 1 << 133), Fraction(255 << 120)
functions = tolerance(1.0 / (1 << (DIGITS - 1)), 2e-5)(functions)


def operators():
    """bfloat16 beside an integer of 8 bits or itself stays so; // % ** work in float32."""
    out = [_half(259), _half(257), 257, 257, 257, 256 + (1 << 40), 333, 1, 3375, -256, 2.5, True,
           True, -2, _half(259), _half(0.1), 0, 0, 0, 0]
    return {"out": np.array(out, np.float64)}


def of_math():
    x = 2.75
    out = [2, 3, 2, x, *map(_half, (math.sqrt(x), math.log(x), 0, math.log10(x), math.cos(x),
                                    math.sin(x), math.tanh(x), math.exp(x), 2.0**x))]
    out[6] = np.log2(np.float32(x))  # numba's is of float32
    return {"out": np.array(out, np.float64)}


def rounded_once():
    return {"out": np.array([[1.0078125, -1.0078125, 1.0]] * 2)}


def under_their_own_names():
    return {"out": np.array([4.75, 7, 3, 0], np.float32)}
