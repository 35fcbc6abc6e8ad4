"""Perlin's noise by a kernel, in octaves; its heights as a map of characters."""
import math

import numpy as np
from numba import cuda


@cuda.jit(device=True, inline=True)
def fade(t):
    return t * t * t * (t * (t * 6 - 15) + 10)


@cuda.jit(device=True)
def lerp(a, b, t):
    return a + t * (b - a)


@cuda.jit(device=True)
def grad(perm, ix, iy, x, y):
    h = perm[(perm[ix % 256] + iy) % 256] & 7
    u = x if h < 4 else y
    v = y if h < 4 else x
    return (u if h & 1 == 0 else -u) + (v if h & 2 == 0 else -v)


@cuda.jit
def perlin(perm, frequency, amplitude, out):
    for i in range(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y, out.shape[0],
                   cuda.blockDim.y * cuda.gridDim.y):
        for j in range(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x, out.shape[1],
                       cuda.blockDim.x * cuda.gridDim.x):
            x, y = j * frequency, i * frequency
            ix, iy = int(math.floor(x)), int(math.floor(y))
            fx, fy = x - ix, y - iy
            u, v = fade(fx), fade(fy)
            top = lerp(grad(perm, ix, iy, fx, fy), grad(perm, ix + 1, iy, fx - 1, fy), u)
            bottom = lerp(grad(perm, ix, iy + 1, fx, fy - 1),
                          grad(perm, ix + 1, iy + 1, fx - 1, fy - 1), u)
            out[i, j] += amplitude * lerp(top, bottom, v)


perm = np.random.RandomState(1).permutation(256).astype(np.int32)
height = cuda.to_device(np.zeros((40, 64)))
frequency, amplitude = 1 / 32, 1.0
for octave in range(5):
    perlin[(2, 2), (8, 8)](perm, frequency, amplitude, height)
    frequency *= 2
    amplitude /= 2
h = height.copy_to_host()
h = (h - h.min()) / np.ptp(h)
shades = " .:-=+*#%@"
for row in h[::4, ::2]:
    print("".join(shades[min(int(v * len(shades)), len(shades) - 1)] for v in row))
print("mean %.3f, above 0.5: %d" % (h.mean(), np.count_nonzero(h > 0.5)))
hist = np.histogram(h, bins=5, range=(0, 1))[0]
print(hist, hist.sum() == h.size)
gy, gx = np.gradient(h)
steep = np.unravel_index(np.argmax(np.hypot(gx, gy)), h.shape)
print("steepest at", tuple(int(s) for s in steep))
