"""Projections, Fourier slices, contrast transfer and orientations for electron microscopy."""
import contextlib
import math
import pathlib
from concurrent import futures
from functools import reduce, wraps
from itertools import product

import mrcfile
import numpy as np
from numba import cuda
from numba.types import float32, float64, complex64

ROOT = pathlib.Path(__file__).parent / "data"
VOLT, CS, AMP = 300e3, 2.7e7, 0.07
LAMBDA = 12.2639 / math.sqrt(VOLT + 0.97845e-6 * VOLT ** 2)
QUATERNIONS = np.array([q for q in product((-1, 0, 1), repeat=4) if sum(c * c for c in q) == 1], float)
GOLDEN = (1 + 5 ** 0.5) / 2
IDENTITY = np.eye(3)
assert QUATERNIONS.shape == (8, 4), QUATERNIONS.shape


def timed(label=None, /):
    def deco(f):
        @wraps(f)
        def inner(*a, **k):
            with contextlib.ExitStack() as stack:
                return f(*a, **k)
        return inner
    return deco


@cuda.jit(device=True)
def rotation(q, r):
    w, x, y, z = q[0], q[1], q[2], q[3]
    r[0, 0], r[0, 1], r[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    r[1, 0], r[1, 1], r[1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    r[2, 0], r[2, 1], r[2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)


@cuda.jit(device=True, inline=True)
def trilinear(vol, z, y, x):
    iz, iy, ix = math.floor(z), math.floor(y), math.floor(x)
    fz, fy, fx = z - iz, y - iy, x - ix
    n = vol.shape[0]
    acc = 0.0
    for dz in (0, 1):
        for dy in (0, 1):
            for dx in (0, 1):
                k, j, i = int(iz) + dz, int(iy) + dy, int(ix) + dx
                if 0 <= k < n and 0 <= j < n and 0 <= i < n:
                    wz = fz if dz else 1 - fz
                    wy = fy if dy else 1 - fy
                    wx = fx if dx else 1 - fx
                    acc += wz * wy * wx * vol[k, j, i]
    return acc


@cuda.jit
def project(vol, quats, images):
    x, y, p = cuda.grid(3)
    P, H, W = images.shape
    if x >= W or y >= H or p >= P:
        return
    r = cuda.local.array((3, 3), float64)
    rotation(quats[p], r)
    c = (vol.shape[0] - 1) / 2
    s = 0.0
    for t in range(vol.shape[0]):
        a, b, d = x - (W - 1) / 2, y - (H - 1) / 2, t - c
        s += trilinear(vol, r[2, 0] * a + r[2, 1] * b + r[2, 2] * d + c,
                       r[1, 0] * a + r[1, 1] * b + r[1, 2] * d + c,
                       r[0, 0] * a + r[0, 1] * b + r[0, 2] * d + c)
    images[p, y, x] = s


@cuda.jit
def ctf(defocus, pixel, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        n = out.shape[0]
        ky = (i if i < n // 2 else i - n) / (n * pixel)
        kx = (j if j < n // 2 else j - n) / (n * pixel)
        s2 = kx * kx + ky * ky
        chi = math.pi * LAMBDA * defocus * s2 - math.pi / 2 * CS * LAMBDA ** 3 * s2 ** 2
        out[i, j] = -math.sqrt(1 - AMP ** 2) * math.sin(chi) - AMP * math.cos(chi)


@cuda.jit
def insert_slice(image, q, volume, weight):
    i, j = cuda.grid(2)
    n = image.shape[0]
    if i >= n or j >= n:
        return
    r = cuda.local.array((3, 3), float64)
    rotation(q, r)
    v, u = i - n // 2, j - n // 2
    at = cuda.local.array(3, float64)
    for a in range(3):
        at[a] = r[a, 0] * u + r[a, 1] * v + n // 2
    x, y, z = round(at[0]), round(at[1]), round(at[2])
    if 0 <= x < n and 0 <= y < n and 0 <= z < n:
        cuda.atomic.add(volume.real, (z, y, x), image[i, j].real)
        cuda.atomic.add(volume.imag, (z, y, x), image[i, j].imag)
        cuda.atomic.add(weight, (z, y, x), 1)


@cuda.jit
def ring_correlation(a, b, rings):
    i, j = cuda.grid(2)
    n = a.shape[0]
    if i < n and j < n:
        ring = int(math.hypot(i - n // 2, j - n // 2))
        if ring < rings.shape[0]:
            cuda.atomic.add(rings, (ring, 0), (a[i, j] * b[i, j].conjugate()).real)
            cuda.atomic.add(rings, (ring, 1), abs(a[i, j]) ** 2)
            cuda.atomic.add(rings, (ring, 2), abs(b[i, j]) ** 2)


@cuda.jit
def nearest_symmetry(quats, best, angle):
    p = cuda.grid(1)
    if p < quats.shape[0]:
        top = -1.0
        for k, s in enumerate(QUATERNIONS):
            d = abs(s[0] * quats[p, 0] + s[1] * quats[p, 1] + s[2] * quats[p, 2] + s[3] * quats[p, 3])
            if d > top:
                top = d
                best[p] = k
        angle[p] = 2 * math.acos(min(top, 1.0))


@timed("all")
def main(n=8):
    rng = np.random.default_rng(12)
    vol = rng.random((n, n, n))
    q = rng.normal(size=(3, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    images = np.zeros((3, n, n))
    project[(1, 1, 3), (8, 8, 1)](vol, q, images)
    print(np.round(images.sum(axis=(1, 2)), 8).tolist())
    c = np.zeros((n, n))
    ctf[(1, 1), (8, 8)](1.5e4, 1.1, c)
    print(round(abs(c).sum(), 8))
    f = np.fft.fftshift(np.fft.fft2(images[0]))
    v, w = np.zeros((n, n, n), complex), np.zeros((n, n, n))
    insert_slice[(1, 1), (8, 8)](f, q[1], v, w)
    print(round(abs(v).sum(), 4), int(w.sum()))
    rings = np.zeros((n // 2, 3))
    ring_correlation[(1, 1), (8, 8)](f, np.fft.fftshift(np.fft.fft2(images[1])), rings)
    print(np.round(rings[:, 0] / np.sqrt(rings[:, 1] * rings[:, 2]), 6).tolist())
    best, angle = np.zeros(3, np.int32), np.zeros(3)
    nearest_symmetry[1, 4](q, best, angle)
    print(best.tolist(), np.round(angle, 8).tolist())


if __name__ == "__main__":
    main()
