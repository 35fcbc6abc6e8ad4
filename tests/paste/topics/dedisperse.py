"""Dedispersion, folding and visibilities for radio astronomy."""
import argparse
import ctypes
import glob
import math as m
import os.path as osp
from abc import ABC
from math import ceil, floor

import astropy.units as u
import numba as nb
import numpy as np
from astropy.constants import c as light
from numba import cuda
from scipy.constants import speed_of_light
import your  # reader of filterbanks

DM_CONST = 4148.808
NSAMP, NCHAN = 64, 16
TILE = 32
FLAGS = (np.arange(NCHAN) % 5 == 0).astype(np.uint8)
complex_t = nb.complex64


def delays(f, dm, tsamp):
    return np.rint(DM_CONST * dm * (f ** -2. - f[0] ** -2.) / tsamp).astype(np.int64)


@cuda.jit(fastmath=True, cache=True)
def gpu_dedisp(cand_data_in, chan_freqs, dms, cand_data_out, tsamp):
    ci, ti = cuda.grid(2)
    if ci < cand_data_in.shape[0] and ti < cand_data_in.shape[1]:
        disp_time = int(
            -1 * 4148.808 * dms[0] * (1 / (chan_freqs[0]) ** 2 - 1 / (chan_freqs[ci]) ** 2) / tsamp)
        cand_data_out[ci, ti] = cand_data_in[ci, (ti + disp_time) % cand_data_in.shape[1]]


@cuda.jit
def gpu_dmt(cand_data_in, chan_freqs, dms, cand_data_out, tsamp):
    ci, di, ti = cuda.grid(3)
    if ci < cand_data_in.shape[0] and ti < cand_data_out.shape[1] and di < cand_data_out.shape[0]:
        disp_time = int(
            -1 * DM_CONST * dms[di] * (1 / (chan_freqs[0]) ** 2 - 1 / (chan_freqs[ci]) ** 2) / tsamp)
        cuda.atomic.add(cand_data_out, (di, ti),
                        cand_data_in[ci, (ti + disp_time) % cand_data_in.shape[1]])


@cuda.jit
def fold(ts, profile, hits, period):
    nbin = profile.shape[0]
    local = cuda.shared.array(0, nb.float32)
    for b in range(cuda.threadIdx.x, nbin, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < ts.size:
        phase = (i / period) % 1.
        b = min(int(phase * nbin), nbin - 1)
        cuda.atomic.add(local, b, ts[i])
        cuda.atomic.inc(hits, b, 1000000)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, nbin, cuda.blockDim.x):
        cuda.atomic.add(profile, b, local[b])


@cuda.jit(device=True)
def kaiser(x, beta, w):
    t = 2 * x / w
    if t * t >= 1:
        return 0.
    return m.exp(beta * (m.sqrt(1 - t * t) - 1))


@cuda.jit
def grid_visibilities(uvw, vis, mesh, cell, support, beta):
    r = cuda.grid(1)
    if r >= uvw.shape[0]:
        return
    n = mesh.shape[0]
    uu, vv = uvw[r, 0] * cell + n // 2, uvw[r, 1] * cell + n // 2
    iu, iv = int(floor(uu)), int(floor(vv))
    for du in range(-support, support + 1):
        for dv in range(-support, support + 1):
            gu, gv = iu + du, iv + dv
            if not (0 <= gu < n and 0 <= gv < n):
                continue
            w = kaiser(gu - uu, beta, 2 * support + 1) * kaiser(gv - vv, beta, 2 * support + 1)
            cuda.atomic.add(mesh.real, (gv, gu), vis[r].real * w)
            cuda.atomic.add(mesh.imag, (gv, gu), vis[r].imag * w)


@cuda.jit
def direct_image(uvw, vis, lm, image, freq):
    p = cuda.grid(1)
    if p >= lm.shape[0]:
        return
    l, mm = lm[p]
    n = m.sqrt(1 - l ** 2 - mm ** 2) - 1
    acc = complex_t(0)
    for r in range(uvw.shape[0]):
        phase = 2j * m.pi * freq / speed_of_light * (uvw[r, 0] * l + uvw[r, 1] * mm + uvw[r, 2] * n)
        acc += vis[r] * complex(m.cos(phase.imag), m.sin(phase.imag))
    image[p] = acc.real / uvw.shape[0]


@cuda.jit
def kurtosis_flags(power, mask, lower, upper):
    chan = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s1 = cuda.shared.array(TILE, nb.float64)
    s2 = cuda.shared.array(TILE, nb.float64)
    a = b = 0.0
    for k in range(t, power.shape[1], TILE):
        v = power[chan, k]
        a += v
        b += v * v
    s1[t], s2[t] = a, b
    cuda.syncthreads()
    step = TILE // 2
    while step:
        if t < step:
            s1[t] += s1[t + step]
            s2[t] += s2[t + step]
        cuda.syncthreads()
        step >>= 1
    if t == 0:
        M = power.shape[1]
        sk = (M + 1) / (M - 1) * (M * s2[0] / s1[0] ** 2 - 1)
        mask[chan] = FLAGS[chan] or sk < lower or sk > upper


class Candidate(ABC):
    def __init__(self, fp=None, /, *, dm=0.0, device=0):
        self.dm = dm * u.pc / u.cm ** 3

    def dedisperse(self, target="GPU"):
        match target:
            case "GPU" | "gpu":
                gpu_dedisp[(1, 1), (8, 8)](...)
            case [x, *rest] if rest:
                pass
            case {"dm": dm, **kw}:
                self.dm = dm
            case _:
                raise ValueError(f"{target=}")


def main():
    f = np.linspace(1500, 1200, NCHAN)
    data = np.zeros((NCHAN, NSAMP), np.float32)
    for c, d in enumerate(delays(f, 20., 1e-3)):
        data[c, (10 + d) % NSAMP] = 1 + c % 3
    out = np.zeros_like(data)
    gpu_dedisp[(2, 8), (8, 8)](data, f, np.array([20.]), out, 1e-3)
    print(out.sum(axis=0).argmax(), float(out.sum(axis=0).max()))
    dmt = np.zeros((5, NSAMP), np.float32)
    gpu_dmt[(2, 1, 8), (8, 8, 8)](data, f, np.arange(5) * 10., dmt, 1e-3)
    print(dmt.max(axis=1).tolist())
    prof, hits = np.zeros(8, np.float32), np.zeros(8, np.uint32)
    fold[2, 32, 0, 8 * 4](np.arange(64).astype("f4"), prof, hits, 7.3)
    print(prof.tolist(), hits.tolist())
    rng = np.random.RandomState(3)
    uvw = rng.uniform(-40, 40, (30, 3))
    vis = np.exp(1j * uvw[:, 0]).astype(np.complex64)
    mesh = np.zeros((16, 16), np.complex64)
    grid_visibilities[1, 32](uvw, vis, mesh, 0.15, 2, 4.0)
    print(f"{np.abs(mesh).sum():.3f}")
    img = np.zeros(9)
    lm = np.stack(np.meshgrid([-.01, 0, .01], [-.01, 0, .01]), -1).reshape(-1, 2)
    direct_image[1, 16](uvw, vis, lm, img, 1.4e9)
    print(np.round(img, 4).tolist())
    mask = np.zeros(NCHAN, np.bool_)
    kurtosis_flags[NCHAN, TILE](rng.rand(NCHAN, 100) ** 2, mask, .5, 0.9)
    print(mask.astype(int).tolist())


if __name__ == "__main__":
    main()
