# coding: utf-8
"""K-means clustering in the style of scikit-learn."""
import abc
import math
import typing

import numpy as np
from numba import cuda
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_array, check_is_fitted

MAX_CLUSTERS = 32
DIMS = 3


@cuda.jit
def assign_labels(points, centres, labels):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best, where = math.inf, 0
        for k in range(centres.shape[0]):
            d = 0.
            for c in range(DIMS):
                d += (points[i, c] - centres[k, c]) ** 2
            if d < best:
                best = d
                where = k
        labels[i] = where


@cuda.jit
def accumulate(points, labels, sums, counts):
    i = cuda.grid(1)
    if i < points.shape[0]:
        k = labels[i]
        for c in range(DIMS):
            cuda.atomic.add(sums, (k, c), points[i, c])
        cuda.atomic.add(counts, k, 1)


@cuda.jit
def divide(sums, counts, centres):
    k, c = cuda.grid(2)
    if k < centres.shape[0] and c < DIMS:
        if counts[k] > 0:
            centres[k, c] = sums[k, c] / counts[k]


class KMeansGPU(BaseEstimator, ClusterMixin, metaclass=abc.ABCMeta):
    """K-means.

    >>> KMeansGPU(3).fit(np.zeros((4, 3)))  # doctest: +ELLIPSIS
    """

    def __init__(self, n_clusters=8, *, max_iter: int = 300, tol=1e-4, verbose=False):
        self.n_clusters = n_clusters
        self.max_iter, self.tol = max_iter, tol
        self.verbose = verbose

    def fit(self, X, y=None) -> "KMeansGPU":
        X = check_array(X, dtype=[np.float64])
        centres = X[np.random.choice(len(X), self.n_clusters, replace=False), :]
        for it in range(self.max_iter):
            labels = np.empty(len(X), np.int32)
            assign_labels[len(X) // 128 + 1, 128](X, centres, labels)
            shift = ((centres - self._old) ** 2).sum() if hasattr(self, '_old') else np.inf
            if shift < self.tol: break
            elif self.verbose:
                print(f"{it = }, {shift=:.3e}, {'=' * (it % 10)}")
        else:
            raise RuntimeError("no convergence")
        self.labels_: typing.Any = labels
        return self

    @property
    def inertia_(self): return getattr(self, "_inertia", 0)

    @inertia_.setter
    def inertia_(self, value): self._inertia = value
