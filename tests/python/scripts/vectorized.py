import math

import numpy as np
from numba import cuda, float32, float64, int64, vectorize


@vectorize([float32(float32, float32, float32), float64(float64, float64, float64)], target="cuda")
def cu_discriminant(a, b, c):
    return math.sqrt(b ** 2 - 4 * a * c)


rng = np.random.default_rng(8)
for dtype in (np.float32, np.float64):
    A = rng.random(10000).astype(dtype)
    B = (rng.random(10000) + 10).astype(dtype)
    C = rng.random(10000).astype(dtype)
    D = cu_discriminant(A, B, C)
    assert D.dtype == dtype
    np.testing.assert_allclose(D, np.sqrt(B ** 2 - 4 * A * C), rtol=1e-5)


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], target="cuda")
def larger(a, b):
    return a if a > b else b


a = np.arange(12).reshape(3, 4)
assert (larger(a, np.array([2, 3, 4, 5])) == np.maximum(a, [2, 3, 4, 5])).all()
assert larger(a, 4.5).dtype == np.int64  # the number becomes what the array has
assert larger.reduce(a.ravel()) == 11
on_device = larger(cuda.to_device(a), cuda.to_device(a.T.copy().reshape(3, 4)))
np.testing.assert_array_equal(on_device.copy_to_host(), np.maximum(a, a.T.reshape(3, 4)))
out = np.zeros((3, 4), np.int64)
larger(a, 3, out=out)
np.testing.assert_array_equal(out, np.maximum(a, 3))


@vectorize
def halved(a):  # its dtype follows from the argument's
    return a / 2


assert halved(np.array([3.0])).dtype == np.float64 and halved(3) == 1.5
np.testing.assert_array_equal(halved(np.array([5, 8], "m8[s]")), np.array([2, 4], "m8[s]"))
