"""Finance: American options by binomial trees, one option a block; Greeks by differences; a report."""
import math
import numpy as np
from numba import cuda

STEPS = 64


@cuda.jit
def american_put(S, K, r, sigma, T, price):
    option = cuda.blockIdx.x
    node = cuda.threadIdx.x
    values = cuda.shared.array(STEPS + 1, dtype=np.float64)
    dt = T[option] / STEPS
    u = math.exp(sigma[option] * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(r * dt) - d) / (u - d)
    discount = math.exp(-r * dt)
    values[node] = max(K[option] - S[option] * u ** (2 * node - STEPS), 0.0)
    cuda.syncthreads()
    for step in range(STEPS - 1, -1, -1):
        new = 0.0
        if node <= step:
            hold = discount * (p * values[node + 1] + (1 - p) * values[node])
            now = K[option] - S[option] * u ** (2 * node - step)
            new = max(hold, now)
        cuda.syncthreads()
        if node <= step:
            values[node] = new
        cuda.syncthreads()
    if node == 0:
        price[option] = values[0]


def put(S, K, r, sigma, T):
    N = lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2)))
    d1 = (math.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * math.sqrt(T))
    return K * math.exp(-r * T) * N(-(d1 - sigma * math.sqrt(T))) - S * N(-d1)


def value(S, K, sigma, T, r=0.05):
    price = np.zeros(len(S))
    american_put[len(S), STEPS + 1](S, K, r, sigma, T, price)
    return price


S = np.linspace(80, 120, 6)
K = np.full(6, 100.0)
sigma, T = np.full(6, 0.2), np.full(6, 1.0)
p = value(S, K, sigma, T)
up, down = value(S + 0.5, K, sigma, T), value(S - 0.5, K, sigma, T)
delta, gamma = (up - down) / 1.0, (up - 2 * p + down) / 0.25
vega = value(S, K, sigma + 0.01, T) - p
print(f"{'S':>7}{'put':>10}{'european':>10}{'premium':>9}{'delta':>8}{'gamma':>8}{'vega':>8}")
for row in zip(S, p, delta, gamma, vega):
    s, a, *greeks = row
    e = put(s, 100.0, 0.05, 0.2, 1.0)
    print(f"{s:7.1f}{a:10.5f}{e:10.5f}{a - e:9.5f}" + "".join(f"{g:8.4f}" for g in greeks))
assert (p >= np.maximum(K - S, 0) - 1e-12).all(), "below its payoff"
print("monotonic", bool(np.all(np.diff(p) < 0)), "sum %.6f" % p.sum())
