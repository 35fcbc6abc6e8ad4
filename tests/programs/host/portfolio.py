"""Prices of shares: returns, risk, falls from the top, the best mix, and rules to trade by."""
import numpy as np

TICKERS = ["AAA", "BBB", "CCC"]
DAYS = 250

rng = np.random.default_rng(2024)
drift = np.array([0.0004, 0.0002, 0.0006])
risk = np.array([[0.010, 0, 0], [0.004, 0.008, 0], [0.003, -0.002, 0.015]])
returns = drift + rng.standard_normal((DAYS, 3)) @ risk.T
prices = 100 * np.cumprod(1 + returns, axis=0)
prices = np.vstack([np.full(3, 100.0), prices])


def drawdown(p):
    top = np.maximum.accumulate(p)
    falls = p / top - 1
    at = falls.argmin()
    return falls[at], int(np.argmax(p[:at + 1])), int(at)


def moving(p, n):
    total = np.cumsum(np.insert(p, 0, 0.0))
    return (total[n:] - total[:-n]) / n


print(f"{'':6}{'end':>9}{'mean':>9}{'risk':>9}{'worst':>9}  from-to")
for k, name in enumerate(TICKERS):
    p, r = prices[:, k], returns[:, k]
    fall, start, end = drawdown(p)
    print(f"{name:<6}{p[-1]:9.2f}{r.mean() * 252:9.2%}{r.std(ddof=1) * 252 ** 0.5:9.2%}{fall:9.2%}  {start}-{end}")
cov = np.cov(returns, rowvar=False) * 252
corr = np.corrcoef(returns.T)
print(np.round(corr, 3))
ones = np.ones(3)
least = np.linalg.solve(cov, ones)
least /= least.sum()
print("least risk", np.round(least, 4), "%.4f" % np.sqrt(least @ cov @ least))
mixes = []
for a in np.arange(0, 1.01, 0.1):
    for b in np.arange(0, 1.01 - a, 0.1):
        w = np.array([a, b, max(0.0, 1 - a - b)])
        mixes.append((w @ returns.mean(axis=0) * 252, np.sqrt(w @ cov @ w), *w))
mixes = np.array(mixes)
sharpe = mixes[:, 0] / mixes[:, 1]
best = np.argmax(sharpe)
print(len(mixes), "mixes; best", np.round(mixes[best, 2:], 1), f"{sharpe[best]:.3f}")
lowest = mixes[np.lexsort((mixes[:, 0], mixes[:, 1]))[:3]]
print(np.round(lowest[:, :2], 4))

fast, slow = moving(prices[:, 0], 5)[15:], moving(prices[:, 0], 20)
signal = np.where(fast > slow, 1, 0)
changes = np.flatnonzero(np.diff(signal)) + 1
gains = (1 + signal[:-1] * returns[-len(signal) + 1:, 0]).prod()
print("trades", changes.size, changes[:6], "held", f"{signal.mean():.1%}", "gain", f"{gains - 1:+.2%}")
worst = np.sort(returns @ least)[: int(0.05 * DAYS)]
print("value at risk %.5f, shortfall %.5f" % (-np.quantile(returns @ least, 0.05), -worst.mean()))
months = returns[:240].reshape(12, 20, 3)
table = (1 + months).prod(axis=1) - 1
for month, row in enumerate(table, 1):
    if month % 4 == 0:
        print(f"month {month:2}:", " ".join(f"{x:+7.2%}" for x in row), "*" if (row > 0).all() else "")
print(np.array_split(np.arange(DAYS), 7)[-1], np.digitize(returns[:8, 0], [-0.01, 0, 0.01]))
winners = [TICKERS[i] for i in table.argmax(axis=1)]
print([(name, winners.count(name)) for name in TICKERS])
