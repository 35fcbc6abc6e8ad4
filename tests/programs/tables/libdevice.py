#!/usr/bin/env python3
"""Writes libdevice.txt: what functions of cuda.libdevice are at some points, computed by mpmath with
60 digits and rounded once. A line is a name and a value for each point of its domain; the points
are in functions.k as well. Needs mpmath, which the tests do not."""
import pathlib
import struct

import mpmath as mp

mp.mp.dps = 60
DOMAINS = {
    "ANY": (0.1, -0.3, 0.75, 1.0, -1.7, 2.5, 5.25, -8.0),
    "UNIT": (1e-12, 0.001, -0.3, 0.5, 0.625, -0.9, 0.999, -0.99999994),
    "ABOVE": (0.001, 0.5, 1.0, 2.0, 2.5, 10.0, 700.25, 1e30),
    "TURNS": (0.25, -0.1, 0.4999, 1.75, -2.3, 1000.125, -77777.5, 3.0000002),
    "TAILS": (-37.5, -12.3, -8.0, -1.0, -0.01, 0.3, 2.0, 8.0),
    "SCALED": (-9.2, -3.0, -0.5, 0.1, 3.0, 24.9, 25.1, 1e10),
    "TWICE": (1e-30, 1e-10, 0.01, 0.5, 0.99, 1.001, 1.7, 1.9999999),
    "CHANCES": (1e-30, 1e-10, 0.01, 0.3, 0.49, 0.51, 0.7, 0.999),
    "WAVES": (0.01, 0.5, 1.0, 1.9, 3.1, 5.0, 6.3, 7.4),
}


def erfcinv(y):
    return mp.findroot(lambda z: mp.log(mp.erfc(z) / y), mp.erfinv(1 - y)) if y < 0.5 \
        else mp.erfinv(1 - y)


def cdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


FUNCTIONS = [
    ("acos", "UNIT", mp.acos), ("acosh", "ABOVE", mp.acosh), ("asin", "UNIT", mp.asin),
    ("asinh", "ANY", mp.asinh), ("atan", "ANY", mp.atan), ("atanh", "UNIT", mp.atanh),
    ("cbrt", "ABOVE", mp.cbrt), ("cos", "ANY", mp.cos), ("cosh", "ANY", mp.cosh),
    ("cospi", "TURNS", mp.cospi), ("erf", "ANY", mp.erf), ("erfc", "ANY", mp.erfc),
    ("erfcinv", "TWICE", erfcinv), ("erfcx", "SCALED", lambda x: mp.exp(x * x) * mp.erfc(x)),
    ("erfinv", "UNIT", mp.erfinv), ("exp", "ANY", mp.exp), ("exp10", "ANY", lambda x: mp.mpf(10)**x),
    ("exp2", "ANY", lambda x: mp.mpf(2)**x), ("expm1", "ANY", mp.expm1),
    ("lgamma", "ABOVE", mp.loggamma), ("log", "ABOVE", mp.log), ("log10", "ABOVE", mp.log10),
    ("log1p", "UNIT", mp.log1p), ("log2", "ABOVE", lambda x: mp.log(x, 2)),
    ("normcdf", "TAILS", cdf), ("normcdfinv", "CHANCES", lambda p: -mp.sqrt(2) * erfcinv(2 * p)),
    ("rcbrt", "ABOVE", lambda x: 1 / mp.cbrt(x)), ("rsqrt", "ABOVE", lambda x: 1 / mp.sqrt(x)),
    ("sin", "ANY", mp.sin), ("sinh", "ANY", mp.sinh), ("sinpi", "TURNS", mp.sinpi),
    ("sqrt", "ABOVE", mp.sqrt), ("tan", "ANY", mp.tan), ("tanh", "ANY", mp.tanh),
    ("tgamma", "WAVES", mp.gamma), ("j0", "WAVES", lambda x: mp.besselj(0, x)),
    ("j1", "WAVES", lambda x: mp.besselj(1, x)), ("jn", "WAVES", lambda x: mp.besselj(3, x)),
    ("y0", "WAVES", lambda x: mp.bessely(0, x)), ("y1", "WAVES", lambda x: mp.bessely(1, x)),
    ("yn", "WAVES", lambda x: mp.bessely(3, x)),
]


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def rounded(value, narrow):
    value = float("nan") if mp.im(value) else float(mp.re(value))
    try:
        return single(value) if narrow else value
    except OverflowError:
        return float("inf")


def main():
    lines = []
    for name, domain, function in FUNCTIONS:
        for narrow in (False, True):
            points = [single(x) if narrow else x for x in DOMAINS[domain]]
            values = [rounded(function(mp.mpf(x)), narrow) for x in points]
            lines.append(" ".join([name + "f" * narrow, *map(repr, values)]))
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
