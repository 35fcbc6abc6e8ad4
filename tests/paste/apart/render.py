import math, numpy as np
from numba import cuda, float32, vectorize, guvectorize, njit
from math import sqrt, sin, cos, pi as PI
try:
    import pygame
except ImportError:
    pygame = None

W, H = 40, 24
vec3 = cuda.jit(device=True)

@vec3
def dot(a, b): return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
@vec3
def add(a, b): return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
@vec3
def mul(a, k): return (a[0] * k, a[1] * k, a[2] * k)
@vec3
def norm(a): return mul(a, 1 / sqrt(dot(a, a)))
@vec3
def sd_sphere(p, r): return sqrt(dot(p, p)) - r
@vec3
def sd_box(p, b):
    q = (abs(p[0]) - b[0], abs(p[1]) - b[1], abs(p[2]) - b[2])
    m = (max(q[0], 0.0), max(q[1], 0.0), max(q[2], 0.0))
    return sqrt(dot(m, m)) + min(max(q[0], max(q[1], q[2])), 0.0)

def combine(*fs):
    """smallest of several distances"""
    if len(fs) == 1: return fs[0]
    first, rest = fs[0], combine(*fs[1:])
    @cuda.jit(device=True)
    def both(p):
        return min(first(p), rest(p))
    return both

ball = cuda.jit(lambda p: sd_sphere((p[0] - 0.5, p[1], p[2]), 0.8), device=True)
box = cuda.jit(lambda p: sd_box(add(p, (0.7, 0.0, 0.0)), (0.5, 0.6, 0.4)), device=True)
scene = combine(ball, box)

@cuda.jit
def march(img, eye, t):
    x, y = cuda.grid(2)
    h, w = img.shape[:2]
    if x >= w or y >= h: return
    d = norm((2.0 * x / w - 1, 1 - 2.0 * y / h, 1.5))
    p, dist, steps = (eye[0], eye[1], eye[2]), 0.0, 0
    for steps in range(48):
        s = scene(p)
        dist += s
        p = add(p, mul(d, s))
        if s < 1e-3: break
        if dist > 20:
            img[y, x, :] = 0
            return
    e = 1e-4
    n = norm((scene(add(p, (e, 0., 0.))) - scene(p), scene(add(p, (0., e, 0.))) - scene(p), scene(add(p, (0., 0., e))) - scene(p)))
    light = max(0.1, dot(n, norm((cos(t), 1.0, -sin(t) - 1))))
    for c, k in enumerate((1.0, 0.6, 0.3)):
        img[y, x, c] = np.uint8(255 * min(1.0, light * k))

img = np.zeros((H, W, 3), np.uint8)
march[(5, 3), (8, 8)](img, (0.0, 0.2, -3.0), PI / 3)
print(img.sum(), (img > 0).sum(), img[12].tolist()[20])
