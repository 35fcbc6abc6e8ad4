from .geometry import Ray, hit_sphere
from . import materials as mat
