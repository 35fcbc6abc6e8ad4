"""A path tracer: spheres, materials, vectors as tuples and namedtuples."""
import math
import operator
from collections import namedtuple
from enum import IntEnum, unique
from typing import NamedTuple, Union

import numpy as np
from numba import cuda, float32, void
from numba.cuda.random import xoroshiro128p_uniform_float32


@unique
class Mat(IntEnum):
    DIFFUSE = 0
    MIRROR = 1
    GLASS = 2


class Hit(NamedTuple):
    """What a ray meets first."""
    t: float
    index: int = -1


Vec = namedtuple("Vec", "x y z", defaults=(0.0, 0.0, 0.0))
UP = Vec(y=1.0)
SKY = (np.float32(0.5), np.float32(0.7), np.float32(1.0))
T_MIN, T_MAX, BOUNCES = 1e-3, 1e9, 8
Number = Union[int, float]
add = cuda.jit(lambda a, b: Vec(a.x + b.x, a.y + b.y, a.z + b.z), device=True)
scale = cuda.jit(lambda a, k: Vec(a.x * k, a.y * k, a.z * k), device=True)
dot = cuda.jit(lambda a, b: a.x * b.x + a.y * b.y + a.z * b.z, device=True)


@cuda.jit(device=True)
def normalize(v):
    return scale(v, 1.0 / math.sqrt(dot(v, v)))


@cuda.jit(device=True)
def reflect(v, n):
    return add(v, scale(n, -2.0 * dot(v, n)))


@cuda.jit(device=True)
def nearest(origin, direction, spheres):
    best = Hit(T_MAX, -1)
    for i in range(spheres.shape[0]):
        oc = Vec(origin.x - spheres[i, 0], origin.y - spheres[i, 1], origin.z - spheres[i, 2])
        b = dot(oc, direction)
        c = dot(oc, oc) - spheres[i, 3] ** 2
        d = b * b - c
        if d > 0:
            root = math.sqrt(d)
            t = -b - root
            if T_MIN < t < best.t:
                best = Hit(t, i)
    return best


@cuda.jit
def render(spheres, colours, kinds, states, image):
    i, j = cuda.grid(2)
    h, w, _ = image.shape
    if i >= h or j >= w:
        return
    tid = i * w + j
    u = (j + xoroshiro128p_uniform_float32(states, tid)) / w - 0.5
    v = 0.5 - (i + xoroshiro128p_uniform_float32(states, tid)) / h
    origin = Vec(z=-3.0)
    direction = normalize(Vec(u, v, 1.0))
    tr = tg = tb = 1.0
    for depth in range(BOUNCES):
        hit = nearest(origin, direction, spheres)
        if hit.index < 0:
            k = 0.5 * (dot(direction, UP) + 1.0)
            tr, tg, tb = tr * (1 - k + k * SKY[0]), tg * (1 - k + k * SKY[1]), tb * (1 - k + k * SKY[2])
            break
        p = add(origin, scale(direction, hit.t))
        n = normalize(Vec(p.x - spheres[hit.index, 0], p.y - spheres[hit.index, 1], p.z - spheres[hit.index, 2]))
        tr *= colours[hit.index, 0]
        tg *= colours[hit.index, 1]
        tb *= colours[hit.index, 2]
        if kinds[hit.index] == Mat.MIRROR:
            direction = reflect(direction, n)
        elif kinds[hit.index] in (Mat.DIFFUSE, Mat.GLASS):
            x = 2 * xoroshiro128p_uniform_float32(states, tid) - 1
            y = 2 * xoroshiro128p_uniform_float32(states, tid) - 1
            direction = normalize(add(n, Vec(x, y, 0.1)))
        origin = p
    else:
        tr = tg = tb = 0.0
    image[i, j, 0], image[i, j, 1], image[i, j, 2] = tr, tg, tb


@cuda.jit
def tonemap(image, out, exposure, gamma=2.2):
    i, j, c = cuda.grid(3)
    if i < image.shape[0] and j < image.shape[1] and c < 3:
        v = 1.0 - math.exp(-image[i, j, c] * exposure)
        out[i, j, c] = np.uint8(min(255.0, 255.0 * v ** (1.0 / gamma)))
