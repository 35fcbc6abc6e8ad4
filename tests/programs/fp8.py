"""Three formats by their numbers, the nearest of which a number becomes: what CUDA's cuda_fp8.h says of
__NV_SATFINITE and __NV_NOSAT, and of rounding to powers of two."""
import numpy as np

LOW = np.array([0, 1, 0x8000, 0xffff], np.uint32)


def _numbers(digits, bias, last):
    """The numbers that are not negative, by their bits."""
    code = np.arange(last + 1)
    exponent, fraction = code >> digits, code & ((1 << digits) - 1)
    return np.ldexp(fraction + ((exponent > 0) << digits) * 1.0, np.maximum(exponent, 1) - bias - digits)


FOUR, FIVE = _numbers(3, 7, 0x7e), _numbers(2, 15, 0x7b)
SCALES = 2.0 ** np.arange(-127, 128)


def _bits(x, numbers, beyond):
    x = np.asarray(x, np.float64)
    size, last = np.nan_to_num(abs(x), nan=0), len(numbers) - 1
    grid = np.append(numbers, 2 * numbers[-1] - numbers[-2])
    at = np.minimum(np.searchsorted(grid, size, side="right") - 1, last)
    low, high = size - grid[at], grid[at + 1] - size
    at = at + ((high < low) | ((high == low) & (at % 2 == 1)))
    at = np.where(at > last, beyond, at)
    return (np.where(np.isnan(x), 0x7f, at) | np.signbit(x) << 7).astype(np.uint8)


def _scale_bits(x, saturate, upwards):
    x = abs(np.asarray(x, np.float64))
    known = np.nan_to_num(x, nan=0)
    down = np.maximum(np.searchsorted(SCALES, known, side="right") - 1, 0)
    up = np.searchsorted(SCALES, known, side="left")
    at = np.where(np.isinf(x), 255, up if upwards else down)
    return np.where(np.isnan(x), 255, np.minimum(at, 254 if saturate else 255)).astype(np.uint8)


def _values(numbers, bits):
    bits = np.asarray(bits)
    size = np.array([numbers[b] if b < len(numbers) else np.nan for b in (bits & 0x7f).ravel()])
    return np.copysign(size.reshape(bits.shape), np.where(bits & 0x80, -1.0, 1.0))


def _four(x):
    return _values(FOUR, _bits(x, FOUR, 0x7e))


def _five(x):
    return _values(FIVE, _bits(x, FIVE, 0x7b))


def _scale(x):
    bits = _scale_bits(x, True, True)
    return np.where(bits == 255, np.nan, SCALES[np.minimum(bits, 254)])


def of_floats():
    i = np.arange(262144)
    x = (i.astype(np.uint32) // 4 << 16 | LOW[i % 4]).astype(np.uint32).view(np.float32)
    return {"bits": np.array([_bits(x, FOUR, 0x7e), _bits(x, FOUR, 0x7f), _bits(x, FIVE, 0x7b), _bits(x, FIVE, 0x7c),
                              _scale_bits(x, True, True), _scale_bits(x, False, False)])}


def of_doubles():
    x = [1.0625, 1.0625000001, 61439.9999999, 61440.0, 464.0, 464.00000001, 1e300, -1e300, 2.0 ** 128, 0.0,
         2.0 ** -127, 1.01 * 2.0 ** -127, -1.5 * 2.0 ** 127, 1e-320]
    return {"bits": np.array([_bits(x, FOUR, 0x7e), _bits(x, FIVE, 0x7c), _scale_bits(x, False, True),
                              _scale_bits(x, True, False)])}


def values():
    x = np.array([1.1, -300.0, 1e9, 0.007, np.nan, 65.0])
    four, five, scale = _four(x), _five(x), _scale(x)
    with np.errstate(invalid="ignore", over="ignore"):
        half = np.array([four, five, np.zeros(6)]).astype(np.float16)
    whole = np.array([np.nan_to_num(row) for row in (np.trunc(four), np.clip(np.trunc(five), -128, 127), np.trunc(scale))])
    return {"out": np.array([four, five, scale]).astype(np.float32), "half": half, "whole": whole.astype(np.int64)}


def of_integers():
    n = np.array([0, 1, 2, 3, 449, -1000, 1 << 40, (1 << 40) + 1, -1 << 63, (1 << 63) - 1])
    exponents = [max(abs(int(k)) - 1, 0).bit_length() if k else -127 for k in n]
    return {"out": np.array([_four(n), _five(n % 4096), 2.0 ** np.array(exponents)]).astype(np.float32)}


def of_raw():
    code = np.arange(256)
    raw = np.where(code == 255, 0x7fff, np.where(code == 0, 0x40, code << 7))
    value = np.where(code == 255, np.nan, SCALES[np.minimum(code, 254)])
    return {"raw": np.array([raw, _bits(value, FIVE, 0x7b), _bits(value, FOUR, 0x7f), code]).astype(np.uint16)}


def pairs():
    four = _bits([1.5, -1000], FOUR, 0x7e).astype(int)
    five = _bits([1e9, 0.25], FIVE, 0x7c).astype(int)
    scale = _scale_bits([3, 4], True, True).astype(int)
    return {"pair": np.array([p[1] << 8 | p[0] for p in (four, five, scale)]).astype(np.uint16)}
