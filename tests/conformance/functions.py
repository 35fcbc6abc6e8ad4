"""Families of functions: math, bits, NumPy's, and complex numbers at their edges."""
import numpy as np

import exact
import model
from cases import INPUTS, INTRINSICS, MATH_TYPES, UFUNC_TYPES, Kernel, Row
from model import FLOATS, INTEGERS

ONE_ARGUMENT = """acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp exp2 expm1 log
    log2 log10 log1p sqrt fabs erf erfc gamma lgamma degrees radians ceil floor trunc isnan isinf
    isfinite""".split()
TESTS = ("isnan", "isinf", "isfinite")


FACTORS = {"degrees": 180 / np.pi, "radians": np.pi / 180}


def one_argument(function, result, a):
    if function in FACTORS:
        kind = np.dtype(result).type
        return kind(a) * kind(FACTORS[function])
    return np.asarray(exact.of_one(function, float(a))).astype(result)[()]


def math_rows(name, dtype):
    """Every function of one argument, of inputs of one type."""
    for function in ONE_ARGUMENT:
        result = "bool" if function in TESTS else MATH_TYPES[function, dtype, ""]
        yield Row(result, f"math.{function}({{0}})", (name,),
                  lambda a, f=function, t=result: one_argument(f, t, a))
    result = INTRINSICS["cuda.cbrt(v)", dtype]
    yield Row(result, "cuda.cbrt({0})", (name,),
              lambda a: one_argument("cbrt", result, a))


def split_rows(name, dtype):
    """frexp and modf."""
    for item in range(2):
        result = "int32" if item else "float64" if dtype == "float64" else "float32"
        yield Row(result, f"math.frexp({{0}})[{item}]", (name,),
                  lambda a, i=item: model.frexp(float(a))[i])
    for item in range(2):
        yield Row(dtype, f"math.modf({{0}})[{item}]", (name,),
                  lambda a, i=item: model.modf(float(a))[i])


def two_arguments(function, result, a, b):
    if function == "nextafter":
        kind = np.dtype(result).type
        return np.nextafter(kind(a), kind(b))
    return np.asarray(exact.of_two(function, float(a), float(b))).astype(result)[()]


def math():
    for dtype in FLOATS:
        name = "m_" + dtype
        rows = list(math_rows(name, dtype))
        if dtype != "float16":
            rows += split_rows(name, dtype)
        yield Kernel("functions_" + dtype, rows)
    yield Kernel("functions_of_integers",
                 [row for t in ("bool", *INTEGERS)
                  for row in math_rows("x_" + t, t) if (t, row.dtype) != ("bool", "")])
    rows = []
    for function in ("atan2", "hypot", "fmod", "copysign", "nextafter", "remainder", "pow"):
        for left, right in (("float32", "float32"), ("float64", "float64"), ("float32", "float64")):
            result = "float32" if left == right == "float32" else "float64"
            rows.append(Row(result, f"math.{function}({{0}}, {{1}})", ("x_" + left, "x_" + right),
                            lambda a, b, f=function, t=result: two_arguments(f, t, a, b)))
    for dtype in ("float32", "float64"):
        rows.append(Row(dtype, "math.ldexp({0}, {1})", ("x_" + dtype, "exponent"),
                        lambda a, n: model.ldexp(float(a), n)))
        rows.append(Row(dtype, "math.pow({0}, {1})", ("x_" + dtype, "x_int32"),
                        lambda a, n: model.float_to_int(a, n)))
    yield Kernel("functions_of_two", rows)
    yield Kernel("squares", [Row(dtype, "cuda.fma({0}, {0}, {1})", ("c_" + dtype,) * 2,
                                 lambda a, b: model.fma(type(a), a, a, b))
                             for dtype in ("float32", "float64")])


SELECTED = ("bool", *INTEGERS, *FLOATS)


def bits():
    rows = []
    for dtype, width in INTEGERS.items():
        name, wide = ("b_" + dtype,), max(width, 32)
        reversed_ = f"uint{wide}"
        for result, text, function, counted in (
                (dtype, "cuda.popc({0})", model.popc, width),
                (dtype, "{0}.bit_count()", model.popc, width),
                (dtype, "cuda.clz({0})", model.clz, width),
                ("uint32", "cuda.ffs({0})", model.ffs, wide),
                (reversed_, "cuda.brev({0})", model.brev, wide)):
            rows.append(Row(result, text, name, lambda a, f=function, w=counted: f(int(a), w)))
    yield Kernel("bits", rows)
    yield Kernel("selected", [
        Row(dtype, f"cuda.selp({{0}} {op} {{1}}, {{0}}, {{1}})", ("x_" + dtype,) * 2,
            lambda a, b, o=op: a if model.COMPARISONS[o](a, b) else b)
        for dtype in SELECTED for op in ("<", "==", ">=")])
    yield Kernel("fused", [
        Row(dtype, text, ("x_" + dtype,) * 2, lambda a, b, n=negative: model.fma(
            type(a), a, b, -a if n else a))
        for dtype in ("float32", "float64")
        for text, negative in (("cuda.fma({0}, {1}, {0})", False), ("cuda.fma({0}, {1}, -{0})", True))])


# ---- NumPy's functions --------------------------------------------------------------------------

MATH_NAMES = {"arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
              "arctan": "atan", "arctanh": "atanh", "rad2deg": "degrees", "deg2rad": "radians"}
ROUNDED = """arccos arccosh arcsin arcsinh arctan arctanh cos cosh sin sinh tan tanh exp exp2 expm1 log
    log2 log10 log1p cbrt degrees rad2deg radians deg2rad""".split()
OF_FLOATS = """sqrt fabs floor ceil trunc rint sign signbit spacing square reciprocal absolute negative
    positive conjugate isnan isinf isfinite logical_not""".split()
OF_INTEGERS = """absolute negative positive sign square invert logical_not isnan isinf isfinite sqrt
    conjugate""".split()
TWO_ROUNDED = {"power": "pow", "float_power": "pow", "arctan2": "atan2", "hypot": "hypot",
               "logaddexp": "", "logaddexp2": ""}
TWO_OF_FLOATS = """add subtract multiply divide true_divide floor_divide remainder fmod maximum minimum
    fmax fmin copysign nextafter equal not_equal less less_equal greater greater_equal logical_and
    logical_or logical_xor""".split()
TWO_OF_INTEGERS = """add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin
    equal less greater_equal logical_and logical_xor bitwise_and bitwise_or bitwise_xor gcd
    lcm""".split()
TWO_OF_BOOLS = """maximum minimum equal less logical_and logical_or logical_xor bitwise_and bitwise_or
    bitwise_xor""".split()
UFUNC_INTEGERS = ("int8", "int32", "int64", "uint8", "uint32", "uint64")


def ufunc_one(name, dtype, result, a):
    """NumPy's answer, in the type that numba computes in."""
    if name in ROUNDED:
        return one_argument(MATH_NAMES.get(name, name), result, a)
    kind = np.dtype(result if result in FLOATS else dtype).type
    if name == "spacing" and a == 0:   # numba's has the sign of zero
        return np.nextafter(kind(a), np.copysign(kind(np.inf), a))
    if name == "sign" and a == 0:      # and so does this
        return np.asarray(a).astype(result)
    return getattr(np, name)(kind(a)).astype(result)


def ufunc_two(name, dtype, result, a, b):
    kind = np.dtype(result if result in FLOATS else dtype).type
    if TWO_ROUNDED.get(name):
        return np.asarray(exact.of_two(TWO_ROUNDED[name], float(a), float(b))).astype(result)[()]
    if name in TWO_ROUNDED:
        return np.asarray(exact.log_of_sum(name, float(a), float(b))).astype(result)[()]
    if name == "floor_divide" and dtype in INTEGERS:
        return np.asarray(model.wrap(model.floor_div(int(a), int(b), dtype), dtype)).astype(result)
    return getattr(np, name)(kind(a), kind(b)).astype(result)


def ufunc_rows(names, dtype, name):
    for function in names:
        if (result := UFUNC_TYPES.get((function, "", dtype), "error")) != "error":
            yield Row(result, f"np.{function}({{0}})", (name,),
                      lambda a, f=function, r=result: ufunc_one(f, dtype, r, a))


def ufunc_pairs(names, dtype):
    for function in names:
        if (result := UFUNC_TYPES[function, dtype, dtype]) != "error":
            yield Row(result, f"np.{function}({{0}}, {{1}})", ("x_" + dtype,) * 2,
                      lambda a, b, f=function, r=result: ufunc_two(f, dtype, r, a, b))


def ufuncs():
    for dtype in ("float32", "float64"):
        yield Kernel("of_" + dtype, list(ufunc_rows(ROUNDED + OF_FLOATS, dtype, "m_" + dtype)))
    yield Kernel("of_integers", [row for dtype in UFUNC_INTEGERS
                                 for row in ufunc_rows(OF_INTEGERS + ROUNDED[:3], dtype,
                                                       "x_" + dtype)])
    for dtype in ("float32", "float64"):
        rows = list(ufunc_pairs([*TWO_ROUNDED, *TWO_OF_FLOATS], dtype))
        rows.append(Row(dtype, "np.ldexp({0}, {1})", ("x_" + dtype, "exponent"),
                        lambda a, n: model.ldexp(float(a), n)))
        yield Kernel("of_two_" + dtype, rows)
    rows = [row for dtype in UFUNC_INTEGERS for row in ufunc_pairs(TWO_OF_INTEGERS, dtype)]
    for dtype in ("int64", "uint64"):
        for function, op in (("left_shift", "<<"), ("right_shift", ">>")):
            rows.append(Row(dtype, f"np.{function}({{0}}, {{1}})", ("x_" + dtype, "count_" + dtype),
                            lambda a, b, o=op, t=dtype: model.INTEGER_OPS[o](a, b, t)))
    yield Kernel("of_two_integers", rows + list(ufunc_pairs(TWO_OF_BOOLS, "bool")))


# ---- complex numbers ----------------------------------------------------------------------------


def complex_edges():
    """At the 81 points whose parts are zeros, ones, others, infinities and NaN."""
    rows, pairs = [], []
    for dtype, part in (("complex64", "float32"), ("complex128", "float64")):
        name = "z_" + dtype
        rows += [Row(part, "abs({0})", (name,), model.complex_abs),
                 Row(part, "np.absolute({0})", (name,), model.complex_abs),
                 Row(dtype, "-{0}", (name,), lambda a: -a),
                 Row(dtype, "{0}.conjugate()", (name,), lambda a: a.conjugate()),
                 Row(dtype, "np.square({0})", (name,), lambda a: model.complex_mul(a, a)),
                 *(Row(dtype, f"np.{function}({{0}})", (name,),
                       lambda a, f=function: getattr(np, f)(a))
                   for function in ("exp2", "log2", "log10", "log1p", "rint", "sqrt", "exp",
                                    "log")),
                 Row(dtype, "np.sign({0})", (name,), model.complex_sign),
                 Row("bool", "bool({0})", (name,), bool),
                 Row("bool", "np.isnan({0})", (name,), np.isnan),
                 Row("bool", "np.isinf({0})", (name,), np.isinf),
                 Row("bool", "np.isfinite({0})", (name,), np.isfinite)]
        pairs += [Row(dtype, f"{{0}} {op} {{1}}", (name, name), answer)
                  for op, answer in (("*", model.complex_mul), ("/", model.complex_div),
                                     ("**", model.complex_pow))]
        pairs.append(Row("bool", "{0} == {1}", (name, name), lambda a, b: bool(a == b)))
    yield Kernel("edges", rows)
    yield Kernel("pairs_of_edges", pairs)


FAMILIES = [math, bits, ufuncs, complex_edges]
