"""Matrix profiles."""
from importlib.metadata import distribution, PackageNotFoundError
from .gpu_profile import gpu_profile  # noqa: F401
try:
    __version__ = distribution("profile").version
except PackageNotFoundError:
    __version__ = "0.0"
