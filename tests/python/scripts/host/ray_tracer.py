import math
import sys
import numpy as np
from numba import cuda
import tracing
from tracing import hit_sphere, mat
from tracing.geometry import Ray
from tracing.materials import SPHERES as S, palette

spheres_np = np.array(S)


@cuda.jit
def render(img, fov):
    x, y = cuda.grid(2)
    h, w, _ = img.shape
    if y >= h or x >= w:
        return
    px = (2 * (x + 0.5) / w - 1) * fov * w / h
    py = (1 - 2 * (y + 0.5) / h) * fov
    n = math.sqrt(px * px + py * py + 1)
    ray = Ray(0.0, 0.0, 0.0, px / n, py / n, 1 / n)
    best, who = math.inf, -1
    sp = cuda.const.array_like(spheres_np)
    for s in range(len(sp)):
        t = tracing.hit_sphere(ray, sp[s, 0], sp[s, 1], sp[s, 2], sp[s, 3])
        if 0 < t < best:
            best, who = t, s
    for c in range(3):
        img[y, x, c] = palette[who, c] / best if who >= 0 else mat.EPS


w, h = 40, 30
img = np.zeros((h, w, 3))
tpb = (8, 8)
bpg = tuple(-(-n // t) for n, t in zip((w, h), tpb))
render[bpg, tpb](img, 0.5)


def ref():
    out = np.full((h, w, 3), mat.EPS)
    for y in range(h):
        for x in range(w):
            d = np.array([(2 * (x + .5) / w - 1) * .5 * w / h, (1 - 2 * (y + .5) / h) * .5, 1])
            d /= math.sqrt(d @ d)
            best = math.inf
            for s in range(3):
                oc = -spheres_np[s, :3]
                b, c = oc @ d, oc @ oc - spheres_np[s, 3] ** 2
                disc = b * b - c
                if disc >= 0 and 1e-6 < -b - math.sqrt(disc) < best:
                    best = -b - math.sqrt(disc)
                    out[y, x] = palette[s] / best
    return out


np.testing.assert_allclose(img, ref(), rtol=1e-9, atol=1e-12)
print("hits", int((img[..., 0] != mat.EPS).sum()))
