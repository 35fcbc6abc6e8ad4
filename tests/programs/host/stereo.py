"""Disparity of two pictures by sums of absolute differences, with a left-right check."""
import numpy as np
from numba import cuda, uint8, int32

W, H, MAXD, R = 48, 24, 8, 2
rng = np.random.default_rng(12)
texture = rng.integers(0, 256, (H, W + MAXD), dtype=np.uint8)
truth = np.full((H, W), 2)
truth[6:18, 12:30] = 5
truth[10:14, 16:24] = 7
left = texture[:, :W].copy()
right = np.zeros_like(left)
for y in range(H):
    for x in range(W):
        xr = x - truth[y, x]
        if xr >= 0:
            right[y, xr] = left[y, x]
hole = right == 0
right[hole] = rng.integers(0, 256, hole.sum())


@cuda.jit
def sad(a, b, sign, disparity, cost):
    x, y = cuda.grid(2)
    h, w = a.shape
    if x >= w or y >= h:
        return
    best, where = 2 ** 30, 0
    for d in range(MAXD):
        total = int32(0)
        for dy in range(-R, R + 1):
            for dx in range(-R, R + 1):
                yy = min(max(y + dy, 0), h - 1)
                xa = min(max(x + dx, 0), w - 1)
                xb = min(max(x + dx + sign * d, 0), w - 1)
                total += abs(int32(a[yy, xa]) - int32(b[yy, xb]))
        if total < best:
            best = total
            where = d
    disparity[y, x] = where
    cost[y, x] = best


def match(a, b, sign):
    disp, cost = np.zeros(a.shape, np.uint8), np.zeros(a.shape, np.int32)
    tpb = 16, 8
    bpg = (a.shape[1] + tpb[0] - 1) // tpb[0], (a.shape[0] + tpb[1] - 1) // tpb[1]
    sad[bpg, tpb](a, b, sign, disp, cost)
    return disp, cost


dl, cl = match(left, right, -1)
dr, cr = match(right, left, 1)
xs = np.arange(W)[np.newaxis, :].repeat(H, axis=0)
ys = np.arange(H)[:, np.newaxis].repeat(W, axis=1)
back = dr[ys, np.clip(xs - dl.astype(int), 0, W - 1)]
valid = np.abs(back.astype(np.int16) - dl) <= 1
inner = (slice(R, -R), slice(MAXD + R, -R))
hits = (dl == truth)[inner]
print("right: %.2f%%, of the valid: %.2f%%, valid: %.2f%%" % tuple(
    100 * v for v in (hits.mean(), hits[valid[inner]].mean(), valid[inner].mean())))
filled = np.where(valid, dl, 255)
for y in range(H):
    row = filled[y]
    good = np.flatnonzero(row != 255)
    if good.size:
        at = np.searchsorted(good, np.arange(W)).clip(0, good.size - 1)
        filled[y] = row[good[at]]
median = np.median(np.lib.stride_tricks.sliding_window_view(np.pad(filled, 1, "edge"), (3, 3)), axis=(2, 3))
print(median.dtype, "after the median: %.2f%%" % (100 * (median == truth)[inner].mean()))
for row in median[::2].astype(int):
    print("".join(".123456789"[v] for v in row))
values, counts = np.unique(median, return_counts=True)
print(list(zip(values.tolist(), counts.tolist())))
conf = np.histogram2d(truth[inner].ravel(), median[inner].ravel(), bins=[np.arange(9)] * 2)[0].astype(int)
print(conf[[2, 5, 7]])
print(cl[inner].max(), int(cl.sum()), np.percentile(cr, [50, 90, 99]))
depth = np.divide(700.0 * 0.1, median, out=np.full(median.shape, np.inf), where=median > 0) if False else np.where(median > 0, 70.0 / np.maximum(median, 1), np.inf)
print(f"nearest {depth.min()} m, farthest {depth[np.isfinite(depth)].max()} m")
