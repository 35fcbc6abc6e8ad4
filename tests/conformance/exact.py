"""Functions of numbers, rounded once: mpmath with 60 digits where the result is an ordinary number,
C's library for zeros, infinities and NaN, whose signs and kinds it has right.

Only values.py needs this, and mpmath; the tests read what it wrote."""
import math

import mpmath as mp
import numpy as np

import model

mp.mp.dps = 60


def _log_gamma(x):
    return mp.loggamma(x).real if x > 0 else mp.log(abs(mp.gamma(x)))


def _degrees(x):
    return x * 180 / mp.pi


def _radians(x):
    return x * mp.pi / 180


def _exp2(x):
    return mp.power(2, x)


ONE = {name: getattr(mp, name) for name in
       "acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp expm1 log log10 log1p erf "
       "erfc gamma cbrt".split()}
ONE |= {"log2": lambda x: mp.log(x, 2), "exp2": _exp2, "lgamma": _log_gamma}
TWO = {"pow": mp.power, "atan2": mp.atan2, "hypot": mp.hypot}


def _refined(function, rough, arguments):
    """`rough` unless it is an ordinary number and so are the arguments."""
    if not all(map(math.isfinite, (rough, *arguments))) or rough == 0:
        return rough
    exact = function(*map(mp.mpf, arguments))
    return rough if isinstance(exact, mp.mpc) else float(exact)


def of_one(name, x):
    if name == "cbrt" and x < 0:
        return -of_one(name, -x)
    rough = model.libm1(name, x)
    return _refined(ONE[name], rough, (x,)) if name in ONE else rough


def of_two(name, x, y):
    rough = model.libm2(name, x, y)
    if name == "pow" and x < 0:
        return math.copysign(of_two(name, -x, y), rough) if rough == rough else rough
    return _refined(TWO[name], rough, (x, y)) if name in TWO and x and y else rough


def log_of_sum(name, x, y):
    """logaddexp and logaddexp2."""
    rough = float(getattr(np, name)(x, y))
    base = 2 if name == "logaddexp2" else mp.e
    if not all(map(math.isfinite, (rough, x, y))) or rough == 0:
        return rough
    return float(max(x, y) + mp.log(1 + mp.power(base, -abs(mp.mpf(x) - mp.mpf(y))), base))
