import sys
if sys.version_info[0] < 3:
    raise SystemExit("Python 3 needed")
import cv2
import numpy as np
from PIL import Image, ImageFilter
from skimage import io as skio
from tqdm import tqdm
from numba import cuda, jit, vectorize, guvectorize, uint8, float32, int32
from numba import types as nbt
import click

H, W = 480, 640
SIGMA_S, SIGMA_R = 3.0, 25.0
RADIUS = 5
KERNEL_SIZE = 2 * RADIUS + 1
gauss = np.exp(-np.arange(-RADIUS, RADIUS + 1) ** 2 / (2 * SIGMA_S ** 2)).astype(np.float32)
gauss /= gauss.sum()
SOBEL_X = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=np.float32)
SOBEL_Y = SOBEL_X.T.copy()
LUT = np.clip(np.arange(256) * 1.2, 0, 255).astype(np.uint8)
bayer = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16.0
lum = (0.299, 0.587, 0.114)

@cuda.jit('void(uint8[:,:,::1], uint8[:,::1])')
def rgb2gray(src, dst):
    x, y = cuda.grid(2)
    if x < dst.shape[1] and y < dst.shape[0]:
        r, g, b = src[y, x, 0], src[y, x, 1], src[y, x, 2]
        dst[y, x] = uint8(lum[0] * r + lum[1] * g + lum[2] * b + 0.5)

@cuda.jit
def bilateral(src, dst):
    x, y = cuda.grid(2)
    if not (x < W and y < H):
        return
    c = float32(src[y, x])
    num = den = float32(0)
    for dy in range(-RADIUS, RADIUS + 1):
        for dx in range(-RADIUS, RADIUS + 1):
            xx = min(max(x + dx, 0), W - 1)
            yy = min(max(y + dy, 0), H - 1)
            v = float32(src[yy, xx])
            w = gauss[dx + RADIUS] * gauss[dy + RADIUS] * 2.718281828 ** (-(v - c) ** 2 / (2 * SIGMA_R ** 2))
            num += w * v
            den += w
    dst[y, x] = num / den

@cuda.jit
def sobel(src, mag):
    gx_k = cuda.const.array_like(SOBEL_X)
    gy_k = cuda.const.array_like(SOBEL_Y)
    x, y = cuda.grid(2)
    if 0 < x < src.shape[1] - 1 and 0 < y < src.shape[0] - 1:
        gx = gy = 0.
        for j in range(3):
            for i in range(3):
                p = src[y + j - 1, x + i - 1]
                gx += gx_k[j, i] * p
                gy += gy_k[j, i] * p
        mag[y, x] = (gx * gx + gy * gy) ** .5

@cuda.jit
def lut_dither(src, dst, dither):
    for y in range(cuda.blockIdx.y, src.shape[0], cuda.gridDim.y):
        for x in range(cuda.threadIdx.x, src.shape[1], cuda.blockDim.x):
            v = LUT[src[y, x]]
            if dither:
                v = 255 if v / 255. > bayer[y % 4, x % 4] else 0
            dst[y, x] = v

@cuda.jit
def histogram(img, hist):
    local = cuda.shared.array(256, int32)
    tid = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    nt = cuda.blockDim.x * cuda.blockDim.y
    for i in range(tid, 256, nt): local[i] = 0
    cuda.syncthreads()
    x, y = cuda.grid(2)
    gx, gy = cuda.gridsize(2)
    while y < img.shape[0]:
        xx = x
        while xx < img.shape[1]:
            cuda.atomic.add(local, img[y, xx], 1)
            xx += gx
        y += gy
    cuda.syncthreads()
    for i in range(tid, 256, nt): cuda.atomic.add(hist, i, local[i])

@vectorize(['float32(float32, float32)'], target='cuda')
def blend(a, b):
    return 0.5 * (a + b)

@guvectorize([(float32[:, :], float32[:])], '(m,n)->(m)', target='cuda')
def rowmax(a, out):
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(1, a.shape[1]):
            if a[i, j] > m:
                m = a[i, j]
        out[i] = m

@click.command()
@click.argument('path', type=click.Path(exists=True))
@click.option('--show/--no-show', default=False, help='Show it.')
def main(path, show):
    img = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    gray = np.zeros(img.shape[:2], np.uint8)
    griddim = (W // 16, H // 16)
    rgb2gray[griddim, (16, 16)](img, gray)
    for _ in tqdm(range(10), desc=f"{path!s:>20}"):
        bilateral[griddim, (16, 16)](gray, gray.copy())
    if show:
        Image.fromarray(gray).filter(ImageFilter.BLUR).show()
    print(f"{gray.mean()=:.2f}", *[f"{k}={v}" for k, v in {"h": H, "w": W}.items()], sep="\n")

if __name__ == "__main__":
    main()
