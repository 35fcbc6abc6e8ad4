"""Geometry: convex hull, point in polygon on the GPU, closest pair, area by three ways."""
import math
import numpy as np
from numba import cuda, njit


@njit
def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def hull(points):
    pts = sorted(map(tuple, points.tolist()))
    lower, upper = [], []
    for part, it in ((lower, pts), (upper, pts[::-1])):
        for p in it:
            while len(part) >= 2 and cross(part[-2], part[-1], p) <= 0:
                part.pop()
            part.append(p)
    return np.array(lower[:-1] + upper[:-1])


@cuda.jit
def inside(poly, pts, out):
    i = cuda.grid(1)
    if i < pts.shape[0]:
        x, y = pts[i]
        odd = False
        j = len(poly) - 1
        for k in range(len(poly)):
            xi, yi = poly[k, 0], poly[k, 1]
            xj, yj = poly[j, 0], poly[j, 1]
            if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
                odd = not odd
            j = k
        out[i] = odd


@cuda.jit
def closest(pts, best, pair):
    i = cuda.grid(1)
    if i < pts.shape[0]:
        least = np.inf
        at = -1
        for j in range(pts.shape[0]):
            if j != i:
                d = math.hypot(pts[i, 0] - pts[j, 0], pts[i, 1] - pts[j, 1])
                if d < least:
                    least, at = d, j
        best[i] = least
        pair[i] = at


def shoelace(p):
    x, y = p.T
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def area_fan(p):
    return sum(abs(cross(p[0], p[i], p[i + 1])) for i in range(1, len(p) - 1)) / 2


rng = np.random.default_rng(17)
pts = rng.standard_normal((80, 2)) @ np.array([[2, .5], [0, 1]])
h = hull(pts)
print(len(h), "corners, first", h[0].round(4), "area", round(shoelace(h), 6), round(float(area_fan(h)), 6))
edges = np.diff(np.vstack([h, h[:1]]), axis=0)
turn = np.arctan2(edges[:, 1], edges[:, 0])
steps = np.mod(np.diff(turn, append=turn[0]), 2 * np.pi)
print("perimeter %.5f, turns %.1f degrees, all left: %s" % (np.linalg.norm(edges, axis=1).sum(), np.degrees(steps.sum()), (steps > 0).all()))

lo, hi = pts.min(0), pts.max(0)
sample = rng.uniform(lo, hi, size=(2000, 2))
flags = np.zeros(len(sample), dtype=bool)
inside.forall(len(sample))(h, sample, flags)
est = flags.mean() * np.prod(hi - lo)
print(f"by chance {est:.3f}", abs(est - shoelace(h)) / est < 0.05, np.count_nonzero(~flags))
own = np.empty(len(pts), bool)
inside[4, 32](h * 1.000001, pts, own)
print("own points inside:", own.sum())
best, pair = np.zeros(80), np.zeros(80, dtype=np.int64)
closest[3, 32](pts, best, pair)
i = int(best.argmin())
print("closest", sorted((i, int(pair[i]))), f"{best[i]:.6f}")
mutual = [(int(a), int(b)) for a, b in enumerate(pair) if pair[b] == a and a < b]
print(len(mutual), "mutual pairs", mutual[:5])
centre = pts.mean(axis=0)
cov = np.cov(pts.T)
w, v = np.linalg.eigh(cov)
axis = v[:, -1] * np.sign(v[0, -1])
print("axes", np.sqrt(w).round(4), axis.round(4), "angle", round(math.degrees(math.atan2(axis[1], axis[0])), 3))
d = np.linalg.norm(pts[:, None] - pts[None], axis=-1)
a, b = np.unravel_index(np.argmax(d), d.shape)
print("farthest", (int(a), int(b)), f"{d.max():.5f}", any((pts[a] == c).all() for c in h))
hist, ex, ey = np.histogram2d(*pts.T, bins=(4, 3))
print(hist.astype(int).tolist(), ex.round(2), ey.round(2))
