#!/usr/bin/env python3
"""Writes the tables of values/: kernels that try every operation on edge values, and the answers.

    python values.py [--trust] [FAMILY ...]

Run by hand, when an operation is added or its meaning is settled anew; check.py, which the tests
run, reads only what this leaves. Needs Python 3.10, NumPy, numba and mpmath:
    pip install numba mpmath

    values/inputs.npz    the edge values, an array a type
    values/FAMILY.k      kernels, a line an operation and its operands' types
    values/FAMILY.npz    KERNEL.to_TYPE: what the kernel should leave in the array to_TYPE

The answers come from model.py, and their types from the .tsv tables beside this file. Each line
is then compiled by numba itself for the processor (`error_model='numpy'`), and what the two say
differently must be among EXPECTED_DIFFERENCES, each for a stated reason; --trust leaves that out.
"""
import argparse
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # this folder holds what is committed, nothing else

import functions
import model
from cases import (BINARY, COMMON, FORMS, INPUTS, MINMAX, SOME, UNARY, UNIFY, VALUES, Kernel, Row,
                   dtype_of)
from model import FLOATS, INTEGERS, REALS


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
    for left in SOME:
        for right in SOME:
            result = FORMS["divmod({0}, {1})", left, right].strip("()").split(", ")[0]
            rows += [Row(result, f"divmod({{0}}, {{1}})[{item}]", ("x_" + left, "x_" + right),
                         lambda a, b, l=left, r=right, t=result, o=op:
                         model.binary(o, l, r, t, a, b)) for item, op in enumerate(("//", "%"))]
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
        yield Kernel(op + "imum_of_several", [
            Row(dtype, text, (f"x_{dtype}", f"x_{dtype}"),
                lambda a, b, o=op, r=repeats: model.least_of(o, *([a, b] * r)[:r + 1]))
            for dtype in ("float16", "float32", "float64", "int32")
            for text, repeats in ((f"{op}({{0}}, {{1}}, {{0}})", 2), (f"{op}(({{0}}, {{1}}))", 1))])


def joins():
    """What two values have in common where branches meet."""
    def chosen(first, left, right, result):
        return lambda a, b: (model.cast(a, left, result) if first(a, b) else
                             model.cast(b, right, result))

    for name, text, first in (("both_hold", "{0} and {1}", lambda a, b: not a),
                              ("one_holds", "{0} or {1}", lambda a, b: bool(a)),
                              ("if_else", "{0} if {1} else {1}", lambda a, b: bool(b))):
        yield Kernel(name, [Row(UNIFY[left, right], text, ("x_" + left, "x_" + right),
                                chosen(first, left, right, UNIFY[left, right]))
                            for left in SOME for right in SOME])


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
    for source in REALS:  # one by one: gcc's time grows with the square of a kernel's casts
        yield Kernel("from_" + source, list(cast_rows(source, "x_" + source)))
    for name in ("halves", "singles", "doubles"):
        yield Kernel("of_" + name, list(cast_rows(dtype_of(name), name)))
    yield Kernel("to_complex", [
        row for source in REALS for target, part in (("complex64", "float32"),
                                                     ("complex128", "float64"))
        for row in (Row(part, target + "({0}).real", ("x_" + source,),
                        lambda a, s=source, p=part: model.cast(a, s, p)),
                    Row(part, target + "({0}).imag", ("x_" + source,), lambda a: 0.0))])


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
    yield Kernel("decimals_of_others", [
        Row(result, "round({0}, {1})", ("x_" + dtype, "digits"),
            lambda a, n, d=dtype, t=result: model.round_digits(model.cast(a, d, t), n))
        for dtype in ("bool", "int8", "uint8", "int16", "int32", "uint64", "int64", "float16")
        for result in [FORMS["round({0}, {1})", dtype, "int64"]]])


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
    yield from odd_complex_numbers()


def parts(text, names, function, dtype="float64"):
    """The real and the imaginary part of an expression, each a row: zeros have signs in both."""
    for part in ("real", "imag"):
        yield Row(dtype, f"({text}).{part}", names,
                  lambda *operands, p=part: getattr(np.complex128(function(*operands)), p))


def odd_complex_numbers():
    """Signed zeros, infinities and NaN: a real number is a complex one whose imaginary part is 0."""
    kinds = [("o_complex128", "o_complex128"), ("o_complex128", "o_float64"),
             ("o_float64", "o_complex128")]
    rows = []
    for op in "+-*":
        for names in kinds:
            rows += parts("{0} %s {1}" % op, names, lambda a, b, o=op: model.complex_parts(o, a, b))
    rows += [Row("bool", "{0} %s {1}" % op, names, lambda a, b, o=op: model.COMPARISONS[o](a, b))
             for op in ("==", "!=") for names in kinds]
    yield Kernel("odd_complex_pairs", rows)
    rows = []
    for dtype, part in (("complex64", "float32"), ("complex128", "float64")):
        name = ("o_" + dtype,)
        rows += parts("complex128({0})", name, lambda a: a)
        rows += parts("complex64({0})", name, lambda a: a, "float32")
        rows += [Row("bool", "np.bool_({0})", name, bool), Row("bool", "not {0}", name, lambda a: not a)]
        rows += parts("complex({0}, {0})", ("o_" + part,), model.made, part)
        rows += parts("complex({0})", ("o_" + part,), lambda a: model.made(a, 0), part)
    yield Kernel("odd_complex_unary", rows)


def complex_rows(op, types, prefix):
    for left in types:
        for right in types:
            if "complex" in left + right:
                yield Row(BINARY[op, left, right], f"{{0}} {op} {{1}}",
                          (prefix + left, prefix + right),
                          lambda a, b: model.complex_op(op, a, b))


FAMILIES = [arithmetic, division, power, bitwise, comparison, minmax, joins, unary, casts,
            rounding, atomics, complex_numbers, *functions.FAMILIES]

# ---- numba's opinion --------------------------------------------------------------------------


ENDS = {0} | {end for bits in (8, 16, 32, 64)
              for end in (-1 << bits - 1, (1 << bits - 1) - 1, (1 << bits) - 1)}

# Where numba on the processor may answer differently: a pattern of the expression, what then holds
# of our answer and the operands, and why.
EXPECTED_DIFFERENCES = [
    (r"^(u?int\d*|round)\(\w*(float|singles|doubles)|^x_u?int.* \*\* ",
     lambda ours, *_: int(ours) in ENDS,
     "floats beyond an integer's range are undefined there; here they stop at its end"),
    (r"^(min|max)\(x_float(32|64)\W+\w\W+x_float(32|64)\W+\w\W+$", lambda ours, *operands: any(x != x for x in operands),
     "NaN wins or loses by its place there, and always loses on a GPU"),
    (r"^round\(x_u?int64", lambda ours, a, *_: abs(a) > 2**53,
     "integers are rounded by way of float64 there"),
    (r"^round\(.*digits", lambda ours, x, digits: digits < -308 or (x == 0 and digits > 308),
     "10.0 ** digits overflows there"),
    (r"^round\((r_float32|x_(bool|u?int8|int16)).*digits", lambda ours, x, digits: True,
     "it is scaled in float32 there"),
    (r"^x_u?int.* \*\* x_int64", lambda ours, a, b: abs(b) > 2**53,
     "odd exponents beyond 2**53 are even as float64 there"),
    (r"\*\* p_", lambda ours, a, b: a == 0, "0 ** z is NaN there"),
]
# What numba types for the processor otherwise than for a GPU, or does not have there.
NOT_ASKED = re.compile(r"cuda\.|bit_count|float16|halves|math\.(ceil|floor|trunc|modf|fmod|remainder)|"
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
