# Sorting by a bitonic network: launches in two loops, keys with their places.
import numpy as np
from numba import cuda


@cuda.jit
def exchange(keys, places, size, step):
    i = cuda.grid(1)
    j = i ^ step
    if j > i and j < keys.size:
        up = (i & size) == 0
        wrong = keys[i] > keys[j] or (keys[i] == keys[j] and places[i] > places[j])
        if wrong == up:
            keys[i], keys[j] = keys[j], keys[i]
            places[i], places[j] = places[j], places[i]


def argsort(values):
    n = 1
    while n < values.size:
        n *= 2
    keys = np.full(n, np.iinfo(np.int32).max, dtype=np.int32)
    keys[:values.size] = values
    keys, places = cuda.to_device(keys), cuda.to_device(np.arange(n))
    size = 2
    while size <= n:
        step = size // 2
        while step:
            exchange[(n + 31) // 32, 32](keys, places, size, step)
            step //= 2
        size *= 2
    return places.copy_to_host()[:values.size]


np.random.seed(11)
values = np.random.randint(0, 50, 100).astype(np.int32)
order = argsort(values)
print(values[order][:12], np.array_equal(order, np.argsort(values, kind="stable")))
unique, counts = np.unique(values, return_counts=True)
print(unique.size, int(counts.max()), unique[counts == counts.max()])
