import numpy as np
from numba import cuda, float32 as f4
from scipy.constants import speed_of_light, mu_0, epsilon_0
import scipy.constants as sc

c0 = speed_of_light
imp0 = np.sqrt(mu_0 / epsilon_0)
dx = 1e-3
dt = 0.5 * dx / c0
ce = dt / (epsilon_0 * dx)
ch = dt / (mu_0 * dx)
PML = 10
eV = sc.electron_volt
electron = sc.m_e, sc.e


def courant(d):
    return d / (c0 * np.sqrt(2))


limit = 1 / 2


@cuda.jit
def update_h(ez, hx, hy):
    i, j = cuda.grid(2)
    n, m = ez.shape
    if i < n - 1 and j < m - 1:
        hx[i, j] -= ch * (ez[i, j + 1] - ez[i, j])
        hy[i, j] += ch * (ez[i + 1, j] - ez[i, j])


@cuda.jit
def update_e(ez, hx, hy, eps_r):
    i, j = cuda.grid(2)
    n, m = ez.shape
    if 0 < i < n and 0 < j < m:
        curl = hy[i, j] - hy[i - 1, j] - hx[i, j] + hx[i, j - 1]
        ez[i, j] += ce / eps_r[i, j] * curl


@cuda.jit
def source(ez, t, where):
    ez[where[0], where[1]] += f4(np.sin(2 * np.pi * 1e9 * t * dt)) * imp0


@cuda.jit
def absorb(ez):
    i, j = cuda.grid(2)
    n, m = ez.shape
    if i < n and j < m:
        d = min(i, j, n - 1 - i, m - 1 - j)
        if d < PML:
            ez[i, j] *= 1 - 0.3 * ((PML - d) / PML) ** 3


if __name__ == "__main__":
    import matplotlib.animation as animation
    import matplotlib.pyplot as plt

    fig = plt.figure()
    ims = []

    def frame(k, /):
        nonlocal_ = k
        global last
        last = k
        return ims[k],

    ani = animation.FuncAnimation(fig, frame, frames=len(ims), interval=50, blit=True)
