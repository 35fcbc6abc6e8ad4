#!/usr/bin/env python
"""A small ray tracer: vectors are tuples, the scene is an array of records."""
import math
import sys
from collections import namedtuple
from enum import IntEnum, auto

import matplotlib.pyplot as plt
import numpy as np
from numba import cuda, float32, njit

Camera = namedtuple("Camera", ["origin", "corner", "across", "down"])
sphere_type = np.dtype([("center", np.float32, (3,)), ("radius", np.float32),
                        ("colour", np.uint8, (3,)), ("shine", np.float32)], align=True)


class Kind(IntEnum):
    SKY = 0
    MATTE = auto()
    MIRROR = auto()


LIGHTS = ((5.0, 5.0, -10.0), (-4.0, 8.0, 0.0))
AMBIENT = 0.1
MAX_BOUNCES = 3
BACKGROUND = tuple(c / 255 for c in (135, 206, 235))


def vec(op):
    return njit(op)


add = cuda.jit(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]), device=True)


@cuda.jit(device=True)
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@cuda.jit(device=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@cuda.jit(device=True)
def scale(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@cuda.jit(device=True)
def normalize(a):
    return scale(a, 1.0 / math.sqrt(dot(a, a)))


@cuda.jit(device=True)
def hit(origin, direction, sphere):
    c = sphere["center"]
    away = sub(origin, (c[0], c[1], c[2]))
    b = 2.0 * dot(away, direction)
    disc = b * b - 4.0 * (dot(away, away) - sphere.radius ** 2)
    if disc < 0:
        return math.inf
    root = math.sqrt(disc)
    near, far = (-b - root) / 2, (-b + root) / 2
    return near if near > 1e-3 else (far if far > 1e-3 else math.inf)


@cuda.jit(device=True)
def closest(origin, direction, scene):
    best, which = math.inf, -1
    for k in range(scene.size):
        t = hit(origin, direction, scene[k])
        if t < best:
            best, which = t, k
    return best, which


@cuda.jit
def render(image, scene, camera: Camera):
    x, y = cuda.grid(2)
    if x >= image.shape[1] or y >= image.shape[0]:
        return
    u, v = x / (image.shape[1] - 1), y / (image.shape[0] - 1)
    direction = normalize(add(camera.corner, add(scale(camera.across, u), scale(camera.down, v))))
    origin = camera.origin
    weight, r, g, b = 1.0, 0.0, 0.0, 0.0
    for bounce in range(MAX_BOUNCES):
        t, k = closest(origin, direction, scene)
        if k < 0:
            r += weight * BACKGROUND[0]
            g += weight * BACKGROUND[1]
            b += weight * BACKGROUND[2]
            break
        point = add(origin, scale(direction, t))
        c = scene[k].center
        normal = normalize(sub(point, (c[0], c[1], c[2])))
        lit = AMBIENT
        for light in LIGHTS:
            to = normalize(sub(light, point))
            shade, other = closest(add(point, scale(normal, 1e-2)), to, scene)
            if other == -1:
                lit += max(0.0, dot(normal, to))
        kind = Kind.MIRROR if scene[k].shine > 0.5 else Kind.MATTE
        own = weight * (1 - scene[k].shine)
        r += own * lit * scene[k]["colour"][0] / 255
        g += own * lit * scene[k]["colour"][1] / 255
        b += own * lit * scene[k]["colour"][2] / 255
        if kind != Kind.MIRROR:
            break
        weight *= scene[k].shine
        origin, direction = point, sub(direction, scale(normal, 2 * dot(direction, normal)))
    image[y, x, 0] = min(1.0, r)
    image[y, x, 1] = min(1.0, g)
    image[y, x, 2] = min(1.0, b)


@cuda.jit
def to_bytes(image, out, gamma=2.2):
    i = cuda.grid(1)
    flat, bytes_ = image.reshape(image.size), out.reshape(out.size)
    if i < flat.size:
        bytes_[i] = np.uint8(255 * flat[i] ** (1 / gamma) + 0.5)


if __name__ == "__main__":
    width = int(sys.argv[1]) if len(sys.argv) > 1 else 640
    scene = np.zeros(2, sphere_type)
    scene["center"] = [(0, 0, 5), (2, 0, 6)]
    img = np.zeros((width * 3 // 4, width, 3), np.float32)
    cam = Camera((0.0, 0.0, 0.0), (-1.0, 0.75, 1.0), (2.0, 0.0, 0.0), (0.0, -1.5, 0.0))
    render[(40, 30), (16, 16)](img, scene, cam)
    plt.imshow(img); plt.show()
