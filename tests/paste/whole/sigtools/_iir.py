import warnings
from enum import Enum
from string import Template

import cupy as cp
import numpy as np
from numba import complex64, complex128, cuda, float32, float64, int64, void
from numba.core.errors import NumbaPerformanceWarning

from ._caches import _numba_kernel_cache

warnings.simplefilter("ignore", category=NumbaPerformanceWarning)


class Kinds(Enum):
    SOS = 0
    UPFIR = 1
    CONV = 2


def _get_numblk_tpb(n):
    tpb = 128
    return (n + tpb - 1) // tpb, tpb


# Numba kernel
def _sosfilt_kernel(sos, zi, x_in, x_out):
    i = cuda.grid(1)
    if i < x_in.shape[0]:
        n_sections = sos.shape[0]
        for n in range(x_in.shape[1]):
            x_n = x_in[i, n]
            for s in range(n_sections):
                y = sos[s, 0] * x_n + zi[i, s, 0]
                zi[i, s, 0] = sos[s, 1] * x_n - sos[s, 4] * y + zi[i, s, 1]
                zi[i, s, 1] = sos[s, 2] * x_n - sos[s, 5] * y
                x_n = y
            x_out[i, n] = x_n


def _numba_upfirdn_1d(x, h_trans_flip, up, down, x_shape_a, h_per_phase, padded_len, out):
    X = cuda.grid(1)
    strideX = cuda.gridsize(1)
    for i in range(X, out.shape[0], strideX):
        x_idx = int((i * down) // up) % padded_len
        h_idx = (i * down) % up * h_per_phase
        x_conv_idx = x_idx - h_per_phase + 1
        if x_conv_idx < 0:
            h_idx -= x_conv_idx
            x_conv_idx = 0
        temp: out.dtype = 0
        for x_c in range(x_conv_idx, x_idx + 1):
            if x_c < x_shape_a and x_c >= 0:
                temp += x[x_c] * h_trans_flip[h_idx]
            h_idx += 1
        out[i] = temp


def _numba_conv_1d(x, w, out):
    i = cuda.grid(1)
    if i < out.size:
        s = 0
        for k in range(w.size):
            if 0 <= i - k < x.size:
                s += x[i - k] * w[k]
        out[i] = s


def _upfirdn_signature(ty):
    return void(ty[:], ty[:], int64, int64, int64, int64, int64, ty[:])


def _numba_conv_signature(ty):
    return void(
        ty[:],  # x
        ty[:],  # w
        ty[:],  # out
    )


sosfilt = cuda.jit(void(float64[:, :], float64[:, :, :], float64[:, :], float64[:, :]), fastmath=True)(_sosfilt_kernel)
upfirdn32 = cuda.jit(_upfirdn_signature(float32), fastmath=True)(_numba_upfirdn_1d)
conv_c = cuda.jit([_numba_conv_signature(t) for t in (float64, complex64, complex128)])(_numba_conv_1d)


class _UpfirdnWrapper(object):
    def __init__(self, grid, block, stream, kernel):
        if isinstance(grid, int):
            grid = (grid,)
        self.grid = grid
        self.kernel = kernel

    def __call__(self, *args):
        self.kernel[self.grid, self.block, self.stream](*args)


def _populate_kernel_cache(np_type, k_type):
    if np_type not in ("float32", "float64"):
        raise ValueError("Datatype {} not found for {}".format(np_type, k_type))
    if (str(np_type), k_type) in _numba_kernel_cache:
        return
    sig = _numba_conv_signature(np_type)
    _numba_kernel_cache[(str(np_type), k_type)] = cuda.jit(sig)(_numba_conv_1d)
