"""A small detector simulation."""
from .consts import detector, light
from . import drift

__version__ = "0.3.1"
__all__ = ["detector", "light", "drift"]
