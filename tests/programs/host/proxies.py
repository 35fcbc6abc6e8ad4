"""delegation, proxies, iterators"""
import numpy as np
from numba import cuda
from contextlib import contextmanager

class DeviceBuffer:
    def __init__(self, shape, dtype=np.float32):
        self._arr = cuda.device_array(shape, dtype)
        self._arr.copy_to_device(np.zeros(shape, dtype))
    def __getattr__(self, name):
        return getattr(self._arr, name)
    def __len__(self):
        return self._arr.shape[0]
    def __getitem__(self, key):
        return self._arr[key]
    def __setitem__(self, key, value):
        self._arr[key] = value
    def __array__(self, dtype=None, copy=None):
        return self._arr.copy_to_host()
    def __enter__(self):
        print("enter", self.shape)
        return self
    def __exit__(self, *exc):
        print("exit", exc[0].__name__ if exc[0] else None)
        return exc[0] is KeyError

@cuda.jit
def fill(a, v):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] = v * i

with DeviceBuffer(5) as b:
    fill[1, 32](b._arr, 1.5)
    print(b.copy_to_host(), b.dtype, len(b), b[2], b.size)
    b[0] = 7
    print(b[0:3].copy_to_host())
with DeviceBuffer((2, 2)) as c:
    raise KeyError("gone")
try:
    with DeviceBuffer(1):
        raise ValueError("kept")
except ValueError as e:
    print("caught", e)

class Pairs:
    def __init__(self, n): self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i, i * i
    def __contains__(self, x): return x in dict(self)
    def __bool__(self): return self.n > 0
p = Pairs(4)
print(dict(p), list(p), 3 in p, 9 in p, bool(Pairs(0)), sum(b for _, b in p), max(p), *p)
class Count:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 3: raise StopIteration
        return self.i
print(list(Count()), [*Count()], tuple(Count()), next(Count()), sum(Count()), list(zip(Count(), "abcd")), dict(enumerate(Count())))
class Poly:
    def __init__(self, *c): self.c = list(c)
    def __call__(self, x): return sum(a * x ** i for i, a in enumerate(self.c))
    def __add__(self, o): return Poly(*[a + b for a, b in zip(self.c, o.c)])
    def __mul__(self, k): return Poly(*[a * k for a in self.c])
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __eq__(self, o): return isinstance(o, Poly) and self.c == o.c
    def __repr__(self): return "Poly(" + ", ".join(map(str, self.c)) + ")"
    def __hash__(self): return hash(tuple(self.c))
f, g = Poly(1, 2, 3), Poly(0, 1, 0)
print(f(2), f + g, 3 * f, -g, f == Poly(1, 2, 3), f != g, {f: 1}[Poly(1, 2, 3)], f(np.arange(3.0)))
@contextmanager
def managed(name):
    print("open", name)
    try:
        yield name * 2
    except ZeroDivisionError as e:
        print("handled", e)
    finally:
        print("close", name)
with managed("a") as x, managed("b") as y:
    print(x, y)
    1 / 0
print("after")
def gen():
    try:
        yield 1
        yield 2
    finally:
        print("cleanup")
for v in gen():
    print(v)
    break
def outer():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    return inc
i = outer()
i(); i(5)
print(i(), outer.__name__, i.__name__, (lambda: 0).__name__)
try:
    try:
        raise ValueError("a")
    finally:
        print("fin")
except (TypeError, ValueError) as e:
    print(repr(e), e.args)
else:
    print("no")
def f3(a, b=2, *args, c=3, **kw): return a, b, args, c, kw
print(f3(1), f3(1, 2, 3, 4, c=5, d=6), f3(*[1, 2], **{"c": 9, "z": 1}))
print([i for i in range(20) if i % 2 if i % 3], {i % 3 for i in range(9)}, [[j for j in range(i)] for i in range(3)], list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, "", "a"])))
while True:
    try:
        n = int("x")
    except ValueError:
        break
for _ in range(2):
    pass
else:
    print("loop done")
import functools
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.partial(pow, 2)(5))
assert isinstance(f, Poly), "no"
del f
try:
    f
except NameError as e:
    print(e)
print(__name__, type(Poly).__name__, type(3).__name__, type([]), type(np.zeros(1)), type(np.float32(1)), isinstance(True, int), callable(len), id(p) == id(p))
