import numpy as np
import shapes
from numba import cuda
from shapes import area

UNIT = -1  # not what shapes calls so


@cuda.jit
def areas(radii, out):
    i = cuda.grid(1)
    if i < radii.size:
        out[i] = area(radii[i]) + shapes.area(1.0) + shapes.UNIT + UNIT


radii, out = np.arange(10.0), np.zeros(10)
areas[1, 32](radii, out)
np.testing.assert_allclose(out, 2 * np.pi * radii ** 2 + 2 * np.pi + 1, rtol=1e-14)
