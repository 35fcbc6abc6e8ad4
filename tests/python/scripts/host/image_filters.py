import os
os.environ.setdefault("NUMBA_CUDA_DEBUGINFO", "0")
import math
from math import ceil, sqrt
import numpy as np
import numba.cuda
import numba
from numba import cuda, float32, njit
from numba.cuda import jit as cjit, grid, shared, syncthreads

BLOCK = 16
RADIUS = 2
TILE = BLOCK + 2 * RADIUS
GAUSS = np.exp(-np.square(np.arange(-RADIUS, RADIUS + 1)) / 2.0).astype(np.float32)
GAUSS /= GAUSS.sum()


@cjit
def blur(img, out):
    tile = shared.array(shape=(TILE, TILE), dtype=float32)
    w = cuda.const.array_like(GAUSS)
    x, y = grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    h, wd = img.shape[:2]
    for dy in range(ty, TILE, BLOCK):
        for dx in range(tx, TILE, BLOCK):
            sy = min(max(cuda.blockIdx.y * BLOCK + dy - RADIUS, 0), h - 1)
            sx = min(max(cuda.blockIdx.x * BLOCK + dx - RADIUS, 0), wd - 1)
            tile[dy, dx] = img[sy, sx]
    syncthreads()
    if y < h and x < wd:
        acc = float32(0.)
        for j in range(-RADIUS, RADIUS + 1):
            for i in range(-RADIUS, RADIUS + 1):
                acc += w[j + RADIUS] * w[i + RADIUS] * tile[ty + RADIUS + j, tx + RADIUS + i]
        out[y, x] = acc


@numba.cuda.jit(fastmath=True)
def hist256(img, bins):
    local = cuda.shared.array(256, numba.int32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    if t < 256:
        local[t] = 0
    cuda.syncthreads()
    x, y = cuda.grid(2)
    if x < img.shape[1] and y < img.shape[0]:
        cuda.atomic.add(local, img[y, x], 1)
    cuda.syncthreads()
    if t < 256:
        cuda.atomic.add(bins, t, local[t])


@cuda.jit
def mandel(out, xmin, xmax, ymin, ymax, iters):
    sx, sy = cuda.grid(2)
    gx, gy = cuda.gridsize(2)
    height, width = out.shape
    px, py = (xmax - xmin) / width, (ymax - ymin) / height
    for x in range(sx, width, gx):
        real = xmin + x * px
        for y in range(sy, height, gy):
            c = complex(real, ymin + y * py)
            z = 0.0j
            out[y, x] = 255
            for i in range(iters):
                z = z * z + c
                if (z.real * z.real + z.imag * z.imag) >= 4:
                    out[y, x] = i
                    break


rng = np.random.default_rng(9)
img = rng.random((50, 70), dtype=np.float32)
out = np.zeros_like(img)
bpg = (ceil(70 / BLOCK), ceil(50 / BLOCK))
blur[bpg, (BLOCK, BLOCK)](img, out)
pad = np.pad(img, RADIUS, mode="edge")
ref = sum(GAUSS[j] * GAUSS[i] * pad[j:j + 50, i:i + 70] for j in range(5) for i in range(5))
np.testing.assert_allclose(out, ref, rtol=1e-4)
im8 = (img * 255).astype(np.uint8)
bins = np.zeros(256, np.int32)
hist256[bpg, (BLOCK, BLOCK)](im8, bins)
np.testing.assert_array_equal(bins, np.bincount(im8.ravel(), minlength=256))
m = np.zeros((24, 32), np.uint8)
mandel[(2, 2), (8, 4)](m, -2.0, 1.0, -1.0, 1.0, 20)


def ref_m(x, y):
    z, c = 0j, complex(-2 + x * (3 / 32), -1 + y * (2 / 24))
    for i in range(20):
        z = z * z + c
        if z.real ** 2 + z.imag ** 2 >= 4:
            return i
    return 255


np.testing.assert_array_equal(m, [[ref_m(x, y) for x in range(32)] for y in range(24)])
rgb = np.dstack([im8] * 3)


@cuda.jit
def grey(src, dst):
    y, x = cuda.grid(2)
    if y < src.shape[0] and x < src.shape[1]:
        r, g, b = src[y, x]
        dst[y, x] = 0.299 * r + 0.587 * g + 0.114 * b


g = np.zeros(im8.shape, np.float32)
try:
    grey[(4, 5), (16, 16)](rgb, g)
except Exception as e:
    print("unpacking arrays:", type(e).__name__)
print("ok", m.sum())
