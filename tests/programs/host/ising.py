"""The Ising model on a torus by checkerboard updates on the device, and by hand for one spin at a time."""
import math

import numpy as np
from numba import cuda, njit

SIZE = 16
SWEEPS = 20


@cuda.jit(device=True)
def next_random(state, k):
    x = state[k]
    x = np.uint32(x ^ np.uint32(x << np.uint32(13)))
    x = np.uint32(x ^ np.uint32(x >> np.uint32(17)))
    x = np.uint32(x ^ np.uint32(x << np.uint32(5)))
    state[k] = x
    return x / 4294967296.0


@cuda.jit
def sweep(spins, state, colour, weights):
    i, j = cuda.grid(2)
    n, m = spins.shape
    if i < n and j < m and (i + j) % 2 == colour:
        around = (spins[(i - 1) % n, j] + spins[(i + 1) % n, j] +
                  spins[i, (j - 1) % m] + spins[i, (j + 1) % m])
        change = 2 * spins[i, j] * around
        if change <= 0 or next_random(state, i * m + j) < weights[change // 4]:
            spins[i, j] = -spins[i, j]


def energy(spins):
    right, below = np.roll(spins, -1, axis=1), np.roll(spins, -1, axis=0)
    return -int((spins * (right + below)).sum())


def run(temperature, seed=1):
    rng = np.random.default_rng(seed)
    spins = rng.choice(np.array([-1, 1], dtype=np.int32), size=(SIZE, SIZE))
    state = rng.integers(1, 2**32, SIZE * SIZE, dtype=np.uint32)
    weights = np.array([math.exp(-4 * k / temperature) for k in range(3)])
    d_spins, d_state = cuda.to_device(spins), cuda.to_device(state)
    d_weights = cuda.to_device(weights)
    block = (8, 8)
    grid = ((SIZE + 7) // 8,) * 2
    track = []
    for _ in range(SWEEPS):
        for colour in (0, 1):
            sweep[grid, block](d_spins, d_state, colour, d_weights)
        track.append(abs(int(d_spins.copy_to_host().sum())))
    return d_spins.copy_to_host(), track


@njit
def clusters(spins):
    n, m = spins.shape
    label = np.zeros((n, m), dtype=np.int64)
    stack = np.empty((n * m, 2), dtype=np.int64)
    count = 0
    for i in range(n):
        for j in range(m):
            if label[i, j]:
                continue
            count += 1
            label[i, j] = count
            stack[0, 0], stack[0, 1] = i, j
            top = 1
            while top > 0:
                top -= 1
                y, x = stack[top, 0], stack[top, 1]
                for k in range(4):
                    v = (y + (1 if k == 0 else -1 if k == 1 else 0)) % n
                    u = (x + (1 if k == 2 else -1 if k == 3 else 0)) % m
                    if label[v, u] == 0 and spins[v, u] == spins[i, j]:
                        label[v, u] = count
                        stack[top, 0] = v
                        stack[top, 1] = u
                        top += 1
    return label


for temperature in (1.5, 2.27, 5.0):
    spins, track = run(temperature)
    labels = clusters(spins)
    sizes = np.sort(np.bincount(labels.ravel())[1:])[::-1]
    print(f"T = {temperature:<5} E = {energy(spins):>5} |M| = {track[-1]:3d} clusters "
          f"{labels.max():3d}, largest {sizes[:3]}")
    print("  ", " ".join(f"{m:d}" for m in track[::4]))
for row in run(1.5)[0][:4]:
    print("".join("#" if s > 0 else "." for s in row))
