__all__ = ["_own", "a"]
from math import hypot

_own = 1
a = 2
b = 3
