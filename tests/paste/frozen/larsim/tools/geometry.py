from numba import cuda
import numba as nb


@nb.njit
def plane_of(z, borders):
    for i in range(borders.shape[0]):
        low = min(borders[i, 2, 0], borders[i, 2, 1]) - 2e-2
        high = max(borders[i, 2, 0], borders[i, 2, 1]) + 2e-2
        if low <= z <= high:
            return i
    return -1


@cuda.jit(device=True)
def rotate(x, y, phi):
    import math
    return x * math.cos(phi), y * math.sin(phi)


def plot_planes(borders):
    import matplotlib.pyplot as plt
    fig, ax = plt.subplots(1, 1, figsize=(8, 4))
    [ax.plot(*b[:2]) for b in borders]
    return fig, ax
