"""Monte Carlo under Heston's model, American options by least squares."""
import enum
import math
from collections import namedtuple
from contextlib import contextmanager

import numpy as np
from numba import cuda, float64, int64, void
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_normal_float64,
                               xoroshiro128p_uniform_float64)

Params = namedtuple("Params", ["kappa", "theta", "xi", "rho", "v0"])
DEFAULT = Params(kappa=2.0, theta=0.04, xi=0.3, rho=-0.7, v0=0.04)


class Payoff(enum.IntEnum):
    CALL = enum.auto()
    PUT = enum.auto()
    DIGITAL = enum.auto()


class Scheme(enum.Enum):
    FULL_TRUNCATION = "full"
    REFLECTION = "reflect"


SCHEME = Scheme.FULL_TRUNCATION
PATHS_PER_THREAD = 4
RHO_BAR = math.sqrt(1 - DEFAULT.rho ** 2)


@contextmanager
def device_timer(label):
    start, stop = cuda.event(), cuda.event()
    start.record()
    yield
    stop.record()
    stop.synchronize()
    print(f"{label!s:>12}: {cuda.event_elapsed_time(start, stop):8.2f} ms")


@cuda.jit(device=True)
def variance(v):
    if SCHEME is Scheme.FULL_TRUNCATION:
        return max(v, 0.0)
    return abs(v)


@cuda.jit(device=True)
def payoff(kind, s, k):
    if kind == Payoff.CALL:
        return max(s - k, 0.0)
    elif kind == Payoff.PUT:
        return max(k - s, 0.0)
    else:
        return 1.0 if s > k else 0.0


@cuda.jit
def heston(states, s0, strike, r, t, steps, kind, out):
    """Mean payoff of a few paths for each thread."""
    tid = cuda.grid(1)
    if tid >= out.size:
        return
    dt = t / steps
    sq = math.sqrt(dt)
    total = 0.0
    for _ in range(PATHS_PER_THREAD):
        x, v = math.log(s0), DEFAULT.v0
        for _ in range(steps):
            z1 = xoroshiro128p_normal_float64(states, tid)
            z2 = DEFAULT.rho * z1 + RHO_BAR * xoroshiro128p_normal_float64(states, tid)
            vp = variance(v)
            x += (r - 0.5 * vp) * dt + math.sqrt(vp) * sq * z1
            v += DEFAULT.kappa * (DEFAULT.theta - vp) * dt + DEFAULT.xi * math.sqrt(vp) * sq * z2
        total += payoff(kind, math.exp(x), strike)
    out[tid] = math.exp(-r * t) * total / PATHS_PER_THREAD


@cuda.jit(void(float64[:, :], float64[:], float64[:, ::1], float64, int64))
def regress(paths, cash, moments, strike, step):
    """Sums of the normal equations for a basis 1, x, x**2, in the money."""
    i = cuda.grid(1)
    if i < paths.shape[1]:
        x = paths[step, i] / strike
        if x < 1.0:
            basis = (1.0, x, x * x)
            for a in range(3):
                for b in range(3):
                    cuda.atomic.add(moments, (a, b), basis[a] * basis[b])
                cuda.atomic.add(moments, (a, 3), basis[a] * cash[i])


def price(n=1 << 14, **kw):
    out = np.empty(n)
    states = create_xoroshiro128p_states(n, seed=kw.pop("seed", 1))
    with device_timer("heston"):
        heston[(n + 255) // 256, 256](states, 100.0, 100.0, 0.03, 1.0, 252, Payoff.CALL, out)
    return {"price": out.mean(), "error": out.std() / np.sqrt(n), **kw}


if __name__ == "__main__":
    print(*(f"{k}={v}" for k, v in price().items()), sep="\n")
