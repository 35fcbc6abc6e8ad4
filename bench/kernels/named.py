"""The fourth set: rows of named.k, beside cuBLAS, and where tensor cores are asked for by name
beside the same text without it. Sizes are given as full and small, as in rows.py."""
import numpy as np

from products import convolution
from work import AROUND, Array, Work, bf16, cover, f32, f64, numbers


def by_name(library, dtype=f32, atol=1e-3):
    """A row's function of its sizes; `atol` is for each 64 products of a sum."""
    def work(shape, block):
        n, k, m = shape
        return Work({"a": Array(dtype, (n, k), AROUND), "b": Array(dtype, (k, m), AROUND),
                     "c": Array(f32, (n, m))}, cover((n, m), block), block, None, "c",
                    lambda v: {"c": numbers(v["a"]) @ numbers(v["b"])}, None,
                    {"cuBLAS": ("cublas", library, "a", "b", "c", n, k, m), "plain": ("kjit", "product")},
                    1e-4, atol * (k / 64 + 1))
    return work


def product(shape, block):
    n, k, m = shape
    return Work({"a": Array(f64, (n, k), AROUND), "b": Array(f64, (k, m), AROUND),
                 "c": Array(f64, (n, m))}, cover((n, m), block), block, None, "c",
                lambda v: {"c": v["a"] @ v["b"]}, None,
                {"cuBLAS": ("cublas", "dgemm", "a", "b", "c", n, k, m)}, 1e-10, 1e-10)


def products(shape, block):
    s, n, k, m = shape
    return Work({"a": Array(f64, (s, n, k), AROUND), "b": Array(f64, (s, k, m), AROUND),
                 "c": Array(f64, (s, n, m))}, cover((s, n, m), block), block, None, "c",
                lambda v: {"c": v["a"] @ v["b"]}, None,
                {"cuBLAS": ("cublas", "dgemm_batched", "a", "b", "c", s, n, k, m)}, 1e-10, 1e-10)


def bordered(shape, filters, block):
    """Convolutions of 3 x 3 whose pictures are 0 beyond their borders, and stay as large."""
    n, c, h, w = shape

    def expected(v):
        wide = np.pad(v["images"].astype(f64), ((0, 0), (0, 0), (1, 1), (1, 1)))
        near = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), axis=(2, 3))
        total = np.tensordot(near, v["filters"].astype(f64), ((1, 4, 5), (1, 2, 3)))
        return {"out": total.transpose(0, 3, 1, 2)}
    return Work({"images": Array(f32, shape, AROUND), "filters": Array(f32, (filters, c, 3, 3), AROUND),
                 "out": Array(f32, (n, filters, h, w))}, cover((w, h, n * filters), block), block, None,
                "out", expected, None, {"plain": ("kjit", "bordered")}, 1e-4, 1e-3)


def convolution_by_name(shape, filters, side, block):
    work = convolution(shape, filters, side, block)
    work.peers = {"plain": ("kjit", "convolution")}
    return work


SQUARE = {"block": (16, 16)}
FULL, SMALL = {"shape": (4096, 4096, 4096), **SQUARE}, {"shape": (37, 45, 67), **SQUARE}
PICTURES = {"side": 3, "block": (32, 4)}

# Name, kernel, function, sizes, bars.
ROWS = [
    ("product float64, 4096^3", "product_float64", product, FULL, SMALL, {"cuBLAS": 1.25}),
    ("500 products 125 x 127 x 129 float64", "products", products,
     {"shape": (500, 125, 127, 129), "block": (4, 8, 8)},
     {"shape": (5, 13, 17, 19), "block": (2, 8, 8)}, {"cuBLAS": 1.6}),
    ("product by tf32x3, 4096^3", "product_tf32x3", by_name("sgemm"), FULL, SMALL, {"cuBLAS": 0.65}),
    ("product by tf32, 4096^3", "product_tf32", by_name("gemm_tf32", atol=2e-2), FULL, SMALL,
     {"cuBLAS": 1.6}),
    ("product by f16, 4096^3", "product_f16", by_name("gemm_half", np.float16), FULL, SMALL,
     {"cuBLAS": 2.0}),
    ("product by bf16, 4096^3", "product_bf16", by_name("gemm_bfloat", bf16), FULL, SMALL,
     {"cuBLAS": 2.0}),
    ("product by bf16x9, 4096^3", "product_bf16x9", by_name("sgemm"), FULL, SMALL, {"plain": 1.0}),
    ("convolution by tf32x3, 64 of 3 x 3", "convolution_tf32x3", convolution_by_name,
     {"shape": (32, 64, 56, 58), "filters": 64, **PICTURES},
     {"shape": (3, 5, 13, 37), "filters": 4, **PICTURES}, {"plain": 1 / 3}),
    ("convolution by tf32x3 with a border", "bordered_tf32x3", bordered,
     {"shape": (32, 64, 56, 56), "filters": 64, "block": (32, 4)},
     {"shape": (3, 5, 13, 37), "filters": 4, "block": (32, 4)}, {"plain": 1 / 3}),
]
