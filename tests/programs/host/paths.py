# Shortest paths between all pairs, Floyd and Warshall, and the way from the first to the last.
import numpy as np
from numba import cuda

FAR = 10 ** 6


@cuda.jit
def relax(dist, via, k):
    i, j = cuda.grid(2)
    if i < dist.shape[0] and j < dist.shape[1] and i != k and j != k:
        through = dist[i, k] + dist[k, j]
        if through < dist[i, j]:
            dist[i, j] = through
            via[i, j] = k


roads = [(0, 1, 7), (0, 2, 9), (0, 5, 14), (1, 2, 10), (1, 3, 15), (2, 3, 11), (2, 5, 2),
         (3, 4, 6), (4, 5, 9)]
n = 6
dist = np.full((n, n), FAR)
for a, b, length in roads:
    dist[a, b] = dist[b, a] = length
dist[np.arange(n), np.arange(n)] = 0
via = np.full((n, n), -1)
d, v = cuda.to_device(dist), cuda.to_device(via)
for k in range(n):
    relax[1, (8, 8)](d, v, k)
dist, via = d.copy_to_host(), v.copy_to_host()


def way(a, b):
    k = int(via[a, b])
    return [a, b] if k < 0 else way(a, k)[:-1] + way(k, b)


print(dist)
print("from 0 to 4:", " ".join([str(x) for x in way(0, 4)]), "in", dist[0, 4])
assert (dist == dist.T).all(), "roads go both ways"
