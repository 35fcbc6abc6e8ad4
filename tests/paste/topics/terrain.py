"""Slope, aspect, hillshade and focal statistics of elevation rasters, with a CUDA backend."""
from __future__ import annotations

import argparse
import sys
from functools import partial
from math import atan, atan2, cos, pi, sin, sqrt
from typing import Callable, Optional, Union

import numpy as np
from numba import cuda, float32, prange

try:
    import xarray as xr
    import dask.array as da
except ImportError:
    xr = da = None

RADIAN = 180 / np.pi
TPB = 8


def calc_cuda_dims(shape):
    threads = (TPB, TPB)
    return tuple((d + t - 1) // t for d, t in zip(shape, threads)), threads


def not_implemented(*args, messages='Not yet implemented.'):
    raise NotImplementedError(messages)


@cuda.jit(device=True)
def _gpu_slope(arr, cellsize_x, cellsize_y):
    a = arr[2, 0]
    b = arr[2, 1]
    c = arr[2, 2]
    d = arr[1, 0]
    f = arr[1, 2]
    g = arr[0, 0]
    h = arr[0, 1]
    i = arr[0, 2]
    two = 2.
    dz_dx = ((c + two * f + i) - (a + two * d + g)) / (8 * cellsize_x[0])
    dz_dy = ((g + two * h + i) - (a + two * b + c)) / (8 * cellsize_y[0])
    p = (dz_dx * dz_dx + dz_dy * dz_dy) ** .5
    return atan(p) * 57.29578


@cuda.jit
def _run_gpu(arr, cellsize_x_arr, cellsize_y_arr, out):
    i, j = cuda.grid(2)
    di = 1
    dj = 1
    if (i - di >= 0 and i + di < out.shape[0] and
            j - dj >= 0 and j + dj < out.shape[1]):
        out[i, j] = _gpu_slope(arr[i - di:i + di + 1, j - dj:j + dj + 1],
                               cellsize_x_arr, cellsize_y_arr)


@cuda.jit(device=True)
def _gpu_aspect(arr):
    a, b, c = arr[0, 0], arr[0, 1], arr[0, 2]
    d, f = arr[1, 0], arr[1, 2]
    g, h, i = arr[2, 0], arr[2, 1], arr[2, 2]
    dz_dx = ((c + 2 * f + i) - (a + 2 * d + g)) / 8
    dz_dy = ((g + 2 * h + i) - (a + 2 * b + c)) / 8
    if dz_dx == 0 and dz_dy == 0:
        aspect = float32(-1.)
    else:
        aspect = atan2(dz_dy, -dz_dx) * RADIAN
        if aspect < 0:
            aspect = 90.0 - aspect
        elif aspect > 90.0:
            aspect = 360.0 - aspect + 90.0
        else:
            aspect = 90.0 - aspect
    if aspect > 359.999:
        return 0
    else:
        return aspect


@cuda.jit
def _run_aspect(arr, out):
    i, j = cuda.grid(2)
    if 0 < i < out.shape[0] - 1 and 0 < j < out.shape[1] - 1:
        out[i, j] = _gpu_aspect(arr[i - 1:i + 2, j - 1:j + 2])


@cuda.jit
def _hillshade(data, output, azimuth=225., altitude=25.):
    i, j = cuda.grid(2)
    if i > 0 and i < data.shape[0] - 1 and j > 0 and j < data.shape[1] - 1:
        x = (data[i + 1, j] - data[i - 1, j]) / 2
        y = (data[i, j + 1] - data[i, j - 1]) / 2
        length = sqrt(x * x + y * y)
        slope = pi / 2. - atan(length)
        aspect = atan2(-x, y)
        az = azimuth * pi / 180.
        alt = altitude * pi / 180.
        shaded = sin(alt) * sin(slope) + cos(alt) * cos(slope) * cos(az - pi / 2. - aspect)
        output[i, j] = (shaded + 1) / 2


@cuda.jit
def _focal(data, kernel, out, stat):
    i, j = cuda.grid(2)
    delta_rows = kernel.shape[0] // 2
    delta_cols = kernel.shape[1] // 2
    if i >= data.shape[0] or j >= data.shape[1]:
        return
    lo, hi, tot, n = np.inf, -np.inf, 0., 0
    for k in range(kernel.shape[0]):
        for l in range(kernel.shape[1]):
            if kernel[k, l] != 0:
                cur_y, cur_x = i + k - delta_rows, j + l - delta_cols
                if cur_y in range(data.shape[0]) and 0 <= cur_x < data.shape[1]:
                    v = data[cur_y, cur_x]
                    if not np.isnan(v):
                        lo = min(lo, v)
                        hi = max(hi, v)
                        tot += v
                        n += 1
    if n == 0:
        out[i, j] = np.nan
    elif stat == 0:
        out[i, j] = tot / n
    elif stat == 1:
        out[i, j] = hi - lo
    else:
        out[i, j] = n


class ArrayTypeFunctionMapping(object):
    def __init__(self, numpy_func, cupy_func, dask_func=None):
        self.numpy_func = numpy_func
        self.cupy_func = cupy_func
        self.dask_func = dask_func or partial(not_implemented, messages="dask")

    def __call__(self, arr):
        return {np.ndarray: self.numpy_func}.get(type(arr), self.cupy_func)


def slope(agg: "xr.DataArray", name: Optional[str] = 'slope') -> Union[np.ndarray, None]:
    out = np.full(agg.shape, np.nan, dtype='f4')
    griddim, blockdim = calc_cuda_dims(agg.shape)
    _run_gpu[griddim, blockdim](agg, np.array([30.], 'f4'), np.array([30.], 'f4'), out)
    return out


def main():
    yy, xx = np.mgrid[0:20, 0:26]
    dem = (100 * np.sin(xx / 5) + yy ** 2).astype(np.float32)
    dims = calc_cuda_dims(dem.shape)
    print("slope", round(float(np.nansum(slope(dem))), 2))
    out = np.zeros_like(dem)
    _run_aspect[dims](dem, out)
    print("aspect", round(float(out.sum()), 1))
    out[:] = 0
    _hillshade[dims](dem, out, 225., 25.)
    print("shade", round(float(out.sum()), 3))
    for stat in range(3):
        _focal[dims](dem, np.ones((3, 5)), out, stat)
        print(stat, round(float(out.sum()), 1))


if __name__ == '__main__':
    main()
