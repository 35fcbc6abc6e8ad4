import math

import numpy as np
from numba import cuda, float64


@cuda.jit
def assign(points, centres, labels):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best, nearest = 1e300, 0
        for c in range(centres.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                d += (points[i, k] - centres[c, k]) ** 2
            if d < best:
                best = d
                nearest = c
        labels[i] = nearest


@cuda.jit
def gather(points, labels, sums, counts):
    i = cuda.grid(1)
    if i < points.shape[0]:
        cuda.atomic.add(counts, labels[i], 1)
        for k in range(points.shape[1]):
            cuda.atomic.add(sums, (labels[i], k), points[i, k])


rng = np.random.default_rng(12)
points = np.concatenate([rng.normal(centre, 0.3, (200, 2)) for centre in ((0, 0), (5, 5), (0, 5))])
centres = points[[0, 250, 450]].copy()
expected = centres.copy()
d_points, d_labels = cuda.to_device(points), cuda.device_array(len(points), np.int64)
for _ in range(10):
    assign[5, 128](d_points, centres, d_labels)
    sums, counts = np.zeros((3, 2)), np.zeros(3, np.int64)
    gather[5, 128](d_points, d_labels, sums, counts)
    centres = sums / counts[:, None]
    labels = ((points[:, None] - expected[None]) ** 2).sum(-1).argmin(1)
    expected = np.stack([points[labels == c].mean(0) for c in range(3)])
np.testing.assert_array_equal(d_labels.copy_to_host(), labels)
np.testing.assert_allclose(centres, expected, rtol=1e-9)
