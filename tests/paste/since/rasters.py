"""Rasters on processors, GPUs and clusters: a function each, which takes datasets, too."""
import functools
import inspect
from functools import partial

import numpy as np
import xarray as xr
from numba import cuda

try:
    import cupy as cp
except ImportError:
    cp = None
try:
    import dask.array as da
except ImportError:
    da = None

WEIGHTS = np.array([0.25, 0.5, 0.25], dtype=np.float32)
GAIN = 1.5


class Backends:
    def __init__(self, numpy_func, cupy_func, dask_func, dask_cupy_func):
        self.numpy_func = numpy_func
        self.cupy_func = cupy_func
        self.dask_func = dask_func
        self.dask_cupy_func = dask_cupy_func

    def __call__(self, arr):
        if isinstance(arr.data, np.ndarray):
            return self.numpy_func
        if cp is not None and isinstance(arr.data, cp.ndarray):
            return self.cupy_func
        if da is not None and isinstance(arr.data, da.Array):
            return self.dask_cupy_func if cp else self.dask_func
        raise TypeError(f'Unsupported Array Type: {type(arr)}')


def takes_datasets(func):
    sig = inspect.signature(func)
    named = 'name' in sig.parameters

    @functools.wraps(func)
    def wrapper(agg, *args, **kwargs):
        if isinstance(agg, xr.Dataset):
            results = {}
            for name in agg.data_vars:
                kw = dict(kwargs)
                if named:
                    kw['name'] = name
                results[name] = func(agg[name], *args, **kw)
            return xr.Dataset(results, attrs=agg.attrs)
        return func(agg, *args, **kwargs)

    return wrapper


def blocks(shape, threads=(16, 16)):
    return tuple((n + t - 1) // t for n, t in zip(shape, threads)), threads


def _slope_numpy(data, scale=1.0):
    data = data.astype(np.float32)
    x, y = np.gradient(data)
    slope = np.arctan(np.sqrt(x * x + y * y)) * scale
    result = np.sin(slope) + np.cos(np.arctan2(-x, y))
    result[(0, -1), :] = np.nan
    return result


def _slope_dask(data, scale=1.0):
    func = partial(_slope_numpy, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=np.array(()))


def _slope_dask_gpu(data, scale=1.0):
    func = partial(_slope_gpu, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=cp.array(()))


def _slope_gpu(data, scale=1.0):
    out = cuda.device_array(data.shape, np.float32)
    slope_kernel[blocks(data.shape)](data, out, scale)
    return out


@cuda.jit
def slope_kernel(data, out, scale):
    i, j = cuda.grid(2)
    if 0 < i < data.shape[0] - 1 and 0 < j < data.shape[1] - 1:
        total = 0.0
        for k in range(WEIGHTS.shape[0]):
            total += WEIGHTS[k] * (data[i + k - 1, j])
        out[i, j] = total * scale * GAIN


@takes_datasets
def slope(agg, scale=1.0, name='slope'):
    """Of a raster, on whatever it lies."""
    mapper = Backends(numpy_func=_slope_numpy, cupy_func=_slope_gpu, dask_func=_slope_dask,
                      dask_cupy_func=_slope_dask_gpu)
    return xr.DataArray(mapper(agg)(agg.data, scale), name=name, coords=agg.coords, dims=agg.dims)



def _aspect_numpy(data, scale=1.0):
    data = data.astype(np.float32)
    x, y = np.gradient(data)
    slope = np.arctan(np.sqrt(x * x + y * y)) * scale
    result = np.sin(slope) + np.cos(np.arctan2(-x, y))
    result[(0, -1), :] = np.nan
    return result


def _aspect_dask(data, scale=1.0):
    func = partial(_aspect_numpy, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=np.array(()))


def _aspect_dask_gpu(data, scale=1.0):
    func = partial(_aspect_gpu, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=cp.array(()))


def _aspect_gpu(data, scale=1.0):
    out = cuda.device_array(data.shape, np.float32)
    aspect_kernel[blocks(data.shape)](data, out, scale)
    return out


@cuda.jit
def aspect_kernel(data, out, scale):
    i, j = cuda.grid(2)
    if 0 < i < data.shape[0] - 1 and 0 < j < data.shape[1] - 1:
        total = 0.0
        for k in range(WEIGHTS.shape[0]):
            total += WEIGHTS[k] * (data[i, j + k - 1])
        out[i, j] = total * scale * GAIN


@takes_datasets
def aspect(agg, scale=1.0, name='aspect'):
    """Of a raster, on whatever it lies."""
    mapper = Backends(numpy_func=_aspect_numpy, cupy_func=_aspect_gpu, dask_func=_aspect_dask,
                      dask_cupy_func=_aspect_dask_gpu)
    return xr.DataArray(mapper(agg)(agg.data, scale), name=name, coords=agg.coords, dims=agg.dims)



def _shade_numpy(data, scale=1.0):
    data = data.astype(np.float32)
    x, y = np.gradient(data)
    slope = np.arctan(np.sqrt(x * x + y * y)) * scale
    result = np.sin(slope) + np.cos(np.arctan2(-x, y))
    result[(0, -1), :] = np.nan
    return result


def _shade_dask(data, scale=1.0):
    func = partial(_shade_numpy, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=np.array(()))


def _shade_dask_gpu(data, scale=1.0):
    func = partial(_shade_gpu, scale=scale)
    return data.map_overlap(func, depth=(1, 1), boundary=np.nan, meta=cp.array(()))


def _shade_gpu(data, scale=1.0):
    out = cuda.device_array(data.shape, np.float32)
    shade_kernel[blocks(data.shape)](data, out, scale)
    return out


@cuda.jit
def shade_kernel(data, out, scale):
    i, j = cuda.grid(2)
    if 0 < i < data.shape[0] - 1 and 0 < j < data.shape[1] - 1:
        total = 0.0
        for k in range(WEIGHTS.shape[0]):
            total += WEIGHTS[k] * (data[i + k - 1, j + k - 1])
        out[i, j] = total * scale * GAIN


@takes_datasets
def shade(agg, scale=1.0, name='shade'):
    """Of a raster, on whatever it lies."""
    mapper = Backends(numpy_func=_shade_numpy, cupy_func=_shade_gpu, dask_func=_shade_dask,
                      dask_cupy_func=_shade_dask_gpu)
    return xr.DataArray(mapper(agg)(agg.data, scale), name=name, coords=agg.coords, dims=agg.dims)
