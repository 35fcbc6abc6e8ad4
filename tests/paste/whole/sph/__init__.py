from .kernels import density, pressure
__all__ = ["density", "pressure"]
