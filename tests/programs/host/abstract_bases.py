"""Classes made of those of collections.abc, UserDict and UserList, and what isinstance() says."""
import numpy as np
from collections import UserDict, UserList
from collections.abc import (Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence,
                             Sized)

class Deck(Sequence):
    def __init__(self, c): self.c = list(c)
    def __len__(self): return len(self.c)
    def __getitem__(self, i): return self.c[i]
k = Deck("hello")
print(len(k), "l" in k, k.index("l"), k.count("l"), list(reversed(k)), list(k), isinstance(k, Sequence), isinstance(k, Iterable), isinstance([], Sequence), isinstance(3, Iterable), isinstance({}, Mapping), issubclass(Deck, Sequence))
class Bad(Sequence):
    def __len__(self): return 0
try: Bad()
except TypeError as e: print(e)
class Low(MutableMapping):
    def __init__(self, *a, **k): self.d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self.d[k.lower()]
    def __setitem__(self, k, v): self.d[k.lower()] = v
    def __delitem__(self, k): del self.d[k.lower()]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = Low({"A": 1}, B=2); m.setdefault("C", 3); print(dict(m), m.pop("a"), m.get("zz", 0), "B" in m, sorted(m.items()), m == {"b": 2, "c": 3}, list(m.keys()), m.popitem())
class L(UserList):
    def total(self): return sum(self)
l = L([3, 1]); l.append(2); l += [9]; l.sort(); print(l, l.total(), type(l[:2]).__name__, l == [1, 2, 3, 9], isinstance(l, list), len(l), l.data)
class D(UserDict):
    def __missing__(self, k): return f"<{k}>"
    def __setitem__(self, k, v): super().__setitem__(str(k), v)
q = D(a=1); q[5] = 6; print(q, q["zz"], q.data, list(q), q.get("nope"), "5" in q)
print([isinstance(x, Callable) for x in (len, 3, lambda: 0)], [isinstance(x, Sized) for x in ([], 3, "s", iter([]))], isinstance(iter([]), Iterator), isinstance([], Hashable), isinstance(3, Hashable), isinstance((x for x in ()), Iterator), isinstance(np.zeros(2), Iterable), isinstance(np.zeros(2), Sequence))
