#!/usr/bin/env python3
"""Runs the kernels of the standard library and compares what they leave with what NumPy says.

    check.py [--kjit build/kjit] [--device cpu] [--build ARCH,...] [--others CC] [WORD ...]

WORDs choose the cases whose name contains one. --build compiles every kernel's @example to a
cubin instead, for these generations, the oldest first, which needs NVRTC and no GPU. --others names
the C compiler, as KJIT_CC does, of all but each kernel's first case: at its best it takes ten times
as long as without optimisation.
Prints a line for each that failed and then `N passed, N failed`; exits 1 if one failed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import functions

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = {path.stem: path for path in (ROOT / "stdlib").rglob("*.k")}
sys.path.append(str(ROOT / "tests"))

import generations  # noqa: E402

SECONDS = 600
CASES = []


class Case:
    """A run of std:KERNEL with these arrays, numbers or expressions, in blocks of that shape."""

    def __init__(self, kernel, grid, values, expected, tolerance=0.0, note=""):
        self.kernel, self.grid, self.values = kernel, grid, values
        self.expected, self.tolerance, self.note = expected, tolerance, note
        CASES.append(self)

    def name(self):
        return f"{self.kernel} {self.grid} {self.note}".rstrip()


class Wrong:
    """The same, with one argument that the kernel does not take. It tells why when it is compiled;
    if it `raises`, under --debug, and without that it ends as any other and has written nothing."""

    def __init__(self, kernel, values, name, value, message, raises):
        self.kernel, self.grid, self.values = kernel, "3x64", {**values, name: value}
        self.message, self.raises = message, raises
        self.note = f"{name} {value.dtype}{value.shape}" if isinstance(value, np.ndarray) else name
        CASES.append(self)

    def name(self):
        return f"{self.kernel} wrong {self.note}"


def random(seed=1):
    return np.random.default_rng(seed)


def zeros(count, dtype):
    return np.zeros(count, dtype)


# ---- reduce -----------------------------------------------------------------------------------


def reduction(name, x, out, expected, grid="7x96", tolerance=0.0, start=0):
    blocks = int(grid.split("x")[0])
    dtype = np.dtype(out)
    Case(f"reduce:{name}", grid,
         {"x": x, "out": np.full(1, start, dtype), "parts": zeros(blocks, dtype),
          "done": zeros(1, np.int32)},
         {"out": np.array([expected], dtype), "done": zeros(1, np.int32)}, tolerance,
         f"{x.dtype}[{x.size}] to {dtype}")


def reductions():
    for grid in ["1x1", "3x33", "2x96", "5x1024", "4x5,7,3"]:
        x = random().integers(-100, 100, 3000)
        reduction("sum", x, np.int64, x.sum(), grid)
        reduction("minimum", x, np.int64, x.min(), grid)
    for dtype in [np.int8, np.uint8, np.int16, np.uint32, np.uint64]:
        x = random().integers(0, 100, 5000).astype(dtype)
        x[1234] = np.iinfo(dtype).max
        reduction("sum", x, np.int64, x.sum())
        reduction("sum", x, dtype, x.sum().astype(dtype))
        reduction("maximum", x, dtype, x.max())
        reduction("count_nonzero", x, np.int64, np.count_nonzero(x))
    for dtype in [np.float16, np.float32, np.float64]:
        x = random().normal(size=2000).astype(dtype)
        reduction("sum", x, np.float64, x.sum(dtype=np.float64), tolerance=1e-12)
        reduction("sum_of_squares", x, np.float64, (x.astype(float) ** 2).sum(), tolerance=1e-12)
        reduction("minimum", x, dtype, x.min())
        reduction("maximum", x, dtype, x.max())
    x = (random().normal(size=500) + 1j * random(2).normal(size=500)).astype(np.complex64)
    reduction("sum", x, np.complex128, x.sum(dtype=np.complex128), tolerance=1e-12)
    reduction("product", np.arange(1.0, 15.0), np.float64, 87178291200.0)
    reduction("product", zeros(0, float), np.float64, 1)
    reduction("sum", zeros(0, np.int8), np.int8, 0)
    reduction("sum", zeros(0, float), np.float64, 0, start=5)
    reduction("minimum", zeros(0, float), np.float64, 5, start=5)
    reduction("maximum", np.array([-7], np.int8), np.int8, -7)
    nan = np.array([3.0] * 200 + [np.nan] + [4.0] * 200)
    reduction("minimum", nan, np.float64, np.nan)
    reduction("maximum", nan.astype(np.float16), np.float16, np.nan)
    infinite = np.array([np.inf, 3.0, -np.inf])
    reduction("minimum", infinite, np.float64, -np.inf)
    reduction("sum", infinite, np.float64, np.nan)
    x = np.arange(1000, dtype=np.float32)
    reduction("sum", x[::-3], np.float32, x[::-3].sum())


# ---- scan -------------------------------------------------------------------------------------


def scan(name, x, out, expected, grid="7x96", tolerance=0.0):
    tiles = x.size // 2048 + 1
    dtype = np.dtype(out)
    Case(f"scan:{name}", grid,
         {"x": x, "out": zeros(x.size, dtype), "state": zeros(tiles + 2, np.int32),
          "sums": zeros(2 * tiles, dtype)},
         {"out": np.asarray(expected, dtype), "state": zeros(tiles + 2, np.int32)}, tolerance,
         f"{x.dtype}[{x.size}] to {dtype}")


def scans():
    for grid in ["1x1", "3x33", "2x96", "40x1024", "300x32", "4x5,7,3"]:
        x = random().integers(-100, 100, 50_000)
        scan("inclusive_sum", x, np.int64, x.cumsum(), grid)
        scan("exclusive_sum", x, np.int64, x.cumsum() - x, grid)
    for size in [0, 1, 2047, 2048, 2049, 4096]:
        x = random().integers(0, 10, size)
        scan("inclusive_sum", x, np.int64, x.cumsum())
        scan("exclusive_sum", x, np.int64, x.cumsum() - x)
        scan("inclusive_max", x, np.int64, np.maximum.accumulate(x))
    for dtype in [np.int8, np.uint8, np.uint64]:
        x = random().integers(0, 100, 10_000).astype(dtype)
        scan("inclusive_sum", x, dtype, x.cumsum(dtype=dtype))
        scan("inclusive_min", x, dtype, np.minimum.accumulate(x))
    x = random().normal(size=20_000)
    scan("inclusive_sum", x, np.float64, x.cumsum(), tolerance=1e-11)
    scan("inclusive_max", x.astype(np.float16), np.float16,
         np.maximum.accumulate(x.astype(np.float16)))
    x = x.copy()
    x[9000] = np.nan
    scan("inclusive_min", x, np.float64, np.minimum.accumulate(x))
    x = np.where(random().integers(0, 2, 5000), 2.0, 0.5)
    scan("inclusive_product", x, np.float64, np.cumprod(x))


# ---- sort -------------------------------------------------------------------------------------


def sorting(kernel, x, grid, values, expected):
    state = 3 + 256 * (9 + x.size // 1024)
    Case(f"sort:{kernel}", grid,
         {"x": x, **values, "keys": zeros((2, x.size), np.uint64),
          "places": zeros((2, x.size), np.int32), "state": zeros(state, np.int64)},
         {**expected, "state": zeros(state, np.int64)}, note=f"{x.dtype}[{x.size}]")


def sortings():
    for grid in ["1x1", "3x33", "2x96", "40x1024", "30x32", "4x5,7,3"]:
        x = random().integers(-100, 100, 5000).astype(np.int16)
        sorting("argsort", x, grid, {"out": zeros(x.size, np.int64)},
                {"out": np.argsort(x, kind="stable")})
    for size in [0, 1, 2, 1023, 1024, 1025, 30_000]:
        x = random().normal(size=size).astype(np.float32)
        sorting("sort", x, "5x96", {"out": zeros(size, np.float32)}, {"out": np.sort(x)})
    for dtype in [np.bool_, np.int8, np.uint8, np.uint16, np.int32, np.uint32, np.int64, np.uint64]:
        x = random().integers(0, 256, (3000, 8), np.uint8).view(np.int64)[:, 0].astype(dtype)
        if dtype != np.bool_:
            x[:2] = np.iinfo(dtype).min, np.iinfo(dtype).max
        sorting("sort", x, "7x96", {"out": zeros(x.size, dtype)}, {"out": np.sort(x)})
    for dtype in [np.float16, np.float32, np.float64]:
        info = np.finfo(dtype)
        special = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, info.max, info.min, info.tiny,
                   info.smallest_subnormal, -info.smallest_subnormal, info.tiny / dtype(2)]
        x = random().choice(np.array(special, dtype), 3000)
        order = np.argsort(x, kind="stable")
        sorting("sort", x, "3x256", {"out": zeros(x.size, dtype)}, {"out": x[order]})
        sorting("sort_pairs", x, "3x256",
                {"values": np.arange(x.size) * 2j, "out": zeros(x.size, dtype),
                 "out_values": zeros(x.size, complex)},
                {"out": x[order], "out_values": order * 2j})
    x = random().integers(-9, 9, 2000)
    sorting("argsort", x[::-2], "2x64", {"out": zeros(1000, np.int64)},
            {"out": np.argsort(x[::-2], kind="stable")})

    moving(np.uint8, 0, np.int64, 4096, 3072)
    moving(np.int32, 3, np.int32, 4096, 4096)
    moving(np.float64, 7, np.int64, 4096, 2048, np.uint64)
    moving(np.float64, 6, np.complex128, 4096, 1536)


def moving(dtype, number, beside, tile, tile_of_pairs, word=np.uint32):
    """What radix launches on GPUs: a pass, of the digit at byte `number`, whose tiles are drawn."""
    for size in [1, tile, 3 * tile + 77]:
        x = np.exp(random().normal(size=size) * 3)
        x = x if dtype == np.float64 else (x * 1e6).astype(np.int64).astype(dtype)
        flipped = x.view(np.uint8).reshape(size, -1)[:, number] ^ np.uint8(
            128 if dtype == np.int32 or number == 7 else 0)
        order, tiles = np.argsort(flipped, kind="stable"), -(-size // tile_of_pairs)
        state = zeros(8 + 256 * (8 + tiles), word)
        state[8 + 256 * 8:] = number % 2 << 8 * state.itemsize - 1  # as the pass before leaves it
        state[8 + 256 * number:][:256] = np.bincount(flipped, minlength=256)
        values = {"x": x, "to": zeros(size, dtype), "state": state, "number": str(number)}
        note = f"{x.dtype}[{size}]"
        Case("radix:_move", f"{-(-size // tile)}x256", values, {"to": x[order]}, note=note)
        Case("radix:_move_pairs", f"{tiles}x256",
             {**values, "values": np.arange(size).astype(beside), "to_values": zeros(size, beside)},
             {"to": x[order], "to_values": order.astype(beside)}, note=note)


# ---- matrices ---------------------------------------------------------------------------------


def matrices():
    for rows, depth, columns, grid in [(1, 1, 1, "1x256"), (64, 16, 64, "1x256"),
                                       (65, 17, 130, "3x256"), (200, 3, 5, "2x96"),
                                       (3, 100, 70, "1x33"), (5, 0, 7, "2x256"),
                                       (70, 40, 64, "2x16,16"), (4, 4, 4, "1x1"),
                                       (100, 30, 100, "2x1024")]:
        a = random().integers(-9, 9, (rows, depth))
        b = random(2).integers(-9, 9, (depth, columns))
        for dtype in [np.int64, np.float32]:
            Case("matmul:matmul", grid,
                 {"a": a.astype(dtype), "b": b.astype(dtype), "out": np.ones((rows, columns), dtype)},
                 {"out": (a @ b).astype(dtype)}, note=f"{rows} {depth} {columns} {dtype.__name__}")
    a, b = random().normal(size=(60, 50)), random(2).normal(size=(50, 40))
    half = a.astype(np.float16), b.astype(np.float16)
    Case("matmul:matmul", "1x256", {"a": half[0], "b": half[1], "out": np.zeros((60, 40), np.float32)},
         {"out": half[0].astype(np.float32) @ half[1].astype(np.float32)}, 1e-4, "halves")
    complex_ = a + 1j, b - 2j
    Case("matmul:matmul", "1x256",
         {"a": complex_[0], "b": complex_[1], "out": np.zeros((60, 40), complex)},
         {"out": complex_[0] @ complex_[1]}, 1e-12, "complex")
    for shape, grid in [((1, 1), "1x1"), ((32, 32), "1x256"), ((33, 70), "2x96"), ((0, 5), "1x256"),
                        ((100, 3), "5x1024"), ((64, 65), "3x32,8")]:
        for dtype in [np.int8, np.float64, np.complex128]:
            a = random().integers(0, 100, shape).astype(dtype)
            Case("transpose:transpose", grid, {"a": a, "out": np.zeros(shape[::-1], dtype)},
                 {"out": a.T}, note=f"{shape} {dtype.__name__}")


# ---- histogram --------------------------------------------------------------------------------


def histograms():
    for bins in [1, 7, 4096, 4097, 10_000]:
        for grid in ["1x1", "4x33", "3x1024"]:
            edges = np.arange(bins + 1.0)
            x = random().integers(-1, bins + 1, 3000) + 0.5
            Case("histogram:histogram", grid,
                 {"x": x, "low": "0.0", "high": f"{float(bins)}", "out": zeros(bins, np.int32)},
                 {"out": np.histogram(x, edges)[0].astype(np.int32)}, note=f"{bins} bins")
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 10.0, np.nextafter(10, 11), 9.999])
    for dtype in [np.float16, np.float32, np.float64]:
        values = x.astype(dtype)
        kept = values[np.isfinite(values)]
        Case("histogram:histogram", "2x33",
             {"x": values, "low": "0.0", "high": "10.0", "out": np.full(5, 100, np.uint64)},
             {"out": (np.histogram(kept, 5, (0, 10))[0] + 100).astype(np.uint64)}, note=dtype.__name__)
    Case("histogram:histogram", "1x96",
         {"x": np.full(9, 2.0), "low": "2.0", "high": "2.0", "out": zeros(3, np.int32)},
         {"out": np.array([0, 0, 9], np.int32)}, note="no width")
    Case("histogram:histogram", "1x96",
         {"x": zeros(0, np.float32), "low": "0.0", "high": "1.0", "out": zeros(3, np.int32)},
         {"out": zeros(3, np.int32)}, note="nothing")
    Case("histogram:histogram", "1x96",
         {"x": np.ones(5), "low": "0.0", "high": "1.0", "out": zeros(0, np.int32)},
         {"out": zeros(0, np.int32)}, note="no bins")
    for dtype in [np.int8, np.uint8, np.uint64, np.bool_]:
        x = random().integers(0, 100, 3000).astype(dtype)
        Case("histogram:bincount", "4x96", {"x": x, "out": zeros(50, np.int64)},
             {"out": np.bincount(x[x < 50].astype(int), minlength=50)}, note=dtype.__name__)
    x = np.array([-1, 0, 2, 2, 99, -128], np.int8)
    Case("histogram:bincount", "1x33", {"x": x, "out": zeros(3, np.uint32)},
         {"out": np.array([1, 0, 2], np.uint32)}, note="outside")


# ---- softmax ----------------------------------------------------------------------------------


def exponentials(x, dtype):
    x = x.astype(float)
    with np.errstate(all="ignore"):
        most = x.max(1, keepdims=True, initial=-np.inf)
        parts = np.exp(x - most)
        total = parts.sum(1, keepdims=True)
        log = np.where(np.isinf(most), most, most + np.log(total))[:, 0]
        return (parts / total).astype(dtype), log.astype(dtype)


def softmaxes():
    special = np.array([[1000.0, 1000.0, -1000.0], [np.nan, 1, 2], [-np.inf, 0, 0],
                        [-np.inf, -np.inf, -np.inf], [np.inf, 0, 0], [1e-300, 0, -0.0]])
    for dtype, tolerance in [(np.float16, 2e-3), (np.float32, 2e-6), (np.float64, 1e-13)]:
        for x, grid in [(random().normal(size=(9, 70)), "3x33"), (random().normal(size=(3, 1)), "5x1"),
                        (random().normal(size=(2, 2000)) * 5, "2x1024"), (special, "4x96"),
                        (np.zeros((0, 4)), "1x32"), (np.zeros((4, 0)), "1x32")]:
            x = x.astype(dtype)
            rows, logs = exponentials(x, dtype)
            note = f"{x.shape} {dtype.__name__}"
            Case("softmax:softmax", grid, {"x": x, "out": np.ones(x.shape, dtype)}, {"out": rows},
                 tolerance, note)
            Case("softmax:log_sum_exp", grid, {"x": x, "out": np.ones(x.shape[0], dtype)},
                 {"out": logs}, tolerance, note)


# ---- interpolate ------------------------------------------------------------------------------


def stretched(image, shape):
    """Bilinear, by interpolating along one axis after the other."""
    rows = np.linspace(0, image.shape[0] - 1, shape[0])
    columns = np.linspace(0, image.shape[1] - 1, shape[1])
    along = np.array([np.interp(columns, np.arange(image.shape[1]), row) for row in image])
    return np.array([np.interp(rows, np.arange(image.shape[0]), column) for column in along.T]).T


def interpolations():
    for size in [0, 1, 2, 100]:
        a = np.sort(random().integers(0, 50, size)).astype(float)
        values = np.array([-1.0, 0, 10, 10.5, 49, 50, 51, np.inf, -np.inf, np.nan, -0.0])
        for kernel, side in [("searchsorted", "left"), ("searchsorted_right", "right")]:
            Case(f"interpolate:{kernel}", "1x33",
                 {"a": a, "values": values, "out": zeros(values.size, np.int64)},
                 {"out": np.searchsorted(a, values, side)}, note=f"among {size}")
    xs, ys = np.arange(10.0) ** 2, random().normal(size=10)
    x = np.concatenate([np.linspace(-5, 90, 1000), xs, [np.nan, np.inf, -np.inf]])
    Case("interpolate:interpolate", "2x96", {"x": x, "xs": xs, "ys": ys, "out": zeros(x.size, float)},
         {"out": np.interp(x, xs, ys)}, 1e-12, "a curve")
    Case("interpolate:interpolate", "2x96",
         {"x": x, "xs": xs[:1], "ys": ys[:1], "out": zeros(x.size, float)},
         {"out": np.where(np.isnan(x), np.nan, ys[0])}, 1e-12, "a point")
    for shape, bigger in [((4, 5), (40, 33)), ((1, 1), (3, 4)), ((7, 3), (2, 3)), ((2, 2), (1, 1))]:
        image = random().normal(size=shape)
        Case("interpolate:resize", "2,2x16,8", {"image": image, "out": np.zeros(bigger)},
             {"out": stretched(image, bigger) if bigger != (1, 1) else image[:1, :1]}, 1e-12,
             f"{shape} to {bigger}")


# ---- what is wrong ----------------------------------------------------------------------------


def wrong(kernels, values, raised, refused):
    """Kernels of one module that take these values, and (argument, value, message) that they do
    not."""
    for kernel in kernels.split():
        for name, value, message in raised:
            Wrong(kernel, values, name, value, message, True)
        for name, value, message in refused:
            Wrong(kernel, values, name, value, message, False)


def axis(*names):
    return [(name, np.zeros((3, 3)), f"{name} is to be an array of one axis") for name in names]


def axes(*names):
    return [(name, np.zeros(300), f"{name} is to be an array of two axes") for name in names]


def real(*names):
    return [(name, np.zeros(9, complex), f"{name} is to be of real numbers") for name in names]


def wrong_reductions():
    values = {"x": np.arange(1.0, 5001), "out": zeros(1, float), "parts": zeros(3, float),
              "done": zeros(1, np.int32)}
    raised = [("out", zeros(0, float), "out has no element"),
              ("parts", zeros(2, float), "parts has fewer elements than the grid has blocks"),
              ("done", zeros(0, np.int32), "done has no element")]
    refused = axis(*values) + [
        ("parts", zeros(3, np.float32), "parts is to be of the dtype of out"),
        ("done", zeros(1, np.int8), "done is to be of integers of 32 or 64 bits")]
    wrong("reduce:sum reduce:product reduce:sum_of_squares reduce:count_nonzero", values, raised,
          refused)
    wrong("reduce:minimum reduce:maximum", values, raised, refused + real("x"))


def wrong_scans():
    values = {"x": np.arange(5000), "out": zeros(5000, int), "state": zeros(5, np.int32),
              "sums": zeros(6, int)}
    raised = [("out", zeros(4999, int), "out has fewer elements than x"),
              ("out", zeros(0, int), "out has fewer elements than x"),
              ("state", zeros(4, np.int32), "state has fewer elements than x.size // 2048 + 3"),
              ("sums", zeros(5, int), "sums has fewer elements than 2 * (x.size // 2048 + 1)")]
    refused = axis(*values) + [
        ("state", zeros(5, np.int16), "state is to be of integers of 32 or 64 bits"),
        ("sums", zeros(6, np.int32), "sums is to be of the dtype of out")]
    wrong("scan:inclusive_sum scan:exclusive_sum scan:inclusive_product", values, raised, refused)
    wrong("scan:inclusive_max scan:inclusive_min", values, raised, refused + real("x"))


def wrong_sortings():
    state = 3 + 256 * (8 + 3)
    values = {"x": np.arange(3000)[::-1], "out": zeros(3000, int),
              "keys": np.zeros((2, 3000), np.uint64), "places": np.zeros((2, 3000), np.int32),
              "state": zeros(state, np.int64)}
    raised = [("out", zeros(2999, int), "out has fewer elements than x"),
              ("keys", np.zeros((2, 2999), np.uint64), "keys is smaller than 2 by x.size"),
              ("keys", np.zeros((1, 9000), np.uint64), "keys is smaller than 2 by x.size"),
              ("places", np.zeros((2, 2999), np.int32), "places is smaller than 2 by x.size"),
              ("places", np.zeros((1, 9000), np.int32), "places is smaller than 2 by x.size"),
              ("state", zeros(state - 1, np.int64),
               "state has fewer elements than 3 + 256 * (9 + x.size // 1024)")]
    refused = axis("x", "out", "state") + axes("keys", "places") + [
        ("x", zeros(3000, complex), "only integers and floats have an order to sort by"),
        ("keys", np.zeros((2, 3000), np.uint32), "keys is to be of uint64"),
        ("places", np.zeros((2, 3000), np.int8), "places is to be of int32"),
        ("state", zeros(state, np.int32), "state is to be of int64")]
    wrong("sort:sort", values, raised, refused)
    wrong("sort:argsort", values, raised,
          refused + [("out", zeros(3000, bool), "out is to be of integers")])
    pairs = {**values, "values": np.arange(3000.0), "out_values": np.zeros(3000)}
    more = [(name, np.zeros(2999), f"{name} has fewer elements than x")
            for name in ["values", "out_values"]]
    wrong("sort:sort_pairs", pairs, raised + more, refused + axis("values", "out_values"))


def wrong_matrices():
    values = {"a": np.ones((70, 30)), "b": np.ones((30, 90)), "out": np.zeros((70, 90))}
    wrong("matmul:matmul", values,
          [("a", np.ones((70, 31)), "a has not as many columns as b has rows"),
           ("b", np.ones((29, 90)), "a has not as many columns as b has rows"),
           ("out", np.zeros((69, 90)), "out has not a's rows and b's columns"),
           ("out", np.zeros((70, 89)), "out has not a's rows and b's columns")], axes(*values))
    values = {"a": np.ones((70, 30)), "out": np.zeros((30, 70))}
    message = "out has not a's columns as its rows and a's rows as its columns"
    wrong("transpose:transpose", values,
          [("out", np.zeros((70, 30)), message), ("out", np.zeros((30, 69)), message)],
          axes(*values))
    values = {"x": np.ones((70, 30)), "out": np.zeros((70, 30))}
    wrong("softmax:softmax", values,
          [("out", np.zeros((30, 70)), "out is not of the shape of x"),
           ("out", np.zeros((69, 30)), "out is not of the shape of x")],
          axes(*values) + [("x", np.zeros((70, 30), complex), "x is to be of real numbers")])
    wrong("softmax:log_sum_exp", {**values, "out": np.zeros(70)},
          [("out", np.zeros(69), "out has fewer elements than x has rows")],
          axes("x") + axis("out") + [("out", zeros(70, int), "give an array of floats for out")])


def wrong_others():
    values = {"x": np.ones(50), "low": "0.0", "high": "2.0", "out": zeros(9, np.int32)}
    counts = [("out", zeros(9, np.int8), "out is to be of integers of 32 or 64 bits")]
    wrong("histogram:histogram", values, [],
          axis("x", "out") + real("x") + counts
          + [(name, "1j", f"{name} is to be a real number") for name in ["low", "high"]])
    wrong("histogram:bincount", {"x": np.arange(50), "out": zeros(9, np.int32)}, [],
          axis("x", "out") + counts + [("x", zeros(50, float), "x is to be of integers")])
    values = {"a": np.arange(9.0), "values": np.ones(50), "out": np.ones(50, int)}
    wrong("interpolate:searchsorted", values,
          [("out", np.ones(49, int), "out has fewer elements than values")],
          axis(*values) + real("a", "values")
          + [("out", zeros(50, bool), "out is to be of integers")])
    values = {"x": np.ones(50), "xs": np.arange(9.0), "ys": np.arange(9.0), "out": zeros(50, float)}
    wrong("interpolate:interpolate", values,
          [("out", zeros(49, float), "out has fewer elements than x"),
           ("ys", np.ones(8), "ys has fewer elements than xs")],
          axis(*values) + real("x", "xs", "ys"))
    wrong("interpolate:resize", {"image": np.ones((3, 4)), "out": np.zeros((5, 6))}, [],
          axes("image", "out"))
    state = np.dtype([("s0", np.uint64), ("s1", np.uint64)])
    values = {"states": zeros(9, state), "out": zeros(50, float)}
    wrong("random:uniform random:normal", values,
          [("states", zeros(0, state), "states has no element")], axis(*values))


# ---- running ----------------------------------------------------------------------------------


def difference(got, want, tolerance):
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"is {got.dtype}{got.shape}, not {want.dtype}{want.shape}"
    if want.dtype.kind in "fc":
        equal = np.isclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)
    else:
        equal = got == want
    if equal.all():
        return ""
    place = tuple(int(axis) for axis in np.argwhere(~equal)[0])
    return (f"differs in {np.count_nonzero(~equal)} of {want.size}, at {place} first: "
            f"{got[place]!r} instead of {want[place]!r}")


def command_of(case, options, folder, saved):
    """Runs the case on files in the folder, where NAME-after.npy are the saved arrays."""
    command = [options.kjit, "run", f"std:{case.kernel}", "-q", "--device", options.device,
               "--grid", case.grid]
    return command + given(case, folder, saved)


def given(case, folder, saved):
    command = []
    for name, value in case.values.items():
        if isinstance(value, np.ndarray):
            np.save(f"{folder}/{name}.npy", value)
            value = f"{folder}/{name}.npy"
        command.append(f"{name}={value}")
    for name in saved:
        command += ["--save", f"{name}={folder}/{name}-after.npy"]
    return command


def run_call(case, options, device):
    raises = isinstance(case, functions.Raises)
    with tempfile.TemporaryDirectory() as folder:
        names = {"out": None} if not raises and not case.several else {
            f"out[{i}]": None for i in range(0 if raises else len(case.expected))}
        done = started([options.kjit, "run", f"std:{case.kernel}", "-q", "--device", device,
                        *given(case, folder, names)], case)
        if raises:
            right = done.returncode == 1 and case.message in done.stderr
            return "" if right else f"exit status {done.returncode}: {done.stderr.strip()[-400:]}"
        if done.returncode:
            return f"exit status {done.returncode}: {done.stderr.strip()[-400:]}"
        for name, want in zip(names, case.expected):
            differs = difference(np.load(f"{folder}/{name}-after.npy"), want, case.tolerance)
            if differs:
                return f"{name} on {device} {differs}"
    return ""


def started(command, case):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, **case.environment})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"not done after {SECONDS} s")


def is_left(before, after):
    return before.dtype == after.dtype and before.tobytes() == after.tobytes()


def run_wrong(case, options):
    with tempfile.TemporaryDirectory() as folder:
        told = started([*command_of(case, options, folder, []), "--debug"], case)
        status = 3 if case.raises else 1
        message = f"ValueError: {case.message}" if case.raises else case.message
        if told.returncode != status or message not in told.stderr:
            return f"exit status {told.returncode}, {told.stderr.strip()[:400]!r}"
        if not case.raises:
            return ""
        arrays = [name for name, value in case.values.items() if isinstance(value, np.ndarray)]
        done = started(command_of(case, options, folder, arrays), case)
        if done.returncode or done.stderr:
            return f"without --debug: exit status {done.returncode}: {done.stderr.strip()[:400]}"
        changed = [name for name in arrays
                   if not is_left(case.values[name], np.load(f"{folder}/{name}-after.npy"))]
        return f"has changed {', '.join(changed)}" if changed else ""


def run(case, options):
    """A complaint, or nothing."""
    if isinstance(case, Wrong):
        return run_wrong(case, options)
    if isinstance(case, (functions.Call, functions.Raises)):
        return (run_call(case, options, options.device)
                or (run_call(case, options, "check") if case.checked else ""))
    with tempfile.TemporaryDirectory() as folder:
        done = started(command_of(case, options, folder, case.expected), case)
        if done.returncode:
            return f"exit status {done.returncode}: {done.stderr.strip()[:400]}"
        for name, want in case.expected.items():
            differs = difference(np.load(f"{folder}/{name}-after.npy"), want, case.tolerance)
            if differs:
                return f"{name} {differs}"
    return ""


def build(pool, kernels, options):
    def kernel(name):
        module, _, kernel = name.partition(":")
        return f"std:{module}", kernel, [options.kjit, "build"], options.build.split(",")
    return generations.build(pool, [kernel(name) for name in kernels])


def kernels_of(cases):
    """The kernels that the cases launch, and all of the modules whose functions they call."""
    calls = [case.kernel for case in cases if isinstance(case, functions.Call)]
    kernels = {case.kernel for case in cases if isinstance(case, (Case, Wrong))}
    modules = sorted({call.partition(":")[0] for call in calls})
    for module in modules:
        text = LIBRARY[module].read_text()
        modules += [name for name in re.findall(r"^import (\w+) as", text, re.M)
                    if name in LIBRARY and name != "numpy"]
        kernels |= {f"{module}:{name}" for name in re.findall(r"^@cuda\.jit.*\ndef (\w+)", text, re.M)}
    return sorted(kernels)


def choose_compilers(cases, others):
    """Each kernel's first case as the environment says, all others by that compiler, if there is one."""
    met = set()
    for case in cases:
        case.environment = {"KJIT_CC": others} if others and case.kernel in met else {}
        met.add(case.kernel)


def main():
    parser = argparse.ArgumentParser(description="compare the standard library with NumPy")
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--build", metavar="ARCH,...")
    parser.add_argument("--others", metavar="CC")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    for make in [reductions, scans, sortings, matrices, histograms, softmaxes, interpolations,
                 wrong_reductions, wrong_scans, wrong_sortings, wrong_matrices, wrong_others]:
        make()
    for make in functions.PARTS:
        make()
    chosen = [case for case in CASES + functions.CALLS
              if not options.words or any(word in case.name() for word in options.words)]
    choose_compilers(chosen, options.others)
    work = kernels_of(chosen) if options.build else chosen
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        answers = (build(pool, work, options) if options.build
                   else pool.map(lambda each: run(each, options), work))
        for each, answer in zip(work, answers):
            if answer:
                print(f"FAILED {each if options.build else each.name()}: {answer}")
                failed += 1
    print(f"{len(work) - failed} passed, {failed} failed")
    return 1 if failed or not work else 0


if __name__ == "__main__":
    sys.exit(main())
