import numba
import numpy as np
from numba import cuda, float32, float64, int32, int64, void


@cuda.jit("void(float32[:], float32)")
def one(x, value):
    x[cuda.grid(1)] = value


@cuda.jit([void(int32[:], int32), void(float64[::1], float64)])
def several(x, value):
    x[cuda.grid(1)] += value


@cuda.jit((float64[:, :], int64))
def of_a_tuple(x, value):
    i, j = cuda.grid(2)
    x[i, j] = value * i + j


@cuda.jit("float32(float32, float32)", device=True)
def plus(a, b):
    return a + b


@cuda.jit(void(float32[:]), max_registers=40, lineinfo=True)
def with_function(x):
    x[cuda.grid(1)] = plus(1, 2.75)


x = np.zeros(4, np.float32)
one[1, 4](x, 2)
assert x.tolist() == [2] * 4
for dtype in (np.int32, np.float64):
    x = np.ones(4, dtype)
    several[1, 4](x, 3)
    assert x.tolist() == [4] * 4
x = np.zeros((2, 3))
of_a_tuple[(1, 1), (2, 3)](x, 10)
np.testing.assert_array_equal(x, [[0, 1, 2], [10, 11, 12]])
x = np.zeros(2, np.float32)
with_function[1, 2](x)
assert x.tolist() == [3.75] * 2
try:
    one[1, 4](np.zeros(4, np.complex64), 1)
except Exception as error:
    print(type(error).__name__)
else:
    raise AssertionError("a kernel of float32[:] took complex64")
