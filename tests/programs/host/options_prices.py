# Prices of options by Black and Scholes, by a vectorized function and by arrays, and what paths say.
import math
import numpy as np
from numba import cuda, vectorize

RATE, SIGMA = 0.03, 0.2


@vectorize(["float64(float64, float64, float64)"])
def call_price(spot, strike, years):
    root = SIGMA * math.sqrt(years)
    d1 = (math.log(spot / strike) + (RATE + 0.5 * SIGMA * SIGMA) * years) / root
    d2 = d1 - root
    first = 0.5 * (1 + math.erf(d1 / math.sqrt(2.0)))
    second = 0.5 * (1 + math.erf(d2 / math.sqrt(2.0)))
    return spot * first - strike * math.exp(-RATE * years) * second


@cuda.jit
def payoffs(normals, spot, strike, years, out):
    i = cuda.grid(1)
    if i < out.size:
        drift = (RATE - 0.5 * SIGMA ** 2) * years
        price = spot * math.exp(drift + SIGMA * math.sqrt(years) * normals[i])
        out[i] = max(price - strike, 0.0) * math.exp(-RATE * years)


strikes = np.arange(80.0, 121.0, 10.0)
years = np.array([0.25, 1.0, 2.0])
table = call_price(100.0, strikes[None, :], years[:, None])
print(np.round(table, 3))
puts = table - 100 + strikes * np.exp(-RATE * years)[:, None]
print(np.round(puts.min(axis=1), 4), bool((np.diff(table, axis=1) < 0).all()))
np.random.seed(1)
normals = np.random.standard_normal(20000)
out = np.empty(normals.size)
payoffs[157, 128](normals, 100.0, 100.0, 1.0, out)
print(f"{out.mean():.3f} by paths, within {1.96 * out.std() / math.sqrt(out.size):.3f}")
