from . import grid
from .kernels import *
