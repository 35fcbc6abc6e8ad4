import cv2
import numpy as np
from numba import cuda
import numba
from timeit import default_timer as timer
from pathlib import Path

KERNEL_SIZE = 5
SIGMA = 1.2
RADIUS = KERNEL_SIZE // 2
TILE = 8
SH = TILE + 2 * RADIUS


def gaussian_kernel(size, sigma):
    ax = np.linspace(-(size - 1) / 2., (size - 1) / 2., size)
    gauss = np.exp(-0.5 * np.square(ax) / np.square(sigma))
    kernel = np.outer(gauss, gauss)
    return kernel / np.sum(kernel)


GAUSS = gaussian_kernel(KERNEL_SIZE, SIGMA).astype(np.float32)
SOBEL_X = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=np.float32)
SOBEL_Y = SOBEL_X.T
LUMA = np.array([0.299, 0.587, 0.114])
LUT = np.clip(np.power(np.arange(256) / 255.0, 1 / 2.2) * 255.0, 0, 255).astype(np.uint8)
cross = np.zeros((3, 3), np.uint8)
cross[1, :] = 1
cross[:, 1] = 1
SHARPEN = np.zeros((3, 3), np.float32); SHARPEN[1, 1] = 2
box = np.ones((3, 3)) / 9


@cuda.jit
def to_gray(src, dst):
    x, y = cuda.grid(2)
    if x < dst.shape[0] and y < dst.shape[1]:
        r, g, b = src[x, y, 0], src[x, y, 1], src[x, y, 2]
        dst[x, y] = LUMA[0] * r + LUMA[1] * g + LUMA[2] * b


@cuda.jit
def blur_shared(src, dst):
    tile = cuda.shared.array((SH, SH), numba.float32)
    tx = cuda.threadIdx.x; ty = cuda.threadIdx.y
    x0 = cuda.blockIdx.x * cuda.blockDim.x - RADIUS
    y0 = cuda.blockIdx.y * cuda.blockDim.y - RADIUS
    h, w = src.shape
    for dx in range(tx, SH, TILE):
        for dy in range(ty, SH, TILE):
            tile[dx, dy] = src[min(max(x0 + dx, 0), h - 1), min(max(y0 + dy, 0), w - 1)]
    cuda.syncthreads()
    x, y = cuda.grid(2)
    if x < h and y < w:
        acc = numba.float32(0)
        for i in range(KERNEL_SIZE):
            for j in range(KERNEL_SIZE):
                acc += GAUSS[i, j] * tile[tx + i, ty + j]
        dst[x, y] = acc


@cuda.jit
def sobel(src, mag, ang):
    i, j = cuda.grid(2)
    if 1 <= i < src.shape[0] - 1 and 1 <= j < src.shape[1] - 1:
        gx = gy = 0.0
        for a in (-1, 0, 1):
            for b in (-1, 0, 1):
                gx += SOBEL_X[a + 1, b + 1] * src[i + a, j + b]
                gy += SOBEL_Y[a + 1][b + 1] * src[i + a, j + b]
        mag[i, j] = np.sqrt(gx ** 2 + gy ** 2)
        ang[i, j] = np.arctan2(gy, gx) * 180 / np.pi


@cuda.jit
def gamma(img):
    start = cuda.grid(1)
    flat = img.reshape(img.size)
    for i in range(start, flat.size, cuda.gridsize(1)):
        flat[i] = LUT[flat[i]]


@cuda.jit
def dilate(src, dst):
    i, j = cuda.grid(2)
    if i < src.shape[0] and j < src.shape[1]:
        m = src.dtype.type(0)
        for a in range(3):
            for b in range(3):
                ii = i + a - 1
                jj = j + b - 1
                if cross[a, b] and 0 <= ii < src.shape[0] and 0 <= jj < src.shape[1]:
                    m = max(m, src[ii, jj])
        dst[i, j] = m + SHARPEN[1, 1] * 0


@cuda.jit
def mean3(src, dst):
    i, j = cuda.grid(2)
    if i >= src.shape[0] - 2 or j >= src.shape[1] - 2:
        return
    acc = 0
    window = src[i:i + 3, j:j + 3]
    for a in range(3):
        for b in range(3):
            acc += window[a, b] * box[a, b]
    dst[i + 1, j + 1] = acc


if __name__ == "__main__":
    img = cv2.imread(str(Path(__file__).parent / "lena.png"))
    start = timer()
    gray = cuda.device_array(img.shape[:2], dtype=np.float32)
    to_gray[(64, 64), (TILE, TILE)](np.ascontiguousarray(img), gray)
    print("took %.3f ms" % ((timer() - start) * 1e3))
