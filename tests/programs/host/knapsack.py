"""Dynamic programming: knapsacks, coins, the longest common and the longest rising subsequence."""
import numpy as np
from numba import njit, prange


@njit
def knapsack(weights, values, capacity):
    table = np.zeros((len(weights) + 1, capacity + 1), dtype=np.int64)
    for i in range(len(weights)):
        w = weights[i]
        for c in range(capacity + 1):
            table[i + 1, c] = table[i, c]
            if w <= c and table[i, c - w] + values[i] > table[i + 1, c]:
                table[i + 1, c] = table[i, c - w] + values[i]
    return table


def chosen(table, weights):
    c = table.shape[1] - 1
    items = []
    for i in range(table.shape[0] - 1, 0, -1):
        if table[i, c] != table[i - 1, c]:
            items.append(i - 1)
            c -= weights[i - 1]
    return items[::-1]


@njit(cache=True)
def ways(coins, amount):
    count = np.zeros(amount + 1, np.int64)
    count[0] = 1
    for coin in coins:
        for a in range(coin, amount + 1):
            count[a] += count[a - coin]
    return count[amount]


@njit
def fewest(coins, amount):
    best = np.full(amount + 1, amount + 1)
    best[0] = 0
    for a in range(1, amount + 1):
        for coin in coins:
            if coin <= a and best[a - coin] + 1 < best[a]:
                best[a] = best[a - coin] + 1
    return best[amount] if best[amount] <= amount else -1


@njit
def common(a, b):
    row = np.zeros(b.size + 1, dtype=np.int32)
    for i in range(a.size):
        corner = 0
        for j in range(b.size):
            keep = row[j + 1]
            row[j + 1] = corner + 1 if a[i] == b[j] else max(row[j], keep)
            corner = keep
    return row[-1]


@njit
def rising(a):
    tails = np.empty_like(a)
    length = 0
    for x in a:
        low, high = 0, length
        while low < high:
            mid = (low + high) >> 1
            if tails[mid] < x:
                low = mid + 1
            else:
                high = mid
        tails[low] = x
        length = max(length, low + 1)
    return length, tails[:length]


@njit(parallel=True)
def pairs(a, limit):
    total = 0
    for i in prange(a.shape[0]):
        for j in range(i + 1, a.shape[0]):
            if abs(a[i] - a[j]) <= limit:
                total += 1
    return total


rng = np.random.default_rng(12)
weights = rng.integers(1, 15, size=12)
values = rng.integers(5, 40, size=12)
table = knapsack(weights, values, 40)
items = chosen(table, weights)
print(weights, values, sep="\n")
print("best", table[-1, -1], "items", items, "weight", sum(weights[i] for i in items), values[items].sum())
coins = np.array([1, 2, 5, 10, 20, 50])
print("ways", [ways(coins, a) for a in (5, 10, 99, 500)], "fewest", fewest(coins, 88), fewest(coins[2:], 33))
a, b = rng.integers(0, 4, 60), rng.integers(0, 4, 50)
print("common", common(a, b), common(a, a), common(a[:0], b))
x = rng.permutation(40)
length, tails = rising(x)
print("rising", length, tails)
print("pairs", pairs(x, 3), pairs(x.astype(np.float64) / 7, 0.5))
