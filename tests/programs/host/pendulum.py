"""A double pendulum by Runge and Kutta's method, and how fast two of them part."""
import math

import numpy as np
from numba import njit

G, L1, L2, M1, M2 = 9.81, 1.0, 0.7, 1.0, 1.5


@njit
def slopes(state, out):
    t1, w1, t2, w2 = state[0], state[1], state[2], state[3]
    d = t2 - t1
    den = (M1 + M2) * L1 - M2 * L1 * math.cos(d) ** 2
    out[0] = w1
    out[1] = (M2 * L1 * w1 ** 2 * math.sin(d) * math.cos(d) + M2 * G * math.sin(t2) * math.cos(d)
              + M2 * L2 * w2 ** 2 * math.sin(d) - (M1 + M2) * G * math.sin(t1)) / den
    out[2] = w2
    out[3] = (-M2 * L2 * w2 ** 2 * math.sin(d) * math.cos(d)
              + (M1 + M2) * (G * math.sin(t1) * math.cos(d) - L1 * w1 ** 2 * math.sin(d)
                             - G * math.sin(t2))) / (den * L2 / L1)


@njit
def run(state, h, steps, track):
    k1, k2, k3, k4 = np.zeros(4), np.zeros(4), np.zeros(4), np.zeros(4)
    tmp = np.zeros(4)
    for n in range(steps):
        slopes(state, k1)
        for i in range(4):
            tmp[i] = state[i] + h / 2 * k1[i]
        slopes(tmp, k2)
        for i in range(4):
            tmp[i] = state[i] + h / 2 * k2[i]
        slopes(tmp, k3)
        for i in range(4):
            tmp[i] = state[i] + h * k3[i]
        slopes(tmp, k4)
        for i in range(4):
            state[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])
        track[n, 0] = state[0]
        track[n, 1] = state[2]


def energy(state):
    t1, w1, t2, w2 = state
    kinetic = 0.5 * M1 * (L1 * w1) ** 2 + 0.5 * M2 * (
        (L1 * w1) ** 2 + (L2 * w2) ** 2 + 2 * L1 * L2 * w1 * w2 * np.cos(t1 - t2))
    return kinetic - (M1 + M2) * G * L1 * np.cos(t1) - M2 * G * L2 * np.cos(t2)


steps, h = 4000, 0.001
tracks = []
for nudge in (0.0, 1e-6):
    state = np.array([2.0 + nudge, 0.0, 1.5, 0.0])
    before = energy(state)
    track = np.empty((steps, 2))
    run(state, h, steps, track)
    drift = abs(energy(state) - before)
    print("after %.1f s: theta1 %.4f theta2 %.4f, energy off by less than 1e-6: %s"
          % (steps * h, state[0], state[2], drift < 1e-6))
    tracks.append(track)
apart = np.abs(tracks[0] - tracks[1]).max(axis=1)
first = np.argmax(apart > 1e-5)
print("apart by 1e-5 after", round(float(first) * h, 2), "s")
print(np.round(np.percentile(tracks[0], [5, 50, 95], axis=0), 3))
