"""Path-dependent options by Monte Carlo, Greeks by bumping; two engines share kernels."""
from typing import TYPE_CHECKING, NamedTuple, Literal, overload

import numba
import numpy as np
import pandas as pd
from math import erf, exp, log, sqrt
from numba import cuda, types

if TYPE_CHECKING:
    from numba.cuda.cudadrv.devicearray import DeviceNDArray

Flavour = Literal["asian", "barrier", "lookback"]
FLAVOURS = ["asian", "barrier", "lookback"]
ASIAN, BARRIER, LOOKBACK = range(3)
YEAR: int = 252
SQRT2: float = sqrt(2.0)
sig = types.void(types.float64[::1], types.float64[:, ::1], types.Tuple((types.float64, types.float64, types.float64)), types.int32)
RATE = 3.5e-2
GRID = {flavour: 1 << (8 + i) for i, flavour in enumerate(FLAVOURS)}


class Contract(NamedTuple):
    spot: float
    strike: float
    sigma: float


@cuda.jit(device=True)
def cdf(x):
    return 0.5 * (1.0 + erf(x / SQRT2))


@cuda.jit([types.float64(types.float64, types.float64, types.float64, types.float64)], device=True)
def call_price(s, k, v, t):
    d1 = (log(s / k) + (RATE + v * v / 2) * t) / (v * sqrt(t))
    return s * cdf(d1) - k * exp(-RATE * t) * cdf(d1 - v * sqrt(t))


@cuda.jit(sig)
def paths(out, normals, contract, flavour):
    i = cuda.grid(1)
    if i >= out.size:
        return
    spot, strike, sigma = contract
    dt = 1.0 / YEAR
    s = total = high = spot
    alive = True
    for step in range(normals.shape[1]):
        s *= exp((RATE - sigma ** 2 / 2) * dt + sigma * sqrt(dt) * normals[i, step])
        total += s
        high = max(high, s)
        alive = alive and s < 1.5 * spot
    if flavour == ASIAN:
        payoff = total / (normals.shape[1] + 1) - strike
    elif flavour == BARRIER:
        payoff = s - strike if alive else 0.0
    else:
        payoff = high - strike
    out[i] = exp(-RATE * normals.shape[1] * dt) * max(payoff, 0.0)


@cuda.jit
def surface(strikes, sigmas, out, spot=100.0, t=1.0):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = call_price(spot, strikes[i], sigmas[j], t)


@cuda.jit
def delta(strikes, out, bump):
    i = cuda.grid(1)
    bumped = lambda s: call_price(s, strikes[i], 0.2, 1.0)
    if i < strikes.size:
        out[i] = (bumped(100.0 + bump) - bumped(100.0 - bump)) / (2 * bump)


@overload
def price(c: Contract) -> float: ...
@overload
def price(c: list[Contract]) -> "pd.DataFrame": ...
def price(c, flavour: Flavour = "asian", n=10_000):
    normals = cuda.to_device(np.random.standard_normal((n, YEAR)))
    out = cuda.device_array(n)
    paths[GRID[flavour], 128](out, normals, tuple(c), FLAVOURS.index(flavour))
    return out.copy_to_host().mean()
