"""Filters for microscopy stacks with CuPy around them."""
import cupy as cp
import cupyx.scipy.ndimage as ndi
import numpy as np
from cupy import float32 as f32
from numba import cuda, boolean, void, uint16, float32, int32, vectorize, guvectorize
from numba.cuda import libdevice as ld
from scipy.constants import pi, speed_of_light as c0

SOBEL = cp.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=cp.float32)
GAUSS = cp.outer(*2 * (cp.array([1., 2., 1.]) / 4,)) if False else np.outer([1., 4., 6., 4., 1.], [1., 4., 6., 4., 1.]) / 256
HALF = GAUSS.shape[0] // 2
WINDOW = 9
MIDDLE = WINDOW // 2
BITS = {8: np.uint8, 16: np.uint16}
source = cp.RawKernel(r'''
extern "C" __global__ void nothing(float *x) { x[0] = 1; }
''', "nothing")


@vectorize(["float32(float32, float32)"], target="cuda")
def ratio(a, b):
    return a / b if b else 0.0


@guvectorize([(float32[:], float32[:])], "(n)->()", target="cuda")
def rms(row, out):
    total = 0.0
    for v in row:
        total += v * v
    out[0] = (total / row.size) ** 0.5


@cuda.jit(void(uint16[:, :, ::1], float32[:, :, ::1], float32))
def normalise(stack, out, dark):
    z, y, x = cuda.grid(3)
    if z < stack.shape[0] and y < stack.shape[1] and x < stack.shape[2]:
        out[z, y, x] = max(f32(0), f32(stack[z, y, x]) - dark)


@cuda.jit
def blur(image, out):
    tile = cuda.shared.array((16 + 2 * HALF, 16 + 2 * HALF), cp.float32)
    ty, tx = cuda.threadIdx.y, cuda.threadIdx.x
    y0, x0 = cuda.blockIdx.y * 16 - HALF, cuda.blockIdx.x * 16 - HALF
    h, w = image.shape
    for dy in range(ty, tile.shape[0], 16):
        for dx in range(tx, tile.shape[1], 16):
            yy, xx = min(max(y0 + dy, 0), h - 1), min(max(x0 + dx, 0), w - 1)
            tile[dy, dx] = image[yy, xx]
    cuda.syncthreads()
    y, x = y0 + ty + HALF, x0 + tx + HALF
    if y < h and x < w:
        acc = f32(0.)
        for i in range(2 * HALF + 1):
            for j in range(2 * HALF + 1):
                acc += GAUSS[i, j] * tile[ty + i, tx + j]
        out[y, x] = acc


@cuda.jit
def edges(image, out, threshold):
    y, x = cuda.grid(2)
    strong = False
    if 0 < y < image.shape[0] - 1 and 0 < x < image.shape[1] - 1:
        gx = gy = f32(0)
        for i, row in enumerate(((-1, 0, 1), (-2, 0, 2), (-1, 0, 1))):
            for j in range(3):
                gx += row[j] * image[y + i - 1, x + j - 1]
                gy += SOBEL[j, i] * image[y + i - 1, x + j - 1]
        out[y, x] = ld.hypotf(gx, gy)
        strong = out[y, x] > threshold
    count = cuda.syncthreads_count(int(strong))
    if cuda.threadIdx.x == cuda.threadIdx.y == 0 and count:
        cuda.atomic.add(out, (0, 0), count)


@cuda.jit
def median3(image, out):
    y, x = cuda.grid(2)
    if not (1 <= y < image.shape[0] - 1 and 1 <= x < image.shape[1] - 1):
        return
    v = cuda.local.array(WINDOW, float32)
    for k in range(WINDOW):
        v[k] = image[y + k // 3 - 1, x + k % 3 - 1]
    for i in range(MIDDLE + 1):
        low = i
        for j in range(i + 1, WINDOW):
            low = j if v[j] < v[low] else low
        v[i], v[low] = v[low], v[i]
    out[y, x] = v[MIDDLE]


@cuda.jit
def phase(field, out, wavelength):
    i = cuda.grid(1)
    if i < field.size:
        z = field[i] * np.exp(2j * pi * i / wavelength)
        out[i] = np.arctan2(z.imag, z.real) % (2 * np.pi) * c0
