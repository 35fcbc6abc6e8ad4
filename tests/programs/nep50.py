"""In the machine's own widths: NumPy's casts say what is left of a result."""
import math

import numpy as np

from expect import tolerance

F = np.float32


def literals_are_weak():
    x = F(0.1)
    out = [x * F(2), x + F(1), x * F(2) + F(0.5), F(-1.5) * (x * x), x / F(3), 1, x - F(0.5),
           np.floor_divide(x, F(0.03))]
    return {"out": np.array(out, float)}


def integers_keep_their_width():
    def wrap(number, dtype):
        return int(np.array([number]).astype(dtype)[0])

    a, b, c = 100, 2000000000, 200
    out = [wrap(2 * a, "i1"), wrap(2 * b, "i4"), wrap(a + 27, "i1"), wrap(a + b, "i4"),
           wrap(2 * c, "u1"), a + c, wrap(2 * b, "i4"), wrap(-2 * a, "i1"), 255 - c,
           wrap(2 * c, "u1"), b // -7, -b % 7, wrap(b * b, "i4"), wrap(c - 201, "u1")]
    real = [1.0, b * float(F(0.1)), float(F(a) * F(0.1)), b * 0.5]
    return {"out": np.array(out), "real": np.array(real)}


def numba_is_the_default():
    return {"out": np.array([float(F(0.1)) * 2, 0])}


@tolerance(2e-7)
def what_stands_for_literals():
    x, third = np.float32(0.1), 0.3
    return {"out": np.array([x * math.pi, x * third, x * third, np.power(x, np.float32(3)),
                             np.uint8(200) + 10, np.hypot(np.float32(third), x)], float)}
