"""Backtests: indicators, order matching, value at risk, bootstrap."""
import asyncio
import copy
import decimal
import fractions
import statistics
import uuid
from collections import deque
from dataclasses import KW_ONLY, InitVar, dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum, Flag, IntEnum, auto

import numpy as np
from numba import cuda, float64, int8, int32, int64, njit, typed, types
from numba.experimental import jitclass

DAY = timedelta(days=1)
START = np.datetime64("2020-01-01")
WINDOWS = (5, 20, 60)
LONGEST = max(WINDOWS)
FEES = {"maker": 0.0002, "taker": 0.0005}
MAKER, TAKER = (FEES[k] for k in ("maker", "taker"))
LEVELS = [0.95, 0.99]
Z = dict(zip(LEVELS, (1.6449, 2.3263)))


class Side(IntEnum):
    BUY = 1
    SELL = -1


class Kind(Enum):
    LIMIT = auto()
    MARKET = auto()


@dataclass
class Strategy:
    fast: int = WINDOWS[0]
    slow: int = WINDOWS[1]
    _: KW_ONLY
    stop: float = 0.05
    seed: InitVar[int] = 0
    history: deque = field(default_factory=deque, repr=False)

    def __post_init__(self, seed):
        if self.fast >= self.slow:
            raise ValueError("windows")


STRATEGY = Strategy(stop=0.03)
order_dtype = np.dtype([("id", "i8"), ("side", "i1"), ("kind", "i1"), ("price", "f8"), ("size", "f8"), ("when", "M8[s]")])


@jitclass([("total", float64), ("count", int64)])
class Mean:
    def __init__(self):
        self.total, self.count = 0.0, 0


@njit
def ema_host(x, n):
    out = np.empty_like(x)
    k = 2.0 / (n + 1)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] + k * (x[i] - out[i - 1])
    return out


@cuda.jit
def backtest(prices, fast, slow, pnl, trades):
    """A pair of windows a thread: moving averages that cross."""
    a, b = cuda.grid(2)
    if a >= len(fast) or b >= len(slow) or fast[a] >= slow[b]:
        return
    nf, ns = fast[a], slow[b]
    sf = ss = 0.0
    position, entry, cash, count = 0, 0.0, 0.0, 0
    for t in range(prices.shape[0]):
        sf += prices[t]
        ss += prices[t]
        if t >= nf:
            sf -= prices[t - nf]
        if t >= ns:
            ss -= prices[t - ns]
        if t < ns - 1:
            continue
        signal = Side.BUY if sf / nf > ss / ns else Side.SELL
        stopped = position != 0 and position * (prices[t] / entry - 1) < -STRATEGY.stop
        if signal != position or stopped:
            if position:
                cash += position * (prices[t] - entry) - TAKER * prices[t]
                count += 1
            position, entry = (0, 0.0) if stopped else (int(signal), prices[t])
    pnl[a, b] = cash
    trades[a, b] = count


@cuda.jit
def match_orders(orders, book, filled):
    i = cuda.grid(1)
    if i < orders.size:
        order = orders[i]
        left = order.size
        level = 0
        while left > 0 and level < book.shape[0]:
            price = book[level, 0]
            crosses = price <= order.price if order.side == Side.BUY else price >= order["price"]
            if not crosses and order.kind == Kind.LIMIT.value:
                break
            take = min(left, book[level, 1])
            left -= take
            level += 1
        filled[i] = order.size - left


@cuda.jit
def ages(orders, now, out):
    i = cuda.grid(1)
    if i < out.size:
        span = now - orders[i].when
        out[i] = span / np.timedelta64(1, "m")


@cuda.jit
def value_at_risk(returns, weights, out, z=Z[0.99]):
    p = cuda.grid(1)
    if p < weights.shape[0]:
        mean = m2 = 0.0
        for t in range(returns.shape[0]):
            r = 0.0
            for k in range(returns.shape[1]):
                r += weights[p, k] * returns[t, k]
            delta = r - mean
            mean += delta / (t + 1)
            m2 += delta * (r - mean)
        out[p] = z * (m2 / (returns.shape[0] - 1)) ** 0.5 - mean


async def feed(queue: asyncio.Queue):
    while True:
        item = await queue.get()
        yield item, uuid.uuid4(), decimal.Decimal("1.5"), fractions.Fraction(1, 3)


total = lambda xs: statistics.fsum(xs)
