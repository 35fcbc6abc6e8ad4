"""Delay-and-sum beamforming of plane-wave ultrasound on the GPU."""
import math
import json
import logging
from dataclasses import dataclass, field, asdict
from typing import ClassVar

import numpy as np
from numba import cuda, complex64, float32, int32, void

log = logging.getLogger(__name__)

INTERP = {"nearest": 0, "linear": 1, "quadratic": 2}
F_NUMBER = 1.5
SPEED = 1540.0
APOD_HANN, APOD_BOX = range(2)


@dataclass(frozen=True)
class Probe:
    pitch: float = 0.3e-3
    n_el: int = 16
    fs: float = 20e6
    fc: float = 5e6
    name: str = field(default="L7-4", compare=False)
    KINDS: ClassVar[tuple] = ("linear", "convex")

    @property
    def positions(self):
        return ((np.arange(self.n_el) - (self.n_el - 1) / 2) * self.pitch).astype(np.float32)

    def to_json(self):
        return json.dumps(asdict(self), indent=2)


@cuda.jit(device=True, inline="always")
def apodise(x, half, kind):
    u = abs(x) / half
    if u > 1:
        return 0.0
    if kind == APOD_HANN:
        return 0.5 + 0.5 * math.cos(math.pi * u)
    return 1.0


@cuda.jit(device=True)
def sample(rf, e, t, method):
    n = rf.shape[1]
    i0 = int(math.floor(t))
    if i0 < 1 or i0 + 2 >= n:
        return 0.0
    if method == 0:
        return rf[e, int(round(t))]
    w = t - i0
    if method == 1:
        return (1 - w) * rf[e, i0] + w * rf[e, i0 + 1]
    ym, y0, yp = rf[e, i0 - 1], rf[e, i0], rf[e, i0 + 1]
    return y0 + 0.5 * w * (yp - ym) + 0.5 * w * w * (yp - 2 * y0 + ym)


@cuda.jit("void(f4[:,::1], f4[::1], f4[::1], f4[::1], f4[:,::1], f4, f4, i4)")
def das(rf, elements, xs, zs, image, fs, theta, method):
    ix, iz = cuda.grid(2)
    if ix >= xs.shape[0] or iz >= zs.shape[0]:
        return
    x = xs[ix]
    z = zs[iz]
    half = z / F_NUMBER / 2 + 1e-9
    t_tx = (z * math.cos(theta) + x * math.sin(theta)) / SPEED
    acc = 0.0
    norm = 0.0
    for e in range(elements.size):
        dx = x - elements[e]
        a = apodise(dx, half, APOD_HANN)
        if a == 0:
            continue
        t_rx = math.hypot(dx, z) / SPEED
        acc += a * sample(rf, e, (t_tx + t_rx) * fs, method)
        norm += a
    image[iz, ix] = acc / norm if norm > 0 else 0.0


@cuda.jit
def demodulate(rf, iq, fc, fs):
    e, t = cuda.grid(2)
    if e < rf.shape[0] and t < rf.shape[1]:
        ph = -2 * math.pi * fc * t / fs
        iq[e, t] = complex(rf[e, t] * math.cos(ph), rf[e, t] * math.sin(ph))


@cuda.jit(void(complex64[:, :], float32[:, :], float32))
def compress(iq, out, dynamic_range):
    i, j = cuda.grid(2)
    if i < iq.shape[0] and j < iq.shape[1]:
        db = 20 * math.log10(abs(iq[i, j]) + 1e-12)
        out[i, j] = max(0.0, min(1.0, db / dynamic_range + 1))


def simulate(probe: Probe, n_t: int = 256) -> np.ndarray:
    t = np.arange(n_t) / probe.fs
    rf = np.empty((probe.n_el, n_t), np.float32)
    for e, x in enumerate(probe.positions):
        t0 = (2e-3 + np.hypot(x, 2e-3)) / SPEED
        rf[e] = np.exp(-((t - t0) * probe.fc) ** 2) * np.cos(2 * np.pi * probe.fc * (t - t0))
    return rf


def main():
    probe = Probe()
    rf = simulate(probe)
    xs = np.linspace(-2e-3, 2e-3, 12).astype("f4")
    zs = np.linspace(0.5e-3, 4e-3, 14).astype("f4")
    bpg = ((12 + 7) // 8, (14 + 7) // 8)
    for name, method in INTERP.items():
        img = cuda.device_array((14, 12), np.float32)
        das[bpg, (8, 8)](cuda.to_device(rf), probe.positions, xs, zs, img, probe.fs, 0.0, method)
        host = img.copy_to_host()
        print(f"{name:>10}: peak at row {np.abs(host).max(axis=1).argmax()}, {np.abs(host).max():.3f}")
    iq = np.zeros(rf.shape, np.complex64)
    demodulate[(2, 32), (8, 8)](rf, iq, probe.fc, probe.fs)
    env = np.zeros(rf.shape, np.float32)
    compress[(2, 32), (8, 8)](iq, env, 60.0)
    print(f"{env.mean():.4f} {np.abs(iq).sum():.3f}")


if __name__ == "__main__":
    main()
