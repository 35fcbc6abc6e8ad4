import functools
from numba import cuda
import numpy as np
def make(n):
    @cuda.jit
    def k(a):
        """doc"""
        a[cuda.grid(1)] = n
    k.__name__ = f"k_{n}"
    k.calls = 0
    return k
ks = [make(3), make(4)]
for k in ks:
    a = np.zeros(2)
    k[1, 2](a)
    k.calls += 1
    print(k.__name__, k.__doc__, a, k.calls, hasattr(k, "calls"), getattr(k, "nothing", None))
setattr(ks[0], "calls", 5)
print(ks[0].calls)
class A:
    def __init__(self, x, y=2):
        self.__dict__.update(locals())
        del self.__dict__["self"]
a = A(1)
print(vars(a), a.x, hasattr(a, "self"))
print(a.__dict__.pop("y"), a.__dict__.pop("q", "d"), vars(a), hasattr(a, "y"))
try:
    del a.__dict__["zz"]
except KeyError as e:
    print("KeyError", e)
a.k = 1
print(a.__dict__.popitem(), vars(a))
a.__dict__.clear()
print(vars(a))
try:
    import nothere_at_all
except ImportError as e:
    print(e.name, e, type(e).__name__)
try:
    from math import nothing
except ImportError as e:
    print(e.name)
