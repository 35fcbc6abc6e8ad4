"""What is known of an expression: its type, and the bounds by which floats stay exact.

Every float is a multiple of a power of two and small enough that each operation on it is exact, so
that neither the order of rounding nor fused multiply-add shows. An Expr carries what this rests
on: `most`, its greatest magnitude, and `grain`, the bits behind its point. Signed integers stay
inside int64, unsigned ones and casts wrap. The types follow numba's rules.
"""

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = SIGNED + UNSIGNED + FLOATS
COMPLEXES = ["complex64", "complex128"]
BITS = {name: int(name.strip("uintfloacmpex")) for name in DTYPES + COMPLEXES}
MANTISSA = {"float16": 11, "float32": 24, "float64": 53, "complex64": 24, "complex128": 53}
EXACT_IN_FLOAT = {"int8": 16, "uint8": 32, "int16": 32}           # other integers make float64
KEPT_MOST, KEPT_GRAIN = 8, 2                # of a variable of floats: multiples of 1/4 below 8


class Expr:
    def __init__(self, text, kind, most=0, grain=0):
        self.text, self.kind, self.most, self.grain = text, kind, most, grain

    def is_float(self):
        return self.kind in FLOATS


def kept(text, kind):
    """What a variable, parameter or element of that kind holds."""
    if kind in FLOATS + COMPLEXES:
        return Expr(text, kind, KEPT_MOST, KEPT_GRAIN)
    return Expr(text, kind, range_of(kind))


def range_of(kind):
    """The greatest magnitude an integer type holds."""
    if kind == "bool":
        return 1
    return 2 ** (BITS[kind] - 1) if kind in SIGNED else 2 ** BITS[kind] - 1


def widened(kind):
    """The type of an integer's arithmetic with itself."""
    return "uint64" if kind in UNSIGNED else "int64"


def result_type(a, b):
    """numba's type of an arithmetic operation."""
    if a.is_float() and b.is_float():
        return max(a.kind, b.kind, key=BITS.get)
    if a.is_float() or b.is_float():
        real, whole = (a, b) if a.is_float() else (b, a)
        if whole.kind == "bool":
            return real.kind
        least = EXACT_IN_FLOAT.get(whole.kind, 64)
        return f"float{max(least, BITS[real.kind])}"
    return "uint64" if a.kind in UNSIGNED and b.kind in UNSIGNED else "int64"


def fits(kind, most, grain):
    """Whether values within these bounds are exact, with some room left."""
    if kind in FLOATS + COMPLEXES:
        room = 10 if kind == "float16" else MANTISSA[kind] - 1
        return grain <= room - 3 and most * 2 ** grain < 2 ** room
    return kind in UNSIGNED or most < 2 ** 62
