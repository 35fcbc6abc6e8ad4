"""Gradient boosting on histograms, k-nearest neighbours, t-SNE forces."""
import gc
import inspect
import math
import typing
from itertools import chain, product

import numpy as np
import numba
from numba import cuda, f4, f8, i4, i8, u1

if typing.TYPE_CHECKING:
    from sklearn.base import BaseEstimator
    import pandas as pd

try:
    from sklearn.base import RegressorMixin
except Exception as exc:
    print("no sklearn:", exc)
    RegressorMixin = object

__version__ = "0.3.%d" % 7
MAX_BINS = 1 << 8
LEAF_SIZE, LAMBDA = 20, 1.0
KNN = 5
DISTANCES = {"l1": lambda d: abs(d), "l2": lambda d: d * d}
METRIC = "l2"
part = DISTANCES[METRIC]
OFFSETS = np.array(list(product((-1, 0, 1), repeat=2)), dtype=np.int8)


@cuda.jit((u1[:, ::1], f4[::1], f4[::1], i4[::1], f4[:, :, ::1]))
def histograms(bins, grad, hess, rows, out):
    """out[feature, bin] = sums of gradients and hessians of some rows."""
    local = cuda.shared.array((MAX_BINS, 2), f4)
    feature, t = cuda.blockIdx.x, cuda.threadIdx.x
    for b in range(t, MAX_BINS, cuda.blockDim.x):
        local[b, 0] = local[b, 1] = 0
    cuda.syncthreads()
    for k in range(t, rows.size, cuda.blockDim.x):
        row = rows[k]
        b = bins[row, feature]
        cuda.atomic.add(local, (b, 0), grad[row])
        cuda.atomic.add(local, (b, 1), hess[row])
    cuda.syncthreads()
    for b in range(t, MAX_BINS, cuda.blockDim.x):
        out[feature, b, 0], out[feature, b, 1] = local[b]


@cuda.jit
def best_split(hist, gains, at):
    feature = cuda.grid(1)
    if feature < hist.shape[0]:
        total = (0.0, 0.0)
        for b in range(MAX_BINS):
            total = (total[0] + hist[feature, b, 0], total[1] + hist[feature, b, 1])
        parent = total[0] ** 2 / (total[1] + LAMBDA)
        gl = hl = 0.0
        best, where = 0.0, -1
        for b in range(MAX_BINS - 1):
            gl += hist[feature, b, 0]
            hl += hist[feature, b, 1]
            gr, hr = total[0] - gl, total[1] - hl
            if hl < LEAF_SIZE or hr < LEAF_SIZE:
                continue
            gain = gl ** 2 / (hl + LAMBDA) + gr ** 2 / (hr + LAMBDA) - parent
            best, where = (gain, b) if gain > best else (best, where)
        gains[feature], at[feature] = best, where


@cuda.jit
def knn(x, idx, dist):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    d = cuda.local.array(KNN, f8)
    who = cuda.local.array(KNN, i8)
    d[:] = math.inf
    who[:] = -1
    for j in range(x.shape[0]):
        if i == j:
            continue
        s = 0.0
        for k in range(x.shape[1]):
            s += part(x[i, k] - x[j, k])
        if s < d[KNN - 1]:
            at = KNN - 1
            while at > 0 and d[at - 1] > s:
                d[at], who[at] = d[at - 1], who[at - 1]
                at -= 1
            d[at], who[at] = s, j
    idx[i, :] = who
    dist[i, :] = d


class Booster(RegressorMixin):
    """fit() and predict()."""

    _registry: typing.ClassVar[list] = []

    def __init_subclass__(cls, /, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._registry.append(cls)

    def fit(self, X: "pd.DataFrame", y, *, sample_weight=None):
        if (n := len(X)) == 0:
            raise ValueError("no rows")
        self.n_, self.trees_ = n, []
        for *_, last in chain([X], []):
            del last
        gc.collect()
        return self

    async def fit_async(self, queue):
        async for batch in queue:
            await self.partial(batch)
