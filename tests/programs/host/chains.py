"""Markov chains: Metropolis' walks side by side, a random number generator each."""
import math

import numpy as np
from numba import cuda, int64, uint64


@cuda.jit(device=True)
def rand(states, i):
    s = states[i]
    s ^= s << uint64(13)
    s ^= s >> uint64(7)
    s ^= s << uint64(17)
    states[i] = s
    return (s >> uint64(11)) * (1.0 / 9007199254740992.0)


@cuda.jit(device=True)
def log_density(x):
    a = math.exp(-0.5 * (x + 2.0) ** 2)
    b = math.exp(-0.5 * ((x - 2.0) / 0.5) ** 2)
    return math.log(0.3 * a + 1.4 * b + 1e-300)


@cuda.jit
def walk(states, x, samples, accepted, width):
    i = cuda.grid(1)
    if i >= x.size:
        return
    here, now = x[i], log_density(x[i])
    for k in range(samples.shape[0]):
        there = here + width * (2.0 * rand(states, i) - 1.0)
        then = log_density(there)
        if math.log(rand(states, i) + 1e-300) < then - now:
            here, now = there, then
            accepted[i] += 1
        samples[k, i] = here
    x[i] = here


chains, steps = 64, 500
states = (np.arange(1, chains + 1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
x = np.linspace(-4, 4, chains)
samples = np.zeros((steps, chains))
accepted = np.zeros(chains, dtype=np.int32)
walk[2, 32](states, x, samples, accepted, 2.5)
kept = samples[100:]
mean, var = kept.mean(), kept.var()
print("acceptance %.2f, mean %.1f, deviation %.1f" % (accepted.mean() / steps, mean, math.sqrt(var)))
right = np.mean(kept > 0.3)
print("right of the valley %.1f" % right)
within = kept.var(axis=0, ddof=1).mean()
between = kept.mean(axis=0).var(ddof=1)
rhat = math.sqrt((within * (len(kept) - 1) / len(kept) + between) / within)
print("chains agree:", rhat < 1.2)
lags = [1, 5, 20]
centred = kept - kept.mean(axis=0)
auto = [float((centred[lag:] * centred[:-lag]).mean() / (centred ** 2).mean()) for lag in lags]
print("autocorrelation falls:", auto[0] > auto[1] > auto[2])
