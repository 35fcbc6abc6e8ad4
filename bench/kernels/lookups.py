"""The third set: rows of lookups.k. Sizes are given as full and small, as in rows.py."""
import numpy as np

from work import AROUND, ONE, Array, Work, cover, f32, f64, i32, i64, u8, u16


def bin_of(n, edges, step):
    def expected(v):
        return {"bin": np.searchsorted(v["edges"], v["x"], side="right").astype(i32)}
    return Work({"x": Array(i32, n, ("whole", 0, (edges + 1) * step)),
                 "edges": Array(i32, edges, ("steps", step, step)), "bin": Array(i32, n)},
                cover(n, 256), 256, ["x", "edges", "bin", n, edges], "bin", expected, 8 * n)


def interpolate(n, size, grid, block):
    first, step = -1.0, 2.0 / (size - 1)
    return Work({"x": Array(f64, n, AROUND), "table": Array(f64, size, ONE), "first": first,
                 "step": step, "y": Array(f64, n)}, grid, block,
                ["x", "table", "first", "step", "y", n, size], "y",
                lambda v: {"y": np.interp(v["x"], np.linspace(-1, 1, size), v["table"])}, 16 * n,
                rtol=1e-9, atol=1e-9)


def palette(count, shades):
    def expected(v):
        pixels, colours = (v[name].reshape(-1, 3).astype(int) for name in ("pixels", "colours"))
        apart = ((pixels[:, None, :] - colours[None, :, :]) ** 2).sum(axis=2)
        return {"index": apart.argmin(axis=1).astype(u8)}
    return Work({"pixels": Array(u8, 3 * count, ("whole", 0, 256)),
                 "colours": Array(u8, 3 * shades, ("whole", 0, 256)), "index": Array(u8, count),
                 "count": count, "shades": shades}, cover(count, 256), 256, None, "index", expected,
                4 * count, operations={"int32": 9 * count * shades})


def hamming(count, words):
    anything = ("whole", -(1 << 62), 1 << 62)

    def expected(v):
        bits = (v["codes"].reshape(count, words) ^ v["query"]).view(u8)
        return {"apart": np.unpackbits(bits, axis=1).sum(axis=1, dtype=i32)}
    return Work({"codes": Array(i64, count * words, anything), "query": Array(i64, words, anything),
                 "apart": Array(i32, count), "count": count, "words": words},
                cover(count, 256), 256, None, "apart", expected, count * (8 * words + 4))


def group_stats(n, groups, grid, block):
    def expected(v):
        weights = None, v["value"], v["value"] * v["value"]
        sums = [np.bincount(v["group"], w, minlength=groups) for w in weights]
        return {"stats": np.stack(sums, axis=1).astype(f64).ravel()}
    return Work({"group": Array(i32, n, ("whole", 0, groups)), "value": Array(f32, n, ONE),
                 "stats": Array(f64, 3 * groups)}, grid, block, ["group", "value", "stats", n],
                "stats", expected, 8 * n, rtol=1e-9)


def cluster_sums(n, width, clusters):
    def expected(v):
        sums = [np.bincount(v["cluster"], column, clusters) for column in v["points"].T]
        return {"sums": np.stack(sums, axis=1),
                "members": np.bincount(v["cluster"], minlength=clusters).astype(i32)}
    return Work({"points": Array(f32, (n, width), ONE),
                 "cluster": Array(u16, n, ("whole", 0, clusters)),
                 "sums": Array(f32, (clusters, width)), "members": Array(i32, clusters)},
                cover(n, 128), 128, ["points", "cluster", "sums", "members", n, width],
                "sums members", expected, n * (4 * width + 2), rtol=2e-3)


def pick(n, grid, block):
    limit = f32(0.75)

    def expected(v):
        there = np.flatnonzero(v["x"] > limit).astype(i32)
        return {"kept": np.pad(there, (0, n - there.size)), "count": np.array([there.size], i32)}
    return Work({"x": Array(f32, n, ONE), "limit": limit, "kept": Array(i32, n),
                 "count": Array(i32, 1)}, grid, block, ["x", "limit", "kept", "count", n],
                "kept count", expected, 5 * n,
                {"CUB": ("cub", "cub_pick", "x", "limit", "kept", "count", n)}, unordered=["kept"],
                cleared=["count"])


def distinct(n, keys):
    def expected(v):
        seen = np.bincount(v["key"], minlength=keys).astype(i32)
        return {"seen": seen, "count": np.array([(seen > 0).sum()], i32)}
    return Work({"key": Array(i32, n, ("whole", 0, keys)), "seen": Array(i32, keys),
                 "count": Array(i32, 1)}, cover(n, 256), 256, ["key", "seen", "count", n],
                "seen count", expected, 4 * n + 4 * keys, cleared=["seen", "count"])


ROWS = [
    ("bins of 50M among 1000 edges int32", bin_of, {"n": 50_000_017, "edges": 1000, "step": 1000},
     {"n": 5003, "edges": 37, "step": 101}),
    ("interpolate 40M in 2000 float64 [512, 128]", interpolate,
     {"n": 40_000_003, "size": 2000, "grid": 512, "block": 128},
     {"n": 5003, "size": 37, "grid": 3, "block": 96}),
    ("nearest of 16 colours, 20M uint8, flat", palette, {"count": 20_000_003, "shades": 16},
     {"count": 2003, "shades": 7}),
    ("hamming 2M x 8 int64, flat", hamming, {"count": 2_000_003, "words": 8},
     {"count": 2003, "words": 3}),
    ("statistics of 1000 groups, 20M, flat", group_stats,
     {"n": 20_000_003, "groups": 1000, "grid": 512, "block": 256},
     {"n": 5003, "groups": 37, "grid": 3, "block": 96}),
    ("sums of 64 clusters, 5M x 5", cluster_sums, {"n": 5_000_011, "width": 5, "clusters": 64},
     {"n": 5003, "width": 5, "clusters": 13}),
    ("pick a quarter of 24M [1024, 128]", pick, {"n": 24_000_001, "grid": 1024, "block": 128},
     {"n": 5003, "grid": 3, "block": 96}),
    ("distinct of 1M keys, 30M", distinct, {"n": 30_000_001, "keys": 1_000_003},
     {"n": 5003, "keys": 1009}),
]
