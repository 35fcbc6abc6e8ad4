"""What is measured: rows of kernel, arguments, launch, the result by NumPy, peers, and the bar.

FIRST are the kernels of tutorials. SECOND was written before the optimiser was tuned, to tell
whether it helps kernels or only those. THIRD was written before it was tuned to any kernel of these
families: each a .k file, a .cu file and the .py file of its rows, half of the kernels with the flat
indices of what comes from C. FOURTH are products that tensor cores take by name. Each row is a function of its sizes, which are given twice: `full` for
measuring, `small` for comparing with NumPy, where nothing divides anything.

The optimiser is to be judged by all. Nothing here knows of its passes; kernels and sizes stay.
"""
import numpy as np

import lines
import lookups
import named
import products
import windows
from work import (AROUND, NORMAL, ONE, Array, Row, Step, Work, c64, cover, f32, f64, i16, i32, u8,
                  u16)

M = 1_000_000
N = 1 << 28


# ---- the first set -------------------------------------------------------------------------------


def inc(n):
    return Work({"a": Array(f32, n, ONE)}, cover(n, 256), 256, ["a", n], "a",
                lambda v: {"a": v["a"] + f32(1)}, 8 * n,
                {"expert": Step("inc_wide", n // 4096, 256, ["a"])})


def mult(n, grid, block):
    return Work({"a": Array(f32, n, ONE), "b": Array(f32, n, ONE), "product": Array(f32, n)},
                grid, block, ["a", "b", "product", n], "product",
                lambda v: {"product": v["a"] * v["b"]}, 12 * n,
                {"expert": Step("mult_wide", grid, block, ["a", "b", "product", n // 4])})


def conv3(n):
    def expected(v):
        x = v["x"]
        return {"mean": ((x[:-2] + x[1:-1] + x[2:]) / 3.).astype(f32)}
    return Work({"x": Array(f32, n, ONE), "mean": Array(f32, n - 2)}, cover(n - 2, 256), 256,
                ["x", "mean", n - 2], "mean", expected, 8 * n,
                {"expert": Step("conv3_wide", cover(n, 1024), 256, ["x", "mean", n])}, rtol=1e-6)


def hist(n, bins, grid, block):
    low, high = f32(-4), f32(4)

    def expected(v):
        bin = np.floor((v["x"] - low) / ((high - low) / np.float64(bins))).astype(np.int64)
        return {"counts": np.bincount(bin[(bin >= 0) & (bin < bins)], minlength=bins).astype(i32)}
    return Work({"x": Array(f32, n, NORMAL), "low": low, "high": high, "counts": Array(i32, bins)},
                grid, block, ["x", "low", "high", "counts", n, bins], "counts", expected, 4 * n,
                {"expert": Step("hist_wide", grid, block,
                                ["x", "low", "high", "counts", n // 4, bins], bins * 32 * 4),
                 "CUB": ("cub", "cub_histogram", "x", "low", "high", "counts", n, bins)},
                loose={"CUB": 5000})  # it bins by float32, and some beside the edges fall elsewhere


def product(v):
    return v["a"].astype(f64) @ v["b"].astype(f64)


def matmul(shape, block, swapped, out="c", dtype=f32):
    """`swapped`: the kernel has rows along the grid's x."""
    n, k, m = shape
    args = {"a": Array(dtype, (n, k), AROUND), "b": Array(dtype, (k, m), AROUND),
            out: Array(dtype, (n, m))}
    peers = {}
    if dtype == f32:
        peers["axes"] = Step("matmul_swapped", (m // 32, n // 32), (32, 32), ["a", "b", out, n])
        peers["axes64"] = Step("matmul_swapped_double", (m // 32, n // 32), (32, 32),
                               ["a", "b", out, n])
        peers["expert"] = Step("matmul_tiled", (m // 128, n // 128), 256, ["a", "b", out, n])
        peers["cuBLAS"] = ("cublas", "sgemm", "a", "b", out, n, k, m)
        if not swapped:
            del peers["axes"], peers["axes64"]
        elif out == "out":
            del peers["axes64"]
    else:
        peers["cuBLAS"] = ("cublas", "dgemm", "a", "b", out, n, k, m)
    return Work(args, cover((n, m) if swapped else (m, n), block), block, ["a", "b", out, n, k, m],
                out, lambda v: {out: product(v)}, None, peers, 1e-4, 2e-3,
                "matmul_naive_double" if dtype == f64 else None)


def transpose(shape, block, swapped):
    n, m = shape
    return Work({"a": Array(f32, (n, m), AROUND), "turned": Array(f32, (m, n))},
                cover((n, m) if swapped else (m, n), block), block, ["a", "turned", n, m], "turned",
                lambda v: {"turned": v["a"].T}, 8 * n * m,
                {"expert": Step("transpose_tiled", (m // 32, n // 32), (32, 8),
                                ["a", "turned", n, m])})


def tree_sum(n, grid, block):
    return Work({"x": Array(f32, n, ONE), "total": Array(f32, 1)}, grid, block, ["x", "total", n],
                "total", lambda v: {"total": v["x"].sum(dtype=f64, keepdims=True)}, 4 * n,
                {"expert": Step("sum_wide", grid, block, ["x", "total", n // 4]),
                 "CUB": ("cub", "cub_sum", "x", "total", n)}, 1e-4)


def banded(m, n):
    return Work({"p": Array(f32, m, ONE), "q": Array(f32, n, ONE), "r": Array(f32, m + n - 1)},
                cover(m + n - 1, 256), 256, ["p", "q", "r", m, n], "r",
                lambda v: {"r": np.convolve(v["p"].astype(f64), v["q"].astype(f64))}, rtol=1e-4)


FIRST = [
    Row("inc 268M", "elementwise.k:inc", inc, {"n": N}, {"n": 10_007},
        {"expert or floor": 1.15}),
    Row("mult 268M [1024, 1024]", "elementwise.k:mult", mult,
        {"n": N, "grid": 1024, "block": 1024}, {"n": 10_007, "grid": 3, "block": 96},
        {"expert or floor": 1.15}),
    Row("mult 268M [32, 256]", "elementwise.k:mult", mult,
        {"n": N, "grid": 32, "block": 256}, {"n": 5_003, "grid": 2, "block": 256},
        {"expert": 1.15}),
    Row("conv3 268M", "stencils.k:conv3", conv3, {"n": N}, {"n": 10_007},
        {"expert or floor": 1.15}),
    Row("hist 268M, 150 bins [1024, 256]", "histograms.k:hist", hist,
        {"n": N, "bins": 150, "grid": 1024, "block": 256},
        {"n": 10_007, "bins": 150, "grid": 5, "block": 256}, {"CUB": 1.8}),
    Row("hist 268M, 150 bins [64, 64]", "histograms.k:hist", hist,
        {"n": N, "bins": 150, "grid": 64, "block": 64},
        {"n": 10_007, "bins": 31, "grid": 5, "block": 64}, {"expert": 1.1}),
    Row("hist 1M, 150 bins [64, 64]", "histograms.k:hist", hist,
        {"n": M, "bins": 150, "grid": 64, "block": 64},
        {"n": 5_003, "bins": 150, "grid": 64, "block": 64}, {"expert": 1.1}),
    Row("matmul seed, sum in memory, 4096^3", "matrices.k:matmul_memory", matmul,
        {"shape": (4096, 4096, 4096), "block": (32, 32), "swapped": True, "out": "out"},
        {"shape": (37, 45, 67), "block": (32, 32), "swapped": True, "out": "out"}, {"axes": 1.05}),
    Row("matmul docs, naive, 4096^3", "matrices.k:matmul_naive", matmul,
        {"shape": (4096, 4096, 4096), "block": (16, 16), "swapped": True},
        {"shape": (37, 45, 67), "block": (16, 16), "swapped": True}, {"axes": 1.05}),
    Row("matmul docs, shared 16x16, 4096^3", "matrices.k:matmul_shared", matmul,
        {"shape": (4096, 4096, 4096), "block": (16, 16), "swapped": False},
        {"shape": (37, 45, 67), "block": (16, 16), "swapped": False}, {"nvcc": 1.0}),
    Row("transpose 8192^2, naive, writes columns", "matrices.k:transpose_naive", transpose,
        {"shape": (8192, 8192), "block": (32, 32), "swapped": False},
        {"shape": (67, 101), "block": (32, 32), "swapped": False}, {"expert": 1.2}),
    Row("transpose 8192^2, naive, reads columns", "matrices.k:transpose_indexed", transpose,
        {"shape": (8192, 8192), "block": (32, 32), "swapped": True},
        {"shape": (67, 101), "block": (32, 32), "swapped": True}, {"expert": 1.2}),
    Row("transpose 8192^2, shared 32x33", "matrices.k:transpose_shared", transpose,
        {"shape": (8192, 8192), "block": (32, 32), "swapped": False},
        {"shape": (67, 101), "block": (32, 32), "swapped": False}, {"expert or floor": 1.15}),
    Row("sum 268M, shared tree [1024, 256]", "reductions.k:tree_sum", tree_sum,
        {"n": N, "grid": 1024, "block": 256}, {"n": 10_007, "grid": 5, "block": 256},
        {"expert or floor": 1.15}),
    Row("enumerate (banded product), 16k", "reductions.k:banded", banded,
        {"m": 16384, "n": 16384}, {"m": 301, "n": 203}, {"nvcc": 1.0}),
]


# ---- the second set ------------------------------------------------------------------------------


def saxpy(n):
    alpha = f32(2.5)
    return Work({"alpha": alpha, "x": Array(f32, n, AROUND), "y": Array(f32, n, AROUND)},
                cover(n, 128), 128, ["alpha", "x", "y", n], "y",
                lambda v: {"y": alpha * v["x"] + v["y"]}, 12 * n, rtol=1e-5, atol=1e-6)


def axpby(n, grid, block):
    return Work({"alpha": 1.5, "x": Array(f64, n, AROUND), "beta": -0.25, "y": Array(f64, n, AROUND),
                 "z": Array(f64, n)}, grid, block, ["alpha", "x", "beta", "y", "z", n], "z",
                lambda v: {"z": 1.5 * v["x"] - 0.25 * v["y"]}, 24 * n, rtol=1e-12, atol=1e-14)


def clip(n):
    low, high = i16(-300), i16(500)
    return Work({"x": Array(i16, n, ("whole", -1000, 1000)), "low": low, "high": high,
                 "clipped": Array(i16, n)}, cover(n, 256), 256, ["x", "low", "high", "clipped", n],
                "clipped", lambda v: {"clipped": np.clip(v["x"], low, high)}, 4 * n)


def threshold(shape, block):
    n, m = shape
    return Work({"picture": Array(u8, shape, ("whole", 0, 256)), "limit": 100,
                 "marked": Array(u8, shape)}, cover(shape, block), block,
                ["picture", 100, "marked", n, m], "marked",
                lambda v: {"marked": np.where(v["picture"] > 100, 255, 0).astype(u8)}, 2 * n * m)


def multiply_complex(n, grid, block):
    return Work({"x": Array(c64, n, AROUND), "y": Array(c64, n, AROUND), "z": Array(c64, n)},
                grid, block, ["x", "y", "z", n], "z", lambda v: {"z": v["x"] * v["y"]}, 24 * n,
                rtol=1e-5, atol=1e-6)


def scale_strided(n):
    factor = f32(3)
    return Work({"x": Array(f32, n, AROUND, step=2), "factor": factor,
                 "y": Array(f32, n, step=2)}, cover(n, 256), 256, ["x", 2, "factor", "y", 2, n], "y",
                lambda v: {"y": v["x"] * factor}, 16 * n)  # the gaps come and go with what is beside


def masked_update(shape, block):
    n, m = shape
    factor = f32(0.5)
    return Work({"values": Array(f32, shape, AROUND), "mask": Array(np.bool_, shape, ("whole", 0, 2)),
                 "factor": factor}, cover(shape, block), block, ["values", "mask", "factor", n, m],
                "values", lambda v: {"values": np.where(v["mask"], v["values"] * factor,
                                                        v["values"])}, 9 * n * m)


def gather(n, size, grid, block):
    return Work({"source": Array(f32, size, AROUND), "where": Array(i32, n, ("whole", 0, size)),
                 "found": Array(f32, n)}, grid, block, ["source", "where", "found", n], "found",
                lambda v: {"found": v["source"][v["where"]]}, 8 * n + 4 * size)


def blend(n):
    def expected(v):
        t = np.clip(v["t"], f32(0), f32(1))
        return {"mixed": v["a"] + (v["b"] - v["a"]) * (t * t * (f32(3) - f32(2) * t))}
    return Work({"a": Array(f32, n, AROUND), "b": Array(f32, n, AROUND),
                 "t": Array(f32, n, ("uniform", -0.5, 1.5)), "mixed": Array(f32, n)},
                cover(n, 256), 256, ["a", "b", "t", "mixed", n], "mixed", expected, 16 * n,
                rtol=1e-5, atol=1e-6)


def stencil5(shape, block):
    def expected(v):
        x, later = v["now"], np.zeros(shape, f32)
        around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        later[1:-1, 1:-1] = x[1:-1, 1:-1] + f32(0.2) * (around - f32(4) * x[1:-1, 1:-1])
        return {"later": later}
    return Work({"now": Array(f32, shape, AROUND), "later": Array(f32, shape)}, cover(shape, block),
                block, ["now", "later", *shape], "later", expected, 8 * shape[0] * shape[1],
                rtol=1e-5, atol=1e-6)


def stencil7(shape, block):
    def expected(v):
        x, later = v["now"], np.zeros(shape, f64)
        i = slice(1, -1)
        total = (x[:-2, i, i] + x[2:, i, i] + x[i, :-2, i] + x[i, 2:, i] + x[i, i, :-2]
                 + x[i, i, 2:])
        later[i, i, i] = x[i, i, i] + 0.1 * (total - 6 * x[i, i, i])
        return {"later": later}
    return Work({"now": Array(f64, shape, AROUND), "rate": 0.1, "later": Array(f64, shape)},
                cover(shape, block), block, ["now", "rate", "later", *shape], "later", expected,
                16 * int(np.prod(shape)), rtol=1e-12, atol=1e-13)


def hist2d(n, shape, grid, block):
    low, high = f32(-3), f32(3)

    def expected(v):
        row, col = (np.floor(((v[name] - low) / (high - low)).astype(f64) * size).astype(np.int64)
                    for name, size in zip("xy", shape))
        fits = (0 <= row) & (row < shape[0]) & (0 <= col) & (col < shape[1])
        counts = np.bincount(row[fits] * shape[1] + col[fits], minlength=shape[0] * shape[1])
        return {"counts": counts.reshape(shape).astype(i32)}
    params = ["x", "y", "low", "high", "counts", n, *shape]
    wide = [n // 4 if p is n else p for p in params]
    return Work({"x": Array(f32, n, NORMAL), "y": Array(f32, n, NORMAL), "low": low, "high": high,
                 "counts": Array(i32, shape)}, grid, block, params, "counts", expected, 8 * n,
                {"expert": Step("hist2d_wide", grid, block, wide, 4 * shape[0] * shape[1])})


def byte_counts(n):
    return Work({"data": Array(u8, n, ("whole", 0, 256)), "counts": Array(i32, 256)},
                cover(n, 256), 256, ["data", "counts", n], "counts",
                lambda v: {"counts": np.bincount(v["data"], minlength=256).astype(i32)}, n,
                {"expert": Step("byte_counts_wide", 1056, 256, ["data", "counts", n // 16])})


def group_sums(n, groups, grid, block):
    def expected(v):
        return {"sums": np.bincount(v["group"], v["weight"].astype(f64), groups)}
    return Work({"group": Array(i32, n, ("whole", 0, groups)), "weight": Array(f32, n, ONE),
                 "sums": Array(f32, groups)}, grid, block, ["group", "weight", "sums", n], "sums",
                expected, 8 * n,
                {"expert": Step("group_sums_wide", grid, block,
                                ["group", "weight", "sums", n // 4, groups], groups * block // 8)},
                rtol=2e-3)


def group_most(n, groups):
    def expected(v):
        most = np.zeros(groups, i32)
        np.maximum.at(most, v["group"], v["value"])
        return {"most": most}
    return Work({"group": Array(u16, n, ("whole", 0, groups)),
                 "value": Array(i32, n, ("whole", -1000, 2_000_000_000)),
                 "most": Array(i32, groups)}, cover(n, 128), 128, ["group", "value", "most", n],
                "most", expected, 6 * n)


def count_above(n):
    limit = f32(0.25)
    return Work({"x": Array(f32, n, ONE), "limit": limit, "count": Array(i32, 1)}, cover(n, 256),
                256, ["x", "limit", "count", n], "count",
                lambda v: {"count": np.array([(v["x"] > limit).sum()], i32)}, 4 * n)


def dot(n, grid, block):
    return Work({"x": Array(f32, n, ONE), "y": Array(f32, n, ONE), "total": Array(f64, 1)}, grid,
                block, ["x", "y", "total", n], "total",
                lambda v: {"total": (v["x"] * v["y"]).sum(dtype=f64, keepdims=True)}, 8 * n,
                rtol=1e-6)


def row_sums(shape, order):
    n, m = shape
    steps = [m, 1] if order == "C" else [1, n]
    return Work({"a": Array(f32, shape, ONE, order=order), "sums": Array(f32, n)}, cover(n, 128),
                128, ["a", "sums", n, m, *steps], "sums",
                lambda v: {"sums": v["a"].sum(axis=1, dtype=f64)}, 4 * n * m, rtol=1e-4)


def running_sums(shape):
    n, m = shape
    return Work({"a": Array(f32, shape, ONE), "sums": Array(f32, shape)}, cover(n, 64), 64,
                ["a", "sums", n, m], "sums",
                lambda v: {"sums": np.cumsum(v["a"].astype(f64), axis=1)}, 8 * n * m, rtol=1e-4)


def matvec(shape):
    n, m = shape
    return Work({"a": Array(f32, shape, ONE), "x": Array(f32, m, ONE), "y": Array(f32, n)},
                cover(n, 128), 128, ["a", "x", "y", n, m], "y",
                lambda v: {"y": v["a"].astype(f64) @ v["x"].astype(f64)}, 4 * n * m,
                {"cuBLAS": ("cublas", "sgemv", "a", "x", "y", n, m)}, rtol=1e-4)


def matmul_batched(shape, block):
    s, n, k, m = shape
    return Work({"a": Array(f32, (s, n, k), AROUND), "b": Array(f32, (s, k, m), AROUND),
                 "c": Array(f32, (s, n, m))}, cover((s, n, m), block), block,
                ["a", "b", "c", s, n, k, m], "c", lambda v: {"c": product(v)}, None,
                {"cuBLAS": ("cublas", "sgemm_batched", "a", "b", "c", s, n, k, m)}, 1e-4, 1e-3)


def distances(rows, cols, depth, block):
    def expected(v):
        apart = v["a"].astype(f64)[:, None, :] - v["b"].astype(f64)[None, :, :]
        return {"apart": np.sqrt((apart * apart).sum(axis=2))}
    return Work({"a": Array(f32, (rows, depth), AROUND), "b": Array(f32, (cols, depth), AROUND),
                 "apart": Array(f32, (rows, cols))}, cover((rows, cols), block), block,
                ["a", "b", "apart", rows, cols, depth], "apart", expected, rtol=1e-4, atol=1e-5)


def add_transposed(shape, block):
    n, m = shape
    return Work({"a": Array(f64, (m, n), AROUND), "b": Array(f64, shape, AROUND),
                 "out": Array(f64, shape)}, cover(shape, block), block, ["a", "b", "out", n, m],
                "out", lambda v: {"out": v["a"].T + v["b"]}, 24 * n * m)


def permute(shape, block):
    return Work({"a": Array(u16, shape, ("whole", 0, 65536)), "out": Array(u16, shape[::-1])},
                cover(shape, block), block, ["a", "out", *shape], "out",
                lambda v: {"out": v["a"].transpose()}, 4 * int(np.prod(shape)))


def second(name, text, make, full, small):
    return Row(name, text, make, full, small, set="second")


SECOND = [
    second("saxpy 100M, early return", "elementwise.k:saxpy", saxpy, {"n": 100_000_007},
           {"n": 10_007}),
    second("axpby 67M float64 [2048, 128]", "elementwise.k:axpby", axpby,
           {"n": 67_108_879, "grid": 2048, "block": 128}, {"n": 10_007, "grid": 3, "block": 128}),
    second("clip 200M int16", "elementwise.k:clip", clip, {"n": 200_000_003}, {"n": 10_007}),
    second("threshold 16411 x 12289 uint8", "elementwise.k:threshold", threshold,
           {"shape": (16411, 12289), "block": (16, 16)}, {"shape": (67, 101), "block": (16, 16)}),
    second("complex64 product 50M [512, 512]", "elementwise.k:multiply_complex", multiply_complex,
           {"n": 50_000_017, "grid": 512, "block": 512}, {"n": 5_003, "grid": 3, "block": 96}),
    second("scale 80M of strided views", "elementwise.k:scale_strided", scale_strided,
           {"n": 80_000_023}, {"n": 5_003}),
    second("masked update 8191 x 12289", "elementwise.k:masked_update", masked_update,
           {"shape": (8191, 12289), "block": (32, 8)}, {"shape": (67, 101), "block": (32, 8)}),
    second("gather 67M of 10M [1024, 256]", "elementwise.k:gather", gather,
           {"n": 67_108_879, "size": 10_000_019, "grid": 1024, "block": 256},
           {"n": 5_003, "size": 1009, "grid": 3, "block": 96}),
    second("blend 100M, device function", "elementwise.k:blend", blend, {"n": 100_000_007},
           {"n": 5_003}),
    second("stencil5 8191 x 12289", "stencils.k:stencil5", stencil5,
           {"shape": (8191, 12289), "block": (16, 16)}, {"shape": (67, 101), "block": (16, 16)}),
    second("stencil7 383 x 385 x 401 float64", "stencils.k:stencil7", stencil7,
           {"shape": (383, 385, 401), "block": (8, 8, 8)},
           {"shape": (19, 23, 29), "block": (8, 8, 4)}),
    second("hist2d 100M, 40 x 30 [1024, 256]", "histograms.k:hist2d", hist2d,
           {"n": 100_000_000, "shape": (40, 30), "grid": 1024, "block": 256},
           {"n": 10_007, "shape": (7, 5), "grid": 3, "block": 96}),
    second("byte counts 200M", "histograms.k:byte_counts", byte_counts, {"n": 200_000_000},
           {"n": 10_007}),
    second("sums of 100 groups, 100M [512, 256]", "histograms.k:group_sums", group_sums,
           {"n": 100_000_000, "groups": 100, "grid": 512, "block": 256},
           {"n": 10_007, "groups": 13, "grid": 3, "block": 96}),
    second("most of 1000 groups, 50M", "histograms.k:group_most", group_most,
           {"n": 50_000_017, "groups": 1000}, {"n": 10_007, "groups": 37}),
    second("count above 200M, one counter", "histograms.k:count_above", count_above,
           {"n": 200_000_003}, {"n": 10_007}),
    second("dot 134M, atomics at the end [256, 256]", "reductions.k:dot", dot,
           {"n": 134_217_757, "grid": 256, "block": 256}, {"n": 10_007, "grid": 3, "block": 96}),
    second("row sums in memory 16411 x 8191", "reductions.k:row_sums", row_sums,
           {"shape": (16411, 8191), "order": "C"}, {"shape": (67, 101), "order": "C"}),
    second("row sums of F order 65539 x 2053", "reductions.k:row_sums", row_sums,
           {"shape": (65539, 2053), "order": "F"}, {"shape": (67, 101), "order": "F"}),
    second("running sums 16411 x 4099", "reductions.k:running_sums", running_sums,
           {"shape": (16411, 4099)}, {"shape": (67, 101)}),
    second("matrix-vector 16411 x 8191", "matrices.k:matvec", matvec, {"shape": (16411, 8191)},
           {"shape": (67, 101)}),
    second("matmul float64 1021 x 1531 x 2053", "matrices.k:matmul_naive", matmul,
           {"shape": (1021, 1531, 2053), "block": (16, 16), "swapped": True, "dtype": f64},
           {"shape": (37, 45, 67), "block": (16, 16), "swapped": True, "dtype": f64}),
    second("500 products 125 x 127 x 129", "matrices.k:matmul_batched", matmul_batched,
           {"shape": (500, 125, 127, 129), "block": (4, 8, 8)},
           {"shape": (5, 13, 17, 19), "block": (2, 8, 8)}),
    second("distances 4099 x 3001 in 64 dimensions", "matrices.k:distances", distances,
           {"rows": 4099, "cols": 3001, "depth": 64, "block": (16, 16)},
           {"rows": 37, "cols": 45, "depth": 17, "block": (16, 16)}),
    second("add a transpose 8191 x 6151 float64", "matrices.k:add_transposed", add_transposed,
           {"shape": (8191, 6151), "block": (32, 8)}, {"shape": (67, 101), "block": (32, 8)}),
    second("axes reversed 400 x 500 x 600 uint16", "matrices.k:permute", permute,
           {"shape": (400, 500, 600), "block": (8, 8, 8)},
           {"shape": (19, 23, 29), "block": (8, 8, 8)}),
]


# ---- the third set -------------------------------------------------------------------------------

THIRD = [Row(name, f"{family.__name__}.k:{make.__name__}", make, full, small, set="third",
             cuda=family.__name__)
         for family in (windows, lines, products, lookups)
         for name, make, full, small in family.ROWS]

FOURTH = [Row(name, f"named.k:{kernel}", make, full, small, bars, set="fourth", cuda=None)
          for name, kernel, make, full, small, bars in named.ROWS]

ROWS = FIRST + SECOND + THIRD + FOURTH

# The CUDA texts that are contenders.
TEXTS = ["expert", *dict.fromkeys(row.cuda for row in ROWS if row.cuda)]
