"""A small electrostatic particle-in-cell code for processors and GPUs."""
from .device import gpu_installed

if gpu_installed:
    from .fields import Damper
else:
    from . import shapes

    def Damper(*arguments):
        raise RuntimeError("needs a GPU")
