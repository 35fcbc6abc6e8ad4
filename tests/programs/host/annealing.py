"""A short round trip through cities, by simulated annealing in a compiled function."""
import math

import numpy as np
from numba import jit


@jit(nopython=True)
def next_random(state):
    state[0] = (state[0] * 1103515245 + 12345) % 2147483648
    return state[0] / 2147483648.0


@jit(nopython=True)
def length(tour, d):
    total = 0.0
    for i in range(len(tour)):
        total += d[tour[i], tour[(i + 1) % len(tour)]]
    return total


@jit(nopython=True)
def anneal(tour, d, state, start, end, steps):
    n = len(tour)
    accepted = 0
    for step in range(steps):
        t = start * (end / start) ** (step / steps)
        i = int(next_random(state) * n)
        j = int(next_random(state) * n)
        if i > j:
            i, j = j, i
        if j - i < 2 or (i == 0 and j == n - 1):
            continue
        a, b = tour[i], tour[i + 1]
        c, e = tour[j], tour[(j + 1) % n]
        delta = d[a, c] + d[b, e] - d[a, b] - d[c, e]
        if delta < 0 or next_random(state) < math.exp(-delta / t):
            lo, hi = i + 1, j
            while lo < hi:
                tour[lo], tour[hi] = tour[hi], tour[lo]
                lo += 1
                hi -= 1
            accepted += 1
    return accepted


n = 60
angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
places = np.stack([np.cos(angle), np.sin(angle)], axis=1)
d = np.sqrt(((places[:, None, :] - places[None, :, :]) ** 2).sum(-1))
rng = np.random.default_rng(9)
tour = rng.permutation(n)
before = length(tour, d)
state = np.array([42], dtype=np.int64)
accepted = anneal(tour, d, state, 1.0, 1e-3, 60000)
after = length(tour, d)
best = n * d[0, 1]
print("before %.3f after %.3f best %.3f" % (before, after, best))
print("within 1%:", after < 1.01 * best, "a permutation:", sorted(tour.tolist()) == list(range(n)))
print("accepted some:", 0 < accepted < 60000)
