"""Bodies that attract one another: leapfrog steps, energy before and after."""
import math
import numpy as np
from numba import cuda

SOFT = 0.05


@cuda.jit
def accelerate(pos, mass, acc):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        ax = 0.0
        ay = 0.0
        for j in range(pos.shape[0]):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            r2 = dx * dx + dy * dy + SOFT * SOFT
            inv = mass[j] / (r2 * math.sqrt(r2))
            ax += dx * inv
            ay += dy * inv
        acc[i, 0] = ax
        acc[i, 1] = ay


def energy(pos, vel, mass):
    kinetic = 0.5 * (mass * (vel * vel).sum(axis=1)).sum()
    potential = 0.0
    for i in range(len(mass)):
        for j in range(i):
            d = pos[i] - pos[j]
            potential -= mass[i] * mass[j] / math.sqrt((d * d).sum() + SOFT ** 2)
    return kinetic + potential


n = 8
angle = np.arange(n) * (2 * np.pi / n)
pos = np.zeros((n, 2))
pos[:, 0], pos[:, 1] = np.cos(angle), np.sin(angle)
vel = np.zeros((n, 2))
vel[:, 0], vel[:, 1] = -0.6 * np.sin(angle), 0.6 * np.cos(angle)
mass = np.full(n, 1 / n)
acc = np.zeros_like(pos)
dt = 0.01
first = energy(pos, vel, mass)
accelerate[1, 32](pos, mass, acc)
for step in range(100):
    vel += 0.5 * dt * acc
    pos += dt * vel
    accelerate[1, 32](pos, mass, acc)
    vel += 0.5 * dt * acc
last = energy(pos, vel, mass)
print("energy %.6f -> %.6f, drift %.1e" % (first, last, round(abs(last - first), 7)))
print("radius of the first: %.5f" % math.hypot(*pos[0]))
