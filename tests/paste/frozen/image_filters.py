import os.path as osp
from glob import glob
import cv2
import numpy as np
from PIL import Image
from numba import cuda, uint8, float32, int32
from skimage import data, color as skcolor

KERNEL_SIZE = 5
HALF = KERNEL_SIZE // 2
SIGMA = 1.4
TPB = (16, 16)
SOBEL_X = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=np.float32)
SOBEL_Y = np.transpose(SOBEL_X)


def gaussian_weights(size, sigma):
    ax = np.arange(-(size // 2), size // 2 + 1)
    xx, yy = np.meshgrid(ax, ax)
    kernel = np.exp(-(xx ** 2 + yy ** 2) / (2 * sigma ** 2))
    return kernel / kernel.sum()


@cuda.jit
def grayscale(rgb, gray):
    x, y = cuda.grid(2)
    h, w = gray.shape
    if x < w and y < h:
        gray[y, x] = 0.299 * rgb[y, x, 0] + 0.587 * rgb[y, x, 1] + 0.114 * rgb[y, x, 2]


@cuda.jit
def blur(image, weights, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x >= w or y >= h:
        return
    acc = float32(0)
    for dy in range(-HALF, HALF + 1):
        for dx in range(-HALF, HALF + 1):
            yy = min(max(y + dy, 0), h - 1)
            xx = min(max(x + dx, 0), w - 1)
            acc += image[yy, xx] * weights[dy + HALF, dx + HALF]
    out[y, x] = acc


@cuda.jit
def sobel(image, out):
    x, y = cuda.grid(2)
    h, w = image.shape
    if 0 < x < w - 1 and 0 < y < h - 1:
        gx = float32(0)
        gy = float32(0)
        for i in range(3):
            for j in range(3):
                p = image[y + i - 1, x + j - 1]
                gx += SOBEL_X[i, j] * p
                gy += SOBEL_X[j, i] * p
        out[y, x] = (gx * gx + gy * gy) ** 0.5


@cuda.jit
def invert(image):
    x, y = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        image[y, x] = uint8(255) - image[y, x]


paths = sorted(glob(osp.join(osp.dirname(osp.abspath(__file__)), "*.jpg")))
images = {osp.basename(p): np.asarray(Image.open(p)) for p in paths}
for name, image in images.items():
    gray = np.empty(image.shape[:2], np.float32)
    grayscale[(64, 64), TPB](image, gray)
    cv2.imwrite(f"gray_{name}", gray); print(f"{name:<20}{gray.mean():6.2f}")
