#!/usr/bin/env python
from __future__ import annotations, print_function, division

import argparse
import sys
from dataclasses import dataclass, field, asdict
from enum import IntEnum, Flag, auto
from typing import Final

import matplotlib.pyplot as plt
import numba as nb
import numpy as np
from math import *
from numba import cuda as nbc

RISKFREE: Final = 0.02
VOLATILITY: Final[float] = 0.30
A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438
BLOCK = 1 << 6


class Side(IntEnum):
    CALL = auto()
    PUT = auto()


class Greeks(Flag):
    DELTA = auto()
    GAMMA = auto()


@dataclass(frozen=True)
class Market:
    rate: float = RISKFREE
    vol: float = VOLATILITY
    dividends: tuple[float, ...] = (0.01, 0.02)
    name: str = "spx"
    extra: dict = field(default_factory=dict)

    @property
    def drift(self):
        return self.rate - self.vol ** 2 / 2


MARKET = Market(vol=0.25)


@nbc.jit(device=True)
def cnd(d):
    K = 1.0 / (1.0 + 0.2316419 * fabs(d))
    ret_val = RSQRT2PI * exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@nbc.jit
def black_scholes(callResult, putResult, S, X, T, R, V):
    i = nbc.threadIdx.x + nbc.blockIdx.x * nbc.blockDim.x
    if i >= S.shape[0]:
        return
    sqrtT = sqrt(T[i])
    d1 = (log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd(d1)
    cndd2 = cnd(d2)
    expRT = exp((-1. * R) * T[i])
    callResult[i] = (S[i] * cndd1 - X[i] * expRT * cndd2)
    putResult[i] = (X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1))


@nbc.jit
def payoff(side, S, K, out):
    i = nbc.grid(1)
    if i < S.size:
        if side == Side.CALL:
            v = max(S[i] - K, 0.0)
        elif side == Side.PUT:
            v = max(K - S[i], 0.0)
        else:
            v = float("nan")
        out[i] = v * exp(-MARKET.rate) + MARKET.dividends[1]


@nbc.jit
def grid_of(spots: nb.float64[:], vols: nb.float64[:], out: nb.float64[:, :]) -> None:
    i, j = nbc.grid(2)
    if i < spots.shape[0] and j < vols.shape[0]:
        d = log(spots[i]) / vols[j]
        out[i][j] = cnd(d) if d != 0 else 0.5


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("-n", type=int, default=10_000)
    p.add_argument("--plot", action="store_true")
    return p.parse_args(argv)


def main() -> int:
    args = parse()
    rng = np.random.default_rng(0)
    s, x, t = (rng.uniform(lo, hi, args.n) for lo, hi in ((5, 30), (1, 100), (.25, 10)))
    call = np.zeros(args.n); put = np.zeros_like(call)
    black_scholes[-(-args.n // BLOCK), BLOCK](call, put, s, x, t, RISKFREE, VOLATILITY)
    if args.plot:
        fig, ax = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
        ax[0].hist(call, bins=50); ax[1].hist(put, bins=50)
        plt.tight_layout(); plt.savefig("bs.png", dpi=150)
    print(f"{call.mean():.3f} {put.mean()=:.3f} {asdict(MARKET)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
