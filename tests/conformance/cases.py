"""Edge values, the type tables, and what a table of values/ is made of: rows and kernels."""
import csv
import pathlib

import numpy as np

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
# The ends of what functions take and give, and what lies beside whole turns.
ENDS = [1 - 2**-24, 1 + 2**-23, 1 - 2**-12, 2**-12, 2**-24, 1.5707963, 1.5707964, 3.1415925, 3.1415927,
        6.2831855, 22.0, 355.0, 1e6, 2.0**30, 1e15, 1e22, 2.0**100, 88.72283, 88.72284, 89.5, 87.33655,
        103.97, 104.5, 127.99999, 128.0, 149.0, 149.5, 9.19, 10.05, 14.25, 4.0, 7.5, 12.5, 21.0, 24.75,
        34.5, 35.04, 35.05, 1e-38, 1e-42]
SPREAD = [float("%.6g" % 10 ** (-5 + 7.5 * (k * 0.6180339887498949 % 1))) for k in range(1, 121)]
PARTS = [-0.0, 0.0, 1.0, -1.0, 1.5, -3.5, INF, -INF, NAN]   # of complex numbers
DEEP = [1 - 2**-53, 1 + 2**-52, 709.75, 709.8, 745.1, 745.2, 1023.99, 1024.0, 1074.0, 1075.5, 26.5,
        27.25, 171.6, 171.7, 3.141592653589793, 1.5707963267948966, 1e200, 1e-310, 5e-324,
        2.2250738585072014e-308, 170.5, 709.5, 1e-300, 1e300]


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
    "m_float16": np.array(both_signs([x for x in MATH + SPREAD if x < 65505 or x == INF]), "float16"),
    "m_float32": np.array(both_signs(MATH + ENDS + SPREAD), "float32"),
    "m_float64": np.array(both_signs(MATH + ENDS + SPREAD + DEEP),
                          "float64"),
    "r_float32": np.array([0.0, -0.0, 0.5, 2.5, -2.675, 1234.5678, 1e-10, 16777215.0, 3e38, -5e9,
                           0.15, INF, -INF, NAN], "float32"),
    "r_float64": np.array([0.0, -0.0, 0.5, 2.5, -2.675, 1234.5678, 1e-10, 1e17 + 16, 1.7e308, -5e9,
                           0.15, INF, -INF, NAN], "float64"),
    "digits": np.array([-1000, -309, -25, -3, -1, 0, 1, 2, 3, 15, 23, 30, 308, 1000], "int64"),
    "exponent": np.array([-5000, -1074, -1022, -149, -126, -30, -1, 0, 1, 10, 127, 128, 1023, 1024],
                         "int32"),
    "c_complex64": np.array([1, -1, 1j, 2 + 3j, -0.5 + 0.25j, 1e-3 - 4j, 7 - 7j, 0.1j, -2.5,
                             1e5 + 1j, 3 - 1e-4j, -1 - 1j, 100j, 0.3 + 0.7j], "complex64"),
    "z_complex128": np.array([complex(x, y) for x in PARTS for y in PARTS]),
    "c_float32": np.array([1, -1, 2, 0.5, -2.5, 3, 0.1, 1e3, -7, 0.25, 4, -0.125, 10, 1.5],
                          "float32"),
    "c_int32": np.array([1, -1, 2, 3, -3, 4, 5, -2, 7, 6, 1, 2, -4, 3], "int32"),
}
INPUTS["z_complex64"] = INPUTS["z_complex128"].astype("complex64")
INPUTS["p_complex64"] = np.array([1, -1, 1j, 2 + 3j, -0.5 + 0.25j, 1e-3 - 4j, 3 - 3j, 0.1j, -2.5,
                                  5 + 1j, 3 - 1e-4j, -1 - 1j, 2j, 0.3 + 0.7j], "complex64")
INPUTS["p_complex128"] = INPUTS["p_complex64"].astype("complex128")
INPUTS["c_complex128"] = INPUTS["c_complex64"].astype("complex128")
INPUTS["c_float64"] = INPUTS["c_float32"].astype("float64")
INPUTS |= {f"p_{t}": np.where(np.abs(INPUTS[f"c_{t}"]) > 10, 0, INPUTS[f"c_{t}"]).astype(t)
           for t in ("float32", "float64", "int32")}

# Complex numbers and reals that are met with one another.
ODD_COMPLEX = [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0), (1.0, -0.0), (-0.0, 2.0), (INF, 0.0),
               (-INF, 1.0), (0.0, INF), (1.0, -INF), (NAN, 0.0), (0.0, NAN), (INF, NAN), (-2.0, 4.0)]
ODD_REAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 4.0, INF, -INF, NAN, 2.0, -0.25, 8.0, 3.0]
for part, whole in (("float32", "complex64"), ("float64", "complex128")):
    INPUTS["o_" + whole] = np.array(ODD_COMPLEX, part).view(whole).ravel()
    INPUTS["o_" + part] = np.array(ODD_REAL, part)


def bit_patterns(dtype):
    """Each bit alone, all from one on, and a few mixed ones: as many for every type."""
    bits = np.dtype(dtype).itemsize * 8
    mask = (1 << bits) - 1
    words = [0, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0x0123456789ABCDEF, 0xFEDCBA9876543210, 0x30F0,
             0x00100000, 0x10000, 7, 6]
    words += [x for k in range(bits) for x in (1 << k, mask << k)]
    words = (words * 14)[:138]
    return np.array([word & mask for word in words], f"uint{bits}").view(dtype)


INPUTS |= {f"b_{dtype}": bit_patterns(dtype) for dtype in INTEGERS}


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


def wide_table(name):
    """A row a function and first argument, a column a last one: {(function, first, last): result}"""
    rows = [line.split("\t") for line in (HERE / f"{name}.tsv").read_text().splitlines()]
    return {(*row[:2], last): result for row in rows[1:] for last, result in zip(rows[0][2:], row[2:])}


BINARY = table("binary", ("op", "left", "right"), "result")
COMMON = table("operand_casts", ("op", "left", "right"), "left_as")
UNARY = table("unary", ("op", "operand"), "result")
MINMAX = table("minmax", ("function", "arg1", "arg2"), "result")
UFUNC_TYPES = wide_table("ufunc")
MATH_TYPES = table("math", ("function", "arg1", "arg2"), "result")
UNIFY = table("unify", ("left", "right"), "result")
FORMS = table("forms", ("form", "arg1", "arg2"), "result")
INTRINSICS = table("intrinsics", ("expression", "v"), "result")
# Enough of the types for what is typed by pairs and does not depend on each one's width.
SOME = ("bool", "int8", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64")


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
