"""Image warping: bilinear rotation, box and median filters, integral image, PGM-like text."""
import math
import numpy as np
from numba import cuda

N = 32
y, x = np.mgrid[:N, :N].astype(np.float32)
image = ((np.sin(x / 3) + np.cos(y / 4)) * 60 + 120).astype(np.float32)
image[10:20, 12:22] += 50


@cuda.jit
def rotate(src, dst, angle):
    j, i = cuda.grid(2)
    n, m = src.shape
    if i >= n or j >= m:
        return
    c, s = math.cos(angle), math.sin(angle)
    u = c * (j - m / 2) - s * (i - n / 2) + m / 2
    v = s * (j - m / 2) + c * (i - n / 2) + n / 2
    j0, i0 = int(math.floor(u)), int(math.floor(v))
    if i0 < 0 or j0 < 0 or i0 + 1 >= n or j0 + 1 >= m:
        dst[i, j] = 0
        return
    a, b = u - j0, v - i0
    dst[i, j] = ((1 - a) * (1 - b) * src[i0, j0] + a * (1 - b) * src[i0, j0 + 1]
                 + (1 - a) * b * src[i0 + 1, j0] + a * b * src[i0 + 1, j0 + 1])


@cuda.jit
def median3(src, dst):
    j, i = cuda.grid(2)
    n, m = src.shape
    if i >= n or j >= m:
        return
    v = cuda.local.array(9, np.float32)
    count = 0
    for di in range(-1, 2):
        for dj in range(-1, 2):
            a = min(max(i + di, 0), n - 1)
            b = min(max(j + dj, 0), m - 1)
            value = src[a, b]
            k = count
            while k > 0 and v[k - 1] > value:
                v[k] = v[k - 1]
                k -= 1
            v[k] = value
            count += 1
    dst[i, j] = v[4]


def box(image, r):
    s = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    s[1:, 1:] = image.cumsum(axis=0).cumsum(axis=1)
    k = 2 * r + 1
    return (s[k:, k:] - s[:-k, k:] - s[k:, :-k] + s[:-k, :-k]) / k**2


grid, block = (4, 4), (8, 8)
turned = np.zeros_like(image)
rotate[grid, block](image, turned, math.radians(30))
smooth = np.zeros_like(image)
median3[grid, block](turned, smooth)
print(turned.dtype, f"{turned.mean():.4f} {turned.max():.4f} zeros {(turned == 0).sum()}")
print(f"{smooth.mean():.4f} {np.abs(smooth - turned).max():.4f}")
b = box(image.astype(np.float64), 2)
print(b.shape, b[:3, :3].round(3))
direct = np.lib.stride_tricks.sliding_window_view(image.astype(np.float64), (5, 5)).mean(axis=(2, 3))
print(np.allclose(b, direct), f"{np.abs(b - direct).max() < 1e-9}")
levels = np.clip(np.rint(smooth), 0, 255).astype(np.uint8)
for row in levels[::4, ::2]:
    print("".join(" .:-=+*#%@"[min(int(v) // 26, 9)] for v in row))
print(np.histogram(levels, bins=4, range=(0, 256))[0], np.gradient(b[0])[:3].round(4))
