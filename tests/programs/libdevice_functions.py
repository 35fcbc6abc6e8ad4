"""tables/libdevice.txt holds what takes more digits than NumPy has. The tolerances are CUDA's: at
most 8 units in the last place, and those of the fast functions."""
import math
import pathlib
from fractions import Fraction

import numpy as np

from expect import tolerance

HERE = pathlib.Path(__file__).parent
TABLE = {words[0]: [float(word) for word in words[1:]]
         for words in map(str.split, (HERE / "tables/libdevice.txt").read_text().splitlines())}
BESSEL = ("j0", "j1", "jn", "y0", "y1", "yn")
PAIRS = [(5.5, 2.0), (-5.5, 2.0), (0.75, -3.25), (-0.0, 0.0), (1e10, 3.0), (7.0, 7.0), (-2.5, -0.5),
         (0.1, 0.3)]
NEAR = [0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, -7.75, 4194304.5]
ANY = [0.1, -0.3, 0.75, 1.0, -1.7, 2.5, 5.25, -8.0]
UNIT = [1e-12, 0.001, -0.3, 0.5, 0.625, -0.9, 0.999, -0.99999994]
ABOVE = [0.001, 0.5, 1.0, 2.0, 2.5, 10.0, 700.25, 1e30]
WAVES = [0.01, 0.5, 1.0, 1.9, 3.1, 5.0, 6.3, 7.4]


def _single(values):
    return [float(np.float32(x)) for x in values]


def _rows(narrow, bessel):
    """The rows of one float type, in the order of the table."""
    rows = list(TABLE.items())[1 if narrow else 0::2]
    return [row for name, row in rows if (name[:2] in BESSEL) == bessel]


# ---- one operand --------------------------------------------------------------------------------


@tolerance(1.8e-15, 1e-290)
def functions_from_acos():
    return {"out": np.array(_rows(False, False)[0:12])}


@tolerance(1.8e-15, 1e-290)
def functions_from_erfcinv():
    return {"out": np.array(_rows(False, False)[12:24])}


@tolerance(1.8e-15, 1e-290)
def functions_from_normcdf():
    return {"out": np.array(_rows(False, False)[24:])}


@tolerance(9.6e-7, 1e-37)
def functions_from_acos_of_float32():
    return {"out": np.array(_rows(True, False)[0:12], np.float32)}


@tolerance(9.6e-7, 1e-37)
def functions_from_erfcinv_of_float32():
    return {"out": np.array(_rows(True, False)[12:24], np.float32)}


@tolerance(9.6e-7, 1e-37)
def functions_from_normcdf_of_float32():
    return {"out": np.array(_rows(True, False)[24:], np.float32)}


@tolerance(1e-14, 5e-12)  # what CUDA's guide allows beyond |x| = 8
def bessel():
    return {"out": np.array(_rows(False, True))}


@tolerance(2e-6, 3e-7)
def bessel_of_float32():
    return {"out": np.array(_rows(True, True), np.float32)}


def _nearest(dtype):
    x = np.array(NEAR, dtype)
    rounded = np.array([math.copysign(math.floor(Fraction(abs(float(v))) + Fraction(1, 2)), v)
                        for v in x], dtype)
    rows = [np.ceil(x), np.floor(x), np.trunc(x), np.rint(x), np.rint(x), rounded, np.abs(x),
            np.frexp(x)[1] - 1]
    return {"out": np.array(rows, dtype)}


def nearest():
    return _nearest(np.float64)


def nearest_of_float32():
    return _nearest(np.float32)


# ---- two operands -------------------------------------------------------------------------------


def _of_two(dtype):
    """In float64 of what the operands are, which rounding makes a float32."""
    pairs = [(float(dtype(x)), float(dtype(y))) for x, y in PAIRS]
    near = [float(dtype(x)) for x in NEAR]
    above = [float(dtype(x)) for x in ABOVE]
    x, y = (np.array(values) for values in zip(*pairs))
    after = [np.nextafter(dtype(a), dtype(b)) for a, b in pairs]
    remainder = [math.remainder(a, b) if b else math.nan for a, b in pairs]
    rows = [np.arctan2(x, y), np.copysign(x, y), np.where(x > y, x - y, 0.0), np.maximum(x, y),
            np.minimum(x, y), np.fmod(x, y), np.hypot(x, y), after, remainder,
            [_power(a, b) for a, b in zip(above, y)],
            [float(Fraction(a) * Fraction(b) + Fraction(c)) for (a, b), c in zip(pairs, near)],
            [math.ldexp(a, i - 4) for i, a in enumerate(x)],
            [math.ldexp(a, 4 - i) for i, a in enumerate(x)],
            [_power(a, i - 3) for i, a in enumerate(x)]]
    return {"out": np.array([np.asarray(row, np.float64) for row in rows]).astype(dtype)}


def _power(a, b):
    return a**b if a or b >= 0 else math.inf


@tolerance(1.8e-15, 1e-300)
def of_two():
    return _of_two(np.float64)


@tolerance(9.6e-7, 1e-37)
def of_two_of_float32():
    return _of_two(np.float32)


def tests():
    x = [a / b if b else math.nan for a, b in PAIRS]
    infinite = [a == 0 for a, _ in PAIRS]
    negative = [math.copysign(1, a) < 0 for a, _ in PAIRS]
    rows = [np.isnan(x), np.isnan(x), infinite, infinite, negative, negative, np.isfinite(x),
            np.isfinite(x), [math.frexp(b)[1] - 1 if b else -1 << 31 for _, b in PAIRS],
            [math.frexp(float(np.float32(v)))[1] - 1 for v in ABOVE], [-1 << 31] * 8,
            [_quotient(v, 0.75) for v in ABOVE]]
    return {"out": np.array(rows, np.int32)}


# ---- two results --------------------------------------------------------------------------------


def _quotient(x, y):
    """The low three bits of the quotient that remainder() takes, with its sign."""
    if y == 0:
        return 0
    whole = round(Fraction(x) / Fraction(y))
    return -(-whole & 7) if whole < 0 else whole & 7


def _fraction(x):
    return math.copysign(abs(x - math.trunc(x)), x)


def _two_results(dtype):
    x, y = ([float(dtype(pair[k])) for pair in PAIRS] for k in (0, 1))
    near, any_ = ([float(dtype(v)) for v in values] for values in (NEAR, ANY))
    half = [v % 2 * math.pi for v in near]
    remainder = [math.remainder(a, b) if b else math.nan for a, b in zip(any_, y)]
    return [np.sin(x), np.cos(x), np.sin(half), np.cos(half), np.frexp(x)[0], np.frexp(x)[1],
            [_fraction(v) for v in x], np.trunc(x), remainder,
            [_quotient(a, b) for a, b in zip(any_, y)]]


@tolerance(1e-6, 1e-6)
def two_results():
    singles = _single(ANY)
    narrow = [*_two_results(np.float32), np.sin(singles), np.cos(singles)]
    return {"out": np.array(_two_results(np.float64)), "narrow": np.array(narrow, np.float32)}


@tolerance(3e-5, 3e-6)
def fast():
    x, y, unit = (np.array(_single(values)) for values in (ANY, WAVES, UNIT))
    rows = [np.sin(x), np.cos(x), np.tan(unit), np.exp(x), 10.0**x, np.log(y), np.log2(y),
            np.log10(y), y**x, x / y, np.clip(x, 0, 1)]
    return {"out": np.array(rows, np.float32)}


def arguments_are_converted():
    return {"out": np.array([7.0, 5.0, 2.0, 8.0, 0.0, math.sqrt(10)])}
