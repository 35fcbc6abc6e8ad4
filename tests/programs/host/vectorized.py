# Which signature of @vectorize a call takes: Python's numbers beside arrays and NumPy's numbers.
import numpy as np
from numba import vectorize


@vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cpu")
def f(a, b):
    return a + b / 3


@vectorize(["int32(int32, int32)", "int64(int64, int64)", "float32(float32, float32)",
            "float64(float64, float64)"])
def g(a, b):
    return a + b


floats, shorts = np.arange(2, dtype=np.float32), np.arange(2, dtype=np.int16)
pairs = [(1.0, 2.0), (1, 2), (np.float32(1), 2.0), (np.float32(1), 2), (1.0, np.float32(2)), (np.int8(1), 2.0),
         (np.int32(1), 2.0), (True, 2.0), (True, False), (np.int64(1), 2), (floats, 2.0), (shorts, 2),
         (shorts, 2.5), ([1, 2], 1), ([1.0], 2), (np.bool_(1), 1), (1 << 40, 1)]
for x, y in pairs:
    for function in f, g:
        made = function(x, y)
        print(repr(x), repr(y), type(made).__name__, made.dtype, made)
