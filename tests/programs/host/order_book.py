"""Orders that meet: namedtuples that lists give up and take again, of drawn numbers."""
from collections import namedtuple
from enum import Enum, IntEnum, auto
import numpy as np
from numba import cuda

class Side(IntEnum):
    BUY = 1
    SELL = -1

class State(Enum):
    OPEN = auto()
    FILLED = auto()

Order = namedtuple("Order", ["id", "side", "price", "qty"])

@cuda.jit
def notional(sides, prices, qty, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        if sides[i] == Side.BUY:
            out[i] = prices[i] * qty[i]
        else:
            out[i] = -prices[i] * qty[i]

rng = np.random.default_rng(12)
orders = [Order(i, Side.BUY if rng.random() < 0.5 else Side.SELL, round(rng.normal(100, 2), 2), int(rng.integers(1, 10))) for i in range(12)]
book = [[], []]
for o in orders:
    book[0 if o.side == Side.BUY else 1].append(o)
bids = sorted(book[0], key=lambda o: (-o.price, o.id))
asks = sorted(book[1], key=lambda o: (o.price, o.id))
state = State.OPEN
trades = 0
while bids and asks and bids[0].price >= asks[0].price:
    b, a = bids.pop(0), asks.pop(0)
    q = min(b.qty, a.qty)
    trades += q
    print(f"trade {q} @ {a.price:.2f} ({b.id}/{a.id})")
    if b.qty > q:
        bids.insert(0, b._replace(qty=b.qty - q))
    if a.qty > q:
        asks.insert(0, a._replace(qty=a.qty - q))
    state = State.FILLED
print(state.name, trades, len(bids), len(asks))
sides = np.array([o.side for o in orders], dtype=np.int8)
prices = np.array([o.price for o in orders])
qty = np.array([o.qty for o in orders])
out = np.zeros(len(orders))
notional[1, 32](sides, prices, qty, out)
print(out.sum().round(2), out.round(1))
for o in bids[:2]:
    print(o)
