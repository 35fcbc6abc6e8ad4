"""Geometry: points in polygons, area, convex hull by gift wrapping, closest pair, k nearest."""
import math
from collections import namedtuple
import numpy as np
from numba import cuda, njit

Point = namedtuple("Point", ["x", "y"])
rng = np.random.default_rng(99)
points = rng.random((80, 2)) * 10
polygon = [Point(1, 1), Point(8, 2), Point(9, 7), Point(5, 5), Point(2, 9)]


def area(shape):
    return 0.5 * abs(sum(a.x * b.y - b.x * a.y for a, b in zip(shape, shape[1:] + shape[:1])))


@cuda.jit
def inside(points, corners, out):
    i = cuda.grid(1)
    if i >= points.shape[0]:
        return
    px, py = points[i]
    hit = False
    j = corners.shape[0] - 1
    for k in range(corners.shape[0]):
        xk, yk = corners[k, 0], corners[k, 1]
        xj, yj = corners[j, 0], corners[j, 1]
        if (yk > py) != (yj > py) and px < (xj - xk) * (py - yk) / (yj - yk) + xk:
            hit = not hit
        j = k
    out[i] = hit


@cuda.jit
def nearest(points, k, index, distance):
    i = cuda.grid(1)
    n = points.shape[0]
    if i >= n:
        return
    for a in range(k):
        distance[i, a] = math.inf
        index[i, a] = -1
    for j in range(n):
        if j == i:
            continue
        d = math.hypot(points[i, 0] - points[j, 0], points[i, 1] - points[j, 1])
        a = k
        while a > 0 and d < distance[i, a - 1]:
            if a < k:
                distance[i, a] = distance[i, a - 1]
                index[i, a] = index[i, a - 1]
            a -= 1
        if a < k:
            distance[i, a] = d
            index[i, a] = j


@njit
def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def hull(points):
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    chains = []
    for sequence in (ordered, ordered[::-1]):
        chain = []
        for p in sequence:
            while len(chain) >= 2 and cross(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains.extend(chain[:-1])
    return np.array(chains)


print(f"area {area(polygon):.3f} of {polygon[0]}...{polygon[-1]!r}")
out = np.zeros(len(points), dtype=np.bool_)
inside[3, 32](points, np.array(polygon, dtype=np.float64), out)
print(out.sum(), np.where(out)[0][:12])
h = hull(points)
print(len(h), h.round(3)[:4].tolist(), f"{area([Point(*p) for p in h]):.4f}")
k = 3
index, distance = np.zeros((len(points), k), dtype=np.int32), np.zeros((len(points), k))
nearest[3, 32](points, k, index, distance)
best = np.unravel_index(distance[:, 0].argmin(), (len(points),))[0]
print(f"closest pair {best}-{index[best, 0]} at {distance[best, 0]:.6f}")
print(index[:4], distance[:4].round(4))
mutual = [(i, int(j)) for i, j in enumerate(index[:, 0]) if index[j, 0] == i and i < j]
print(len(mutual), mutual[:6])
total = sum(math.dist(h[i], h[(i + 1) % len(h)]) for i in range(len(h)))
print(f"perimeter {total:.5f}")
