"""A small electrostatic particle-in-cell code for processors and GPUs."""
from numba import cuda

from .device import gpu_installed

if cuda.is_available():
    BACKENDS = ["numpy", "numba"]
else:
    from . import shapes
    BACKENDS = ["numpy"]
    shapes.linear = shapes.without_gpu

if gpu_installed:
    from .fields import Damper
else:
    from . import shapes

    def Damper(*arguments):
        raise RuntimeError("needs a GPU")
