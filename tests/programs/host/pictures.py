"""Pictures: edges, blurs, equalisation, parts that hang together, and moments, on the device and off it."""
import math

import numpy as np
from numba import cuda, njit, float32

RADIUS = 2
TILE = 16


@cuda.jit
def edges(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if 0 < x < w - 1 and 0 < y < h - 1:
        gx = gy = 0.0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                value = image[y + dy, x + dx]
                gx += dx * (2 - abs(dy)) * value
                gy += dy * (2 - abs(dx)) * value
        out[y, x] = math.hypot(gx, gy)


@cuda.jit
def blur(image, weights, out):
    tile = cuda.shared.array((TILE + 2 * RADIUS, TILE), dtype=float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y0 = cuda.blockIdx.y * TILE
    h, w = image.shape
    for row in range(ty, TILE + 2 * RADIUS, cuda.blockDim.y):
        y = min(max(y0 + row - RADIUS, 0), h - 1)
        if x < w:
            tile[row, tx] = image[y, x]
    cuda.syncthreads()
    y = y0 + ty
    if x < w and y < h:
        total = float32(0)
        for k in range(2 * RADIUS + 1):
            total += weights[k] * tile[ty + k, tx]
        out[y, x] = total


@cuda.jit
def histogram(image, bins):
    local = cuda.shared.array(16, dtype=np.int32)
    i = cuda.threadIdx.x
    if i < 16:
        local[i] = 0
    cuda.syncthreads()
    for k in range(cuda.grid(1), image.size, cuda.gridsize(1)):
        value = image[k // image.shape[1], k % image.shape[1]]
        cuda.atomic.add(local, min(15, int(value * 16)), 1)
    cuda.syncthreads()
    if i < 16:
        cuda.atomic.add(bins, i, local[i])


@njit
def label(mask):
    parent = np.arange(mask.size)
    h, w = mask.shape
    for y in range(h):
        for x in range(w):
            if not mask[y, x]:
                continue
            for k in range(2):
                v, u = (y - 1, x) if k else (y, x - 1)
                if v >= 0 and u >= 0 and mask[v, u]:
                    a, b = y * w + x, v * w + u
                    while parent[a] != a:
                        a = parent[a]
                    while parent[b] != b:
                        b = parent[b]
                    parent[max(a, b)] = min(a, b)
    for i in range(mask.size):
        root = i
        while parent[root] != root:
            root = parent[root]
        parent[i] = root
    return parent.reshape(mask.shape)


def scene(h, w):
    y, x = np.mgrid[0:h, 0:w]
    image = 0.1 + 0.2 * x / w
    image[(y - 10) ** 2 + (x - 12) ** 2 < 36] += 0.5
    image[(np.abs(y - 25) < 4) & (np.abs(x - 30) < 8)] = 0.9
    return image.astype(np.float32)


image = scene(37, 45)
h, w = image.shape
grid = ((w + TILE - 1) // TILE, (h + TILE - 1) // TILE)
found = cuda.device_array_like(image)
found[:] = 0
edges[grid, (TILE, TILE)](cuda.to_device(image), found)
strength = found.copy_to_host()
print("edges", (strength > 1).sum(), np.unravel_index(strength.argmax(), strength.shape), f"{strength.max():.4f}")
weights = np.exp(-np.arange(-RADIUS, RADIUS + 1) ** 2 / 2.0).astype(np.float32)
weights /= weights.sum()
d_image, d_out = cuda.to_device(image), cuda.device_array(image.shape, np.float32)
blur[grid, (TILE, 8)](d_image, cuda.to_device(weights), d_out)
blurred = d_out.copy_to_host()[:8]
padded = np.pad(image, ((RADIUS, RADIUS), (0, 0)), mode="edge")
wanted = sum(weights[k] * padded[k:k + h] for k in range(2 * RADIUS + 1))
print("blur", np.allclose(blurred[:8], wanted[:8], atol=1e-6), wanted.dtype, wanted.shape)
bins = np.zeros(16, dtype=np.int32)
histogram[4, 64](image, bins)
print("bins", bins.tolist(), bins.sum() == image.size, (bins == np.histogram(image, 16, (0, 1))[0]).all())
steps = np.cumsum(bins) / image.size
equal = np.interp(image.ravel(), np.linspace(0, 1, 17), np.concatenate(([0], steps))).reshape(image.shape)
print("equalised", equal.min().round(4), equal.max().round(4), np.round(np.mean(equal), 4))
labels = label(image > 0.5)
names, sizes = np.unique(labels[image > 0.5], return_counts=True)
for name, size in zip(names, sizes):
    ys, xs = np.nonzero((labels == name) & (image > 0.5))
    print(f"part {name:4d}: {size:3d} points, centre ({ys.mean():.2f}, {xs.mean():.2f}), box {ys.min()}:{ys.max() + 1}, {xs.min()}:{xs.max() + 1}")
chars = " .:-=+*#%@"
for row in image[::6, ::2]:
    print("|" + "".join(chars[int(v * 9.99)] for v in row) + "|")
