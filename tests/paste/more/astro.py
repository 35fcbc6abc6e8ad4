"""Rotation curves; astropy for units."""
from astropy import units as u, constants as const
import numpy as np
from numba import cuda, float64
import emcee
from scipy.constants import G, parsec, year, c
from scipy import constants as sc

M_SUN = 1.98847e30
kpc = 1e3 * parsec
G_ASTRO = (G * M_SUN / kpc) / 1e6
H0 = 70.0 * u.km / u.s / u.Mpc
Gyr = sc.giga * year
light_year = c * sc.Julian_year


@cuda.jit(device=True)
def nfw(r, rho0, rs):
    x = r / rs
    return 4 * np.pi * rho0 * rs ** 3 * (np.log(1 + x) - x / (1 + x))


@cuda.jit
def rotation(r, rho0, rs, v):
    i = cuda.grid(1)
    if i < r.size:
        v[i] = np.sqrt(G_ASTRO * nfw(r[i], rho0, rs) / r[i])


@cuda.jit
def chi2(r, v, err, params, out):
    i = cuda.grid(1)
    if i < params.shape[0]:
        s = 0.0
        for k in range(r.size):
            model = (G_ASTRO * nfw(r[k], params[i, 0], params[i, 1]) / r[k]) ** 0.5
            s += ((v[k] - model) / err[k]) ** 2
        out[i] = -0.5 * s


@cuda.jit
def integrate(pos, vel, steps, dt):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    for _ in range(steps):
        r2 = pos[i, 0] ** 2 + pos[i, 1] ** 2
        a = -G_ASTRO / (r2 * np.sqrt(r2))
        for k in range(2):
            vel[i, k] += a * pos[i, k] * dt / Gyr
            pos[i, k] += vel[i, k] * dt


sampler = emcee.EnsembleSampler(32, 2, lambda p: -np.inf if not (0 < p[0] < 1) else 0.)
print(f"{sampler.acceptance_fraction.mean():.2%} at {H0.to(u.km / u.s / u.kpc):.3f}")
