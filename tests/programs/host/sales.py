# Rolling a report: a ledger of tuples grouped by sorting, ranks, running totals and percentages in text.
import itertools
import operator
from functools import reduce
import numpy as np
from numba import cuda

SALES = [("north", "tea", 12, 2.5), ("south", "tea", 7, 2.75), ("north", "rice", 3, 1.2), ("east", "milk", 20, 0.9),
         ("south", "rice", 11, 1.1), ("east", "tea", 5, 2.6), ("north", "milk", 8, 0.95), ("south", "milk", 2, 1.0)]


@cuda.jit
def totals(region, amount, out):
    i = cuda.grid(1)
    if i < region.size:
        cuda.atomic.add(out, region[i], amount[i])


regions = sorted([r for r, g in itertools.groupby(sorted(s[0] for s in SALES))])
amount = np.array([n * p for _, _, n, p in SALES])
code = np.array([regions.index(r) for r, *_ in SALES], dtype=np.int32)
out = np.zeros(len(regions))
totals[1, 32](code, amount, out)
whole = out.sum()
print(f"{'region':<8}|{'total':>9}|{'share':>7}")
print("-" * 8 + "+" + "-" * 9 + "+" + "-" * 7)
for r, v in sorted(zip(regions, out), key=operator.itemgetter(1), reverse=True):
    print(f"{r:<8}|{v:>9.2f}|{v / whole:>7.1%}")
for name, group in itertools.groupby(sorted(SALES, key=lambda s: s[1]), key=lambda s: s[1]):
    rows = list(group)
    print(f"{name:>5}: n={len(rows)} units={sum(s[2] for s in rows):>3} best={max(rows, key=lambda s: s[2] * s[3])[0]}")
running = list(itertools.accumulate(s[2] for s in SALES))
print(running, running[-1] == reduce(operator.add, (s[2] for s in SALES)))
print(*(f"{a}-{b}" for a, b in itertools.pairwise(regions)), sep=", ")
print(list(itertools.islice(itertools.cycle("ab"), 5)), list(itertools.zip_longest([1, 2, 3], "xy", fillvalue="-")))
table = [[sum(n for r, k, n, _ in SALES if r == region and k == kind) for kind in ("tea", "rice", "milk")] for region in regions]
for region, row in zip(regions, table):
    print(region.ljust(8), *(str(v).rjust(4) for v in row))
print(np.array(table).sum(axis=0), np.array(table).argmax(axis=1), sum(map(sum, table)))
first, *middle, last = sorted(amount.tolist())
print(first, len(middle), last, f"{first:e} {last:g} {int(last):05d} {-first:+.1f} {whole:,.2f}")
msg = "{0} of {1:>5} {name!r:^9} {2:.3%}".format(1, 22, 0.12345, name="x")
print(msg, "%-6s|%6.2f|%03d|%x|%%" % ("ab", 3.14159, 7, 255))
