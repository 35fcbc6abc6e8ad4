"""Arguments of NumPy's functions by their names."""
import numpy as np
from numba import cuda
x = np.zeros(shape=(2, 3), dtype=np.float32)
y = np.full(shape=4, fill_value=7)
z = np.random.uniform(low=0, high=1, size=3)
np.random.seed(seed=1)
w = np.random.randint(low=0, high=5, size=(2, 2))
v = np.random.normal(loc=1.0, scale=0.5, size=2)
print(x.shape, y, w, v, np.linspace(start=0, stop=1, num=3), np.arange(start=1, stop=5, step=2))
print(np.sum(w, axis=0), np.zeros_like(w, dtype=float), np.reshape(w, -1), np.expand_dims(w, axis=0).shape)
print(np.random.choice(a=5, size=3, replace=False), np.concatenate((w, w), axis=1), np.max(w, axis=1), np.mean(w), np.std(w))
print(w.sum(axis=1), w.max(), w.argmax(), w.flatten(), w.ravel(), w.copy().fill(3), np.dot(w, w), w.T @ w)
print(np.meshgrid(np.arange(2), np.arange(3))[0], np.tile([1, 2], 2), np.repeat([1, 2], 2), np.roll([1, 2, 3], 1))
print(np.array([1, 2, 3]) > 2, ~(np.array([True, False])), np.any([0, 1]), np.all([0, 1]), np.argsort([3, 1, 2]), np.sort([3, 1, 2])[::-1])
print(np.abs([-1, 2]), np.sign([-2, 0]), np.power(2, [1, 2]), np.exp(0), np.log2(8), np.floor(2.5), np.mod(7, 3))
print(np.float32(1.5), [np.float64(2.5)], np.int64(3), (np.bool_(True),), np.pi)
print(np.array([1.0, 2.5, 1e10]), np.array([[1, 20], [300, 4]]), np.array([1 + 2j]))

import sys
import traceback
import numbers
from collections.abc import Mapping
from numba import cuda

d = cuda.device_array(shape=(2, 3), dtype=np.int32, order="F")
print(d.strides, d.shape, cuda.pinned_array(shape=4, dtype=np.float32).shape)
print(isinstance(3, numbers.Number), isinstance(2.5, numbers.Integral), isinstance({}, Mapping), isinstance(int, type))
print(sys.version_info >= (3, 8), sys.version_info.major, sys.platform, sys.byteorder)
try:
    1 / 0
except ZeroDivisionError:
    print(traceback.format_exc().splitlines()[-1])
