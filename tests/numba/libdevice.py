"""numba's tests of libdevice only compile; here each function is also run at one point and judged.

What takes more than arithmetic to know is in tests/programs/tables/libdevice.txt, by mpmath.
"""
import decimal
import math
import pathlib
import re
import struct
from fractions import Fraction

import numpy as np

TABLES = pathlib.Path(__file__).resolve().parents[1] / "programs/tables"
TABLE = {name: [float(word) for word in values] for name, *values in map(
    str.split, (TABLES / "libdevice.txt").read_text().splitlines())}
POINT = 3  # which of a domain's
BESSEL_ORDER = 3
FLOATS = (5.1, -3.7, 2.3)
INTEGERS = (0x1234567, -77, 0x4321)
WIDTHS = {"int": np.int32, "uint": np.uint32, "ll": np.int64, "ull": np.uint64, "float": np.float32,
          "double": np.float64}
ROUND = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}
decimal.getcontext().prec = 60


def domains():
    """The points of the table, by names of functions."""
    text = (TABLES / "libdevice.py").read_text()
    spaces = {}
    exec(text[text.index("DOMAINS = "):text.index("\n\n\n", text.index("DOMAINS = "))], spaces)
    return {name: spaces["DOMAINS"][domain] for name, domain in re.findall(r'\("(\w+)", "(\w+)"', text)}


DOMAIN = domains()


# ---- references -------------------------------------------------------------------------------------


def rounded(exact, mode, dtype):
    """A fraction as a float."""
    near = dtype(float(exact))
    off = Fraction(float(near)) - exact
    if mode == "rz":
        mode = "rd" if exact > 0 else "ru"
    if mode == "rd" and off > 0 or mode == "ru" and off < 0:
        near = np.nextafter(near, dtype(-math.inf if mode == "rd" else math.inf))
    return near


def root(x):
    return Fraction(decimal.Decimal(x.numerator).__truediv__(x.denominator).sqrt())


OPERATIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
              "div": lambda a, b: a / b, "rcp": lambda a: 1 / a, "sqrt": root, "rsqrt": lambda a: 1 / root(a),
              "ma": lambda a, b, c: a * b + c, "maf": lambda a, b, c: a * b + c}


def bits(value, kind):
    return struct.unpack("<" + kind[1], struct.pack("<" + kind[0], value))[0]


def wrapped(value, dtype):
    return np.array(value % 2**64, np.uint64).astype(dtype)[()]


def permuted(a, b, choice):
    data = (b & 0xffffffff) << 32 | a & 0xffffffff
    return sum((data >> 8 * (choice >> 4 * i & 7) & 255) << 8 * i for i in range(4))


def reversed_bits(x, width):
    return int(format(x % 2**width, f"0{width}b")[::-1], 2)


def remquo(a, b):
    quotient = round(Fraction(a) / Fraction(b))
    return math.remainder(a, b), quotient % 8 if quotient >= 0 else -(-quotient % 8)


PLAIN = {
    "ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "rint": round, "nearbyint": round, "fabs": abs,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x), "logb": lambda x: math.frexp(x)[1] - 1,
    "ilogb": lambda x: math.frexp(x)[1] - 1, "atan2": math.atan2, "copysign": math.copysign,
    "fdim": lambda a, b: max(a - b, 0), "fmax": max, "fmin": min, "fmod": math.fmod, "hypot": math.hypot,
    "nextafter": lambda a, b: np.nextafter(a, b), "pow": lambda a, b: a**b, "remainder": math.remainder,
    "fma": lambda a, b, c: Fraction(a) * Fraction(b) + Fraction(c), "ldexp": math.ldexp, "scalbn": math.ldexp,
    "powi": lambda a, b: a**b, "llrint": round, "llround": lambda x: math.floor(x + 0.5), "isnan": math.isnan,
    "isinf": math.isinf, "isfinited": math.isfinite, "finite": math.isfinite,
    "signbit": lambda x: math.copysign(1, x) < 0, "sincos": lambda x: (math.sin(x), math.cos(x)),
    "sincospi": lambda x: (math.sin(math.pi * x), math.cos(math.pi * x)), "frexp": math.frexp,
    "modf": math.modf, "remquo": remquo, "saturate": lambda x: min(max(x, 0), 1),
    "fdivide": lambda a, b: a / b, "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp,
    "exp10": lambda x: 10.0**x, "log": math.log, "log2": math.log2, "log10": math.log10,
    "double_as_longlong": lambda x: bits(x, "dq"), "longlong_as_double": lambda n: bits(n, "qd"),
    "float_as_int": lambda x: bits(x, "fi"), "int_as_float": lambda n: bits(n, "if"),
    "double2hiint": lambda x: bits(x, "dq") >> 32, "double2loint": lambda x: bits(x, "dq"),
    "hiloint2double": lambda high, low: bits(high << 32 | low & 0xffffffff, "qd"),
    "float2half_rn": lambda x: bits(x, "eh"), "half2float": lambda n: bits(n, "he"),
    "abs": abs, "max": max, "min": min, "mulhi": lambda a, b: a * b >> 32, "mul64hi": lambda a, b: a * b >> 64,
    "mul24": lambda a, b: a * b, "hadd": lambda a, b: a + b >> 1, "rhadd": lambda a, b: a + b + 1 >> 1,
    "sad": lambda a, b, c: abs(a - b) + c, "byte_perm": permuted,
}
OF_WIDTH = {"brev": reversed_bits, "clz": lambda x, width: width - (x % 2**width).bit_length(),
            "popc": lambda x, width: (x % 2**width).bit_count(),
            "ffs": lambda x, width: (x & -x).bit_length()}
# operands for which the sample points make no sense
OPERANDS = {"fast_log": (2.5,), "fast_log2": (2.5,), "fast_log10": (2.5,), "fast_pow": (2.5, 1.5),
            "pow": (2.5, 1.5), "powi": (2.5, 3), "ldexp": (2.5, 3), "scalbn": (2.5, 3), 
            "mul24": (0x4567, -77), "umul24": (0x4567, 77), "half2float": (0x4248,),
            "byte_perm": (0x1234567, -77, 0x4321)}


def bare(name):
    """A function's name without the float's, the unsigned's and the wide one's letters."""
    for form in (name, name.removesuffix("f"), name.removesuffix("d"), name.removesuffix("ll"),
                 name.removeprefix("u"), name.removeprefix("ll"), name.removeprefix("ull"),
                 name.removeprefix("fast_").removesuffix("f")):
        if form in PLAIN or form in OF_WIDTH or form in DOMAIN or "fast_" + form in OPERANDS:
            return form
    raise KeyError(name)


def operands(name, types):
    """Where a function is tried, as numbers of its types."""
    stem = name if name in DOMAIN or name in OPERANDS else name.removesuffix("f")
    chosen = OPERANDS.get(stem)
    if stem in DOMAIN and not name.startswith("fast_"):
        point = DOMAIN[stem][POINT]
        chosen = (BESSEL_ORDER, point) if len(types) == 2 else (point,)
    if re.search(r"sqrt_r", name):
        chosen = FLOATS[:1]
    if name.startswith(("asin", "acos", "saturate")) and stem not in DOMAIN:
        chosen = (0.5,)
    chosen = chosen or [(FLOATS if dtype.kind == "f" else INTEGERS)[i] for i, dtype in enumerate(types)]
    return [wrapped(int(x), dtype) if dtype.kind in "iu" else dtype.type(x) for x, dtype in zip(chosen, types)]


def expected(name, values, results):
    """(what it gives, how far off it may be, of its size)."""
    numbers = [float(x) if x.dtype.kind == "f" else int(x) for x in values]
    if arithmetic := re.fullmatch(r"[df](add|sub|mul|div|rcp|sqrt|rsqrt|ma|maf)_(r[nzud])", name):
        return rounded(OPERATIONS[arithmetic[1]](*map(Fraction, numbers)), arithmetic[2], results[0].type), 0
    if change := re.fullmatch(r"(double|float|int|uint|ll|ull)2(double|float|int|uint|ll|ull)_(r[nzud])", name):
        dtype, mode = WIDTHS[change[2]], change[3]
        if results[0].kind == "f":
            return rounded(Fraction(WIDTHS[change[1]](values[0]).item()), mode, dtype), 0
        return max(ROUND[mode](numbers[0]), 0 if "u" in change[2] else -2**63), 0
    if name in TABLE:
        return TABLE[name][POINT], 5e-6 if name.endswith("f") else 1e-13
    stem = bare(name)
    unsigned = name.startswith("u") and stem != name
    if unsigned:
        numbers = [x % 2**(8 * v.dtype.itemsize) for x, v in zip(numbers, values)]
    if stem in OF_WIDTH:
        return OF_WIDTH[stem](numbers[0], 8 * values[0].dtype.itemsize), 0
    return PLAIN[stem](*numbers), 1e-4 if name.startswith("fast_") else 1e-6 if results[0] == np.float32 else 1e-14


def judge(name, kernel, types):
    """Launches a kernel that stores what the function called `name` gives, behind its results the
    operands; `types` are the parameters' dtypes, and True for results."""
    results = [dtype for dtype, is_result in types if is_result]
    values = operands(name, [dtype for dtype, is_result in types if not is_result])
    out = [np.zeros(1, dtype) for dtype in results]
    kernel[1, 1](*out, *values)
    wanted, tolerance = expected(name, values, results)
    for got, want, dtype in zip(out, wanted if isinstance(wanted, tuple) else (wanted,), results):
        want = wrapped(int(want), dtype) if dtype.kind in "iu" else dtype.type(float(want))
        np.testing.assert_allclose(got[0], want, rtol=tolerance, err_msg=f"{name}{values}")
