"""Filtered back projection and Radon transform; class with kernels made in __init__."""
import math
from dataclasses import dataclass
import numpy as np
from numba import cuda, float32, int32
from numpy.typing import NDArray


@dataclass
class Geometry:
    n: int = 256
    n_angles: int = 180
    n_det: int = 367
    det_spacing: float = 1.0
    sod: float = 500.0

    @property
    def extent(self) -> float:
        return self.n / 2


GEO = Geometry()
ANGLES = np.deg2rad(np.arange(GEO.n_angles))
COS = np.cos(ANGLES).astype(np.float32)
SIN = np.sin(ANGLES).astype(np.float32)
RAMP = np.abs(np.fft.fftfreq(512)).astype(np.float32)


@cuda.jit(device=True)
def bilinear(img, y, x):
    x0 = int(math.floor(x)); y0 = int(math.floor(y))
    fx = x - x0; fy = y - y0
    h, w = img.shape
    if x0 < 0 or y0 < 0 or x0 + 1 >= w or y0 + 1 >= h:
        return float32(0.0)
    top = img[y0, x0] * (1 - fx) + img[y0, x0 + 1] * fx
    bot = img[y0 + 1, x0] * (1 - fx) + img[y0 + 1, x0 + 1] * fx
    return float32(top * (1 - fy) + bot * fy)


class Tomo:
    def __init__(self, geo: Geometry = GEO, tpb=(16, 16), oversample: int = 2):
        self.geo = geo
        self.tpb = tpb
        n, nd, na = geo.n, geo.n_det, geo.n_angles
        step = 1.0 / oversample
        half = geo.extent

        @cuda.jit
        def radon(img, sino):
            a, d = cuda.grid(2)
            if a >= na or d >= nd:
                return
            s = (d - nd / 2) * geo.det_spacing
            c, sn = COS[a], SIN[a]
            acc = 0.0
            t = -half * math.sqrt(2.0)
            while t < half * math.sqrt(2.0):
                x = s * c - t * sn + half
                y = s * sn + t * c + half
                acc += bilinear(img, y, x) * step
                t += step
            sino[a, d] = acc

        @cuda.jit
        def backproject(sino, img):
            y, x = cuda.grid(2)
            if y >= n or x >= n:
                return
            acc = float32(0)
            for a in range(na):
                s = (x - half) * COS[a] + (y - half) * SIN[a] + nd / 2
                k = int32(s)
                if 0 <= k < nd - 1:
                    w = s - k
                    acc += (1 - w) * sino[a, k] + w * sino[a, k + 1]
            img[y, x] = acc * math.pi / na

        self._radon, self._bp = radon, backproject

    def forward(self, img: NDArray[np.float32]) -> NDArray:
        sino = np.zeros((self.geo.n_angles, self.geo.n_det), np.float32)
        g = tuple(math.ceil(s / t) for s, t in zip(sino.shape, self.tpb))
        self._radon[g, self.tpb](img, sino)
        return sino

    def filter(self, sino):
        f = np.fft.fft(sino, 512, axis=1) * RAMP
        return np.fft.ifft(f, axis=1).real[:, : sino.shape[1]]


@cuda.jit
def apply_ramp(spec, out):
    a, k = cuda.grid(2)
    if a < spec.shape[0] and k < RAMP.size:
        out[a, k] = spec[a, k] * RAMP[k]


@cuda.jit
def sirt_update(x, corr, relax, nonneg=True):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i] + relax * corr[i]
        x[i] = max(v, 0) if nonneg else v
