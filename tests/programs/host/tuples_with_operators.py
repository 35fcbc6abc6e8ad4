import math
from typing import NamedTuple
from collections import namedtuple
import numpy as np


class Vec(NamedTuple):
    x: float
    y: float = 0.0

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __sub__(self, o):
        return self + -o

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __mul__(self, k):
        if isinstance(k, Vec):
            return self.x * k.x + self.y * k.y
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __truediv__(self, k):
        return self * (1 / k)

    def __abs__(self):
        return math.hypot(*self)

    def __str__(self):
        return f"<{self.x:g}, {self.y:g}>"

    def __bool__(self):
        return any(self)

    def __matmul__(self, o):
        return self.x * o.y - self.y * o.x


a, b = Vec(3.0, 4.0), Vec(1.0)
print(a + b, a - b, -a, a * 2, 2 * a, a * b, abs(a), a / 2, a @ b, f"{a}", f"{a!r}", [a], str(b), repr(b))
print(sum([a, b, b]), bool(Vec(0.0)), a == Vec(3, 4), a < b, hash(a) == hash((3.0, 4.0)), {a: 1}[(3.0, 4.0)], len(a), list(a))
a += b
print(a, a.x, "%s" % (a,), "{:>10}|{}".format(str(a), a), tuple(a) + (1,), (1, 2) * 2)
try:
    a + 1
except AttributeError as e:
    print(e)
try:
    "x" - a
except TypeError as e:
    print(e)
try:
    1 + a
except TypeError as e:
    print(e)


class P(namedtuple("P", "r g b")):
    __slots__ = ()

    def __repr__(self):
        return "#%02x%02x%02x" % self

    def __add__(self, o):
        return P(*(min(255, i + j) for i, j in zip(self, o)))


p = P(250, 1, 2)
print(p, [p, p + P(10, 10, 10)], p + (1, 1, 1), p * 2, 2 * p, p._replace(r=0))


class Plain(NamedTuple):
    a: int
    b: int

    def total(self):
        return self.a + self.b


q = Plain(1, 2)
print(q + q, q * 2, q.total(), q + (3,), (0,) + q, str(q), q)
t = 0
t += a
print(t, max([a, b], key=abs), sorted([a, b]), np.array(a), np.array([a, b]).shape, round(abs(a), 2))
from collections import namedtuple
O = namedtuple("O", "a b c")
O.__new__.__defaults__ = (1, 2)
print(O(0), O(5, c=9))
O.__new__.__defaults__ = (None,) * len(O._fields)
print(O(), O(b=3))
def f(a, b=2, *args, c=4, **k):
    return a, b, args, c, k
f.__defaults__ = (8, 9)
print(f(), f(1), f.__defaults__, f(1, 2, 3))
f.__defaults__ = None
print(f.__defaults__)
try:
    f(1)
except TypeError as e:
    print(e)
try:
    f.__defaults__ = 3
except TypeError as e:
    print(e)
try:
    O.__new__.__defaults__ = ()
    O(1)
except TypeError as e:
    print(e)
def g(x, y=[], z=3):
    pass
print(g.__defaults__, (lambda: 0).__defaults__)
