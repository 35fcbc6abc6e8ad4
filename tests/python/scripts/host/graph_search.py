import collections
import numpy as np
from numba import cuda, int32
from functools import lru_cache, partial, wraps


def timed(fn):
    @wraps(fn)
    def inner(*a, **k):
        return fn(*a, **k)
    return inner


class Graph:
    UNSEEN = -1
    THREADS = 64

    def __init__(self, n, edges):
        self.n = n
        nbrs = collections.defaultdict(list)
        for u, v in edges:
            nbrs[u].append(v)
            nbrs[v].append(u)
        self.ptr = np.zeros(n + 1, np.int32)
        self.ptr[1:] = np.cumsum([len(nbrs[i]) for i in range(n)])
        self.idx = np.array([v for i in range(n) for v in nbrs[i]], np.int32)

    @staticmethod
    @cuda.jit
    def _expand(ptr, idx, dist, level, changed):
        u = cuda.grid(1)
        if u < dist.shape[0] and dist[u] == level:
            for e in range(ptr[u], ptr[u + 1]):
                v = idx[e]
                if cuda.atomic.compare_and_swap(dist[v:], Graph.UNSEEN, level + 1) == Graph.UNSEEN:
                    changed[0] = True

    @staticmethod
    @cuda.jit
    def _label(ptr, idx, lab, changed):
        u = cuda.grid(1)
        if u < lab.size:
            for e in range(ptr[u], ptr[u + 1]):
                old = cuda.atomic.min(lab, u, lab[idx[e]])
                if lab[u] < old:
                    cuda.atomic.add(changed, 0, 1)

    @timed
    def bfs(self, s):
        dist = np.full(self.n, self.UNSEEN, np.int32)
        dist[s] = 0
        d = cuda.to_device(dist)
        p, i = cuda.to_device(self.ptr), cuda.to_device(self.idx)
        changed = cuda.device_array(1, np.bool_)
        level = 0
        while True:
            changed[0] = False
            self._expand[(self.n + 63) // 64, self.THREADS](p, i, d, level, changed)
            if not changed[0]:
                break
            level += 1
        return d.copy_to_host()

    def components(self):
        lab = np.arange(self.n, dtype=np.int32)
        while True:
            c = np.zeros(1, np.int32)
            Graph._label[(self.n + 63) // 64, 64](self.ptr, self.idx, lab, c)
            if c[0] == 0:
                return lab


rng = np.random.default_rng(2)
g = Graph(300, rng.integers(0, 300, (350, 2)).tolist())
ref = np.full(300, -1)
ref[5] = 0
todo = collections.deque([5])
while todo:
    u = todo.popleft()
    for v in g.idx[g.ptr[u]:g.ptr[u + 1]]:
        if ref[v] < 0:
            ref[v] = ref[u] + 1
            todo.append(v)
np.testing.assert_array_equal(g.bfs(5), ref)
lab = g.components()
for u in range(300):
    for v in g.idx[g.ptr[u]:g.ptr[u + 1]]:
        assert lab[u] == lab[v]
assert (lab <= np.arange(300)).all()
print("components", len(set(lab.tolist())))


@lru_cache(maxsize=None)
def scaled(factor, fn=None):
    @cuda.jit
    def k(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = x[i] * factor if fn is None else fn(x[i])
    return k


@cuda.jit(device=True)
def cube(v):
    return v ** 3


x = np.arange(10.0)
scaled(4)[1, 32](x)
np.testing.assert_array_equal(x, np.arange(10) * 4.0)
scaled(0, cube)[1, 32](x)
np.testing.assert_array_equal(x, (np.arange(10) * 4.0) ** 3)
print("ok")
