class V:
    def __init__(self, x): self.x = x
    def __radd__(self, o): return V(o + self.x)
    def __ror__(self, o): return "ror"
x = 1
x += V(3)
print(x.x, sum([V(1)]).x)
s = {1}
try:
    s = 1
    print(s)
except TypeError as e:
    print(e)
l = [1]
try:
    l = 1
except TypeError as e:
    print(e)
class D(dict): pass
d = {"a": 1}
d |= D(b=2)
print(d, [1] + [2], type(d).__name__)
t = (1,)
class L(list): pass
m = [1]
m += L([2])
print(m, m + L([3]), L([1]) + L([2]), [*L([5])], list(L([6])), sorted(L([3, 1])), (lambda *a: a)(*L([1, 2])), "x".join(L(["a", "b"])))
a, b = L([1, 2])
print(a, b, max(L([4, 9])), any(L()), len(L([1])), dict(zip(D(a=1), L([7]))), list(map(str, L([1]))), list(enumerate(D(k=1))))
import numpy as np
print(np.array(L([1, 2])), np.sum(L([1, 2])), np.array([L([1, 2]), L([3, 4])]).shape)
print(L([1, 2]) == [1, 2], [1, 2] == L([1, 2]), D(a=1) == {"a": 1}, {"a": 1} == D(a=1), L([1]) < [2], not L(), not D(), L([3]) in [[3]])
for k, v in D(q=1).items(): print(k, v)
print({**D(a=1), "b": 2}, D(D(a=1)), D([("x", 1)]), D.fromkeys(["u"]) if False else "", L("ab"), L(range(3))[::-1], L([1]) * 2)
from collections import deque
q = deque([1.5, 2.5], maxlen=5)
print(np.array(q), np.mean(q), np.array([deque([1, 2]), deque([3, 4])]), np.asarray(deque([[1, 2], [3, 4]])).shape, np.max(q), np.concatenate([q, [1]]))
import numpy as np
class A:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)
a = A()
print(np.asarray(a), np.array(a) + 1, np.sum(a), np.sqrt(a), np.mean(a), np.concatenate([a, a]), np.add(a, 1), np.allclose(a, np.arange(3)), np.array(a, dtype=np.int32), np.dot(a, a), np.stack([a, a]).shape)
