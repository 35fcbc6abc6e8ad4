"""Site percolation: labels spread between open neighbours until nothing changes."""
import numpy as np
from numba import cuda


@cuda.jit
def spread(labels, out, changed):
    i, j = cuda.grid(2)
    n, m = labels.shape
    if i >= n or j >= m:
        return
    out[i, j] = labels[i, j]
    if labels[i, j] == 0:
        return
    best = labels[i, j]
    if i > 0:
        best = max(best, labels[i - 1, j])
    if i < n - 1:
        best = max(best, labels[i + 1, j])
    if j > 0:
        best = max(best, labels[i, j - 1])
    if j < m - 1:
        best = max(best, labels[i, j + 1])
    if best > labels[i, j]:
        out[i, j] = best
        cuda.atomic.max(changed, 0, 1)


def clusters(open_sites):
    n, m = open_sites.shape
    labels = np.where(open_sites, np.arange(1, n * m + 1).reshape(n, m), 0).astype(np.int32)
    d, e = cuda.to_device(labels), cuda.device_array_like(labels)
    changed = cuda.to_device(np.ones(1, dtype=np.int32))
    threads = (8, 8)
    blocks = ((n + 7) // 8, (m + 7) // 8)
    while changed.copy_to_host()[0]:
        changed.copy_to_device(np.zeros(1, dtype=np.int32))
        spread[blocks, threads](d, e, changed)
        d, e = e, d
    return d.copy_to_host()


rng = np.random.default_rng(7)
field = rng.random((48, 48))
for p in [0.4, 0.55, 0.6, 0.7]:
    labels = clusters(field < p)
    ids, sizes = np.unique(labels[labels > 0], return_counts=True)
    top, bottom = labels[0], labels[-1]
    spanning = np.intersect1d(top[top > 0], bottom[bottom > 0])
    print(f"p={p:.2f}: {len(ids):4d} clusters, largest {sizes.max():5d}, "
          f"mean {sizes.mean():7.2f}, spans: {'yes' if spanning.size else 'no'}")
