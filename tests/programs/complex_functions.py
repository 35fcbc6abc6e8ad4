"""cmath is held to CPython's, wherever that does not raise."""
import cmath
import itertools
import math

import numpy as np

from expect import tolerance

NAMES = ("acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan "
         "tanh").split()
PARTS = [-0.0, 0.0, 1.0, -1.0, 1.5, -3.5, math.inf, -math.inf, math.nan]
POINTS = list(itertools.starmap(complex, itertools.product(PARTS, PARTS)))


def _value(function, *args):
    try:
        return function(*args)
    except (ValueError, OverflowError):
        return None


def _row(values, dtype=np.complex128):
    """Masked where CPython raises."""
    return np.ma.array([0 if value is None else value for value in values], dtype,
                       mask=[value is None for value in values])


def _rows(points, dtype):
    return np.ma.stack([_row([_value(getattr(cmath, name), z) for z in points], dtype)
                        for name in NAMES])


@tolerance(1e-15, 1e-300)
def at_edges():
    return {"out": _rows(POINTS, np.complex128)}


@tolerance(3e-7, 1e-37)
def of_complex64():
    return {"out": _rows(POINTS, np.complex64)}


@tolerance(1e-15)
def parts():
    return {"out": np.array([[cmath.isnan(z) for z in POINTS], [cmath.isinf(z) for z in POINTS],
                             [cmath.isfinite(z) for z in POINTS]]),
            "angle": np.array([cmath.phase(z) for z in POINTS]),
            "modulus": np.array([abs(z) for z in POINTS])}


@tolerance(2e-15, 1e-300)
def polar_and_back():
    rect = [_value(cmath.rect, r, phi) for r, phi in itertools.product(PARTS, PARTS)]
    return {"out": _row(rect),
            "based": np.array([cmath.log(2 + 3j, 2), cmath.log(8.0, 2.0 + 1j), cmath.sqrt(-4)])}


@tolerance(2e-14)
def in_the_plane():
    z = np.linspace(0.05, 6, 60)
    return {"out": _rows([complex(x - 3, 2 - x * 0.7) for x in z], np.complex128)}


def closeness():
    pairs = list(itertools.product(POINTS, POINTS))
    return {"out": np.array([[cmath.isclose(a, b) for a, b in pairs],
                             [cmath.isclose(a, b, rel_tol=0.5) for a, b in pairs],
                             [cmath.isclose(a, b, abs_tol=2.0) for a, b in pairs]])}


def vanishing():
    """The signs of these zeros are open in C; CPython's and numba's are +."""
    return {"out": np.zeros(3, np.complex128)}
