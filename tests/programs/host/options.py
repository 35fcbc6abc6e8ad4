"""European options by Black and Scholes, with a device function; put-call parity holds."""
import math
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def normal(d):
    return 0.5 * (1.0 + math.erf(d / math.sqrt(2.0)))


@cuda.jit
def price(spot, strike, years, rate, volatility, call, put):
    i = cuda.grid(1)
    if i < spot.size:
        root = math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / (volatility * root)
        d2 = d1 - volatility * root
        discount = math.exp(-rate * years[i])
        call[i] = spot[i] * normal(d1) - strike[i] * discount * normal(d2)
        put[i] = strike[i] * discount * normal(-d2) - spot[i] * normal(-d1)


RATE, VOLATILITY = 0.03, 0.25
n = 10
spot = np.linspace(80, 120, n)
strike = np.full(n, 100.0)
years = np.linspace(0.25, 2, n)
call, put = np.empty(n), np.empty(n)
price.forall(n)(spot, strike, years, RATE, VOLATILITY, call, put)
for s, t, c, p in zip(spot, years, call, put):
    print(f"{s:7.2f} {t:5.2f} {c:8.4f} {p:8.4f}")
parity = call - put - (spot - strike * np.exp(-RATE * years))
print("parity holds:", np.abs(parity).max() < 1e-10)
