#!/usr/bin/env python3
"""Writes the tables of values/: kernels that try every operation on edge values, and the answers.

    python values.py [--trust] [FAMILY ...]

Run by hand, when an operation is added or its meaning is settled anew; check.py, which the tests
run, reads only what this leaves. Needs Python 3.10, NumPy and numba:  pip install numba

    values/inputs.npz    the edge values, an array a type
    values/FAMILY.k      kernels, a line an operation and its operands' types
    values/FAMILY.npz    KERNEL.to_TYPE: what the kernel should leave in the array to_TYPE

The answers come from model.py, and their types from the .tsv tables beside this file. Each line
is then compiled by numba itself for the processor (`error_model='numpy'`), and what the two say
differently must be among EXPECTED_DIFFERENCES, each for a stated reason; --trust leaves that out.
"""
import argparse
import csv
import pathlib
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # this folder holds what is committed, nothing else

import model
from model import FLOATS, INTEGERS, REALS

HERE = pathlib.Path(__file__).resolve().parent
VALUES = HERE / "values"

# ---- edge values ------------------------------------------------------------------------------

INF, NAN = np.inf, np.nan
EDGES = {
    "bool": [0, 1] * 7,
    "int8": [-128, -127, -64, -7, -3, -2, -1, 0, 1, 2, 3, 7, 100, 127],
    "int16": [-32768, -32767, -129, -7, -3, -2, -1, 0, 1, 2, 3, 7, 300, 32767],
    "int32": [-2**31, 1 - 2**31, -65536, -7, -3, -2, -1, 0, 1, 2, 3, 7, 65537, 2**31 - 1],
    "int64": [-2**63, 1 - 2**63, -2**53 - 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, 70000, 2**63 - 1],
    "uint8": [0, 1, 2, 3, 5, 7, 8, 63, 64, 100, 127, 128, 254, 255],
    "uint16": [0, 1, 2, 3, 7, 63, 255, 256, 1000, 32767, 32768, 40000, 65534, 65535],
    "uint32": [0, 1, 2, 3, 7, 63, 65536, 70000, 2**24 + 1, 2**31 - 1, 2**31, 2**31 + 1,
               2**32 - 2, 2**32 - 1],
    "uint64": [0, 1, 2, 3, 7, 63, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1025, 2**64 - 1025,
               2**64 - 2, 2**64 - 1],
    "float16": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, -7.5, 65504.0, 6e-8, INF, -INF, NAN],
    "float32": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 1e-45, 16777216.0, 3.4028235e38, INF,
                -INF, NAN],
    "float64": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 5e-324, 1e17, 1.7976931348623157e308,
                INF, -INF, NAN],
}
BORDERS = [0.0, 0.49999997, 0.5, 0.99, 1.5, 2.5, 126.9, 127.0, 127.5, 128.0, 254.9, 255.5, 256.0,
           32767.0, 32767.5, 32768.0, 65535.0, 65535.5, 65536.0, 2147483520.0, 2147483647.0,
           2147483648.0, 4294967040.0, 4294967295.0, 4294967296.0, 9223371487098961920.0,
           9223372036854774784.0, 9223372036854775808.0, 18446742974197923840.0,
           18446744073709549568.0, 18446744073709551616.0, 1e30, INF]
MATH = [0.0, 1e-45, 1.1754944e-38, 1e-30, 1e-8, 0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1.0, 1.001,
        1.5, 2.0, 2.5, 3.14159265, 3.7, 5.5, 10.0, 20.25, 33.5, 50.0, 88.5, 100.25, 1e5, 1e10, 1e30,
        3.4e38, INF]
DEEP = [5e-324, 2.2250738585072014e-308, 170.5, 709.5, 1e-300, 1e300]


def both_signs(values):
    return values + [-x for x in values] + [NAN]


INPUTS = {f"x_{dtype}": np.array(values, dtype) for dtype, values in EDGES.items()}
INPUTS |= {f"count_{t}": np.array([0, 1] * 7 if t == "bool" else
                                  [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 47, 62, 63], t)
           for t in REALS if t not in FLOATS}
INPUTS |= {
    "halves": np.array(both_signs([x for x in BORDERS if x < 65505 or x == INF]), "float16"),
    "singles": np.array(both_signs(BORDERS), "float32"),
    "doubles": np.array(both_signs(BORDERS), "float64"),
    "m_float16": np.array(both_signs([x for x in MATH if x < 65505 or x == INF]), "float16"),
    "m_float32": np.array(both_signs(MATH), "float32"),
    "m_float64": np.array(both_signs(MATH + DEEP), "float64"),
    "r_float32": np.array([0.0, -0.0, 0.5, 2.5, -2.675, 1234.5678, 1e-10, 16777215.0, 3e38, -5e9,
                           0.15, INF, -INF, NAN], "float32"),
    "r_float64": np.array([0.0, -0.0, 0.5, 2.5, -2.675, 1234.5678, 1e-10, 1e17 + 16, 1.7e308, -5e9,
                           0.15, INF, -INF, NAN], "float64"),
    "digits": np.array([-1000, -309, -25, -3, -1, 0, 1, 2, 3, 15, 23, 30, 308, 1000], "int64"),
    "exponent": np.array([-5000, -1074, -1022, -149, -126, -30, -1, 0, 1, 10, 127, 128, 1023, 1024],
                         "int32"),
    "c_complex64": np.array([1, -1, 1j, 2 + 3j, -0.5 + 0.25j, 1e-3 - 4j, 7 - 7j, 0.1j, -2.5,
                             1e5 + 1j, 3 - 1e-4j, -1 - 1j, 100j, 0.3 + 0.7j], "complex64"),
    "c_float32": np.array([1, -1, 2, 0.5, -2.5, 3, 0.1, 1e3, -7, 0.25, 4, -0.125, 10, 1.5],
                          "float32"),
    "c_int32": np.array([1, -1, 2, 3, -3, 4, 5, -2, 7, 6, 1, 2, -4, 3], "int32"),
}
INPUTS["p_complex64"] = np.array([1, -1, 1j, 2 + 3j, -0.5 + 0.25j, 1e-3 - 4j, 3 - 3j, 0.1j, -2.5,
                                  5 + 1j, 3 - 1e-4j, -1 - 1j, 2j, 0.3 + 0.7j], "complex64")
INPUTS["p_complex128"] = INPUTS["p_complex64"].astype("complex128")
INPUTS["c_complex128"] = INPUTS["c_complex64"].astype("complex128")
INPUTS["c_float64"] = INPUTS["c_float32"].astype("float64")
INPUTS |= {f"p_{t}": np.where(np.abs(INPUTS[f"c_{t}"]) > 10, 0, INPUTS[f"c_{t}"]).astype(t)
           for t in ("float32", "float64", "int32")}


def dtype_of(name):
    return str(INPUTS[name].dtype)


def native(value):
    """A NumPy integer or bool as Python's; floats stay as they are."""
    return value.item() if isinstance(value, (np.integer, np.bool_)) else value


# ---- the type tables --------------------------------------------------------------------------


def table(name, keys, value):
    with open(HERE / f"{name}.tsv", newline="") as file:
        return {tuple(row[k] for k in keys): row[value]
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


BINARY = table("binary", ("op", "left", "right"), "result")
COMMON = table("operand_casts", ("op", "left", "right"), "left_as")
UNARY = table("unary", ("op", "operand"), "result")
MINMAX = table("minmax", ("function", "arg1", "arg2"), "result")
MATH_TYPES = table("math", ("function", "arg1", "arg2"), "result")


# ---- rows and kernels -------------------------------------------------------------------------


class Row:
    """One operation on inputs: `text` with {0}, {1} for the operands, and what it should give."""

    def __init__(self, dtype, text, inputs, answer):
        self.dtype, self.text, self.inputs, self.answer = dtype, text, inputs, answer


class Kernel:
    """Rows whose inputs have one length; a thread an element, or a pair of elements."""

    def __init__(self, name, rows):
        self.name, self.rows = name, rows
        self.pairs = any(len(row.inputs) == 2 for row in rows)
        self.inputs = list(dict.fromkeys(name for row in rows for name in row.inputs))
        self.length = len(INPUTS[self.inputs[0]])
        assert all(len(INPUTS[i]) == self.length for i in self.inputs), name

    def expression(self, row):
        return row.text.format(*(f"{name}[{'ij'[at] if self.pairs else 'k'}]"
                                 for at, name in enumerate(row.inputs)))

    def source(self):
        outputs = list(dict.fromkeys(f"to_{row.dtype}" for row in self.rows))
        counts = dict.fromkeys(outputs, 0)
        signature, lines = f"def {self.name}(", []
        indent, line = " " * len(signature), signature
        for parameter in self.inputs + outputs:
            if len(line) + len(parameter) > 96:
                lines.append(line.rstrip())
                line = indent
            line += parameter + ", "
        lines = ["@cuda.jit", *lines, line[:-2] + "):", "    k = cuda.grid(1)"]
        if self.pairs:
            n = self.length
            lines += [f"    if k < {n * n}:", f"        i = k // {n}", f"        j = k % {n}"]
        else:
            lines += [f"    if k < {self.length}:"]
        for row in self.rows:
            to = f"to_{row.dtype}"
            lines.append(f"        {to}[{counts[to]}, k] = {self.expression(row)}")
            counts[to] += 1
        return "\n".join(lines) + "\n"

    def operands(self, row):
        columns = [[native(x) for x in INPUTS[name]] for name in row.inputs]
        if not self.pairs:
            return zip(*columns)
        if len(columns) == 1:
            return ((a,) for a in columns[0] for _ in range(self.length))
        return ((a, b) for a in columns[0] for b in columns[1])

    def answers(self):
        """An array an output, a row a line of the kernel."""
        rows = {}
        for row in self.rows:
            row.values = [row.answer(*operands) for operands in self.operands(row)]
            rows.setdefault(f"to_{row.dtype}", []).append(np.array(row.values, row.dtype))
        return {f"{self.name}.{output}": np.stack(found) for output, found in rows.items()}


def pair_rows(op, prefixes=("x_", "x_"), types=REALS):
    for left in types:
        for right in types:
            result = BINARY[op, left, right]
            if result == "error" or f"{prefixes[1]}{right}" not in INPUTS:
                continue
            yield Row(result, f"{{0}} {op} {{1}}", (prefixes[0] + left, prefixes[1] + right),
                      lambda a, b, l=left, r=right, t=result: model.binary(op, l, r, t, a, b))


def arithmetic():
    for name, op in (("add", "+"), ("subtract", "-"), ("multiply", "*"), ("divide", "/")):
        yield Kernel(name, list(pair_rows(op)))


def division():
    yield Kernel("floor_divide", list(pair_rows("//")))
    yield Kernel("modulo", list(pair_rows("%")))
    rows = []
    for dtype in ("int8", "int64", "uint64", "float32", "float64"):
        for item, op in enumerate(("//", "%")):
            result = BINARY[op, dtype, dtype]
            rows.append(Row(result, f"divmod({{0}}, {{1}})[{item}]", ("x_" + dtype,) * 2,
                            lambda a, b, d=dtype, t=result, o=op: model.binary(o, d, d, t, a, b)))
    yield Kernel("both", rows)


def power():
    yield Kernel("power", list(pair_rows("**")))


def bitwise():
    for name, op in (("bit_and", "&"), ("bit_or", "|"), ("bit_xor", "^")):
        yield Kernel(name, list(pair_rows(op)))
    for name, op in (("shift_left", "<<"), ("shift_right", ">>")):
        yield Kernel(name, list(pair_rows(op, ("x_", "count_"))))


def comparison():
    names = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal", "==": "equal",
             "!=": "differs"}
    for op, name in names.items():
        yield Kernel(name, [
            Row("bool", f"{{0}} {op} {{1}}", ("x_" + left, "x_" + right),
                lambda a, b, o=op, l=left, r=right, c=COMMON["==", left, right]:
                model.compare(o, l, r, c, a, b))
            for left in REALS for right in REALS])


def minmax():
    for op in ("min", "max"):
        yield Kernel(op + "imum", [
            Row(result, f"{op}({{0}}, {{1}})", ("x_" + left, "x_" + right),
                lambda a, b, o=op, l=left, r=right, t=result: model.least(o, l, r, t, a, b))
            for left in REALS for right in REALS
            if (result := MINMAX[op, left, right]) != "error"])


def unary():
    rows = []
    for op in ("-", "+", "~", "not", "abs"):
        for dtype in REALS:
            if (result := UNARY[op, dtype]) != "error":
                text = {"not": "not {0}", "abs": "abs({0})"}.get(op, op + "{0}")
                rows.append(Row(result, text, ("x_" + dtype,),
                                lambda a, o=op, d=dtype, t=result: model.unary(o, d, t, a)))
    yield Kernel("unary", rows)


def cast_rows(source, name):
    """Conversions by name, by storing, and by int(), float() and bool()."""
    for target in REALS:
        def answer(a, t=target):
            return model.cast(a, source, t)

        call = "np.bool_" if target == "bool" else target
        yield Row(target, f"{call}({{0}})", (name,), answer)
        yield Row(target, "{0}", (name,), answer)
    to_int = source if source in INTEGERS else "int64"
    yield Row(to_int, "int({0})", (name,), lambda a: model.cast(a, source, to_int))
    if source != "bool":
        to_float = source if source in FLOATS else "float64"
        yield Row(to_float, "float({0})", (name,), lambda a: model.cast(a, source, to_float))
    yield Row("bool", "bool({0})", (name,), lambda a: model.cast(a, source, "bool"))


def casts():
    yield Kernel("between_types",
                 [row for source in REALS for row in cast_rows(source, "x_" + source)])
    for name in ("halves", "singles", "doubles"):
        yield Kernel("of_" + name, list(cast_rows(dtype_of(name), name)))


def rounding():
    yield Kernel("whole", [
        Row("int64", "round({0})", ("x_" + dtype,),
            lambda a, d=dtype: model.cast(np.rint(a), d, "int64") if d in FLOATS
            else model.cast(a, d, "int64")) for dtype in REALS])
    for name in ("halves", "singles", "doubles"):
        yield Kernel("nearest_" + name, [
            Row("int64", "round({0})", (name,),
                lambda a, d=dtype_of(name): model.cast(np.rint(a), d, "int64"))])
    yield Kernel("decimals", [
        Row(dtype, "round({0}, {1})", ("r_" + dtype, "digits"),
            lambda a, n: model.round_digits(a, n)) for dtype in ("float32", "float64")])


ONE_ARGUMENT = """acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp exp2 expm1 log
    log2 log10 log1p sqrt fabs erf erfc gamma lgamma degrees radians ceil floor trunc isnan isinf
    isfinite""".split()
TESTS = ("isnan", "isinf", "isfinite")


def math_rows(name, dtype):
    """Every function of one argument, of inputs of one type."""
    for function in ONE_ARGUMENT:
        result = "bool" if function in TESTS else MATH_TYPES[function, dtype, ""]
        yield Row(result, f"math.{function}({{0}})", (name,),
                  lambda a, f=function, t=result: np.asarray(
                      model.libm1(f, float(a))).astype(t)[()])
    result = "float64" if dtype in ("float64", "int64", "uint64") else "float32"
    yield Row(result, "cuda.cbrt({0})", (name,),
              lambda a: np.asarray(model.libm1("cbrt", float(a))).astype(result)[()])


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
    return np.asarray(model.libm2(function, float(a), float(b))).astype(result)[()]


def math():
    for dtype in FLOATS:
        name = "m_" + dtype
        rows = list(math_rows(name, dtype))
        if dtype != "float16":
            rows += split_rows(name, dtype)
        yield Kernel("functions_" + dtype, rows)
    yield Kernel("functions_of_integers",
                 [row for t in ("bool", "int8", "uint16", "int32", "int64", "uint64")
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
    yield Kernel("fused", [Row(dtype, "cuda.fma({0}, {0}, {1})", ("c_" + dtype,) * 2,
                               lambda a, b: model.fma(type(a), a, a, b))
                           for dtype in ("float32", "float64")])


def bits():
    rows = []
    for dtype, width in INTEGERS.items():
        for function in ("popc", "clz"):
            rows.append(Row(dtype, f"cuda.{function}({{0}})", ("x_" + dtype,),
                            lambda a, f=getattr(model, function), w=width: f(a, w)))
        if width >= 32:
            rows.append(Row("uint32", "cuda.ffs({0})", ("x_" + dtype,),
                            lambda a, w=width: model.ffs(a, w)))
    for dtype, width in (("uint8", 32), ("uint32", 32), ("uint64", 64)):
        rows.append(Row("uint64" if width == 64 else "uint32", "cuda.brev({0})", ("x_" + dtype,),
                        lambda a, w=width: model.brev(a, w)))
    for dtype in ("int32", "uint64", "float32", "float64"):
        rows.append(Row(dtype, "cuda.selp({0} > {0} - {0}, {0}, -{0})", ("c_int32",), abs)
                    if dtype == "int32" else
                    Row(dtype, "cuda.selp({0} != {0}, {0}, {0})", ("x_" + dtype,), lambda a: a))
    yield Kernel("bits", rows)


def atomic_rows(op, dtype, prefix, first):
    """What was there and what is there then: a thread has an element for itself."""
    names = (prefix + dtype, prefix + dtype)
    value = f"{dtype}(7), {{1}}" if op == "cas" else "{1}"
    yield Row(dtype, "{0}", names,
              lambda a, b: model.atomic(op, dtype, a, b))
    yield Row(dtype, f"cuda.atomic.{op}(to_{dtype}, ({first}, k), {value})", names,
              lambda a, b: a)


def atomics():
    for dtype in ("int32", "uint32", "int64", "uint64", "float32", "float64"):
        ops = ["add", "sub", "max", "min", "nanmax", "nanmin"]
        if dtype in INTEGERS:
            ops += ["and_", "or_", "xor", "exch", "cas"]
        if dtype[0] == "u":
            ops += ["inc", "dec"]
        prefix = "x_" if dtype in INTEGERS else "r_"   # GPUs add float32 without subnormals
        yield Kernel("atomics_" + dtype, [row for at, op in enumerate(ops)
                                          for row in atomic_rows(op, dtype, prefix, 2 * at)])


def complex_numbers():
    mixed = ("complex64", "complex128", "float32", "float64", "int32")
    for name, op in (("add", "+"), ("subtract", "-"), ("multiply", "*"), ("divide", "/"),
                     ("power", "**")):
        prefix = "p_" if op == "**" else "c_"   # powers of what keeps its digits
        yield Kernel("complex_" + name, list(complex_rows(op, mixed, prefix)))
    yield Kernel("complex_equal", [
        Row("bool", f"{{0}} {op} {{1}}", ("c_" + left, "c_" + right),
            lambda a, b, o=op: model.COMPARISONS[o](complex(a), complex(b)))
        for op in ("==", "!=") for left in mixed for right in mixed
        if "complex64" == left == right or COMMON["==", left, right] == "complex128"])
    rows = []
    for dtype, part in (("complex64", "float32"), ("complex128", "float64")):
        name = ("c_" + dtype,)
        rows += [Row(dtype, "-{0}", name, lambda a: -a), Row(dtype, "+{0}", name, lambda a: a),
                 Row(part, "abs({0})", name, lambda a: abs(complex(a))),
                 Row(part, "{0}.real", name, lambda a: a.real),
                 Row(part, "{0}.imag", name, lambda a: a.imag),
                 Row("bool", "not {0}", name, lambda a: not a),
                 Row("complex128", "complex128({0})", name, lambda a: a),
                 Row("complex64", "complex64({0})", name, lambda a: a)]
    yield Kernel("complex_unary", rows)


def complex_rows(op, types, prefix):
    for left in types:
        for right in types:
            if "complex" in left + right:
                yield Row(BINARY[op, left, right], f"{{0}} {op} {{1}}",
                          (prefix + left, prefix + right),
                          lambda a, b: model.complex_op(op, a, b))


FAMILIES = [arithmetic, division, power, bitwise, comparison, minmax, unary, casts, rounding, math,
            bits, atomics, complex_numbers]

# ---- numba's opinion --------------------------------------------------------------------------


ENDS = {0} | {end for bits in (8, 16, 32, 64)
              for end in (-1 << bits - 1, (1 << bits - 1) - 1, (1 << bits) - 1)}

# Where numba on the processor may answer differently: a pattern of the expression, what then holds
# of our answer and the operands, and why.
EXPECTED_DIFFERENCES = [
    (r"^(u?int\d*|round)\(\w*(float|singles|doubles)|^x_u?int.* \*\* ",
     lambda ours, *_: int(ours) in ENDS,
     "floats beyond an integer's range are undefined there; here they stop at its end"),
    (r"^(min|max)\(", lambda ours, *operands: any(x != x for x in operands),
     "NaN wins or loses by its place there, and always loses on a GPU"),
    (r"^round\(x_u?int64", lambda ours, a: abs(a) > 2**53,
     "integers are rounded by way of float64 there"),
    (r"^round\(r_", lambda ours, x, digits: digits < -308, "10.0 ** digits overflows there"),
    (r"^round\(r_float32", lambda ours, x, digits: True, "it is scaled in float32 there"),
    (r"^x_u?int.* \*\* x_int64", lambda ours, a, b: abs(b) > 2**53,
     "odd exponents beyond 2**53 are even as float64 there"),
    (r"\*\* p_", lambda ours, a, b: a == 0, "0 ** z is NaN there"),
]
# What numba types for the processor otherwise than for a GPU, or does not have there.
NOT_ASKED = re.compile(r"cuda\.|float16|halves|math\.(ceil|floor|trunc|modf|fmod|remainder)|"
                       r"math\.pow\(x_float32\[i\], x_int32|^\w+\[\w\] to")


def numba_function(row, types):
    import math as mathematics
    import numba
    plain = [t for t in REALS if t not in ("bool", "float16")]
    names = {"math": mathematics, "np": np} | {t: getattr(numba, t) for t in plain}
    names |= {t: getattr(numba, t) for t in ("complex64", "complex128")}
    arguments = "abc"[:len(types)]
    exec(f"def f({', '.join(arguments)}): return " + row.text.format(*arguments), names)
    function = numba.njit(error_model="numpy")(names["f"])
    function.compile(tuple(getattr(numba, "boolean" if t == "bool" else t) for t in types))
    (overload,) = function.overloads.values()
    result = str(overload.signature.return_type)
    return function, "bool" if result == "bool" or result == "boolean" else result


def same(ours, theirs, dtype):
    """Floats to within a few of their last digits: the type decides, the model says which."""
    if ours != ours or theirs != theirs:
        return ours != ours and theirs != theirs
    if dtype in INTEGERS or dtype == "bool" or ours == theirs:
        return ours == theirs
    eps = 4e-6 if dtype in ("float32", "complex64") else 4e-14
    return abs(ours - theirs) <= eps * abs(ours) + 1e-40 * (dtype == "float32")


def is_expected(expression, ours, operands):
    return any(re.search(pattern, expression) and holds(ours, *operands)
               for pattern, holds, _ in EXPECTED_DIFFERENCES)


def ask_numba(kernel, row):
    """How numba differs, in a sentence; None if it does not."""
    types = [dtype_of(name) for name in row.inputs]
    expression = kernel.expression(row)
    function, result = numba_function(row, types)
    if result != row.dtype:
        return f"{expression}: {result}, not {row.dtype}"
    for ours, operands in zip(np.array(row.values, row.dtype), kernel.operands(row)):
        try:
            theirs = function(*(np.dtype(t).type(x) for t, x in zip(types, operands)))
        except (ArithmeticError, ValueError):   # it raises where a GPU cannot
            continue
        if not same(ours, theirs, row.dtype) and not is_expected(expression, ours, operands):
            return f"{expression} of {', '.join(map(repr, operands))}: {theirs!r}, not {ours!r}"
    return None


def compare_with_numba(kernel):
    """How many rows numba confirms, and what it says of the others."""
    asked = [row for row in kernel.rows
             if not NOT_ASKED.search(f"{kernel.expression(row)} to {row.dtype}")]
    differences = list(filter(None, (ask_numba(kernel, row) for row in asked)))
    return len(asked) - len(differences), differences


# ---- writing ----------------------------------------------------------------------------------

HEADER = '''"""{title} on edge values. Written by values.py; FAMILY.npz has the answers."""
import math
import numpy as np
from numba import (complex64, complex128, cuda, float16, float32, float64, int8, int16, int32,
                   int64, uint8, uint16, uint32, uint64)
'''


def write(family, trust):
    name = family.__name__
    kernels = list(family())
    title = name.replace("_", " ").capitalize()
    text = HEADER.format(title=title).replace("FAMILY", name)
    answers, differences = {}, []
    for kernel in kernels:
        text += "\n\n" + kernel.source()
        answers |= kernel.answers()
        agreed, found = (0, []) if trust else compare_with_numba(kernel)
        print(f"{name}.{kernel.name}: {len(kernel.rows)} rows, {agreed} confirmed by numba",
              flush=True)
        differences += found
    (VALUES / f"{name}.k").write_text(text)
    np.savez_compressed(VALUES / f"{name}.npz", **answers)
    for text in differences:
        print("    " + text)
    return not differences


def main():
    parser = argparse.ArgumentParser(description="Writes the tables of values/.")
    parser.add_argument("--trust", action="store_true", help="do not ask numba")
    parser.add_argument("family", nargs="*")
    arguments = parser.parse_args()
    VALUES.mkdir(exist_ok=True)
    np.savez_compressed(VALUES / "inputs.npz", **INPUTS)
    chosen = [f for f in FAMILIES if not arguments.family or f.__name__ in arguments.family]
    return 0 if all([write(family, arguments.trust) for family in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
