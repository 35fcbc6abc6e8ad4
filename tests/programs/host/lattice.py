# Lattice Boltzmann: flow around a plate, nine directions, one kernel a step.
import numpy as np
from numba import cuda

H, W, STEPS, OMEGA = 12, 20, 30, 1.2
CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
BACK = (0, 3, 4, 1, 2, 7, 8, 5, 6)
WEIGHTS = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)


@cuda.jit
def step(f, g, solid):
    y, x = cuda.grid(2)
    if y < f.shape[1] and x < f.shape[2]:
        rho, ux, uy = 0.0, 0.0, 0.0
        for k in range(9):
            sy, sx = (y - CY[k]) % f.shape[1], (x - CX[k]) % f.shape[2]
            value = f[k, sy, sx]
            if solid[sy, sx]:
                value = f[BACK[k], y, x]
            g[k, y, x] = value
            rho += value
            ux += CX[k] * value
            uy += CY[k] * value
        ux, uy = ux / rho, uy / rho
        for k in range(9):
            along = 3 * (CX[k] * ux + CY[k] * uy)
            equal = WEIGHTS[k] * rho * (1 + along + along * along / 2 - 1.5 * (ux * ux + uy * uy))
            g[k, y, x] += OMEGA * (equal - g[k, y, x])


solid = np.zeros((H, W), dtype=bool)
solid[4:8, 6] = True
f = np.array(WEIGHTS)[:, None, None] * np.ones((H, W))
f[1] *= 1.3
mass = f.sum()
a, b = cuda.to_device(f), cuda.device_array_like(f)
blocks = ((H + 7) // 8, (W + 7) // 8)
for _ in range(STEPS):
    step[blocks, (8, 8)](a, b, solid)
    a, b = b, a
f = a.copy_to_host()
rho = f.sum(axis=0)
ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
print(f"{ux[0].mean():.6f} {ux[5, 9]:.6f} {rho.max():.6f}")
print(np.round(ux[5], 4))
