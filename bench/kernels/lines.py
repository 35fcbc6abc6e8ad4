"""The third set: rows of lines.k. Sizes are given as full and small, as in rows.py."""
import numpy as np

from work import AROUND, ONE, Array, Work, cover, f32, f64, i32, u8


def softmax(shape):
    n, m = shape

    def expected(v):
        power = np.exp(v["x"].astype(f64) - v["x"].max(axis=1, keepdims=True))
        return {"out": power / power.sum(axis=1, keepdims=True)}
    return Work({"x": Array(f32, shape, AROUND), "out": Array(f32, shape)}, cover(n, 128), 128,
                ["x", "out", n, m], "out", expected, 8 * n * m, rtol=1e-4)


def layer_norm(rows, n):
    def expected(v):
        x = v["x"].reshape(rows, n).astype(f64)
        x = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        return {"out": (x * v["gain"] + v["offset"]).ravel()}
    return Work({"x": Array(f32, rows * n, AROUND), "gain": Array(f32, n, ONE),
                 "offset": Array(f32, n, AROUND), "out": Array(f32, rows * n), "rows": rows, "n": n,
                 "small": f32(1e-5)}, cover(rows, 256), 256, None, "out", expected, 8 * rows * n,
                rtol=1e-4, atol=1e-4)


def row_variance(shape):
    n, m = shape
    return Work({"a": Array(f32, shape, ONE), "variance": Array(f64, n)}, cover(n, 128), 128,
                ["a", "variance", n, m], "variance",
                lambda v: {"variance": v["a"].astype(f64).var(axis=1, ddof=1)}, 4 * n * m + 8 * n,
                rtol=1e-10, operations={"float64": 2 * n * m})


def row_norms(rows, cols):
    n = rows * cols

    def expected(v):
        squares = (v["a"] * v["a"]).reshape(rows, cols)
        return {"norms": np.sqrt(squares.sum(axis=1, dtype=f64))}
    return Work({"a": Array(f32, n, AROUND), "norms": Array(f64, rows), "rows": rows,
                 "cols": cols}, cover(rows, 256), 256, None, "norms", expected, 4 * n + 8 * rows,
                rtol=1e-10, operations={"float64": n})


def prefix_rows(shape):
    n, m = shape
    return Work({"a": Array(i32, shape, ("whole", -1000, 1000))}, cover(n, 64), 64, ["a", n, m],
                "a", lambda v: {"a": np.cumsum(v["a"], axis=1, dtype=i32)}, 8 * n * m)


def prefix_columns(rows, cols):
    def expected(v):
        return {"a": np.cumsum(v["a"].reshape(rows, cols), axis=0, dtype=f64).ravel()}
    return Work({"a": Array(f32, rows * cols, ONE), "rows": rows, "cols": cols}, cover(cols, 128),
                128, None, "a", expected, 8 * rows * cols, rtol=1e-3)


def sparse(rows, length, values):
    """The arrays of a sparse matrix: rows of 1 to twice as many elements as `length`, less one."""
    return {"start": Array(i32, rows + 1, ("steps", length, length)),
            "value": Array(f32, (rows + 1) * length, values)}


def csr_product(rows, cols, length):
    def expected(v):
        product = v["value"].astype(f64) * v["x"][v["column"]]
        return {"y": np.array([product[a:b].sum() for a, b in zip(v["start"], v["start"][1:])])}
    parts = sparse(rows, length, AROUND)
    return Work({"start": parts["start"],
                 "column": Array(i32, (rows + 1) * length, ("whole", 0, cols)),
                 "value": parts["value"], "x": Array(f32, cols, AROUND), "y": Array(f32, rows)},
                cover(rows, 128), 128, ["start", "column", "value", "x", "y", rows], "y", expected,
                8 * rows * length + 8 * rows + 4 * cols,
                {"CUB": ("cub", "cub_sparse_product", "start", "column", "value", "x", "y", rows)},
                rtol=1e-4, atol=1e-4)


def csr_normalise(rows, length):
    def expected(v):
        value = v["value"].copy()
        for a, b in zip(v["start"], v["start"][1:]):
            value[a:b] /= value[a:b].sum(dtype=f64)
        return {"value": value}
    return Work(sparse(rows, length, ONE), cover(rows, 256), 256, ["start", "value", rows],
                "value", expected, 8 * rows * length + 4 * rows, rtol=1e-5)


def column_stats(shape):
    n, m = shape

    def expected(v):
        squares = (v["a"] * v["a"]).mean(axis=0, dtype=f64)
        mean = v["a"].mean(axis=0, dtype=f64)
        return {"mean": mean, "deviation": np.sqrt(squares - mean ** 2)}
    return Work({"a": Array(f32, shape, ONE), "mean": Array(f64, m), "deviation": Array(f64, m)},
                cover(m, 128), 128, ["a", "mean", "deviation", n, m], "mean deviation", expected,
                4 * n * m + 16 * m, rtol=1e-9, operations={"float64": 2 * n * m})


def column_extremes(rows, cols):
    def expected(v):
        a = v["a"].reshape(rows, cols)
        return {"least": a.min(axis=0), "most": a.max(axis=0)}
    return Work({"a": Array(i32, rows * cols, ("whole", -2_000_000_000, 2_000_000_000)),
                 "least": Array(i32, cols), "most": Array(i32, cols), "rows": rows, "cols": cols},
                cover(cols, 256), 256, None, "least most", expected, 4 * rows * cols + 8 * cols)


def vector_matrix(rows, cols):
    def expected(v):
        return {"y": v["x"].astype(f64) @ v["a"].reshape(rows, cols).astype(f64)}
    return Work({"x": Array(f32, rows, ONE), "a": Array(f32, rows * cols, ONE),
                 "y": Array(f32, cols), "rows": rows, "cols": cols}, cover(cols, 128), 128, None,
                "y", expected, 4 * rows * cols,
                {"cuBLAS": ("cublas", "sgemv_turned", "a", "x", "y", rows, cols)}, rtol=1e-3)


def row_mode(shape):
    n, m = shape

    def expected(v):
        counts = (v["a"][:, :, None] == np.arange(16)).sum(axis=1)
        return {"mode": counts.argmax(axis=1).astype(u8)}
    return Work({"a": Array(u8, shape, ("whole", 0, 16)), "mode": Array(u8, n)}, cover(n, 128), 128,
                ["a", "mode", n, m], "mode", expected, n * m + n)


ROWS = [
    ("softmax of 40009 x 1001", softmax, {"shape": (40009, 1001)}, {"shape": (67, 101)}),
    ("normalise rows of 65536 x 768, flat", layer_norm, {"rows": 65536, "n": 768},
     {"rows": 67, "n": 101}),
    ("row variance of 100003 x 515, in float64", row_variance, {"shape": (100003, 515)},
     {"shape": (67, 101)}),
    ("row norms of 32768 x 2048, float64, flat", row_norms, {"rows": 32768, "cols": 2048},
     {"rows": 67, "cols": 101}),
    ("prefix along rows 20011 x 4097 int32", prefix_rows, {"shape": (20011, 4097)},
     {"shape": (67, 101)}),
    ("prefix down columns 8192 x 8192, flat", prefix_columns, {"rows": 8192, "cols": 8192},
     {"rows": 67, "cols": 101}),
    ("sparse product, 1M rows of 24", csr_product,
     {"rows": 1_000_003, "cols": 1_000_003, "length": 24}, {"rows": 301, "cols": 203, "length": 7}),
    ("normalise sparse rows, 1M of 48", csr_normalise, {"rows": 1_000_003, "length": 48},
     {"rows": 301, "length": 7}),
    ("column statistics 20011 x 6007, in float64", column_stats, {"shape": (20011, 6007)},
     {"shape": (67, 101)}),
    ("column extremes 16384 x 6144 int32, flat", column_extremes, {"rows": 16384, "cols": 6144},
     {"rows": 67, "cols": 101}),
    ("vector-matrix 16384 x 8192, flat", vector_matrix, {"rows": 16384, "cols": 8192},
     {"rows": 67, "cols": 101}),
    ("most frequent of 100, 2M rows uint8", row_mode, {"shape": (2_000_003, 100)},
     {"shape": (301, 37)}),
]
