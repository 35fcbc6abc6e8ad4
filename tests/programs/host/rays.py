# Rays at three spheres, as characters: the lighter, the more the surface looks at the light.
import math
import numpy as np
from numba import cuda

SHADES = " .:-=+*#%@"
spheres = np.array([[0.0, 0.0, 4.0, 1.2], [1.6, 0.6, 5.0, 0.9], [-1.5, -0.5, 3.4, 0.6]])


@cuda.jit(device=True)
def nearest(spheres, dx, dy, dz):
    best, which = 1e9, -1
    for k in range(spheres.shape[0]):
        cx, cy, cz, r = spheres[k, 0], spheres[k, 1], spheres[k, 2], spheres[k, 3]
        along = cx * dx + cy * dy + cz * dz
        rest = along * along - (cx * cx + cy * cy + cz * cz - r * r)
        if rest > 0:
            t = along - math.sqrt(rest)
            if 0 < t < best:
                best, which = t, k
    return best, which


@cuda.jit
def render(spheres, picture):
    i, j = cuda.grid(2)
    if i < picture.shape[0] and j < picture.shape[1]:
        dx = (j + 0.5) / picture.shape[1] * 2 - 1
        dy = 0.6 - (i + 0.5) / picture.shape[0] * 1.2
        size = math.sqrt(dx * dx + dy * dy + 1)
        dx, dy, dz = dx / size, dy / size, 1 / size
        t, k = nearest(spheres, dx, dy, dz)
        light = -1.0
        if k >= 0:
            nx = (t * dx - spheres[k, 0]) / spheres[k, 3]
            ny = (t * dy - spheres[k, 1]) / spheres[k, 3]
            nz = (t * dz - spheres[k, 2]) / spheres[k, 3]
            light = max(0.0, 0.5 * nx + 0.7 * ny - 0.5 * nz)
        picture[i, j] = light


picture = np.empty((18, 60))
render[(3, 8), (8, 8)](spheres, picture)
for row in picture:
    line = "".join([" " if v < 0 else SHADES[min(9, int(v * 10))] for v in row])
    print(line.rstrip())
print(f"{np.mean(picture >= 0):.4f} of it is sphere")
