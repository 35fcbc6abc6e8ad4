"""k-means: distances by a kernel, new centres by atomics, until nothing moves."""
import numpy as np
from numba import cuda

K = 3


@cuda.jit
def assign(points, centres, label):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best = 0
        nearest = 1e30
        for k in range(centres.shape[0]):
            dx = points[i, 0] - centres[k, 0]
            dy = points[i, 1] - centres[k, 1]
            d = dx * dx + dy * dy
            if d < nearest:
                nearest = d
                best = k
        label[i] = best


@cuda.jit
def count(label, counts):
    i = cuda.grid(1)
    if i < label.shape[0]:
        cuda.atomic.add(counts, label[i], 1)


def centre_of(points, label, k):
    chosen = points[label == k]
    return chosen.mean(axis=0)


t = np.arange(60)
points = np.zeros((60, 2))
points[:, 0] = np.sin(t * 1.7) + 4.0 * (t % 3)
points[:, 1] = np.cos(t * 2.3) + 3.0 * (t % 3 == 1)
centres = points[:K].copy()
label = np.zeros(60, dtype=np.int64)
for iteration in range(20):
    assign[2, 32](points, centres, label)
    before = centres.copy()
    for k in range(K):
        centres[k] = centre_of(points, label, k)
    moved = np.abs(centres - before).max()
    if moved < 1e-12:
        break
counts = np.zeros(K, dtype=np.int64)
count[2, 32](label, counts)
print("iterations:", iteration + 1)
for k in range(K):
    print(f"centre {k}: ({centres[k, 0]:.4f}, {centres[k, 1]:.4f}), {counts[k]} points")
