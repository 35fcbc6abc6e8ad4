"""NumPy's float16, and where a rounding mode is asked for, Fractions. bf16.py has the same with
bfloat16, which NumPy does not know."""
import itertools
import math
from fractions import Fraction

import numpy as np

from expect import tolerance

INF = math.inf
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -0.1, 0.33, 6e-8, -6e-8, 3e-5, 65504.0, -65504.0, INF,
         -INF, math.nan]
STEPS = [0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 99.75, -100.25, 40000.0, -40000.0, 65504.0, INF, -INF]
WHOLE = [0, 1, -1, 257, -2049, 4099, 32767, -32768, 65519, 65521, 1000003, -1000003,
         (1 << 62) + (1 << 54) + 1, -(1 << 63)]
FINE = [0.0, 1.0, 1.0001, -1.0001, 1.0005, 2.999, 1e-9, -1e-9, 65519.0, -65521.0, 1e30, 0.1]
MODES = ("rn", "rz", "ru", "rd")
KINDS = [(-1 << 31, (1 << 31) - 1), (0, (1 << 32) - 1), (-1 << 63, (1 << 63) - 1),
         (0, (1 << 64) - 1), (-1 << 15, (1 << 15) - 1), (0, (1 << 16) - 1)]
EVERY = np.arange(65536, dtype=np.uint16).view(np.float16)
OUT = np.float16
DIGITS, LEAST, LARGEST = 11, Fraction(1, 1 << 24), Fraction(65504)


def _rounded(x, mode, zero=0.0):
    """What a number is in the half format; `zero` has the sign of x == 0."""
    if not isinstance(x, Fraction):
        if not math.isfinite(x):
            return x
        x, zero = Fraction(x), x
    if x == 0:
        return math.copysign(0.0, zero)
    size = abs(x)
    exponent = math.frexp(float(size))[1] - 1
    exponent -= size < Fraction(2) ** exponent
    step = max(LEAST, Fraction(2) ** (exponent - DIGITS + 1))
    below, rest = divmod(size, step)
    outwards = mode == ("ru" if x > 0 else "rd")
    away = rest and outwards
    if mode == "rn":
        away = 2 * rest > step or (2 * rest == step and below % 2)
    size = (below + bool(away)) * step
    if size > LARGEST:
        size = INF if outwards or mode == "rn" else LARGEST
    return math.copysign(float(size), x)


def _half(x):
    return _rounded(float(x), "rn")


def _halves(x):
    """The same of an array. Steps are powers of two: scaling by them rounds nothing."""
    x = np.asarray(x, np.float64)
    step = np.maximum(np.frexp(x)[1] - DIGITS, 1 - LEAST.denominator.bit_length())
    near = np.ldexp(np.rint(np.ldexp(x, -step)), step)
    return np.where(np.abs(near) > float(LARGEST), np.copysign(INF, x), near)


def _saturated(x):
    return 0.0 if math.isnan(x) else min(max(x, 0.0), 1.0)


# ---- arithmetic ---------------------------------------------------------------------------------


@tolerance(0, 1e-45)
def of_two():
    a, b = (np.array(each, np.float32) for each in
            zip(*itertools.product(map(_half, EDGES), repeat=2)))
    both = np.where(np.isnan(a) | np.isnan(b), np.nan, 0).astype(np.float32)
    add, sub, mul = (np.array([_half(x) for x in row], np.float64) for row in (a + b, a - b, a * b))
    rows = [add, sub, mul, [_half(x) for x in a.astype(np.float64) / b.astype(np.float64)],
            np.fmax(a, b), np.fmin(a, b), add, sub, mul,
            *([_saturated(x) for x in row] for row in (add, sub, mul)),
            np.fmax(a, b) + both, np.fmin(a, b) + both]
    return {"out": np.array(rows, OUT)}


def comparisons():
    a, b = (np.array(each) for each in zip(*itertools.product(map(_half, EDGES), repeat=2)))
    nan = np.isnan(a) | np.isnan(b)
    rows = [a == b, (a != b) & ~nan, a > b, a >= b, a < b, a <= b]
    return {"out": np.array(rows + [row | nan for row in rows])}


def _fused(a, b, c):
    if not all(map(math.isfinite, (a, b, c))):
        return c if math.isfinite(a) and math.isfinite(b) else float(np.float64(a) * b + c)
    return _rounded(Fraction(a) * Fraction(b) + Fraction(c), "rn", a * b + c)


@tolerance(0, 1e-45)
def fused():
    plain = [_fused(*each) for each in itertools.product(map(_half, EDGES), repeat=3)]
    rows = [plain, [_saturated(x) for x in plain],
            [x if math.isnan(x) else max(x, 0.0) for x in plain]]
    return {"out": np.array(rows, OUT)}


def of_every_value():
    x = EVERY.astype(np.float32)
    root, turned = np.sqrt(x.astype(np.float64)), 1 / x.astype(np.float64)
    rows = [np.trunc(x), np.ceil(x), np.floor(x), np.rint(x), np.abs(x), -x,
            _halves(root), _halves(turned)]
    return {"out": np.array(rows, OUT)}


@tolerance(1.0 / (1 << (DIGITS - 1)), 2e-5)
def functions():
    """One unit in the last place. Sines of large angles are left out: in CUDA they are those of the
    float, but coarse."""
    x = EVERY.astype(np.float64)
    rows = [np.sin(x), np.cos(x), np.exp(x), 2.0**x, 10.0**x, np.log(x), np.log2(x), np.log10(x),
            1 / np.sqrt(x), np.tanh(x), np.tanh(x)]
    rows = _halves(rows)
    large = np.broadcast_to(np.abs(x) > 1e4, rows.shape)
    return {"out": np.ma.array(rows, OUT, mask=large)}


def kinds():
    x = EVERY.astype(np.float32)
    bits = np.arange(65536)
    infinity = np.where(np.isinf(x), np.sign(x), 0)
    return {"out": np.array([np.isnan(x), infinity, bits, bits]).astype(np.int32)}


# ---- conversions --------------------------------------------------------------------------------


def _whole(x, mode, low, high):
    if math.isinf(x):
        return high if x > 0 else low
    whole = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}[mode](x)
    return min(max(whole, low), high)


def _wrapped(x, low, high):
    return (x - low) % (high - low + 1) + low


def to_integers():
    rows = [[_wrapped(_whole(_half(x), mode, *kind), *KINDS[2]) for x in STEPS]
            for kind in KINDS for mode in MODES]
    rows += [[_whole(_half(x), "rz", *kind) for x in STEPS] for kind in ((-128, 127), (0, 255))]
    return {"out": np.array(rows, np.int64)}


def from_integers():
    rows = [[_rounded(Fraction(_wrapped(x, *kind)), mode) for x in WHOLE]
            for kind in KINDS for mode in MODES]
    return {"out": np.array(rows, OUT)}


def from_floats():
    single = [float(np.float32(x)) for x in FINE]
    rows = [[_rounded(x, mode) for x in single] for mode in MODES]
    rows += [rows[0], [_half(x) for x in FINE], [_half(x) for x in FINE]]
    return {"out": np.array(rows, np.float32)}


def literals():
    return {"out": np.array([5.0, 5.5, 2.5], OUT)}
