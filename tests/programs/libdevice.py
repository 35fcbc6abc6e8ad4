"""Integers and rounding are computed exactly, by int and Fraction."""
import itertools
import math
from fractions import Fraction

import numpy as np

INF, NAN = math.inf, math.nan
WORDS = [0, 1, -1, 2, -7, 255, 0x123456, 0xFFFFFF, -0x123457, 0x7FFFFFFF, -0x80000000, 0x40000001]
LONGS = [0, 1, -1, 3, -1000, 0x123456789ABCDEF, 1 << 53, (1 << 53) + 1, -(1 << 53) - 3,
         0x7FFFFFFFFFFFFFFF, -0x7FFFFFFFFFFFFFFF - 1, 0x4000004000000001]
DOUBLES = [0.0, -0.0, 1.0, -1.0, 3.0, 0.1, -1e-16, 1.7e308, -1.7e308, 5e-324, -5e-324, 3e-310,
           1e-160, -2.3e-155, 1.0000000000000002, INF, -INF, NAN]
FLOATS = [0.0, -0.0, 1.0, -1.0, 3.0, 0.1, -1e-9, 3.3e38, -3.3e38, 1e-45, -1e-45, 3e-41, 1e-20,
          -2.3e-19, 1.0000001, INF, -INF, NAN]
STEPS = [0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 2.4999, 99.7, -100.2, 2147483646.5, 2147483648.0,
         -2147483648.5, 4294967294.5, 4294967296.0, 9.3e18, -9.3e18, 1.9e19, INF, -INF]
MODES = ("rn", "rz", "ru", "rd")


# ---- integers -----------------------------------------------------------------------------------


def _signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def _reverse(x, bits):
    return int(format(x & ((1 << bits) - 1), f"0{bits}b")[::-1], 2)


def _lowest(x):
    return (x & -x).bit_length()


def _permute(a, b, choice):
    data = ((b & 0xFFFFFFFF) << 32) | (a & 0xFFFFFFFF)
    return sum((data >> 8 * (choice >> 4 * i & 7) & 255) << 8 * i for i in range(4))


def of_int32():
    u, low = (lambda x: x & 0xFFFFFFFF), (lambda x: x & 0xFFFFFF)
    two = [max, min, lambda a, b: max(u(a), u(b)), lambda a, b: min(u(a), u(b)),
           lambda a, b: a * b >> 32, lambda a, b: u(a) * u(b) >> 32,
           lambda a, b: _signed(a, 24) * _signed(b, 24), lambda a, b: low(a) * low(b),
           lambda a, b: a + b >> 1, lambda a, b: u(a) + u(b) >> 1,
           lambda a, b: a + b + 1 >> 1, lambda a, b: u(a) + u(b) + 1 >> 1]
    one = [lambda a: _reverse(a, 32), lambda a: 32 - u(a).bit_length(), _lowest,
           lambda a: u(a).bit_count(), abs]
    three = [lambda a, b, c: abs(a - b) + c, lambda a, b, c: abs(u(a) - u(b)) + c, _permute]
    pairs = list(itertools.product(WORDS, WORDS))
    rows = [[f(a, b) for a, b in pairs] for f in two] + [[f(a) for a, b in pairs] for f in one]
    rows += [[f(a, b, 0x3147 + i) for i, (a, b) in enumerate(pairs)] for f in three]
    return {"out": np.array([[_signed(x, 32) for x in row] for row in rows], np.int32)}


def of_int64():
    u = lambda x: x & 0xFFFFFFFFFFFFFFFF
    two = [max, min, lambda a, b: max(u(a), u(b)), lambda a, b: min(u(a), u(b)),
           lambda a, b: a * b >> 64, lambda a, b: u(a) * u(b) >> 64]
    one = [lambda a: _reverse(a, 64), lambda a: 64 - u(a).bit_length(), _lowest,
           lambda a: u(a).bit_count(), abs]
    pairs = list(itertools.product(LONGS, LONGS))
    rows = [[f(a, b) for a, b in pairs] for f in two] + [[f(a) for a, b in pairs] for f in one]
    return {"out": np.array([[_signed(x, 64) for x in row] for row in rows], np.int64)}


# ---- rounding -----------------------------------------------------------------------------------


def _rounded(x, mode, dtype, zero=0.0):
    """A Fraction in a float type: `zero` has the sign of x == 0."""
    if x == 0:
        return dtype(zero)
    largest = Fraction(float(np.finfo(dtype).max))
    size = abs(x)
    unit = Fraction(float(np.finfo(dtype).smallest_subnormal))
    digits = np.finfo(dtype).nmant + 1
    exponent = (size.numerator.bit_length() - size.denominator.bit_length())
    exponent += size >= Fraction(2) ** (exponent + 1)
    exponent -= size < Fraction(2) ** exponent
    step = max(unit, Fraction(2) ** (exponent - digits + 1))
    below, rest = divmod(size, step)
    away = {"rn": 2 * rest > step or (2 * rest == step and below % 2), "rz": False,
            "ru": rest and x > 0, "rd": rest and x < 0}[mode]
    size = (below + bool(away)) * step
    if size > largest:
        outwards = mode == "rn" or mode == ("ru" if x > 0 else "rd")
        size = dtype(INF) if outwards else dtype(float(largest))
    else:
        size = dtype(float(size))
    return -size if x < 0 else size


def _exact(operation, operands, mode, dtype):
    """What IEEE 754 says of finite operands; of others, NumPy, which needs no rounding there."""
    values = [dtype(x) for x in operands]
    plain = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
             "div": lambda a, b: a / b, "rcp": lambda a: dtype(1) / a, "sqrt": np.sqrt,
             "fma": lambda a, b, c: a * b + c}[operation]
    if not all(np.isfinite(values)):
        return _fma_beyond(values, dtype) if operation == "fma" else plain(*values)
    if (operation == "div" and values[1] == 0) or (operation == "rcp" and values[0] == 0) \
            or (operation == "sqrt" and values[0] <= 0):
        return plain(*values)
    parts = [Fraction(float(x)) for x in values]
    if operation == "sqrt":
        return _root(parts[0], mode, dtype)
    if operation == "rcp":
        return _rounded(1 / parts[0], mode, dtype)
    negative = [bool(np.signbit(x)) for x in values]
    if operation in ("mul", "div"):
        return _rounded(plain(*parts), mode, dtype, -0.0 if negative[0] != negative[1] else 0.0)
    if operation == "fma":
        negative = [negative[0] != negative[1], negative[2]]
    else:
        negative[1] ^= operation == "sub"
    same = negative[0] == negative[1]
    zero = (-0.0 if negative[0] else 0.0) if same else (-0.0 if mode == "rd" else 0.0)
    return _rounded(plain(*parts), mode, dtype, zero)


def _fma_beyond(values, dtype):
    a, b, c = (float(x) for x in values)
    if math.isfinite(a) and math.isfinite(b):
        return dtype(c)  # which is infinite or NaN, and the product is finite before rounding
    return dtype(a * b + c)


def _root(x, mode, dtype):
    digits = 2 * np.finfo(dtype).nmant + 12
    shift = digits + abs(x.denominator.bit_length() - x.numerator.bit_length())
    root = math.isqrt((x.numerator << 2 * shift) // x.denominator)
    near = Fraction(root, 1 << shift)
    if near * near != x:
        near += Fraction(1, 1 << (shift + 1))  # between two that are closer than any float type's
    return _rounded(near, mode, dtype)


def _arithmetic(values, names, dtype):
    cases = [(values[i // 18], values[i % 18], values[(i // 18 + i) % 18]) for i in range(324)]
    rows = []
    for name in names:
        arity = {"rcp": 1, "sqrt": 1, "fma": 3}.get(name, 2)
        for mode in MODES:
            rows.append([_exact(name, case[:arity], mode, dtype) for case in cases])
    return {"out": np.array(rows, dtype)}


def float64_arithmetic():
    return _arithmetic(DOUBLES, ("add", "mul", "div", "rcp", "sqrt", "fma"), np.float64)


def float32_arithmetic():
    return _arithmetic(FLOATS, ("add", "mul", "div", "sub", "rcp", "sqrt", "fma"), np.float32)


# ---- conversions --------------------------------------------------------------------------------


def _whole(x, mode, low, high):
    if math.isinf(x):
        return high if x > 0 else low
    whole = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor,
             "away": lambda v: math.trunc(v + Fraction(v > 0) - Fraction(1, 2)
                                          if v == v else v)}[mode](Fraction(x))
    return min(max(whole, low), high)


def to_integers():
    kinds = [(-1 << 31, (1 << 31) - 1, 32), (0, (1 << 32) - 1, 32), (-1 << 63, (1 << 63) - 1, 64),
             (0, (1 << 64) - 1, 64)]
    singles = [float(np.float32(x)) for x in STEPS]
    rows = [[_signed(_whole(x, mode, low, high), bits) for x in values]
            for values in (STEPS, singles) for low, high, bits in kinds for mode in MODES]
    low, high, _ = kinds[2]
    rows += [[_whole(x, mode, low, high) for x in values]
             for mode in ("rn", "away") for values in (STEPS, singles)]
    return {"out": np.array(rows, np.int64)}


def from_integers():
    def row(values, bits, mode, dtype):
        return [_rounded(Fraction(x % (1 << bits) if bits else x), mode, dtype) for x in values]

    narrow = [row(values, bits, mode, np.float32)
              for values, bits in ((WORDS, 0), (WORDS, 32), (LONGS, 0), (LONGS, 64))
              for mode in MODES]
    wide = [row(LONGS, bits, mode, np.float64) for bits in (0, 64) for mode in MODES]
    wide += [row(WORDS, bits, "rn", np.float64) for bits in (0, 32)]
    return {"narrow": np.array(narrow, np.float32), "wide": np.array(wide)}


def bits():
    doubles, floats = np.array(DOUBLES), np.array(FLOATS, np.float32)
    singles = doubles.astype(np.float32)
    halves = floats.astype(np.float16)
    narrow = [[_rounded(Fraction(x), mode, np.float32, x) if math.isfinite(x) else x
               for x in DOUBLES] for mode in MODES]
    whole = doubles.view(np.int64)
    wide = np.array([whole, whole >> 32, whole.astype(np.int32), floats.view(np.int32),
                     halves.view(np.int16)])
    return {"narrow": np.array(narrow, np.float32),
            "wide": np.ma.array(wide, mask=np.isnan(np.broadcast_to(doubles, wide.shape))),
            "same": np.array([doubles, doubles, singles,
                              singles.astype(np.float16)]).astype(np.float64)}
