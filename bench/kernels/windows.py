"""The third set: rows of windows.k. Sizes are given as full and small, as in rows.py."""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from work import AROUND, ONE, Array, Work, cover, f32, f64, u8, u16


def around(v, name, *shape):
    """All windows of this shape of an array, as float64."""
    return sliding_window_view(v[name].astype(f64), shape)


def inside(values, margin, dtype):
    """In the middle of zeros."""
    return np.pad(values, margin).astype(dtype)


def filter7(shape, block):
    n, m = shape

    def expected(v):
        total = np.einsum("ijkl,kl->ij", around(v, "image", 7, 7), v["weights"].astype(f64))
        return {"out": inside(total, 3, f32)}
    return Work({"image": Array(f32, shape, AROUND), "weights": Array(f32, (7, 7), AROUND),
                 "out": Array(f32, shape)}, cover(shape, block), block,
                ["image", "weights", "out", n, m], "out", expected, 8 * n * m, rtol=1e-4, atol=1e-4,
                operations={"float32": 49 * n * m})


def sobel(height, width, block):
    def expected(v):
        x = v["image"].reshape(height, width).astype(np.int32)
        down, along = x[:-2] + 2 * x[1:-1] + x[2:], x[:, :-2] + 2 * x[:, 1:-1] + x[:, 2:]
        strength = abs(down[:, 2:] - down[:, :-2]) + abs(along[2:] - along[:-2])
        return {"edges": inside(np.minimum(strength, 255), 1, u8).ravel()}
    n = height * width
    return Work({"image": Array(u8, n, ("whole", 0, 256)), "edges": Array(u8, n),
                 "height": height, "width": width}, cover((width, height), block), block, None,
                "edges", expected, 2 * n)


def blur3(height, width, block):
    def expected(v):
        wide = np.pad(v["a"].reshape(height, width).astype(f64), 1)
        return {"b": (sliding_window_view(wide, (3, 3)).sum(axis=(2, 3)) / 9).ravel()}
    n = height * width
    return Work({"a": Array(f32, n, ONE), "b": Array(f32, n), "height": height, "width": width},
                cover((width, height), block), block, None, "b", expected, 8 * n, rtol=1e-5)


def life(shape, block):
    def expected(v):
        x = v["cells"]
        alive = sum(np.roll(x, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        return {"later": ((alive == 3) | ((alive == 2) & (x == 1))).astype(u8)}
    return Work({"cells": Array(u8, shape, ("whole", 0, 2)), "later": Array(u8, shape)},
                cover(shape, block), block, ["cells", "later", *shape], "later", expected,
                2 * int(np.prod(shape)))


def wave(height, width, block):
    def expected(v):
        x, before = (v[name].reshape(height, width) for name in ("now", "before"))
        total = sum(np.roll(x, by, axis) for by in (1, -1) for axis in (0, 1))
        return {"later": (2 * x - before + 0.25 * (total - 4 * x)).ravel()}
    n = height * width
    return Work({"now": Array(f64, n, AROUND), "before": Array(f64, n, AROUND),
                 "later": Array(f64, n), "speed": 0.25, "height": height, "width": width},
                cover((width, height), block), block, None, "later", expected, 24 * n, rtol=1e-12,
                atol=1e-13)


def heat3d(depth, height, width, block):
    rate = f32(0.1)

    def expected(v):
        x, i = v["now"].reshape(depth, height, width).astype(f64), slice(1, -1)
        total = (x[:-2, i, i] + x[2:, i, i] + x[i, :-2, i] + x[i, 2:, i] + x[i, i, :-2]
                 + x[i, i, 2:])
        return {"later": inside(x[i, i, i] + rate * (total - 6 * x[i, i, i]), 1, f32).ravel()}
    n = depth * height * width
    return Work({"now": Array(f32, n, AROUND), "later": Array(f32, n), "rate": rate,
                 "depth": depth, "height": height, "width": width},
                cover((width, height, depth), block), block, None, "later", expected, 8 * n,
                rtol=1e-5, atol=1e-5)


def smooth3d(shape, block):
    n = int(np.prod(shape))

    def expected(v):
        total = np.einsum("xyzijk,ijk->xyz", around(v, "volume", 3, 3, 3),
                          v["weights"].astype(f64))
        return {"out": inside(total, 1, f32)}
    return Work({"volume": Array(f32, shape, AROUND), "weights": Array(f32, (3, 3, 3), AROUND),
                 "out": Array(f32, shape)}, cover(shape, block), block,
                ["volume", "weights", "out", *shape], "out", expected, 8 * n, rtol=1e-4, atol=1e-4,
                operations={"float32": 27 * n})


def fir(n, taps):
    def expected(v):
        return {"out": around(v, "signal", taps) @ v["taps"].astype(f64)}
    return Work({"signal": Array(f32, n + taps - 1, AROUND), "taps": Array(f32, taps, AROUND),
                 "out": Array(f32, n)}, cover(n, 256), 256, ["signal", "taps", "out", n, taps],
                "out", expected, 8 * n, rtol=1e-4, atol=1e-4, operations={"float32": n * taps})


def local_contrast(shape, block):
    def expected(v):
        near = around(v, "image", 3, 3).reshape(shape[0] - 2, shape[1] - 2, 9).astype(f32)
        return {"out": inside(near.max(axis=2) - near.min(axis=2), 1, f32)}
    return Work({"image": Array(f32, shape, AROUND), "out": Array(f32, shape)},
                cover(shape, block), block, ["image", "out", *shape], "out", expected,
                8 * shape[0] * shape[1])


def median3(height, width, block):
    def expected(v):
        near = sliding_window_view(v["image"].reshape(height, width), (3, 3))
        middle = np.sort(near.reshape(height - 2, width - 2, 9), axis=2)[:, :, 4]
        return {"out": inside(middle, 1, u16).ravel()}
    n = height * width
    return Work({"image": Array(u16, n, ("whole", 0, 65536)), "out": Array(u16, n),
                 "height": height, "width": width}, cover((width, height), block), block, None,
                "out", expected, 4 * n)


def grey(shape, block):
    def expected(v):
        return {"out": (v["picture"].astype(np.int32) @ [77, 150, 29] >> 8).astype(u8)}
    return Work({"picture": Array(u8, (*shape, 3), ("whole", 0, 256)), "out": Array(u8, shape)},
                cover(shape, block), block, ["picture", "out", *shape], "out", expected,
                4 * shape[0] * shape[1])


def planes(pixels):
    def expected(v):
        out = (v["picture"].reshape(pixels, 3).astype(f32) - v["mean"]) * v["scale"]
        return {"out": out.T.ravel()}
    return Work({"picture": Array(u8, 3 * pixels, ("whole", 0, 256)), "mean": Array(f32, 3, ONE),
                 "scale": Array(f32, 3, ONE), "out": Array(f32, 3 * pixels), "pixels": pixels},
                cover(pixels, 256), 256, None, "out", expected, 15 * pixels, rtol=1e-6, atol=1e-6)


def rotate(height, width, block):
    cosine, sine = 0.8, 0.6

    def expected(v):
        source = v["source"].reshape(height, width).astype(f64)
        dy, dx = np.mgrid[:height, :width] - np.array([height, width])[:, None, None] / 2
        sx = np.clip(cosine * dx - sine * dy + width / 2, 0, width - 1.5)
        sy = np.clip(sine * dx + cosine * dy + height / 2, 0, height - 1.5)
        x, y = sx.astype(int), sy.astype(int)
        above = source[y, x] + (sx - x) * (source[y, x + 1] - source[y, x])
        below = source[y + 1, x] + (sx - x) * (source[y + 1, x + 1] - source[y + 1, x])
        return {"out": (above + (sy - y) * (below - above)).ravel()}
    n = height * width
    return Work({"source": Array(f32, n, ONE), "out": Array(f32, n), "cosine": cosine,
                 "sine": sine, "height": height, "width": width}, cover((width, height), block),
                block, None, "out", expected, 8 * n, rtol=1e-5, atol=1e-6)


def two_tone(height, width, gaps, block):
    pitch, out_pitch, limit = width + gaps[0], width + gaps[1], f32(0.5)

    def expected(v):
        x = v["image"].reshape(height, pitch)[:, :width]
        out = np.where(x > limit, limit + (x - limit) * f32(0.25), x * f32(1.5))
        return {"out": np.pad(out, ((0, 0), (0, gaps[1]))).ravel()}
    return Work({"image": Array(f32, height * pitch, ONE), "pitch": pitch, "limit": limit,
                 "out": Array(f32, height * out_pitch), "out_pitch": out_pitch, "height": height,
                 "width": width}, cover((width, height), block), block, None, "out", expected,
                8 * height * width, rtol=1e-6)


def leaky(n, grid, block):
    slope = f32(0.01)
    return Work({"x": Array(f32, n, AROUND), "slope": slope, "y": Array(f32, n)}, grid, block,
                ["x", "slope", "y", n], "y",
                lambda v: {"y": np.where(v["x"] > 0, v["x"], slope * v["x"])}, 8 * n, rtol=1e-6)


WIDE, SQUARE, CUBE = {"block": (32, 8)}, {"block": (16, 16)}, {"block": (8, 8, 4)}

ROWS = [
    ("filter 7 x 7 of 4099 x 6151", filter7, {"shape": (4099, 6151), **SQUARE},
     {"shape": (37, 45), **SQUARE}),
    ("sobel 12288 x 16384 uint8, flat", sobel, {"height": 12288, "width": 16384, **WIDE},
     {"height": 37, "width": 45, **WIDE}),
    ("mean 3 x 3 of 8191 x 12289, flat", blur3, {"height": 8191, "width": 12289, **SQUARE},
     {"height": 37, "width": 45, **SQUARE}),
    ("life 8193 x 8190 uint8, torus", life, {"shape": (8193, 8190), **SQUARE},
     {"shape": (37, 45), **SQUARE}),
    ("wave 5000 x 6007 float64, torus, flat", wave, {"height": 5000, "width": 6007, **WIDE},
     {"height": 37, "width": 45, **WIDE}),
    ("heat 510 x 512 x 515, flat", heat3d,
     {"depth": 510, "height": 512, "width": 515, "block": (32, 4, 2)},
     {"depth": 11, "height": 13, "width": 37, "block": (32, 4, 2)}),
    ("27 neighbours, 301 x 303 x 305", smooth3d, {"shape": (301, 303, 305), **CUBE},
     {"shape": (11, 13, 17), **CUBE}),
    ("63 taps, 33M", fir, {"n": 33_554_431, "taps": 63}, {"n": 2003, "taps": 15}),
    ("contrast 3 x 3 of 5003 x 7001, views", local_contrast, {"shape": (5003, 7001), **SQUARE},
     {"shape": (37, 45), **SQUARE}),
    ("median 3 x 3 of 6144 x 8192 uint16, flat", median3,
     {"height": 6144, "width": 8192, **SQUARE}, {"height": 37, "width": 45, **SQUARE}),
    ("grey 8191 x 12289 x 3 uint8", grey, {"shape": (8191, 12289), **SQUARE},
     {"shape": (37, 45), **SQUARE}),
    ("planes of 50M x 3 uint8, flat", planes, {"pixels": 50_000_017}, {"pixels": 2003}),
    ("rotate 6001 x 8000, flat", rotate, {"height": 6001, "width": 8000, **SQUARE},
     {"height": 37, "width": 45, **SQUARE}),
    ("two tones 8191 x 8192, odd pitch, flat", two_tone,
     {"height": 8191, "width": 8192, "gaps": (3, 1), **WIDE},
     {"height": 37, "width": 44, "gaps": (3, 1), **WIDE}),
    ("leaky 100M [80, 192]", leaky, {"n": 100_000_007, "grid": 80, "block": 192},
     {"n": 5003, "grid": 3, "block": 96}),
]
