"""gpulib"""
from .config import Settings, settings
from .ops import elementwise as ew
from .ops.reduce import block_sum, WARP_SIZE
from ._version import version as __version__

__all__ = ["Settings", "settings", "ew", "block_sum"]
