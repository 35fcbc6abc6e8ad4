"""Column physics, regridding and parcels for models of the atmosphere."""
import datetime as dt
import math
import numpy as np
from numba import cuda, float64
from numba.experimental import jitclass
import metpy.calc as mpcalc
from metpy.units import units
import netCDF4 as nc

class Constants:
    g = 9.80665
    Rd = 287.05
    cp = 1004.6
    Lv = 2.5e6
    eps = 0.622
    kappa = Rd / cp
    p0 = 1e5

class Moist(Constants):
    T0 = 273.15
    es0 = 611.2
    qmin = 1e-9

C = Moist
NLEV = 10
SIGMA = np.linspace(0, 1, NLEV + 1) ** 1.3
FULL = (SIGMA[1:] + SIGMA[:-1]) / 2
WEIGHTS = {"upwind": 0, "van_leer": 1}
SCHEME = WEIGHTS["van_leer"]


@cuda.jit(device=True)
def saturation(T, p):
    es = C.es0 * math.exp(17.67 * (T - C.T0) / (T - 29.65))
    return C.eps * es / (p - (1 - C.eps) * es)


@cuda.jit
def condense(T, q, ps, rain):
    i = cuda.grid(1)
    if i >= ps.size:
        return
    fall = 0.
    for k in range(NLEV):
        p = FULL[k] * ps[i]
        for it in range(3):
            qs = saturation(T[i, k], p)
            if q[i, k] <= qs:
                break
            dq = (q[i, k] - qs) / (1 + C.Lv ** 2 * qs / (C.cp * C.Rd / C.eps * T[i, k] ** 2))
            q[i, k] -= dq
            T[i, k] += C.Lv / C.cp * dq
            fall += dq * (SIGMA[k + 1] - SIGMA[k]) * ps[i] / C.g
    rain[i] = fall


@cuda.jit
def implicit_diffusion(u, kz, dz, dt_):
    col = cuda.grid(1)
    if col >= u.shape[0]:
        return
    cp_ = cuda.local.array(NLEV, float64)
    dp = cuda.local.array(NLEV, float64)
    for k in range(NLEV):
        lo = kz[k] * dt_ / dz ** 2 if k > 0 else 0.
        up = kz[k + 1] * dt_ / dz ** 2 if k < NLEV - 1 else 0.
        b = 1 + lo + up
        if k == 0:
            cp_[k], dp[k] = -up / b, u[col, k] / b
        else:
            m = b + lo * cp_[k - 1]
            cp_[k] = -up / m
            dp[k] = (u[col, k] + lo * dp[k - 1]) / m
    u[col, NLEV - 1] = dp[NLEV - 1]
    for k in range(NLEV - 2, -1, -1):
        u[col, k] = dp[k] - cp_[k] * u[col, k + 1]


@cuda.jit(device=True)
def limiter(a, b):
    if SCHEME == 0 or a * b <= 0:
        return 0.
    return 2 * a * b / (a + b)


@cuda.jit
def advect(q, c, out):
    i, j = cuda.grid(2)
    ny, nx = q.shape
    if i < ny and j < nx:
        flux = cuda.local.array(2, float64)
        for side in range(2):
            l = (j - 1 + side) % nx
            slope = limiter(q[i, l] - q[i, l - 1], q[i, (l + 1) % nx] - q[i, l])
            flux[side] = c * (q[i, l] + .5 * (1 - c) * slope)
        out[i, j] = q[i, j] - flux[1] + flux[0]


@cuda.jit
def parcels(pos, u, v, h, steps):
    p = cuda.grid(1)
    if p >= pos.shape[0]:
        return
    ny, nx = u.shape
    for _ in range(steps):
        k = cuda.local.array((2, 2), float64)
        y, x = pos[p]
        for stage in range(2):
            j0, i0 = int(math.floor(y)) % ny, int(math.floor(x)) % nx
            fy, fx = y - math.floor(y), x - math.floor(x)
            for comp in range(2):
                f = v if comp == 0 else u
                k[stage, comp] = ((1 - fy) * ((1 - fx) * f[j0, i0] + fx * f[j0, (i0 + 1) % nx])
                                  + fy * ((1 - fx) * f[(j0 + 1) % ny, i0] + fx * f[(j0 + 1) % ny, (i0 + 1) % nx]))
            y += h * k[stage, 0]
            x += h * k[stage, 1]
        pos[p, 0] += h / 2 * (k[0, 0] + k[1, 0])
        pos[p, 1] += h / 2 * (k[0, 1] + k[1, 1])


@cuda.jit
def days(times, first, month):
    i = cuda.grid(1)
    if i < times.size:
        month[i] = (times[i] - first) // np.timedelta64(1, 'D')


@jitclass([("n", float64)])
class Counter:
    def __init__(self):
        self.n = 0


def main():
    rng = np.random.default_rng(6)
    T, q = rng.uniform(260, 300, (5, NLEV)), rng.uniform(0, .03, (5, NLEV))
    ps, rain = np.full(5, 1e5), np.zeros(5)
    condense[1, 8](T, q, ps, rain)
    print(np.round(rain, 8).tolist(), round(T.sum(), 6))
    u = rng.random((5, NLEV))
    implicit_diffusion[1, 8](u, np.ones(NLEV + 1), .5, .1)
    print(round(u.std(), 8))
    f, g = rng.random((6, 8)), np.zeros((6, 8))
    advect[(1, 1), (8, 8)](f, .3, g)
    print(round(g.sum() - f.sum(), 10) == 0, round(g[2, 3], 8))
    pos = rng.uniform(0, 6, (7, 2))
    parcels[1, 8](pos, f, g, .1, 12)
    print(np.round(pos.sum(axis=0), 8).tolist())


if __name__ == "__main__":
    main()
