"""What operators and what is built in ask of objects."""
import functools
import math

import numpy as np


class Vec:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __repr__(self):
        return f"Vec{tuple(self.parts)}"

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(*(a + b for a, b in zip(self.parts, other.parts)))

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __iadd__(self, other):
        for i, b in enumerate(other.parts):
            self.parts[i] += b
        return self

    def __mul__(self, k):
        return Vec(*(a * k for a in self.parts))

    __rmul__ = __mul__

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.parts, other.parts))

    def __rtruediv__(self, k):
        return Vec(*(k / a for a in self.parts))

    def __pow__(self, n):
        return Vec(*(a ** n for a in self.parts))

    def __neg__(self):
        return self * -1

    def __pos__(self):
        return "plus"

    def __invert__(self):
        return "inverted"

    def __abs__(self):
        return math.hypot(*self.parts)

    def __bool__(self):
        return any(self.parts)

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, i):
        return self.parts[i]

    def __setitem__(self, i, value):
        self.parts[i] = value

    def __delitem__(self, i):
        del self.parts[i]

    def __contains__(self, x):
        return x in self.parts

    def __reversed__(self):
        return iter(self.parts[::-1])

    def __eq__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return self.parts == other.parts

    def __hash__(self):
        return hash(tuple(self.parts))

    def __round__(self, digits=0):
        return Vec(*(round(a, digits) for a in self.parts))

    def __format__(self, spec):
        return "<" + ", ".join(format(a, spec) for a in self.parts) + ">"

    def __and__(self, other):
        return "and"

    def __ror__(self, other):
        return f"{other} or"

    def __lshift__(self, n):
        return f"shift {n}"


v, w = Vec(1, 2), Vec(3, 4.5)
print(v + w, v * 2, 2 * v, v @ w, 6 / v, v ** 2, -v, +v, ~v, abs(Vec(3, 4)), sum([v, w]))
print(v & 1, 1 | v, v << 3, round(w * 1.234, 1), f"{w:.2f} {w}", format(v), "%s" % v)
print(bool(v), bool(Vec(0, 0)), not Vec(), len(v), v[0], 2 in v, 9 in v, list(reversed(v)), list(v), [*w], max(w))
x = v
x += w
print(x is v, v)
v[0] = 7
del v[1]
print(v, v == Vec(7), v != Vec(7), v == 7, v != "x", {Vec(1): "a"}[Vec(1)], len({Vec(1), Vec(1), Vec(2)}))
for f in (lambda: v + 1, lambda: 1 + v, lambda: v - 1, lambda: v < w, lambda: v[9], lambda: int(v)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __lt__(self, other):
        return self.cents < other.cents

    def __eq__(self, other):
        return self.cents == other.cents

    def __int__(self):
        return self.cents // 100

    def __float__(self):
        return self.cents / 100

    def __index__(self):
        return self.cents


Money = functools.total_ordering(Money)
a, b = Money(100), Money(250)
print(a < b, a > b, a <= b, a >= b, a == Money(100), a != b, max(a, b).cents, [m.cents for m in sorted([b, a])])
print(int(b), float(b), list(range(10))[Money(3)], "abc" * 2, hex(Money(255)), range(Money(2)), math.sqrt(Money(400)))


@functools.total_ordering
class Grade:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __ge__(self, other):
        return self.n >= other.n


print(Grade(1) < Grade(2), Grade(1) <= Grade(1), Grade(3) > Grade(2), min(Grade(4), Grade(2)).n)


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Countdown(3)), sum(Countdown(5)), [(i, x) for i, x in enumerate(Countdown(2))], 2 in Countdown(4))
c = Countdown(2)
print(next(c), next(c), next(c, "end"), dict(zip("ab", Countdown(2))))
try:
    next(c)
except StopIteration:
    print("stopped")
for n in Countdown(2):
    print("n", n)
first, *rest = Countdown(4)
print(first, rest, max(Countdown(3)), sorted(Countdown(3)), tuple(map(str, Countdown(2))))


class Rows:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError(i)
        return i * 10


print(list(Rows()), 20 in Rows(), sum(Rows()))


class Proxy:
    def __init__(self, **known):
        self.known = known

    def __getattr__(self, name):
        if name.startswith("x"):
            return self.known.get(name, 0)
        raise AttributeError(f"no {name}")


q = Proxy(x1=5)
print(q.x1, q.x2, hasattr(q, "y"), getattr(q, "y", "none"), q.known)
try:
    q.other
except AttributeError as e:
    print(e)


class Base:
    def __add__(self, other):
        return "base add"

    def __radd__(self, other):
        return "base radd"


class Derived(Base):
    def __radd__(self, other):
        return "derived radd"


print(Base() + Derived(), Derived() + Base(), 1 + Base(), Base() + 1, 2.5 + Derived(), [1] + Base(), "a" + Derived())
print(Base() + np.zeros(2), NotImplemented, [x for x in (..., NotImplemented)])


class Flagged:
    def __ne__(self, other):
        return "always"


print(Flagged() != 1, Flagged() == 1)


class Matrix:
    def __getitem__(self, key):
        return key

    def __call__(self, *args, k=1):
        return args, k


m = Matrix()
print(m[1, 2], m[1:2], m[..., None], m[-1], m(1, k=2), callable(m))
