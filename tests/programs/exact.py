"""Sums by Fraction, rounded once."""
import math
from fractions import Fraction

import numpy as np


def _scrambled(i):
    x = (i * 2654435761 + 12345) & 0xFFFFFFFF
    x = (x ^ (x >> 15)) * 2246822519 & 0xFFFFFFFF
    return (x >> 8) - (1 << 23)


def _nearest(total, dtype):
    """Ties to even; the numbers here are no larger than the largest."""
    digits, least = (24, -149) if dtype == np.float32 else (53, -1074)
    if not total:
        return dtype(0)
    exponent = max(1 + _log2(abs(total)) - digits, least)
    scaled = total / Fraction(2) ** exponent
    return dtype(math.ldexp(round(scaled), exponent))


def _log2(x):
    """The largest power of two that is not above x."""
    power = x.numerator.bit_length() - x.denominator.bit_length()
    return power if Fraction(2) ** power <= x else power - 1


def _sums(begin, terms, dtype):
    """`terms` are pairs of an element and a Fraction."""
    totals = [Fraction(x) for x in begin]
    for at, term in terms:
        totals[at] += term
    return {"sums": np.array([_nearest(x, dtype) for x in totals], dtype)}


def of_all_sizes():
    return _sums([1.5] * 7, [(i % 7, _scrambled(i) * Fraction(2) ** (i % 227 - 149))
                             for i in range(3000)], np.float32)


def of_all_sizes_in_float64():
    return _sums([1.5] * 7, [(i % 7, _scrambled(i) * Fraction(2) ** (i % 2000 - 1074))
                             for i in range(3000)], np.float64)


def that_nearly_cancel():
    terms = []
    for x in range(36):
        for y in range(21):
            at = (2 - y % 3) * 5 + x % 5
            big = Fraction((_scrambled(x // 2) | 1) << 40)
            terms.append((at, Fraction(float(np.float32(0.1)))))
            terms.append((at, -big if x % 2 else big))
    return {"sums": _sums([0] * 15, terms, np.float32)["sums"].reshape(3, 5)}


def that_sink_below_the_least():
    return _sums([0] * 3, [(i % 3, Fraction(-(i % 2)) * Fraction(2) ** -149) for i in range(512)],
                 np.float32)


def of_what_is_not_finite():
    return {"sums": np.array([np.inf, np.nan, -np.inf, np.nan, 0, np.inf], np.float32)}


def of_many_elements():
    sums = _sums([0] * 5000, [(i * 7 % 5000, Fraction(0.1 * i)) for i in range(4000) if i % 3],
                 np.float64)["sums"]
    sums[sums == 0] = -0.0
    return {"sums": sums}


def behind_a_barrier():
    tile = [[np.float32(0.1 * (t + b)) for t in range(64)] for b in range(6)]
    sums = _sums([0] * 2, [(t & 1, Fraction(float(tile[b][63 - t])))
                           for b in range(6) for t in range(64)], np.float32)["sums"]
    return {"tile": np.array(tile[0][::-1], np.float32), "sums": sums}
