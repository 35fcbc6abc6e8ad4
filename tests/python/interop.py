#!/usr/bin/env python3
"""Arrays of CuPy, PyTorch, JAX and NumPy as arguments of one kernel, through the Python package.

    PYTHONPATH=build/python interop.py

On the device that KJIT_DEVICE says (a GPU where there is one). Libraries that are not installed, or
have no array that the device reaches, are skipped and said to be. Nothing may be copied: what the
kernel writes is in the library's own array. Ends in `N passed, N failed`.
"""
import importlib.util
import sys
import traceback

import numpy as np

from kjit import cuda


@cuda.jit
def axpy(a, x, y):
    i, j = cuda.grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] += a * x[i, j]


SHAPE = 33, 65
ON_GPU = "device cuda" in repr(cuda.get_current_device())


def numbers():
    return np.arange(SHAPE[0] * SHAPE[1], dtype=np.float32).reshape(SHAPE)


class NumPy:
    name, module, read_only = "NumPy", "numpy", False

    def array(self, values):
        return values.copy()

    def values(self, array):
        return array


class CuPy(NumPy):
    name, module = "CuPy", "cupy"

    def __init__(self):
        import cupy
        self.library = cupy

    def array(self, values):
        return self.library.asarray(values)

    def values(self, array):
        return self.library.asnumpy(array)


class PyTorch(NumPy):
    name, module = "PyTorch", "torch"

    def __init__(self):
        import torch
        self.library = torch

    def array(self, values):
        tensor = self.library.from_numpy(values.copy())
        return tensor.cuda() if ON_GPU else tensor

    def values(self, array):
        return array.cpu().numpy()


class JAX(NumPy):
    """Whose arrays never change: kernels may read them, and must be refused when they write."""
    name, module, read_only = "JAX", "jax", True

    def __init__(self):
        import jax
        self.library = jax

    def array(self, values):
        return self.library.numpy.asarray(values)

    def values(self, array):
        return np.asarray(array)


def launch(library, values):
    """From one array of the library to another, on its transposed view and a part of it, too."""
    x, y = library.array(values), library.array(np.ones(SHAPE, np.float32))
    axpy[(3, 5), (16, 16)](np.float32(2), x, y)
    cuda.synchronize()
    assert np.array_equal(library.values(y), 2 * values + 1), "all of it"
    turned, square = x[:, ::2].T, library.array(np.zeros((33, 33), np.float32))
    axpy[(3, 3), (16, 16)](np.float32(1), turned, square)
    cuda.synchronize()
    assert np.array_equal(library.values(square), values[:, ::2].T), "a view"


def read(library, values):
    x, y = library.array(values), np.ones(SHAPE, np.float32)
    axpy[(3, 5), (16, 16)](np.float32(2), x, y)
    assert np.array_equal(y, 2 * values + 1), "read"
    try:
        axpy[(3, 5), (16, 16)](np.float32(2), y, x)
    except Exception:  # whatever its class: nothing may have been written
        pass
    else:
        raise AssertionError("an array that never changes was written")
    assert np.array_equal(library.values(x), values), "unchanged"


def main():
    passed = failed = 0
    for kind in NumPy, CuPy, PyTorch, JAX:
        if not importlib.util.find_spec(kind.module) or (kind is CuPy and not ON_GPU):
            print(f"1 skipped: no {kind.name} that has arrays here")
            continue
        try:
            library = kind()
            (read if library.read_only else launch)(library, numbers())
            passed += 1
            print(f"{kind.name}: its own memory, on {cuda.get_current_device().name}")
        except Exception:
            failed += 1
            print(f"{kind.name} failed")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
