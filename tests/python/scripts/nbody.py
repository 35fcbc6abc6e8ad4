import math

import numpy as np
from numba import cuda, float32

G = 6.67e-2
SOFTENING = np.float32(0.01)


@cuda.jit(device=True, inline=True)
def acceleration(dx, dy, dz, mass):
    d2 = dx * dx + dy * dy + dz * dz + SOFTENING
    s = mass / (d2 * math.sqrt(d2))
    return s * dx, s * dy, s * dz


@cuda.jit(fastmath=False)
def forces(positions, masses, out):
    i = cuda.grid(1)
    if i >= positions.shape[0]:
        return
    ax = ay = az = 0.0
    for j in range(positions.shape[0]):
        dx, dy, dz = acceleration(positions[j, 0] - positions[i, 0], positions[j, 1] - positions[i, 1],
                                  positions[j, 2] - positions[i, 2], masses[j])
        ax += dx
        ay += dy
        az += dz
    out[i, 0], out[i, 1], out[i, 2] = G * ax, G * ay, G * az


rng = np.random.default_rng(6)
positions, masses = rng.random((200, 3)), rng.random(200)
out = np.zeros_like(positions)
forces[4, 64](positions, masses, out)
d = positions[None] - positions[:, None]
d2 = (d ** 2).sum(-1) + SOFTENING
expected = G * (d * (masses[None] / (d2 * np.sqrt(d2)))[..., None]).sum(1)
np.testing.assert_allclose(out, expected, rtol=1e-10)
