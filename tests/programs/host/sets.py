"""Sets and frozen sets, and what is made of them."""
import numpy as np

empty = set()
print(empty, len(empty), bool(empty), frozenset(), {1}, frozenset([2]), type({1}).__name__, type(frozenset()))
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(a | b, a & b, a - b, a ^ b, a == {4, 3, 2, 1}, a != b, a == [1, 2, 3, 4])
print(a < {1, 2, 3, 4, 5}, a <= a, a < a, a >= {1}, a > {1, 2, 3, 4}, {1} < {2}, not {1} >= {2})
print(2 in a, 7 in a, 2.0 in a, True in a, "x" in a, (1, 2) in {(1, 2)}, frozenset([1]) in {frozenset([1])})
a.add(9)
a.add(1)
a.discard(100)
a.remove(2)
print(a, sorted(a, reverse=True), sum(a), max(a), min(a), len(a), list(a), tuple(b))
try:
    a.remove(2)
except KeyError as e:
    print("no", e)
try:
    {[1]}
except TypeError as e:
    print(e)
try:
    {1, 2} | [3]
except TypeError as e:
    print(e)
try:
    set().pop()
except KeyError as e:
    print(repr(e))
try:
    {1}[0]
except TypeError as e:
    print(e)
try:
    frozenset([1]).add(2)
except AttributeError as e:
    print(e)
try:
    for i in a:
        a.add(i + 100)
except RuntimeError as e:
    print(e)
print(set("hello") == {"h", "e", "l", "o"}, sorted({"b", "a", "c"}), len({"x", "x", "y"}))
print({i % 3 for i in range(10)}, {x for x in [3, 1, 3]}, sorted({(i, j) for i in range(2) for j in range(2)}))
print(set(range(5)), set([1, 1, 2]), set({"k": 1}), set((1.5, 1.5)), {*range(3), *[7, 8]}, {*()})
c = {1, 2}
d = c
c |= {3}
c &= {2, 3, 4}
c -= {4}
c ^= {3, 5}
c.update([7], (8,), {9: 0})
print(c, d is c, c.copy() is c, c.copy() == c)
c.intersection_update({7, 8, 1}, [8, 7])
c.difference_update([7])
c.symmetric_difference_update([8, 10])
print(c, c.pop(), c, c.clear(), c)
f = frozenset([1, 2, 3])
g = f
g |= {4}
print(f, g, f | {9}, {9} | f, type(f | {9}).__name__, type({9} | f).__name__, f == {1, 2, 3}, hash_free := {f: "v"}[frozenset((3, 2, 1))])
print({1, 2}.union([3], (4,)), {1, 2, 3}.intersection([2, 3, 4], {3}), {1, 2, 3}.difference([1], [2]), {1, 2}.symmetric_difference([2, 3]))
print({1}.issubset([1, 2]), {1, 2}.issuperset([1]), {1}.isdisjoint([2]), {1}.isdisjoint((1, 2)), {1, 2}.union())
print(isinstance(a, set), isinstance(f, frozenset), isinstance(f, set), isinstance(a, (list, set)))
keys = {"a": 1, "b": 2}.keys()
print(sorted(keys & {"a", "z"}), sorted(keys | {"c"}), sorted(keys - {"a"}), sorted({"a": 1}.items() & {("a", 1)}))
seen, unique = set(), []
for x in [3, 1, 3, 2, 1]:
    if x not in seen:
        seen.add(x)
        unique.append(x)
print(unique, [x for x in seen], {x: 1 for x in {2, 1}}, any({0, 1}), all({1, 2}), dict.fromkeys({3, 4}, 0))
print(set(np.array([3, 1, 2, 3]).tolist()), {np.int64(4), 4, 4.0}, sorted(set(np.unique([2, 2, 5]).tolist())))
print(f"{ {1, 2} } {len({1, 2})}", str({"one"}), repr({(1, "a")}), "%s" % {3})
first, *rest = {1, 2, 3}
print(first, rest, *{4, 5})


def primes(n):
    composite = set()
    for i in range(2, n):
        if i not in composite:
            composite |= {*range(i * i, n, i)}
            yield i


print(list(primes(40)))
graph = {0: {1, 2}, 1: {3}, 2: {3}, 3: set()}
order, todo, visited = [], [0], set()
while todo:
    node = todo.pop()
    if node in visited:
        continue
    visited.add(node)
    order.append(node)
    todo.extend(sorted(graph[node] - visited))
print(order, visited == graph.keys(), set(graph) == visited)
