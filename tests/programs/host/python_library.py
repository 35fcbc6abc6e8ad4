"""Modules of Python's library that are written in the language: what they give, and raise."""
import bisect
import copy
import heapq
import os.path
import statistics
import string
import textwrap
from collections import deque


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


heap = []
for v in (5, 1, 4, 1, 9):
    heapq.heappush(heap, v)
print(heap, heapq.heappop(heap), heap)
heap = [5, 1, 4, 0, 3]
heapq.heapify(heap)
print(heap, heapq.heappushpop(heap, 2), heapq.heapreplace(heap, 7), heap)
print(heapq.nsmallest(2, heap), heapq.nlargest(2, "hello", key=ord), tried(heapq.heappop, []))
print(list(heapq.merge([1, 4], [2, 3])), list(heapq.merge([4, 1], [3, 2], reverse=True)))
print(bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([1, 2, 2, 3], 2), bisect.bisect([], 1))
row = [1, 5]
bisect.insort(row, 3)
print(row, string.ascii_letters, string.punctuation, string.digits)

d = deque([1, 2, 3], maxlen=3)
d.append(4)
d.appendleft(0)
print(d, d[-1], len(d), 2 in d, list(reversed(d)), d.maxlen)
d.rotate(1)
print(d, d == deque([2, 0, 2]), deque("abc"), tried(deque().pop), tried(lambda: d[7]))
queue = deque()
for i in range(200):
    queue.append(i)
    if i % 3:
        queue.popleft()
queue.extendleft([7, 8])
queue.insert(1, "x")
queue.remove(150)
print(len(queue), queue[0], queue[1], queue[-1], queue.count(7), queue.index(8), bool(deque()))

samples = [1.5, 2.25, 3.1, 0.3, 9.7, 1e-3]
for f in (statistics.mean, statistics.stdev, statistics.pstdev, statistics.variance,
          statistics.median, statistics.fmean, statistics.pvariance):
    print(f.__name__, f(samples), f([1, 2, 3, 4]), f([2, 4, 6]))
for i in range(40):
    values = [((i * 37 + k * 101) % 97) / 7 + 1e6 * (i % 3) for k in range(5 + i % 4)]
    print(statistics.mean(values), statistics.variance(values), statistics.stdev(values))
print(statistics.quantiles(samples, n=4), statistics.mode([1, 2, 2]), tried(statistics.mean, []))
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 20))
print(textwrap.dedent("   a\n     b\n") + textwrap.indent("c\n\nd", "> "))

nested = {"a": [1, {2}], "t": (1, [2])}
other = copy.deepcopy(nested)
other["a"][0] = 5
other["t"][1].append(3)
print(nested, other)
loop = [1]
loop.append(loop)
twin = copy.deepcopy(loop)
print(twin[1] is twin, twin is loop)


class Point:
    def __init__(self):
        self.x = [1]
        self.y = 2


p = Point()
q, r = copy.deepcopy(p), copy.copy(p)
q.x.append(2)
r.x.append(7)
print(p.__dict__, vars(q), id(p) == id(p), q.x is p.x)
print(os.path.split("/a/b.c"), os.path.normpath("a/../b//c"), os.path.relpath("/a/b", "/a/c"))
print(os.path.abspath("x") == os.path.join(os.getcwd(), "x"), os.environ.get("NOT_THERE", 3))
