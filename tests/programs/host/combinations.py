"""What itertools and other functions of Python's make, as constants of kernels and in programs."""
import itertools
import itertools as it
from itertools import (accumulate, chain, combinations_with_replacement, islice, pairwise,
                       permutations, product, starmap)
import numpy as np
from numba import cuda


pairs = list(itertools.product(range(2), (3, 4)))
two = np.array([p for p in it.combinations(range(4), 2)])
chained = tuple(chain((1, 2), [3]))
products = [a * b for a, b in product((1, 2), repeat=2)]
doubled = tuple(np.arange(3) * 2)
orders = np.array(list(permutations((5, 6, 7))))
sums = list(accumulate([1, 2, 3], initial=10))
most = list(accumulate([3, 1, 4, 1, 5], max))
powers = list(starmap(pow, [(2, 3), (3, 2)]))
every_third = list(islice(range(10), 2, 8, 3))
first = tuple(islice("abc", 2))
steps = np.array(list(pairwise([1, 4, 9])))
letters = list(combinations_with_replacement("AB", 2))
again = np.array(list(combinations_with_replacement((1, 2), 2)))
stencil = np.array(list(product((-1, 0, 1), repeat=3)))
ordered = np.array(list(permutations(range(4), 2)))
lists = list(map(list, product((-1, 1), repeat=2)))
diagonals = sorted(product(range(3), repeat=2), key=lambda p: (p[0] + p[1], p[0]))
falling = sorted([3, -1, 4, -4], key=abs, reverse=True)
by_second = sorted([(1, "b"), (2, "a")], key=lambda p: p[1])
none = list(it.combinations((1, 2), 3))


@cuda.jit
def read(x):
    for p in range(4):
        x[0] += (10 ** p) * pairs[p][1]
        x[1] += products[p] * 10 ** p
    for q in doubled:
        x[2] += q
    for r in range(6):
        x[3] += two[r, 0] + 10 * two[r, 1]
        x[4] += orders[r, 2] * 10 ** r
    x[5] = sums[3]
    x[6] = most[4] + 10 * most[1]
    x[7] = powers[1]
    x[8] = every_third[1]
    x[9] = steps[1, 1]
    x[10] = again[1, 1]
    x[11] = stencil[25, 2]
    x[12] = ordered[11, 1]
    x[13] = lists[2][0]
    x[14] = chained[2]
    x[15] = len(none)
    for p in range(9):
        x[16] = 10 * x[16] + 3 * diagonals[p][0] + diagonals[p][1]
    x[17] = 10 * falling[0] + falling[1] + by_second[0][0]


x = np.zeros(18, np.int64)
read[1, 1](x)
print(x.tolist())
print(pairs, products, sums, most, powers, every_third, first)
print(letters, lists, chained, none, diagonals, falling, by_second)
print(stencil.sum(axis=0).tolist(), ordered.tolist(), orders.tolist())
