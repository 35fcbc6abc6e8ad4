"""Vectors as tuples"""
from collections import namedtuple
import math
from numba import cuda
from .materials import EPS, palette

Ray = namedtuple("Ray", "ox oy oz dx dy dz")


@cuda.jit(device=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@cuda.jit(device=True)
def hit_sphere(ray, cx, cy, cz, r):
    oc = (ray.ox - cx, ray.oy - cy, ray.oz - cz)
    d = (ray.dx, ray.dy, ray.dz)
    b = dot(oc, d)
    c = dot(oc, oc) - r * r
    disc = b * b - c
    if disc < 0:
        return -1.0
    t = -b - math.sqrt(disc)
    return t if t > EPS else -1.0
