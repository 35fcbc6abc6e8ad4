import numpy as np
from numba import cuda

TABLE = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
POINTS = np.array([(1.5, 7), (2.5, 8)], dtype=[("x", np.float64), ("n", np.int32)])
SIZE = np.int16(4)


@cuda.jit
def look_up(out):
    i, j = cuda.grid(2)
    table = cuda.const.array_like(TABLE)
    scratch = cuda.local.array((SIZE, 2), np.float32)
    scratch[3, 1] = table[j, i]
    if i < 3 and j < 2:
        out[j, i] = scratch[3, 1] + TABLE[0, i] + POINTS[j].x * POINTS[j].n


out = np.zeros((2, 3))
look_up[1, (3, 2)](out)
np.testing.assert_array_equal(out, TABLE + TABLE[0] + (POINTS["x"] * POINTS["n"])[:, None])
