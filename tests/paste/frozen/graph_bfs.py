import sys, getopt
from collections import deque
import networkx as nx
import numpy as np
from numba import cuda

INF = np.iinfo(np.int32).max
UNSEEN = -1
DAMPING = .85


@cuda.jit
def bfs_level(indptr, indices, level, depth, changed):
    v = cuda.grid(1)
    if v < level.size and level[v] == depth:
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if level[u] == UNSEEN:
                level[u] = depth + 1
                changed[0] = True


@cuda.jit
def relax(src, dst, weight, dist):
    e = cuda.grid(1)
    if e < src.size:
        d = dist[src[e]]
        if d != INF:
            cuda.atomic.min(dist, dst[e], d + weight[e])


@cuda.jit
def pagerank(indptr, indices, degree, rank, out):
    v = cuda.grid(1)
    n = rank.size
    if v < n:
        s = 0.0
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            s += rank[u] / degree[u]
        out[v] = (1 - DAMPING) / n + DAMPING * s


def bfs_host(graph, root):
    seen, queue = {root: 0}, deque([root])
    while queue:
        v = queue.popleft()
        for u in graph[v]:
            if u not in seen:
                seen[u] = seen[v] + 1
                queue.append(u)
    return seen


def usage():
    print("""usage: %s [-n N] [-h]
    -n N   vertices""" % sys.argv[0])
    sys.exit(2)


if __name__ == '__main__':
    try:
        opts, args = getopt.getopt(sys.argv[1:], "n:h")
    except getopt.GetoptError as e:
        print(str(e))
        usage()
    for opt, value in opts:
        if opt == "-h":
            usage()
        elif opt in ("-n",):
            n = int(value)
        else:
            assert False, f"{opt} is not known"
