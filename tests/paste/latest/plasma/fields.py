"""Fields: the absorbing layer, and what particles gather."""
import numpy as np

from . import shapes
from .device import gpu_installed

if gpu_installed:
    import cupy
    from .device import blocks_2d, compiled, cuda


class Damper:
    """Damps what comes to the last cells of a grid."""

    def __init__(self, cells, strength):
        self.cells = cells
        s = (np.arange(cells) + 0.5) / cells
        self.factors = np.exp(-strength * s * s)

    def apply(self, field):
        shape = blocks_2d(field.shape[0], self.cells)
        damp[shape](field, cupy.asarray(self.factors), self.cells)


if gpu_installed:

    @compiled
    def damp(field, factors, cells):
        i, j = cuda.grid(2)
        if i < field.shape[0] and j < cells:
            field[i, field.shape[1] - cells + j] *= factors[j]

    @compiled
    def gather(x, field, out):
        i = cuda.grid(1)
        if i < x.shape[0]:
            j = int(x[i])
            out[i] = (shapes.linear(x[i], j) * field[j]
                      + shapes.linear(x[i], j + 1) * field[j + 1])
