"""The third set: rows of products.k. Sizes are given as full and small, as in rows.py."""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from work import AROUND, ONE, Array, Work, cover, f32, f64, u16


def fused(**counts):
    """Multiplications that each go into a sum."""
    return {name: int(np.prod(sizes)) for name, sizes in counts.items()}


def matrices(v, *shapes):
    """The first arguments, flat, as float64 matrices of these shapes."""
    return [array.reshape(shape).astype(f64) for array, shape in zip(v.values(), shapes)]


def product(rows, depth, cols, block):
    def expected(v):
        a, b = matrices(v, (rows, depth), (depth, cols))
        return {"c": (a @ b).ravel()}
    return Work({"a": Array(f32, rows * depth, AROUND), "b": Array(f32, depth * cols, AROUND),
                 "c": Array(f32, rows * cols), "rows": rows, "depth": depth, "cols": cols},
                cover((cols, rows), block), block, None, "c", expected, None,
                {"cuBLAS": ("cublas", "sgemm", "a", "b", "c", rows, depth, cols)}, 1e-4, 2e-3,
                operations=fused(float32=(rows, depth, cols)))


def dense_relu(shape, block):
    n, k, m = shape

    def expected(v):
        total = v["x"].astype(f64) @ v["weights"].astype(f64) + v["bias"]
        return {"out": np.maximum(total, 0)}
    return Work({"x": Array(f32, (n, k), AROUND), "weights": Array(f32, (k, m), AROUND),
                 "bias": Array(f32, m, AROUND), "out": Array(f32, (n, m))}, cover((n, m), block),
                block, ["x", "weights", "bias", "out", n, k, m], "out", expected, None, None, 1e-4,
                1e-3, operations=fused(float32=shape))


def gram(shape, block):
    n, k = shape
    return Work({"a": Array(f64, shape, AROUND), "c": Array(f64, (n, n))}, cover((n, n), block),
                block, ["a", "c", n, k], "c", lambda v: {"c": v["a"] @ v["a"].T}, None,
                {"cuBLAS": ("cublas", "dgemm_by_turned", "a", "c", n, k)}, 1e-10, 1e-10,
                operations=fused(float64=(n, n, k)))


def covariance(rows, cols, block):
    def expected(v):
        a, = matrices(v, (rows, cols))
        return {"c": (a.T @ a).ravel()}
    return Work({"a": Array(f32, rows * cols, AROUND), "c": Array(f32, cols * cols), "rows": rows,
                 "cols": cols}, cover((cols, cols), block), block, None, "c", expected, None,
                {"cuBLAS": ("cublas", "sgemm_turned_by", "a", "c", rows, cols)}, 1e-4, 5e-3,
                operations=fused(float32=(rows, cols, cols)))


def products(count, rows, depth, cols, block):
    def expected(v):
        a, b = matrices(v, (count, rows, depth), (count, depth, cols))
        return {"c": (a @ b).ravel()}
    sizes = rows * depth, depth * cols, rows * cols
    return Work({"a": Array(f32, count * sizes[0], AROUND),
                 "b": Array(f32, count * sizes[1], AROUND), "c": Array(f32, count * sizes[2]),
                 "rows": rows, "depth": depth, "cols": cols},
                (*cover((cols, rows), block), count), block, None, "c", expected,
                4 * count * sum(sizes),
                {"cuBLAS": ("cublas", "sgemm_batched", "a", "b", "c", count, rows, depth, cols)},
                1e-4, 1e-3, operations=fused(float32=(count, rows, depth, cols)))


def transpose(height, width, block):
    n = height * width
    return Work({"a": Array(f64, n, AROUND), "turned": Array(f64, n), "height": height,
                 "width": width}, cover((width, height), block), block, None, "turned",
                lambda v: {"turned": v["a"].reshape(height, width).T.ravel()}, 16 * n,
                {"cuBLAS": ("cublas", "dgeam_turned", "a", "turned", height, width)})


def swap_axes(batch, length, heads, width):
    shape = batch, length, heads, width
    n = int(np.prod(shape))
    return Work({"x": Array(u16, n, ("whole", 0, 65536)), "out": Array(u16, n), "length": length,
                 "heads": heads, "width": width}, cover(n, 256), 256,
                ["x", "out", "length", "heads", "width", n], "out",
                lambda v: {"out": v["x"].reshape(shape).swapaxes(1, 2).ravel()}, 4 * n)


def convolution(shape, filters, side, block):
    n, c, h, w = shape
    out = n, filters, h - side + 1, w - side + 1

    def expected(v):
        near = sliding_window_view(v["images"].astype(f64), (side, side), axis=(2, 3))
        total = np.tensordot(near, v["filters"].astype(f64), ((1, 4, 5), (1, 2, 3)))
        return {"out": total.transpose(0, 3, 1, 2)}
    return Work({"images": Array(f32, shape, AROUND),
                 "filters": Array(f32, (filters, c, side, side), AROUND), "out": Array(f32, out)},
                cover((out[3], out[2], n * filters), block), block,
                ["images", "filters", "out", *shape, filters, side], "out", expected, None, None,
                1e-4, 1e-3, operations=fused(float32=(*out, c, side, side)))


def convolution_same(shape, filters):
    n, c, h, w = shape
    size = n * filters * h * w

    def expected(v):
        images, weights = matrices(v, shape, (filters, c, 3, 3))
        wide = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
        total = np.tensordot(sliding_window_view(wide, (3, 3), axis=(2, 3)), weights,
                             ((1, 4, 5), (1, 2, 3)))
        return {"out": total.transpose(0, 3, 1, 2).ravel()}
    return Work({"images": Array(f32, n * c * h * w, AROUND),
                 "filters": Array(f32, filters * c * 9, AROUND), "out": Array(f32, size),
                 "channels": c, "count": filters, "height": h, "width": w}, cover(size, 128), 128,
                ["images", "filters", "out", c, filters, h, w, size], "out", expected, None, None,
                1e-4, 1e-3, operations=fused(float32=(size, c, 9)))


def bodies(count):
    softening = f32(0.01)

    def expected(v):
        body, = matrices(v, (count, 4))
        step = body[None, :, :3] - body[:, None, :3]
        force = body[None, :, 3] * ((step ** 2).sum(axis=2) + softening) ** -1.5
        return {"pull": (step * force[:, :, None]).sum(axis=1).ravel()}
    return Work({"body": Array(f32, 4 * count, ONE), "pull": Array(f32, 3 * count), "count": count,
                 "softening": softening}, cover(count, 128), 128, None, "pull", expected, None,
                None, 1e-3, count * 2e-5, operations={"float32": 12 * count * count})


def nearest(points, others):
    def expected(v):
        step = v["points"].astype(f64)[:, None, :] - v["others"].astype(f64)[None, :, :]
        return {"apart": (step ** 2).sum(axis=2).min(axis=1)}
    return Work({"points": Array(f32, (points, 3), ONE), "others": Array(f32, (others, 3), ONE),
                 "apart": Array(f32, points)}, cover(points, 256), 256,
                ["points", "others", "apart", points, others], "apart", expected, None, None, 1e-4,
                1e-7, operations={"float32": 7 * points * others})


SQUARE, WIDE = {"block": (16, 16)}, {"block": (32, 8)}

ROWS = [
    ("product 2048^3, flat", product, {"rows": 2048, "depth": 2048, "cols": 2048, **SQUARE},
     {"rows": 37, "depth": 45, "cols": 67, **SQUARE}),
    ("layer 4099 x 1025 x 2047, not negative", dense_relu, {"shape": (4099, 1025, 2047), **SQUARE},
     {"shape": (37, 45, 67), **SQUARE}),
    ("A A^T 1537 x 1021 float64", gram, {"shape": (1537, 1021), **SQUARE},
     {"shape": (37, 45), **SQUARE}),
    ("A^T A 10007 x 1000, flat", covariance, {"rows": 10007, "cols": 1000, **WIDE},
     {"rows": 101, "cols": 37, **WIDE}),
    ("4000 products 63 x 65 x 67, flat", products,
     {"count": 4000, "rows": 63, "depth": 65, "cols": 67, **SQUARE},
     {"count": 5, "rows": 13, "depth": 17, "cols": 19, **SQUARE}),
    ("transpose 6007 x 8009 float64, flat", transpose, {"height": 6007, "width": 8009, **WIDE},
     {"height": 37, "width": 45, **WIDE}),
    ("swap axes 32 x 2047 x 12 x 80 uint16, flat", swap_axes,
     {"batch": 32, "length": 2047, "heads": 12, "width": 80},
     {"batch": 3, "length": 11, "heads": 5, "width": 7}),
    ("convolution 32 x 64 x 56 x 58, 64 of 3 x 3", convolution,
     {"shape": (32, 64, 56, 58), "filters": 64, "side": 3, "block": (32, 4)},
     {"shape": (3, 5, 13, 37), "filters": 4, "side": 3, "block": (32, 4)}),
    ("convolution 16 x 32 x 97 x 101, 48, flat", convolution_same,
     {"shape": (16, 32, 97, 101), "filters": 48}, {"shape": (3, 5, 11, 13), "filters": 4}),
    ("20011 bodies, flat", bodies, {"count": 20011}, {"count": 203}),
    ("nearest of 4099, 100003 points", nearest, {"points": 100003, "others": 4099},
     {"points": 301, "others": 203}),
]
