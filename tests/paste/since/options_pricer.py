"""Monte Carlo pricing of exotic options."""
import enum
import time
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numba import cuda, float64, int64, types
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float64
from tqdm.auto import tqdm


class OptionType(enum.IntEnum):
    CALL = 1
    PUT = -1

    @property
    def label(self):
        return self.name.lower()

    def __str__(self):
        return self.label


class Barrier(enum.Enum):
    NONE = 0
    UP_OUT = 1
    DOWN_OUT = 2


@dataclass(frozen=True)
class Market:
    spot: float = 100.0
    rate: float = 0.03
    vol: float = 0.2
    div: float = 0.0
    extra: dict = field(default_factory=dict)


MARKET = Market()
N_STEPS = 252
THREADS = 128


@cuda.jit(device=True)
def payoff(s, k, cp):
    return max(cp * (s - k), 0.0)




@cuda.jit
def asian(states, strike, maturity, cp, out):
    tid = cuda.grid(1)
    if tid >= out.size:
        return
    dt = maturity / N_STEPS
    drift = (MARKET.rate - MARKET.div - 0.5 * MARKET.vol ** 2) * dt
    sig = MARKET.vol * dt ** 0.5
    s = MARKET.spot
    total = 0.0
    for _ in range(N_STEPS):
        s *= np.exp(drift + sig * xoroshiro128p_normal_float64(states, tid))
        total += s
    out[tid] = payoff(total / N_STEPS, strike, cp) * np.exp(-MARKET.rate * maturity)


@cuda.jit
def barrier(states, strike, level, maturity, kind, out):
    tid = cuda.grid(1)
    stride = cuda.gridsize(1)
    dt = maturity / N_STEPS
    for i in range(tid, out.shape[0], stride):
        s = MARKET.spot
        alive = True
        for step in range(N_STEPS):
            z = xoroshiro128p_normal_float64(states, tid)
            s = s * (1.0 + MARKET.rate * dt + MARKET.vol * np.sqrt(dt) * z)
            if kind == Barrier.UP_OUT.value and s >= level:
                alive = False
                break
            elif kind == Barrier.DOWN_OUT.value and s <= level:
                alive = False
                break
        if not alive:
            out[i] = 0.0
        else:
            out[i] = payoff(s, strike, OptionType.CALL)


@cuda.jit
def implied_vol(prices, strikes, t, vols, iters):
    i = cuda.grid(1)
    if i < prices.size:
        lo, hi = 1e-4, 5.0
        for _ in range(iters):
            mid = 0.5 * (lo + hi)
            if mid * strikes[i] * t > prices[i]:
                hi = mid
            else:
                lo = mid
        vols[i] = 0.5 * (lo + hi)


def price(n=1 << 20, seed=1):
    states = create_xoroshiro128p_states(n, seed=seed)
    out = cuda.device_array(n)
    rows = []
    for k in tqdm(np.linspace(80, 120, 9)):
        t0 = time.perf_counter()
        asian[(n + THREADS - 1) // THREADS, THREADS](states, k, 1.0, OptionType.CALL, out)
        rows.append({"strike": k, "price": out.copy_to_host().mean(), "t": time.perf_counter() - t0})
    return pd.DataFrame(rows).set_index("strike")


if __name__ == "__main__":
    print(price())
