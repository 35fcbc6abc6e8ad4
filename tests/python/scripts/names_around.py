"""What kernels read from around them: classes, enumerations, named tuples, modules, dtypes, functions."""
import enum
import math
import operator
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
from numba import cuda, float32, int32, njit

Box = namedtuple("Box", "low high")
BOX = Box(-1.0, 2.0)
WEIGHTS = (1, 2, 4)
KIND = np.float32
config = SimpleNamespace(offset=5, inner=SimpleNamespace(scale=0.5))
sqrt = math.sqrt
magnitude = abs
whole = int


class Color(enum.IntEnum):
    RED = 1
    BLUE = 4


class Tools:
    LIMIT = 3
    float32 = float32
    abs = abs

    @staticmethod
    @cuda.jit(device=True)
    def clip(x, low, high):
        return min(max(x, low), high)

    @staticmethod
    def twice(x):
        return 2 * x


@njit
def cube(x):
    return x * x * x


square = cuda.jit(lambda x: x * x, device=True)


@cuda.jit
def everything(x, out):
    i = cuda.grid(1)
    if i >= x.size:
        return
    local = cuda.local.array(3, KIND)
    for k in range(Tools.LIMIT):
        local[k] = WEIGHTS[k]
    v = Tools.clip(x[i], BOX.low, BOX.high)
    v = operator.add(Tools.twice(v), config.offset * config.inner.scale)
    v += local[0] + local[1] + local[2] + Color.BLUE + cube(2) + square(3)
    v += Tools.float32(i / 4) + Tools.abs(-i) + magnitude(-1) + whole(2.75)
    out[i] = sqrt(v) + math.pi


x = np.linspace(-3, 3, 50)
out = np.zeros(50)
everything[1, 64](x, out)
i = np.arange(50)
expected = np.sqrt(2 * np.clip(x, -1, 2) + 2.5 + 7 + 4 + 8 + 9 + 1.25 * i + 3) + np.pi
np.testing.assert_allclose(out, expected, rtol=1e-13)
