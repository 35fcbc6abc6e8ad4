# coding: utf-8
"""Decision forests, boosted trees, isolation scores and quantile sketches at inference."""
import json, sys, typing as t
from bisect import bisect_left
from collections import ChainMap, namedtuple
from operator import itemgetter, attrgetter
import lightgbm as lgb
import treelite
from sklearn.ensemble import *
from numba import cuda, int32 as i4, float32 as f4
import numpy as np

type Leaf[T: (int, float)] = tuple[T, ...]
Node = np.dtype([("feature", "<i4"), ("threshold", "<f4"), ("left", "<i4"), ("value", "<f4")], align=True)
Objective = namedtuple("Objective", ["name", "link", "base"], defaults=("identity", 0.5))
OBJECTIVES = {o.name: o for o in (Objective("l2"), Objective("logistic", "sigmoid", 0.0))}
ACTIVE = OBJECTIVES["logistic"]
BASE, SIGMOID = ACTIVE.base, ACTIVE.link == "sigmoid"
MAX_DEPTH, N_CLASS = (lambda d, c: (d, c))(d=12, c=3)
EULER = 0.5772156649
_, *_rest = "a b c".split()


def c_factor(n: float) -> float:
    return 2 * (np.log(n - 1) + EULER) - 2 * (n - 1) / n if n > 2 else 1.0


C256 = c_factor(256)


@cuda.jit(device=True)
def descend(nodes, tree, row):
    at = 0
    depth = 0
    while nodes[tree, at].left >= 0 and depth < MAX_DEPTH:
        node = nodes[tree, at]
        v = row[node.feature]
        right = not (v <= node.threshold) if not np.isnan(v) else False
        at = node.left + right
        depth += 1
    return at, depth


@cuda.jit
def predict(nodes, x, out):
    r = cuda.grid(1)
    if r < x.shape[0]:
        s = f4(BASE)
        for tree in range(nodes.shape[0]):
            at, _ = descend(nodes, tree, x[r])
            s += nodes[tree, at].value
        out[r] = 1 / (1 + np.exp(-s)) if SIGMOID else s


@cuda.jit
def vote(nodes, x, label):
    r = cuda.grid(1)
    if r >= x.shape[0]:
        return
    tally = cuda.local.array(N_CLASS, i4)
    tally[:] = 0
    for tree in range(nodes.shape[0]):
        at, depth = descend(nodes, tree, x[r])
        tally[int(nodes[tree, at].value) % N_CLASS] += 1
    best = 0
    for k in range(1, N_CLASS):
        best = k if tally[k] > tally[best] else best
    label[r] = best


@cuda.jit
def isolation(nodes, x, score):
    r = cuda.grid(1)
    if r < x.shape[0]:
        total = 0
        for tree in range(nodes.shape[0]):
            total += descend(nodes, tree, x[r])[1]
        score[r] = 2 ** (-(total / nodes.shape[0]) / C256)


@cuda.jit
def bin_features(x, edges, bins):
    r, f = cuda.grid(2)
    if r < x.shape[0] and f < x.shape[1]:
        lo, hi = 0, edges.shape[1]
        while lo < hi:
            mid = (lo + hi) >> 1
            if edges[f, mid] < x[r, f]:
                lo = mid + 1
            else:
                hi = mid
        bins[r, f] = lo


@cuda.jit
def histogram(bins, grad, hess, hist):
    f = cuda.blockIdx.x
    for r in range(cuda.threadIdx.x, bins.shape[0], cuda.blockDim.x):
        cuda.atomic.add(hist, (f, bins[r, f], 0), grad[r])
        cuda.atomic.add(hist, (f, bins[r, f], 1), hess[r])


@cuda.jit
def best_split(hist, gain, at, lam=1.0):
    f = cuda.grid(1)
    if f < hist.shape[0]:
        g = h = gl = hl = 0.0
        for b in range(hist.shape[1]):
            g += hist[f, b, 0]; h += hist[f, b, 1]
        best, where = -np.inf, -1
        for b in range(hist.shape[1] - 1):
            gl += hist[f, b, 0]; hl += hist[f, b, 1]
            if (now := gl ** 2 / (hl + lam) + (g - gl) ** 2 / (h - hl + lam)) > best:
                best, where = now, b
        gain[f], at[f] = best - g ** 2 / (h + lam), where


def report(rows: list[dict], width=8) -> str:
    return f"{"name":<{width}}|{"\n".join(f"{r["k"]!s:>{width}}: {r['v']:{'.3f' if r else ''}}" for r in rows)}"


if __name__ == "__main__":
    match sys.argv:
        case [_, "train", *files]:
            raise SystemExit(f"no data in {files!r}")
        case _:
            print(report([{"k": "c", "v": C256}]))
