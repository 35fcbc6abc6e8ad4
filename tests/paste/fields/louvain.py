"""Graphs in CSR: colouring, label propagation, triangle counts, Bellman-Ford."""
import abc
import random
from dataclasses import dataclass
from typing import ClassVar, Generic, Iterator, TypeVar

import numpy as np
import numba
from numba import cuda

T = TypeVar("T")
INF = np.iinfo(np.int32).max
UNSET = -1
MAX_COLOURS = 64


@dataclass
class Graph(Generic[T]):
    offsets: np.ndarray
    edges: np.ndarray
    weights: np.ndarray = None
    THREADS: ClassVar[int] = 256

    @classmethod
    def erdos(cls, n: int, p: float) -> "Graph":
        rng = random.Random(1)
        rows = [[j for j in range(n) if j != i and rng.random() < p] for i in range(n)]
        offsets = np.cumsum([0, *map(len, rows)])
        return cls(offsets, np.array([j for row in rows for j in row]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[int]:
        yield from range(len(self))

    @property
    def blocks(self) -> int:
        return -(-len(self) // self.THREADS)


class Algorithm(abc.ABC):
    threads = 128

    @abc.abstractmethod
    def run(self, graph: Graph): ...

    @staticmethod
    @cuda.jit(device=True)
    def neighbours(offsets, v):
        return offsets[v], offsets[v + 1]

    @staticmethod
    @cuda.jit
    def degrees(offsets, out):
        v = cuda.grid(1)
        if v < out.shape[0]:
            first, last = Algorithm.neighbours(offsets, v)
            out[v] = last - first


@cuda.jit
def colour(offsets, edges, priority, colours, changed):
    """Jones-Plassmann: a vertex whose priority is the greatest of the uncoloured takes the least free colour."""
    v = cuda.grid(1)
    if v >= colours.shape[0] or colours[v] != UNSET:
        return
    used = numba.uint64(0)
    for k in range(offsets[v], offsets[v + 1]):
        u = edges[k]
        c = colours[u]
        if c == UNSET:
            if priority[u] > priority[v] or (priority[u] == priority[v] and u > v):
                return
        elif c < MAX_COLOURS:
            used |= numba.uint64(1) << numba.uint64(c)
    free = cuda.ffs(~used) - 1
    colours[v] = free
    changed[0] = True


@cuda.jit
def propagate(offsets, edges, labels, new, seed):
    v = cuda.grid(1)
    if v < labels.shape[0]:
        best, most = labels[v], 0
        for k in range(offsets[v], offsets[v + 1]):
            mine = labels[edges[k]]
            count = 0
            for m in range(offsets[v], offsets[v + 1]):
                count += labels[edges[m]] == mine
            if count > most or (count == most and (mine ^ seed) < (best ^ seed)):
                best, most = mine, count
        new[v] = best


@cuda.jit
def triangles(offsets, edges, total):
    shared = cuda.shared.array(1, numba.int64)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    cuda.syncthreads()
    v = cuda.grid(1)
    found = 0
    if v < offsets.shape[0] - 1:
        for k in range(offsets[v], offsets[v + 1]):
            u = edges[k]
            if u <= v:
                continue
            i, j = offsets[v], offsets[u]
            while i < offsets[v + 1] and j < offsets[u + 1]:
                a, b = edges[i], edges[j]
                if a == b:
                    found += a > u
                    i += 1
                    j += 1
                elif a < b:
                    i += 1
                else:
                    j += 1
    cuda.atomic.add(shared, 0, found)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, shared[0])


@cuda.jit
def relax(offsets, edges, weights, dist, changed):
    v = cuda.grid(1)
    if v < dist.size and dist[v] != INF:
        for k in range(offsets[v], offsets[v + 1]):
            d = dist[v] + weights[k]
            if d < cuda.atomic.min(dist, edges[k], d):
                changed[0] = 1


def main() -> None:
    graph = Graph.erdos(100, 0.1)
    match len(graph):
        case 0:
            raise SystemExit("empty")
        case n if n > 10_000:
            print("large")
        case _:
            pass
    degrees = np.zeros(len(graph), dtype=np.int64)
    Algorithm.degrees[graph.blocks, graph.THREADS](graph.offsets, degrees)
    print(f"{degrees.mean()=:.2f}")


if __name__ == "__main__":
    main()
