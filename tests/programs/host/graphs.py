"""Graphs: shortest ways, spanning trees, colours, components, flows of ranks."""
import numpy as np
from numba import cuda, njit, int64

FAR = 10**9


@cuda.jit
def relax(dist, k):
    i, j = cuda.grid(2)
    n = dist.shape[0]
    if i < n and j < n:
        way = dist[i, k] + dist[k, j]
        if way < dist[i, j]:
            dist[i, j] = way


@cuda.jit("void(int32[:], int32[:], int32[:], int32[:], int32[:])")
def spread(starts, ends, label, least, changed):
    e = cuda.grid(1)
    if e < starts.size:
        a, b = label[starts[e]], label[ends[e]]
        if a != b:
            cuda.atomic.min(least, starts[e], b)
            cuda.atomic.min(least, ends[e], a)
            cuda.atomic.max(changed, 0, 1)


@njit
def dijkstra(weights, source):
    n = weights.shape[0]
    dist = np.full(n, FAR)
    before = -np.ones(n, dtype=np.int64)
    done = np.zeros(n, dtype=np.bool_)
    dist[source] = 0
    for _ in range(n):
        u = -1
        for i in range(n):
            if not done[i] and (u < 0 or dist[i] < dist[u]):
                u = i
        if dist[u] == FAR:
            break
        done[u] = True
        for v in range(n):
            if weights[u, v] < FAR and dist[u] + weights[u, v] < dist[v]:
                dist[v] = dist[u] + weights[u, v]
                before[v] = u
    return dist, before


def way(before, to):
    path = [to]
    while before[path[0]] >= 0:
        path.insert(0, int(before[path[0]]))
    return path


def prim(weights):
    n = len(weights)
    inside, edges, total = [0], [], 0
    while len(inside) < n:
        best = min(((weights[a, b], a, b) for a in inside for b in range(n)
                    if b not in inside), default=None)
        if best is None or best[0] >= FAR:
            break
        total += best[0]
        edges.append(best[1:])
        inside.append(best[2])
    return total, edges


def colours(adjacent):
    order = np.argsort(-adjacent.sum(axis=1), kind="stable")
    colour = np.full(len(adjacent), -1)
    for v in order:
        used = [colour[u] for u in np.flatnonzero(adjacent[v])]
        k = 0
        while k in used:
            k += 1
        colour[v] = k
    return colour


rng = np.random.default_rng(5)
n = 12
weights = np.where(rng.random((n, n)) < 0.3, rng.integers(1, 20, (n, n)), FAR)
weights = np.minimum(weights, weights.T)
np.fill_diagonal(weights, 0)
d = cuda.to_device(weights)
for k in range(n):
    relax[(2, 2), (8, 8)](d, k)
dist = d.copy_to_host()
print(dist[0].tolist())
for source in (0, 5):
    mine, before = dijkstra(weights, source)
    print(source, "same" if np.array_equal(mine, dist[source]) else "other", way(before, n - 1), mine[n - 1])
total, edges = prim(weights)
print("tree", total, [(int(a), int(b)) for a, b in edges])
adjacent = (weights < FAR) & (weights > 0)
colour = colours(adjacent)
print("colours", colour, all(colour[a] != colour[b] for a, b in np.argwhere(adjacent)))
starts, ends = np.nonzero(np.triu(adjacent))
keep = (starts + ends) % 3 != 0
starts, ends = starts[keep].astype(np.int32), ends[keep].astype(np.int32)
label, changed = np.arange(n, dtype=np.int32), np.ones(1, dtype=np.int32)
rounds = 0
while changed[0]:
    changed[:] = 0
    least = label.copy()
    spread[1, 64](starts, ends, label, least, changed)
    label = least
    rounds += 1
print("components", np.unique(label, return_counts=True), 1 < rounds <= n)
degree = np.bincount(np.concatenate([starts, ends]), minlength=n)
print("degrees", degree, degree.sum() == 2 * len(starts))
links = adjacent / np.maximum(adjacent.sum(axis=0, keepdims=True), 1)
rank = np.full(n, 1 / n)
for step in range(100):
    new = 0.15 / n + 0.85 * links @ rank
    if np.abs(new - rank).sum() < 1e-9:
        break
    rank = new
print("rank", np.argsort(-rank)[:4], np.round(rank.max(), 6), f"{step} steps" if step < 99 else "no end")
reach = adjacent | np.eye(n, dtype=bool)
for _ in range(4):
    reach = (reach.astype(int) @ reach.astype(int)) > 0
print("reach", reach.sum(axis=1).min(), int(np.trace(adjacent @ adjacent)))
