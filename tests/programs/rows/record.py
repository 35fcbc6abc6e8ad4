#!/usr/bin/env python3
"""Writes rows.tsv: expressions of arrays, and what NumPy gives for each. Wants NumPy 2:
`python record.py`. What the names in them hold is in names.py, which the programs of check.py
begin with; what a result is shown as says show(), there."""
import itertools
import warnings
from pathlib import Path

here = Path(__file__).resolve().parent
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = ["bool"] + INTEGERS + FLOATS
EXACT = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float32", "float64"]
# Of these there are arrays in kernels: each row of another dtype is a kernel to be compiled.
FEW = ["bool", "int8", "int64", "uint64", "float32"]


def operators():
    arithmetic, bits = ["+", "-", "*", "/", "//", "%"], ["&", "|", "^", "<<", ">>"]
    compares = ["<", "<=", "==", "!="]
    for op, a in itertools.product(arithmetic + compares, DTYPES):
        if a in FEW or op == "+":
            yield f"v_{a} {op} w_{a}"
        yield f"s_{a} {op} t_{a}"
        yield f"e_{a} {op} e_{a}"
    for op, a in itertools.product(bits, ["bool"] + INTEGERS):
        if a in FEW:
            yield f"v_{a} {op} w_{a}"
        yield f"s_{a} {op} t_{a}"
    for op, a in itertools.product(arithmetic, DTYPES):
        if a in FEW and op in "/-%":
            yield f"v_{a} {op} 3"
            yield f"v_{a} {op} 2.5"
            yield f"100 {op} v_{a}"
        yield f"s_{a} {op} 3"
        yield f"2.5 {op} s_{a}"
        yield f"-7 {op} t_{a}" if a[0] != "u" else f"7 {op} t_{a}"
    for a, b in itertools.permutations(DTYPES, 2):
        for op in arithmetic + ["<", "=="]:
            yield f"s_{a} {op} t_{b}"
    for a, b in itertools.permutations(["bool", "int8", "uint64", "float32"], 2):
        yield f"v_{a} + w_{b}"
        yield f"v_{a} < w_{b}"
    for a, n in itertools.product(["int8", "int64", "uint8"], range(5)):
        if n < 4 and a == "int8":
            yield f"v_{a} ** {n}"
        yield f"s_{a} ** {n}"
    for a in ["float32", "float64"]:
        yield f"v_{a} ** 2"
        yield f"v_{a} ** 0.5"
        yield f"p_{a} ** 3"
    for n in range(-4, 5):
        yield f"s_float64 ** {n}"
        yield f"s_float32 ** {n}"


def broadcasts():
    shapes = ["m", "m.T", "m[::-1]", "m[:, ::-1]", "m[:, :1]", "m[1:]", "m[0]", "m[:, None, :]"]
    for x, y in itertools.product(shapes, repeat=2):
        x, y = (part.replace("m", "m_int64") for part in (x, y))
        yield f"{x} + {y}"
    for a in FEW:
        yield f"m_{a}[:, 1:] + m_{a}[:, :-1]" if a != "bool" else f"m_{a} | True"
        yield f"(v_{a}[::2] == w_{a}[1::2])"


def unary():
    for a in DTYPES:
        for op in ["-{}", "+{}", "~{}", "abs({})", "np.square({})", "np.sign({})", "np.negative({})",
                   "np.abs({})", "np.logical_not({})", "np.isnan({})", "np.isfinite({})",
                   "np.isinf({})", "np.floor({})", "np.ceil({})", "np.trunc({})", "np.rint({})",
                   "np.fabs({})", "np.sqrt({})"]:
            if a in ("bool", "int8", "float32"):
                yield op.format(f"v_{a}")
        for op in ["-{}", "~{}", "abs({})", "np.square({})", "np.sqrt({})", "np.floor({})",
                   "np.sign({})"]:
            yield op.format(f"s_{a}")
    for op in ["sqrt", "exp", "log", "sin", "cos", "tan", "floor", "ceil", "abs", "square", "cbrt",
               "arctan", "tanh", "log2", "log10", "exp2", "expm1", "log1p", "isnan"]:
        yield f"near(np.{op}(p_float32))"
        yield f"near(np.{op}(p_float32[1]))"
        yield f"near(np.{op}(p_float64[1]))"
        yield f"near(np.{op}(p_int32[1]))"
        yield f"near(np.{op}(0.5))"
        yield f"near(np.{op}(2))"
    for a in FEW[:1] + FEW[2:]:
        for op in ["minimum", "maximum", "logical_and", "logical_or", "add", "subtract", "multiply",
                   "divide", "floor_divide", "mod", "logical_xor", "fmin", "fmax", "greater",
                   "less_equal", "not_equal", "equal"]:
            yield f"np.{op}(v_{a}, w_{a})"
            if op not in ("minimum", "maximum", "fmin", "fmax"):
                yield f"np.{op}(s_{a}, t_{a})"
            if a in ("int64", "float32"):
                yield f"np.{op}(v_{a}[:0], 3)"
    for op in ["add", "subtract", "multiply", "divide", "mod", "power", "minimum", "maximum",
               "hypot", "arctan2", "copysign", "fmod", "bitwise_and", "left_shift", "logical_and"]:
        yield f"np.{op}(7, 3)"
        if op not in ("bitwise_and", "left_shift"):
            yield f"np.{op}(7, 2.5)"
            yield f"np.{op}(7.5, True)"


def selections():
    for a in FEW:
        yield f"np.where(v_{a} == w_{a}, v_{a}, w_{a})"
        yield f"np.where(v_{a}, v_{a}, 1)"
        yield f"np.where(True, s_{a}, 2)"
        yield f"np.where(False, 1.5, s_{a})"
        yield f"np.clip(v_{a}, 1, 3)"
        yield f"v_{a}.clip(1, 3)"
        yield f"np.where(v_{a} > 1)"
        yield f"np.nonzero(v_{a})"
        yield f"np.flatnonzero(v_{a})"
        yield f"np.count_nonzero(v_{a})"
    for text in ["np.where(True, 1, 2)", "np.where(False, 1, 2.5)", "np.where(1, True, False)",
                 "np.where([True, False], 1, 2)", "np.where([True, False], [1, 2], 2.5)",
                 "np.clip(5, 1, 3)", "np.clip(2.5, 3, 4)", "v_float64.clip(min=1)",
                 "v_float64.clip(max=1)", "np.clip(v_int64, None, 2)", "np.clip(v_int64, 0, None)",
                 "np.clip(m_int64, m_int64[0], 4)"]:
        yield text


def reductions():
    for a, op in itertools.product(DTYPES, ["sum", "prod", "min", "max", "any", "all", "mean",
                                            "argmin", "argmax"]):
        if op[:3] != "arg" and a not in ("bool", "int8", "uint64", "float16", "float32"):
            continue
        yield f"m_{a}.{op}()"
        yield f"np.{op}(v_{a})"
        if op[:3] == "arg" or a in ("int8", "float32"):
            yield f"m_{a}.{op}(axis=0)"
            yield f"m_{a}.{op}(axis=1)"
        if op[:3] == "arg" or a == "float32":
            yield f"m_{a}[:, ::2].{op}(1)"
        if op not in ("min", "max", "argmin", "argmax", "mean"):
            yield f"e_{a}.{op}()"
            yield f"np.{op}(m_{a}[:0], axis=0)"
        if a == "float32":
            yield f"m_{a}.{op}(axis=-1, keepdims=True)"
            yield f"m_{a}.{op}(keepdims=True)"
            yield f"np.{op}(c_{a}, axis=1)"
            yield f"np.{op}(c_{a}, axis=(0, 2))" if op[:3] != "arg" else f"np.{op}(c_{a}, axis=2)"
            yield f"np.{op}([3, 1, 2])"
            yield f"np.{op}(5)"
    for a in ["uint8", "float32"]:
        for op in ["var", "std", "ptp", "cumsum", "cumprod", "sort", "argsort", "median", "diff",
                   "unique", "flip", "ravel"]:
            yield f"near(np.{op}(p_{a}))"
            if op not in ("unique", "ravel"):
                yield f"near(np.{op}(m_{a}, axis=1))"
        yield f"near(np.var(p_{a}, ddof=1))"
        yield f"near(np.std(m_{a}, axis=0))"
        yield f"near(np.average(p_{a}))"
        yield f"p_{a}.sum(dtype=np.float64)"
        yield f"p_{a}.sum(dtype=np.int32)" if a[0] in "iu" else f"p_{a}.sum(dtype=np.float32)"
        yield f"np.dot(p_{a}, p_{a})"
        yield f"p_{a} @ p_{a}"
        yield f"m_{a} @ m_{a}.T"
        yield f"m_{a}.T.dot(m_{a})"
        yield f"m_{a} @ m_{a}[0]"
        yield f"np.outer(p_{a}, p_{a})"
        yield f"np.trace(m_{a})"
        yield f"near(np.linalg.norm(p_{a}))"
        yield f"near(np.linalg.norm(m_{a}))"
        yield f"near(np.linalg.norm(m_{a}, axis=1))"
    # The order in which floats are added is NumPy's.
    for n, a in itertools.product([*range(1, 40), 100, 127, 128, 129, 136, 255, 256, 257, 1000,
                                   4097, 10000, 20001], ["float32", "float64"]):
        yield f"tenth(np.{a}, {n}).sum()"
        yield f"tenth(np.{a}, {n}).mean()"
    for a, (rows, columns) in itertools.product(["float32", "float64"],
                                                [(3, 7), (9, 40), (20, 130), (130, 20), (300, 3)]):
        x = f"tenth(np.{a}, {rows * columns}).reshape({rows}, {columns})"
        for part in ["", "[:, ::2]", ".T"] if a == "float32" else [""]:
            yield f"{x}{part}.sum()"
            yield f"{x}{part}.sum(axis=0)"
            yield f"{x}{part}.sum(axis=1)"
            yield f"{x}{part}.mean(axis=0)"
    for a, n in itertools.product(["float16", "float32", "float64"], [5, 60, 300]):
        yield f"tenth(np.{a}, {n}).cumsum()[-1]"
        yield f"tenth(np.{a}, {n}).var()"
        yield f"(tenth(np.{a}, {n}) * 2 + 1).sum()"
        yield f"tenth(np.{a}, {n})[::3].sum()"
        yield f"tenth(np.{a}, {n})[::-1].sum()"


def views():
    for a in ["int64", "float32", "bool"]:
        for text in ["v[2]", "v[-1]", "v[1:5]", "v[::-1]", "v[-3:]", "v[5:1]", "v[5:1:-2]", "v[...]",
                     "v[None]", "v[:, None]", "v[100:]", "v[:-100]", "m[0]", "m[-1, -1]", "m[:, 1]",
                     "m[0, ::2]", "m[::-1, ::-1]", "m[..., 0]", "m[None, ..., None]", "m.T[1]",
                     "c[1, :, 0]", "c[..., ::2]", "c[:, 0, 1:]", "c.T[0]", "c[-1][0][1]",
                     "v[[0, 2, 5]]", "v[[-1, -2]]", "v[v == v[1]]", "m[[1, 0]]", "m[m == m[0, 0]]",
                     "v[np.array([3, 3])]", "m[[True, False]]", "v[[]]", "m[1:, [0, 2]]",
                     "m[[0, 1], [2, 0]]", "m[:, [2, 0]]", "v[np.array([[0, 1], [2, 3]])]",
                     "c.reshape(4, 6)", "c.reshape(-1)", "c.reshape(2, -1)", "c.reshape((6, 4))",
                     "m.T.reshape(-1)", "m.ravel()", "m.T.ravel()", "m.flatten()", "c.transpose()",
                     "c.transpose(1, 0, 2)", "c.swapaxes(0, 2)", "np.transpose(c, (2, 0, 1))",
                     "np.moveaxis(c, 0, -1)", "c[:1].squeeze()", "np.expand_dims(v, 0)",
                     "np.squeeze(c[:1], 0)", "np.atleast_1d(s)", "np.atleast_2d(v)",
                     "np.concatenate((v, w))", "np.concatenate([m, m], axis=1)",
                     "np.concatenate([m, m[:1]], axis=0)", "np.stack([v, w])",
                     "np.stack([v, w], axis=1)", "np.vstack([v, w])", "np.hstack([v, w])",
                     "np.hstack([m, m])", "np.vstack((m, m[0]))", "np.column_stack((v, w))",
                     "np.tile(v[:3], 2)", "np.repeat(v[:3], 2)", "np.roll(v, 1)", "np.roll(v, -2)",
                     "np.roll(m, 1, axis=1)", "np.flip(m)", "np.flip(m, 0)", "np.flipud(m)",
                     "np.fliplr(m)", "np.rot90(m)", "np.broadcast_to(v, (2, 8))", "np.copy(m)",
                     "np.append(v, 1)", "np.array([v, w])", "np.zeros_like(m)", "np.ones_like(v)",
                     "np.full_like(v, 1)", "np.empty_like(m).shape", "np.triu(m)", "np.tril(m)",
                     "np.diag(m)", "np.diag(v[:2])", "np.split(v, 2)", "np.array_split(v, 3)",
                     "np.meshgrid(v[:2], v[:3])", "np.take(v, [1, 1])", "np.where(v == v[0])",
                     "np.array_equal(v, v[:])", "np.array_equal(v, w)", "np.isin(v, w[:2])",
                     "m.shape", "m.T.shape", "c.strides", "c.T.strides", "v[::2].strides",
                     "v.nbytes", "m.size", "m.ndim", "len(m)", "v.itemsize", "m.tolist()",
                     "m.T.tolist()", "v[1].item()", "m.item(1)", "v.dtype", "v.dtype.name",
                     "str(v.dtype)", "m.flags['C_CONTIGUOUS']" if False else "m.T.copy().strides",
                     "list(m[0])", "[x for x in v[:3]]", "tuple(m.shape)", "max(v.tolist())",
                     "np.searchsorted(p, [1, 2, 9])" if a != "bool" else "m.any()",
                     "np.ravel(m.T)", "np.size(m)", "np.shape(m)", "np.ndim(m)"]:
            out = text
            for name in "vwmcsp":
                out = rename(out, name, a)
            yield out


def rename(text, name, dtype):
    import re
    return re.sub(rf"(?<![\w.'.]){name}\b(?!')", f"{name}_{dtype}", text)


def casts():
    for a, b in itertools.product(DTYPES, DTYPES):
        yield f"q_{a}.astype(np.{b})" if b != "bool" else f"q_{a}.astype(bool)"
        yield f"np.{b}(q_{a}[1])" if b != "bool" else f"bool(q_{a}[1])"
        yield f"np.array(q_{a}.tolist(), dtype=np.{b})" if b != "bool" else f"np.array(q_{a}.tolist(), dtype=bool)"
    for a in DTYPES:
        yield f"float(s_{a})"
        yield f"int(t_{a})"
        yield f"bool(s_{a})"
        yield f"float(q_{a}[1:2][0])"
        yield f"int(np.array(t_{a}))"
        yield f"(isinstance(s_{a}, np.integer), isinstance(s_{a}, np.floating))"
        yield f"(isinstance(s_{a}, np.generic), isinstance(s_{a}, (int, float)))"
        yield f"(repr(s_{a}), str(s_{a}), f'{{s_{a}}}')"
        yield f"(f'{{t_{a}:8.3f}}', '%g' % t_{a}, '{{}}'.format(t_{a}))"
        yield f"hash(s_{a}) == hash(s_{a})" if False else f"s_{a} == s_{a}"
        yield f"round(t_{a})" if a != "bool" else "s_bool"
        yield f"abs(t_{a})" if a != "bool" else "t_bool"
        yield f"np.dtype(np.{a}).itemsize" if a != "bool" else "np.dtype(bool).itemsize"


def creations():
    for a in DTYPES:
        d = "bool" if a == "bool" else f"np.{a}"
        yield f"np.zeros(3, {d})"
        yield f"np.ones((2, 2), dtype={d})"
        yield f"np.full(3, 1, dtype={d})"
        yield f"np.array([1, 0, 1], dtype='{a}')"
        yield f"np.asarray([0, 1], {d})"
        yield f"np.eye(2, dtype={d})"
        yield f"np.empty((0, 3), {d})"
        if a != "bool":
            yield f"np.arange(5, dtype={d})"
            yield f"np.arange(1, 9, 3, dtype={d})"
            yield f"np.linspace(0, 4, 5, dtype={d})"
    for text in ["np.arange(5)", "np.arange(5.)", "np.arange(2, 5)", "np.arange(5, 2, -1)",
                 "np.arange(0, 1, 0.25)", "np.arange(0)", "np.arange(3, 1)", "np.linspace(0, 1, 5)",
                 "np.linspace(0, 1, 4, endpoint=False)", "np.linspace(1, 3, 1)", "np.zeros(())",
                 "np.zeros((2, 0))", "np.array(5)", "np.array(2.5)", "np.array([])", "np.array([[]])",
                 "np.array([1, 2.5])", "np.array([True, 2])", "np.array([[1, 2], [3, 4]])",
                 "np.array([1, np.float32(2)])", "np.array([np.int8(1), np.int8(2)])",
                 "np.array((1, 2))", "np.array(range(4))", "np.eye(3)", "np.eye(2, 3)",
                 "np.eye(3, k=1)", "np.identity(2)", "np.full((2, 2), 7)", "np.full(2, 2.5)",
                 "np.ones(2)", "np.logspace(0, 2, 3)", "np.geomspace(1, 8, 4)",
                 "np.fromiter([1, 2], dtype=np.int32)", "np.indices((2, 2))", "np.tri(3)",
                 "np.array([[1, 2], [3, 4]]).T", "np.array([x * 2 for x in range(3)])",
                 "np.arange(6).reshape(2, 3)", "np.arange(6).reshape([3, 2])", "np.float32(1) / 3",
                 "np.float64(1) / 0", "-np.float64(1) / 0", "np.int64(1) // 0", "np.int32(5) % 0",
                 "np.array([-2**63]) // -1", "np.array([-2**63]) % -1", "np.int64(-2**63) // -1",
                 "np.array([-128], np.int8) // -1", "np.array([-2**31], np.int32) // np.int32(-1)",
                 "np.power(2, 3)", "np.power(2.0, -1)", "np.power([1, 2], 2)", "np.mod(7, 4)",
                 "np.mod(-7, 4)", "np.mod(7.5, -2)", "np.True_", "np.False_", "np.True_ & True",
                 "np.bool_(3)", "np.nan in [np.nan]", "float('nan') in [1]", "np.inf > 1",
                 "np.float32(0.1)", "np.float32(0.1) + 0.2", "np.float32(1e10)", "np.float16(0.1)",
                 "np.int8(100) + np.int8(100)", "np.uint8(200) + np.uint8(100)",
                 "np.int64(2**62) * 2", "np.histogram([1, 2, 1], bins=[0, 1, 2, 3])",
                 "np.histogram([1, 2, 1, 4], bins=3)", "np.histogram([0.5, 1.5], 4, (0, 2))",
                 "np.bincount([0, 1, 1, 3])", "np.bincount([1, 1], minlength=4)",
                 "np.bincount([0, 1, 1], weights=[0.5, 1.0, 2.0])", "np.cumsum([1, 2, 3])",
                 "np.cumsum([[1, 2], [3, 4]], axis=0)", "np.cumsum([[1, 2], [3, 4]])",
                 "np.isclose([1, 2], [1, 2.1])", "np.allclose([1, 2], [1, 2])",
                 "np.array_equal([1, 2], [1, 2])", "np.iinfo(np.int32).max", "np.iinfo(np.int8).min",
                 "np.finfo(np.float32).eps", "np.finfo(np.float64).max", "np.interp(1.5, [1, 2], [3, 5])",
                 "np.maximum.reduce([1, 3, 2])", "np.add.reduce([1, 2])", "np.percentile([1, 2, 3], 50)",
                 "np.prod([1, 2, 3])", "np.cross([1, 0, 0], [0, 1, 0])", "np.inner([1, 2], [3, 4])",
                 "np.argwhere([0, 1, 1])", "np.dot(2, 3)", "np.round(2.567, 2)", "np.round([1.5, 2.5])",
                 "np.around([1.25, 1.35], 1)", "np.arange(4).mean()", "np.deg2rad(180.0)",
                 "np.sum([[1, 2], [3, 4]], axis=0)", "np.all([True, False])", "np.amax([1, 5])",
                 "np.array([1e8 + 0.5])", "np.result_type(np.int32, np.float32)",
                 "np.promote_types('int8', 'uint8')", "np.array([1, 2]).astype('f4')",
                 "np.array([1, 2]).astype(float)", "np.array([1.7]).astype(int)",
                 "np.array([3, 1, 2]).argsort()", "np.sort([3, 1, 2])[::-1]",
                 "np.array([1, 2, 3]).cumsum()", "np.lcm(4, 6)", "np.gcd(12, 18)"]:
        yield text


def printing():
    for text in ["[100000000.5]", "[1e8]", "[99999999.0]", "[1e-5]", "[0.0001]", "[1.5, 1e10]",
                 "[0.1, 1/3]", "[1e300, 1e-300]", "[123456.789, 0.001]", "[1e16]", "[12345678.9]",
                 "[123456789.1]", "[-0.0, 0.0]", "[float('nan'), 1.0]", "[float('inf'), -1.5]",
                 "[1e5, 1e-4]", "[1.0, 10.0, 100.0]", "[1/3] * 20", "[[1.5, 2], [3, 4e5]]",
                 "[1000000.0, 0.5]", "[1e-10, 1.0]", "[999.9999999, 0.1]", "[2.5e-5, 2.5e-2]",
                 "[0.30000000000000004]", "[1e22]", "[5e-324]", "[1.7976931348623157e308]",
                 "list(range(30))", "[1, -100, 20]", "[True, False]", "[[1, 20], [300, 4]]", "[]",
                 "[[]]", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "[2**62]", "7", "2.5"]:
        yield f"str(np.array({text}))"
        yield f"repr(np.array({text}))"
        yield f"repr(np.array({text}, dtype=np.float32))"
        yield f"str(np.array({text}, dtype=np.float32))"
    for a in DTYPES:
        yield f"repr(v_{a})"
        yield f"str(v_{a})"
        yield f"repr(m_{a})"
        yield f"repr(e_{a})"
        yield f"str(c_{a})"
        yield f"repr(s_{a})"
    for n in [1000, 1001, 2000]:
        yield f"repr(np.arange({n}))"
        yield f"str(np.arange({n}) / 7)"
        yield f"str(np.arange({n * 3}).reshape({n}, 3))"
        yield f"repr(np.zeros(({n}, 2), np.float32))"


def main():
    import numpy as np
    names = {}
    warnings.simplefilter("ignore")
    exec((here / "names.py").read_text(), names)
    seen, rows, refused = set(), [], 0
    for part in (operators, broadcasts, unary, selections, reductions, views, casts, creations,
                 printing):
        for text in part():
            if text in seen:
                continue
            seen.add(text)
            try:
                rows.append((text, names["show"](eval(text, names))))
            except Exception as error:
                rows.append((text, f"!{type(error).__name__}: {error}"))
    lines = [f"{text}\t{shown}" for text, shown in rows]
    assert all("\n" not in line for line in lines)
    (here / "rows.tsv").write_text("\n".join(lines) + "\n")
    print(len(rows), "rows,", sum(shown[0] == "!" for _, shown in rows), "of them errors")


if __name__ == "__main__":
    main()
