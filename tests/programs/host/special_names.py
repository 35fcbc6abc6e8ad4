"""Special methods of what is built in, asked by name; what classes and kernels say of themselves."""
import numpy as np
from numba import cuda

values = [[], (), {}, "s", range(2), np.zeros(2), {1}, 5, 2.5, None, frozenset(), np.float64(1), True, 1j]
names = ["__len__", "__iter__", "__getitem__", "__contains__", "__setitem__", "__next__", "__call__",
         "__add__", "__eq__", "__hash__", "__float__", "__index__", "__enter__", "__array__", "__class__",
         "__mul__", "__lt__", "__str__", "__repr__", "__reversed__", "__int__", "__abs__", "__bool__",
         "__delitem__", "__format__", "__round__"]
for name in names:
    print(name, "".join("01"[hasattr(v, name)] for v in values))
print([hasattr(len, name) for name in ("__call__", "__len__")], hasattr(iter([]), "__next__"))

@cuda.jit
def k(x):
    """Doc of k."""
    x[0] = 1
class A:
    "doc a"
    n = 3
    def f(self, a, b=2, *, c=5): return 1
    @staticmethod
    def g(): pass
class B(A): pass
class C(A): pass
class D(B): pass
print(k.__doc__, k.__name__)
print(A.__subclasses__(), B.__subclasses__(), [c.__name__ for c in A.__subclasses__()], D.__subclasses__())
print([n for n in A.__dict__ if not n.startswith("__")], A.__dict__["n"], "f" in A.__dict__, vars(B).get("n"), A.__dict__["__doc__"])
print(A.f.__defaults__, A.g.__defaults__)
d = {"b": 2, "a": 1, "c": 0}
a = np.array([3., 1., 2.])
print(min(d, key=d.__getitem__), sorted(range(3), key=a.__getitem__), list(map([5, 6].__getitem__, [1, 0])))
print([1, 2].__len__(), "abc".__contains__("b"), (3).__add__(4), d.__contains__("z"), (1, 2).__eq__((1, 2)), "x".__class__.__name__, (2.5).__int__())
for v in (1, [1], "s", a, {1}, range(3)):
    print(type(v).__name__, "iterable" if hasattr(v, "__iter__") else "scalar", "sized" if hasattr(v, "__len__") else "-")
print(callable(k), callable(k[1, 1]), callable(3), hasattr(A(), "__len__"), hasattr(A(), "__eq__"), hasattr(print, "__call__"), hasattr(A, "__call__"))
it = iter([1, 2]); print(it.__next__(), it.__iter__() is it)
filt = list(filter({1, 2}.__contains__, [0, 1, 2, 3])); print(filt)
try:
    (5).__len__()
except AttributeError as e:
    print(e)
try:
    [1].__getitem__(4)
except IndexError as e:
    print(e)


class Row:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


print(list(reversed(Row("abc"))), list(Row("ab")), "c" in Row("abc"))
try:
    reversed(A())
except TypeError as e:
    print(e)
