# numba's types by names, of arrays, tuples, records and calls, that decorators are given.
import numpy as np
import numba as nb
from numba import cuda, float32, float64, from_dtype, int32, types, void

vector = types.Array(float64, 1, "C")
pair = types.UniTuple(types.float64, 2)
point = np.dtype([("x", np.float32), ("id", np.int32)])
record = from_dtype(point)
scaling = float64(float64, pair)
several = [void(float64[:, ::1], int32), types.void(float64[:, :], types.int64)]


@cuda.jit(scaling, device=True)
def scaled(x, by):
    return x * by[0] + by[1]


@cuda.jit(several)
def add(x, n):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        x[i, j] += n


@cuda.jit(nb.void(record[:], vector))
def fields(points, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = scaled(points[i].x, (2.0, float64(points[i].id)))


def filling(item):
    signature = void(item[:], item)

    @cuda.jit(signature)
    def fill(x, value):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = value

    return fill


x = np.zeros((2, 3))
add[(1, 1), (2, 3)](x, 4)
print(x)
points = np.zeros(3, dtype=point)
points["x"] = 1.5
points["id"] = np.arange(3)
out = np.zeros(3)
fields[1, 4](points, out)
print(out)
small, wide = np.zeros(3, np.int16), np.zeros(2, np.float32)
filling(types.int16)[1, 4](small, 7)
filling(float32)[1, 4](wide, 2.5)
print(small, wide, from_dtype(np.dtype(np.int32)) == types.int32)
print(len(several), float64[:] == float64[:], float64[:] == float64[::1])
