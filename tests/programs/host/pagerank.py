"""PageRank by a kernel over links in compressed rows."""
import numpy as np
from numba import cuda

links = [[1, 2], [2], [0], [0, 2], [3, 1, 0]]
n = len(links)
starts = [0]
sources = []
outdegree = [len(row) for row in links]
for target in range(n):
    for source in range(n):
        if target in links[source]:
            sources.append(source)
    starts.append(len(sources))


@cuda.jit
def spread(starts, sources, outdegree, rank, after, damping):
    i = cuda.grid(1)
    if i < rank.size:
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += rank[sources[k]] / outdegree[sources[k]]
        after[i] = (1 - damping) / rank.size + damping * total


starts, sources, outdegree = np.array(starts), np.array(sources), np.array(outdegree)
rank = np.full(n, 1.0 / n)
after = np.empty(n)
iterations = 0
while True:
    spread[1, 32](starts, sources, outdegree, rank, after, 0.85)
    change = np.abs(after - rank).sum()
    rank, after = after, rank
    iterations += 1
    if change < 1e-10:
        break
print("iterations:", iterations)
for page, value in sorted(enumerate(rank), key=lambda pair: -pair[1]):
    print(f"page {page}: {value:.6f}")
print("sum: %.6f" % rank.sum())
