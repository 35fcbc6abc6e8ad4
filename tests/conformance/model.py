"""What kjit's operations should give, in plain Python and NumPy: the judge behind values.py.

Integers are Python's, wrapped where the language wraps; floats are NumPy scalars of the type that
the operation works in. Which type that is stands in the type tables of this folder. Everything
here is written to be compared by eye with the language's rules, not to be fast.
"""
import ctypes
import math
from fractions import Fraction

import numpy as np

np.seterr(all="ignore")

INTEGERS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64,
            "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
FLOATS = ("float16", "float32", "float64")
REALS = ("bool", *INTEGERS, *FLOATS)


def wrap(value, dtype):
    """The integer that two's complement of this width makes of any integer."""
    bits = INTEGERS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype[0] == "i" and value >> (bits - 1) else value


def saturate(x, dtype):
    """A float as an integer: toward zero, held at the ends of the range, NaN as 0."""
    x = float(x)
    if math.isnan(x):
        return 0
    bits = INTEGERS[dtype]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype[0] == "i" \
        else (0, (1 << bits) - 1)
    if math.isinf(x):
        return high if x > 0 else low
    return min(max(int(x), low), high)


def cast(value, source, target):
    """A scalar of type `source` as one of type `target`, each rounded once."""
    if target == "bool":
        return bool(value != 0)
    if target in INTEGERS:
        return saturate(value, target) if source in FLOATS else wrap(int(value), target)
    kind = np.dtype(source if source in FLOATS else "uint64" if source == "uint64" else "int64")
    return np.asarray(value, kind).astype(target)[()]


# ---- integers ---------------------------------------------------------------------------------


def floor_div(a, b, dtype):
    return 0 if b == 0 or (dtype == "int64" and a == -1 << 63 and b == -1) else a // b


def floor_mod(a, b, dtype):
    return 0 if b == 0 else a % b


def power(a, b, dtype):
    """Exponents beyond 65536 go by way of doubles, as in numba."""
    if b < 0:
        if a == 0:
            return -1 << 63
        return 1 if a == 1 else (-1 if b % 2 else 1) if a == -1 else 0
    if b > 65536:
        return saturate(libm2("pow", float(a), float(b)), dtype)
    return wrap(pow(a, b, 1 << 64), dtype)


INTEGER_OPS = {
    "+": lambda a, b, t: wrap(a + b, t), "-": lambda a, b, t: wrap(a - b, t),
    "*": lambda a, b, t: wrap(a * b, t), "//": floor_div, "%": floor_mod, "**": power,
    "&": lambda a, b, t: a & b, "|": lambda a, b, t: a | b, "^": lambda a, b, t: a ^ b,
    "<<": lambda a, b, t: wrap(a << b, t), ">>": lambda a, b, t: a >> b,
}


# ---- floats -----------------------------------------------------------------------------------


def float_divmod(a, b):
    """CPython's // and %, in the precision of the operands."""
    kind = type(a)
    if b == 0:
        return kind(a / b), kind(np.nan)
    rest = np.fmod(a, b)
    quotient = kind((a - rest) / b)
    if rest != 0:
        if (b < 0) != (rest < 0):
            rest += b
            quotient -= kind(1)
    else:
        rest = np.copysign(kind(0), b)
    if quotient != 0:
        whole = np.floor(quotient)
        if quotient - whole > kind(0.5):
            whole += kind(1)
    else:
        whole = np.copysign(kind(0), kind(a / b))
    return kind(whole), kind(rest)


def float_to_int(a, n):
    """a ** n by repeated multiplication."""
    kind = type(a)
    left, result = abs(n), kind(1)
    if left > 65536:
        return kind(libm2("pow", float(a), float(n)))
    while left:
        if left & 1:
            result = kind(result * a)
        a = kind(a * a)
        left >>= 1
    return kind(1) / result if n < 0 else result


FLOAT_OPS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: float_divmod(a, b)[0], "%": lambda a, b: float_divmod(a, b)[1],
    "**": lambda a, b: type(a)(libm2("pow", float(a), float(b))),
}


def round_digits(x, digits):
    """round(x, digits) by scaling in double, half to even."""
    kind, value = type(x), float(x)
    if not math.isfinite(value) or digits > 400:
        return x
    if digits < -400:
        return kind(math.copysign(0.0, value))
    places = abs(digits)
    large = float_to_int(np.float64(10), places - 22 if places > 22 else places)
    more = np.float64(1e22 if places > 22 else 1.0)
    if digits < 0:
        scaled = np.rint(value / large / more)
        return kind(0.0 * value if scaled == 0 else scaled * large * more)
    scaled = value * large * more
    return kind(np.rint(scaled) / more / large) if np.isfinite(scaled) else x


# ---- operators --------------------------------------------------------------------------------


def binary(op, left, right, result, a, b):
    """a op b, whose result the type table gives."""
    if result == "bool":
        return INTEGER_OPS[op](int(a), int(b), "uint8") != 0
    if result in INTEGERS:
        a, b = wrap(int(a), result), int(b)   # counts and exponents keep their sign
        return INTEGER_OPS[op](a, b if op in ("<<", ">>", "**") else wrap(b, result), result)
    if op == "**" and (left in FLOATS or left == "bool") and right not in FLOATS:
        return float_to_int(cast(a, left, result), int(b))
    work = "float32" if result == "float16" else result
    a, b = cast(cast(a, left, result), result, work), cast(cast(b, right, result), result, work)
    return cast(FLOAT_OPS[op](a, b), work, result)


COMPARISONS = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}


def compare(op, left, right, common, a, b):
    return bool(COMPARISONS[op](cast(a, left, common), cast(b, right, common)))


def least(op, left, right, result, a, b):
    """min and max of two: of float32 and float64 NaN counts as missing."""
    if {left, right} <= {"float32", "float64"}:
        return (np.fmin if op == "min" else np.fmax)(cast(a, left, result), cast(b, right, result))
    return least_of(op, cast(a, left, result), cast(b, right, result))


def least_of(op, first, *others):
    """As Python has it: one after another, each only if it is beyond the one before, which NaN never is."""
    for other in others:
        first = other if (other < first if op == "min" else other > first) else first
    return first


def unary(op, operand, result, a):
    if op == "not":
        return not a
    if op == "abs":
        return cast(abs(a if operand in FLOATS else int(a)), operand, result)
    if operand in FLOATS:
        return -a if op == "-" else a
    if operand == "bool":
        return not a if op == "~" else -int(a) if op == "-" else int(a)
    a = int(a)   # at the operand's own width first
    return wrap(wrap(-a if op == "-" else ~a if op == "~" else a, operand), result)


def atomic(op, dtype, old, value):
    """What an atomic operation leaves in place of `old`."""
    if op in ("add", "sub"):
        symbol = "+" if op == "add" else "-"
        return binary(symbol, dtype, dtype, dtype, old, value)
    if op in ("max", "min"):          # a NaN on either side leaves what was there
        return value if (value > old if op == "max" else value < old) else old
    if op in ("nanmax", "nanmin"):    # NaN counts as missing
        return value if old != old else atomic(op[3:], dtype, old, value)
    if op == "inc":
        return 0 if old >= value else old + 1
    if op == "dec":
        return value if old == 0 or old > value else old - 1
    return {"and_": lambda: old & value, "or_": lambda: old | value, "xor": lambda: old ^ value,
            "exch": lambda: value, "cas": lambda: value if old == 7 else old}[op]()


# ---- complex ----------------------------------------------------------------------------------


def complex_op(op, a, b):
    """In double precision and more: what the result should be near to."""
    a, b = np.clongdouble(a), np.clongdouble(b)
    if op == "**":
        return 1 if b == 0 else 0 if a == 0 else complex(np.exp(b * np.log(a)))
    return complex({"+": a + b, "-": a - b, "*": a * b}[op] if op != "/" else a / b)


def parts(z):
    """Two scalars of the precision of a complex one."""
    return z.real, z.imag


def joined(real, imag):
    return np.array([real, imag]).view(f"c{2 * real.itemsize}")[0]


def complex_abs(z):
    x, y = parts(z)
    return type(x)(libm2("hypot", float(x), float(y)))


def complex_sign(z):
    """As NumPy 2 has it for what is finite; an infinite number has none in numba."""
    size = complex_abs(z)
    return z if size == 0 else joined(z.real / size, z.imag / size)


def complex_mul(a, b):
    (p, q), (r, s) = parts(a), parts(b)
    return joined(p * r - q * s, p * s + q * r)


def complex_div(a, b):
    """Smith's method: scaled by the larger part of b."""
    (p, q), (r, s) = parts(a), parts(b)
    if abs(r) >= abs(s):
        ratio = s / r
        scale = r + s * ratio
        return joined((p + q * ratio) / scale, (q - p * ratio) / scale)
    ratio = r / s
    scale = r * ratio + s
    return joined((p * ratio + q) / scale, (q * ratio - p) / scale)


def complex_pow(a, b):
    """In polar form, each step rounded as the parts are."""
    kind = type(a.real)

    def of(name, *x):
        return kind((libm1 if len(x) == 1 else libm2)(name, *map(float, x)))

    size, angle = complex_abs(a), of("atan2", a.imag, a.real)
    if b == 0:
        return joined(kind(1), kind(0))
    if size == 0:
        return joined(kind(0), kind(0))
    if b == 2:
        return complex_mul(a, a)
    length, turn = of("pow", size, b.real), angle * b.real
    if b.imag != 0:
        length /= of("exp", angle * b.imag)
        turn += b.imag * of("log", size)
    return joined(length * of("cos", turn), length * of("sin", turn))


def made(real, imag=None):
    """A complex number of exactly these parts; `+` and `*` on the way would lose signs and NaN."""
    imag = real if imag is None else imag
    return np.array([real, imag], "float64").view("complex128")[0]


def complex_parts(op, a, b):
    """+ - * by the schoolbook formulas, a real number having 0 for its imaginary part."""
    x, y, u, v = (np.float64(part) for z in (a, b) for part in (z.real, z.imag))
    return made(*{"+": lambda: (x + u, y + v), "-": lambda: (x - u, y - v),
                  "*": lambda: (x * u - y * v, x * v + y * u)}[op]())


# ---- bits -------------------------------------------------------------------------------------


def popc(x, bits):
    return bin(x & ((1 << bits) - 1)).count("1")


def clz(x, bits):
    return bits - (x & ((1 << bits) - 1)).bit_length()


def brev(x, bits):
    return int(format(x & ((1 << bits) - 1), "0%db" % bits)[::-1], 2)


def ffs(x, bits):
    return (x & -x).bit_length()


# ---- mathematics ------------------------------------------------------------------------------

_libm = ctypes.CDLL("libm.so.6")


def _function(name, arguments):
    function = getattr(_libm, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * arguments
    return function


C_NAMES = {"gamma": "tgamma"}
NO_C_FUNCTION = {
    "degrees": lambda x: x * (180.0 / math.pi), "radians": lambda x: x * (math.pi / 180.0),
    "isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite,
}


def libm1(name, x):
    """The C library's function of a double."""
    if name in NO_C_FUNCTION:
        return NO_C_FUNCTION[name](x)
    return _function(C_NAMES.get(name, name), 1)(x)


def libm2(name, x, y):
    return _function(name, 2)(x, y)


def frexp(x):
    return (x, 0) if x == 0 or not math.isfinite(x) else math.frexp(x)


def modf(x):
    return (math.copysign(0.0, x), x) if math.isinf(x) else (x, x) if x != x else math.modf(x)


def ldexp(x, n):
    function = _libm.ldexp
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_int]
    return function(x, n)


def nearest(kind, exact):
    """A Fraction as a float, rounded once, half to even."""
    try:
        near = kind(float(exact))
    except OverflowError:
        return kind(np.copysign(np.inf, 1 if exact > 0 else -1))
    if not np.isfinite(near) or kind is np.float64:
        return near   # Python rounds once to a double
    candidates = [x for x in (near, np.nextafter(near, kind(np.inf)), np.nextafter(near, -kind(np.inf)))
                  if np.isfinite(x)]
    return min(candidates, key=lambda x: (abs(Fraction(float(x)) - exact),
                                          int(np.asarray(x).view(f"u{x.itemsize}")) & 1))


def fma(kind, a, b, c):
    """One rounding."""
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)):
        return kind(a) * kind(b) + kind(c)
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return nearest(kind, exact) if exact else kind(a) * kind(b) + kind(c)
