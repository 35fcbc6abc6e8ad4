"""Seismic waves."""
from .core import kernels as k, grid
from .io.reader import read
try:
    from ._version import version as __version__
except ImportError:
    __version__ = "0+unknown"
