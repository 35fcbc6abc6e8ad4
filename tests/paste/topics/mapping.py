"""Great circles, geohashes, points in polygons and rasters of triangles."""
import json, csv, sqlite3
from collections import Counter, deque
from functools import cached_property, singledispatch
from math import radians, sin, cos, asin, sqrt, floor, pi
import geopandas as gpd
import numpy as np
from numba import cuda
from numba.cuda import atomic
from shapely.geometry import Polygon, shape as make_shape

R_EARTH = 6_371_008.8
BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"
LUT = np.array([ord(ch) for ch in BASE32], dtype=np.uint8)
PRECISION = 8
BLOCK = (16, 16)
haversine_cache = {}


@cuda.jit(device=True)
def haversine(lon1, lat1, lon2, lat2):
    """Distance in metres"""
    lon1, lat1, lon2, lat2 = radians(lon1), radians(lat1), radians(lon2), radians(lat2)
    a = sin((lat2 - lat1) / 2) ** 2 + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2
    return 2 * R_EARTH * asin(sqrt(a))


@cuda.jit
def nearest_station(points, stations, idx, dist):
    i = cuda.grid(1)
    if i >= len(points):
        return
    best = np.inf
    arg = np.int32(-1)
    for j in range(len(stations)):
        d = haversine(points[i, 0], points[i, 1], stations[j, 0], stations[j, 1])
        if d < best:
            best, arg = d, j
    idx[i] = arg
    dist[i] = best


@cuda.jit
def geohash(points, out):
    i = cuda.grid(1)
    if i >= points.shape[0]:
        return
    lo_x, hi_x, lo_y, hi_y = -180., 180., -90., 90.
    even = True
    for c in range(PRECISION):
        code = 0
        for bit in (16, 8, 4, 2, 1):
            if even:
                mid = (lo_x + hi_x) / 2
                if points[i, 0] >= mid:
                    code |= bit
                    lo_x = mid
                else:
                    hi_x = mid
            else:
                mid = (lo_y + hi_y) / 2
                if points[i, 1] >= mid:
                    code |= bit
                    lo_y = mid
                else:
                    hi_y = mid
            even = not even
        out[i, c] = LUT[code]


@cuda.jit
def in_polygons(points, vertices, starts, count):
    i = cuda.grid(1)
    if i >= points.shape[0]: return
    x, y = points[i]
    n = 0
    for p in range(starts.size - 1):
        inside = False
        j = starts[p + 1] - 1
        for k in range(starts[p], starts[p + 1]):
            xi, yi, xj, yj = vertices[k, 0], vertices[k, 1], vertices[j, 0], vertices[j, 1]
            if ((yi > y) != (yj > y)) and (x < (xj - xi) * (y - yi) / (yj - yi) + xi):
                inside = not inside
            j = k
        n += inside
    count[i] = n


@cuda.jit
def raster(tri, z, ids):
    px, py = cuda.grid(2)
    h, w = z.shape
    if px >= w or py >= h: return
    for t in range(tri.shape[0]):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = tri[t]
        den = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
        if den == 0: continue
        u = ((by - cy) * (px - cx) + (cx - bx) * (py - cy)) / den
        v = ((cy - ay) * (px - cx) + (ax - cx) * (py - cy)) / den
        if u >= 0 <= v and u + v <= 1:
            depth = u * az + v * bz + (1 - u - v) * cz
            if depth < z[py, px]:
                z[py, px] = depth
                ids[py, px] = t


@cuda.jit
def hexbin(points, size, counts):
    i = cuda.grid(1)
    if i < points.shape[0]:
        q = (sqrt(3.) / 3 * points[i, 0] - points[i, 1] / 3) / size
        r = 2 / 3 * points[i, 1] / size
        s = -q - r
        rq, rr, rs = round(q), round(r), round(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        if dq > dr and dq > ds: rq = -rr - rs
        elif dr > ds: rr = -rq - rs
        n = counts.shape[0] // 2
        atomic.add(counts, (int(rq) + n, int(rr) + n), 1)


class Layer:
    def __init__(self, path, *, crs="EPSG:4326"):
        self.path, self.crs = path, crs

    @cached_property
    def frame(self):
        return gpd.read_file(self.path).to_crs(self.crs)

    @singledispatch
    def load(self, what): raise TypeError


def main():
    rng = np.random.default_rng(9)
    pts = np.c_[rng.uniform(-20, 20, 12), rng.uniform(35, 60, 12)]
    idx, dist = np.zeros(12, np.int32), np.zeros(12)
    nearest_station[1, 32](pts, pts[:4] + .3, idx, dist)
    print(idx.tolist(), np.round(dist, 2)[:4].tolist())
    codes = np.zeros((12, PRECISION), np.uint8)
    geohash[1, 32](pts, codes)
    print([bytes(c).decode() for c in codes[:3]])
    poly = np.array([[-10., 40], [10, 40], [0, 58], [-20, 36], [20, 36], [20, 60], [-20, 60]])
    n = np.zeros(12, np.int64)
    in_polygons[1, 32](pts, poly, np.array([0, 3, 7]), n)
    print(n.tolist())
    z = np.full((10, 12), np.inf); ids = np.full((10, 12), -1, np.int32)
    raster[(1, 1), BLOCK](np.array([[[0., 0, 1], [11, 0, 1], [0, 9, 3]], [[3., 2, 0], [9, 4, 5], [4, 8, 2]]]), z, ids)
    print(np.round(z[np.isfinite(z)].sum(), 8), ids[4].tolist())
    counts = np.zeros((9, 9), np.int32)
    hexbin[1, 32](rng.normal(0, 2, (32, 2)), 1.0, counts)
    print(counts.sum(axis=1).tolist())


if __name__ == "__main__":
    main()
