"""math, as CPython has it."""
import math

import numpy as np

from expect import tolerance

_X = [0, 1, -1, 2, -2, 3, 4, 5, 6, 7, -7, 8, 9, 10, 12, -12, 14, 15, 16, 18, 21, 24, 27, 30, -36,
      48, 60, 64, 97, 100, -120, 127, 128, 255, 360, 1000, 1001, 65536, 99991, 2147483647,
      -(1 << 63)]
_FLOATS = [0.0, -0.0, 1.0, -1.0, 1.0000000001, 0.5, 1.5, -2.5, 100.0, 100.1, 104.0, 1e-10, 5e-324,
       1e-40, 2.2250738585072014e-308, 1e17, 3e38, 1.7976931348623157e308, math.inf, -math.inf,
       math.nan]


def _wrapped(value):
    return (value + 2**63) % 2**64 - 2**63


def divisors():
    pairs = [(a, b) for a in _X for b in _X]
    return {"out": np.array([[_wrapped(math.gcd(a, b)) for a, b in pairs],
                             [_wrapped(math.lcm(a, b)) for a, b in pairs]])}


def divisors_of_unsigned():
    return {"out": np.array([[math.gcd(2**63 + i * 5040, i * 720720) for i in range(300)],
                             [math.lcm(i, 12, 90) for i in range(300)]], np.uint64)}


def divisors_of_any_number():
    return {"out": np.array([0, 1, 6, math.gcd(12, -18, 30, 42), 180, 1 << 62, 0, 0])}


def _factorial(n):
    return 0 if n < 0 else _wrapped(math.factorial(n))


def _perm(n, k):
    return 0 if n < 0 or k < 0 else _wrapped(math.perm(n, k))


def arrangements():
    pairs = [(i // 41, i % 41) for i in range(1681)]
    return {"out": np.array([
        [0 if k < 2 or math.comb(n + 24, k - 2) >= 2**63 else math.comb(n + 24, k - 2)
         for n, k in pairs],
        [_perm(n - 2, k - 2) if k < 14 else 0 for n, k in pairs],
        [_factorial(n - 2) if n < 23 else _factorial(n - 30) for n, k in pairs]])}


def square_roots():
    i = range(64)
    large = [(k + 3037000436) ** 2 for k in i]
    roots = [(4294967295 - k) ** 2 for k in i]
    return {"out": np.array([
        [math.isqrt(max(k - 3, 0)) for k in i],
        [math.isqrt(x) if x < 2**63 else 0 for x in large],
        [math.isqrt(x - 1) if x - 1 < 2**63 else 0 for x in large],
        [math.isqrt(max((2 * k + 128) % 256 - 128, 0)) for k in i]]),
        "wide": np.array([[math.isqrt(x) for x in roots], [math.isqrt(x - 1) for x in roots],
                          [math.isqrt(2**64 - 1 - k) for k in i]], np.uint64)}


def closeness():
    pairs = [(a, b) for a in _FLOATS for b in _FLOATS]
    return {"out": np.array([[math.isclose(a, b) for a, b in pairs],
                             [math.isclose(a, b, rel_tol=0.05) for a, b in pairs],
                             [math.isclose(a, b, abs_tol=0.25) for a, b in pairs]])}


def last_places():
    singles = np.abs(np.array(_FLOATS, np.float32))
    return {"out": np.array([math.ulp(x) for x in _FLOATS]), "single": np.where(
        np.isinf(singles), singles, np.spacing(singles))}


def _fused(x, kind):
    """x * x - 1, rounded once: through integers, which are exact."""
    from fractions import Fraction
    if not math.isfinite(x):
        return x * x
    exact = Fraction(x) ** 2 - 1
    try:
        return float(exact) if kind is np.float64 else float(np.float32(float(exact)))
    except OverflowError:
        return math.inf


def fused():
    return {"out": np.array([_fused(x, np.float64) for x in _FLOATS]),
            "single": np.array([_fused(float(np.float32(x)), np.float32) for x in _FLOATS],
                               np.float32)}


@tolerance(5e-7)
def roots_and_logarithms():
    i = np.arange(32.0)
    single = np.stack([np.cbrt(i - 16), np.log(i + 1) / np.log(3.0)]).astype(np.float32)
    return {"out": np.stack([np.cbrt(i * i - 64), np.log(i + 1) / np.log(2.0),
                             np.log((i + 1).astype(np.float32)).astype(float) / np.log(10.0),
                             np.log(i / 8) / np.log(i + 2)]), "single": single}


@tolerance(1e-14)
def of_tuples():
    x = np.arange(1.0, 7.0)
    return {"out": np.array([24, 30, 720, 32, 16.5, 91, 5, 13, math.dist(x, x[::-1]),
                             math.dist((1e200, 0), (0, 1e200)), math.inf, 7, 3.5, math.sqrt(55), 7,
                             5 + 1024 + math.pi + math.pi / 4 + math.erf(0.5)])}


def constants_of_modules():
    return {"out": np.array([math.pi, math.e, math.tau, math.inf, math.nan, np.pi, np.e,
                             np.euler_gamma, -np.inf, np.nan, math.pi, math.e + math.tau, math.nan])}
