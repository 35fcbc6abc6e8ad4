"""NumPy's functions are held to NumPy."""
import numpy as np

from expect import tolerance

FLOATS = 'sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal negative positive absolute fabs sign rint floor ceil trunc spacing conjugate'.split()
TESTS = 'isnan isinf isfinite signbit logical_not'.split()
INTEGERS = 'square reciprocal negative positive absolute sign floor ceil trunc invert conjugate'.split()
COMPLEXES = 'sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal negative sign rint conjugate'.split()
TWO_FLOATS = 'add subtract multiply divide true_divide floor_divide remainder mod fmod power float_power arctan2 hypot logaddexp logaddexp2 maximum minimum fmax fmin copysign nextafter heaviside'.split()
TWO_TESTS = 'equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor'.split()
TWO_INTEGERS = 'add subtract multiply floor_divide remainder fmod gcd lcm bitwise_and bitwise_or bitwise_xor maximum minimum fmax fmin'.split()


def _floats(dtype):
    x = np.linspace(-4, 4, 33, dtype=dtype)
    return {"out": np.stack([getattr(np, name)(x) for name in FLOATS])}


def _two(dtype):
    x, y = np.linspace(-4, 4, 33, dtype=dtype), np.linspace(3, -3, 33, dtype=dtype)
    return {"out": np.stack([getattr(np, name)(x, y).astype(dtype) for name in TWO_FLOATS])}


def _integers(dtype):
    low = 0 if dtype.startswith("u") else -20
    x = np.arange(low, low + 41).astype(dtype)
    y = x[::-1].copy()
    rows = [getattr(np, name)(x) for name in INTEGERS]
    rows += [getattr(np, name)(x, y) for name in TWO_INTEGERS]
    rows += [np.left_shift(x, 3), np.right_shift(x, 2)]
    open_ = np.zeros((len(rows), 41), bool)
    open_[INTEGERS.index("reciprocal")] = x == 0  # NumPy leaves it to the machine
    return {"out": np.ma.array(np.stack([row.astype(dtype) for row in rows]), mask=open_)}


@tolerance(3e-15, 1e-300)
def floats_of_float64():
    return _floats("float64")


@tolerance(1e-6, 1e-37)
def floats_of_float32():
    return _floats("float32")


@tolerance(3e-15, 1e-300)
def two_of_float64():
    return _two("float64")


@tolerance(1e-6, 1e-37)
def two_of_float32():
    return _two("float32")


def tests():
    x = np.linspace(-4, 4, 33)
    return {"out": np.stack([getattr(np, name)(x) for name in TESTS]
                            + [getattr(np, name)(x, x[::-1]) for name in TWO_TESTS])}


def integers_of_int8():
    return _integers("int8")


def integers_of_int32():
    return _integers("int32")


def integers_of_int64():
    return _integers("int64")


def integers_of_uint8():
    return _integers("uint8")


def integers_of_uint64():
    return _integers("uint64")


@tolerance(1e-13, 1e-15)
def complexes():
    x = np.linspace(-2, 2.1, 25)
    z = x + 1j * (0.3 - x * x)
    sign = z / np.abs(z)  # as NumPy 2 has it, and numba with it
    return {"out": np.stack([sign if name == "sign" else getattr(np, name)(z)
                             for name in COMPLEXES])}


def not_a_number():
    i = np.arange(8)
    a = np.where(i & 1, np.nan, 1.0)
    b = np.where(i & 2, np.nan, np.where(i & 4, -np.inf, 0.0))
    return {"out": np.stack([np.maximum(a, b), np.minimum(a, b), np.fmax(a, b), np.fmin(a, b),
                             np.sign(a) + np.logaddexp(a, b)])}


def broadcast():
    return {"out": (np.arange(4.0) + 10) * 2 - np.arange(3.0)[:, None]}


def scalars():
    return {"out": np.array([5, 2, -1.23, 4, 7, np.pi / 2, 1, 1, 24, -39, 3 + 2 + 2 + 8,
                             np.pi / 2 + np.pi])}
