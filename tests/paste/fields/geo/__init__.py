"""Geometry of the detector."""
from numba import cuda

__all__ = ["eloss", "layers", "fields"]
DENSITY = 2.33


@cuda.jit(device=True)
def eloss(p, thickness):
    return DENSITY * thickness * (1.66 + 0.1 / (p * p))
