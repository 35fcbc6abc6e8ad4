from collections import namedtuple
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple


@dataclass
class A:
    x: int
    y: int = 5
    tags: list = field(default_factory=list)
    z: float = field(default=2.5)
    w: int = field(default=7, kw_only=True)
    t: float = field(init=False, default=1.0)
    limit: ClassVar[int] = 9


print(A.y, A.z, A.w, A.t, A.limit, A.__match_args__)
for name in ("x", "tags"):
    print(name, hasattr(A, name), hasattr(A, "y"), getattr(A, "z", None))
try:
    A.x
except AttributeError as e:
    print(e)
try:
    A.tags
except AttributeError as e:
    print(e)
for bad in (lambda: A(), lambda: A(1, 2, [], 3, 4), lambda: A(1, q=2), lambda: A(1, x=2), lambda: A(1, t=2.0), lambda: A(1, 2, [], 3, 4, w=3), lambda: A(y=1)):
    try:
        bad()
    except TypeError as e:
        print(e)


@dataclass(kw_only=True)
class B(A):
    k: int
    m: str = "m"


print(B.__match_args__, B.y, B.m, B.w)
for bad in (lambda: B(), lambda: B(1), lambda: B(1, 2, [], 4.0, 5), lambda: B(1, k=2, j=3)):
    try:
        bad()
    except TypeError as e:
        print(e)


@dataclass
class C:
    a: int
    b: int
    c: int = 3

    def area(self):
        return self.a


for bad in (lambda: C(), lambda: C(1), lambda: C(1, 2, 3, 4), lambda: C(1, 2, a=3), lambda: C(1, 2, d=3), lambda: C.area(), lambda: C(1, 2).area(3)):
    try:
        bad()
    except TypeError as e:
        print(e)
c = C(1, 2)
C.c = 10
print(c.c, C.c, C(1, 2).c, C(1, 2))
match c:
    case C(p, q, r):
        print(p, q, r)
match A(1):
    case A(p, q, w=k):
        print(p, q, k)
c.c = 1
del c.c
print(c.c)


@dataclass
class D:
    pass


print(D.__match_args__)
try:
    D(1)
except TypeError as e:
    print(e)


@dataclass
class E(C):
    c: int = 4
    e: int = 5


print(E.__match_args__, E.c, C.c, E(1, 2))


@dataclass(frozen=True)
class F:
    a: int = 1
    __match_args__ = ("b", "a")

    @property
    def b(self):
        return self.a + 1


print(F.__match_args__, F.a, F().b, [n for n in dir(C) if n[0] != "_"])
try:
    F(1, 2)
except TypeError as e:
    print(e)


@dataclass
class G:
    a: int
    k: int = field(kw_only=True, default=3)
    made: int = field(init=False, default=0)
    b: int = 4
    call: object = len


@dataclass
class H(G):
    c: int = 5


print(G(1, 2), H(1, 2, max, 4), H(1, 2, k=9), G.__match_args__, H.__match_args__, G.call("four"), G(1).call("abc"))
for bad in (lambda: G(1, 2, 3, 4), lambda: G(1, 2, 3, 4, k=3), lambda: G(1, 2, 3, 4, j=3), lambda: H(k=1)):
    try:
        bad()
    except TypeError as e:
        print(e)


def one(a, b=1, *, c, d=2):
    return a


def two(*, c, d):
    return c


for bad in (lambda: one(1, 2, 3, c=1), lambda: one(1, 2, 3, 4, c=1, d=2), lambda: one(1, 2, 3, e=1), lambda: two(1, c=1), lambda: two(1, 2), lambda: two(1)):
    try:
        bad()
    except TypeError as e:
        print(e)
P = namedtuple("P", "x y", defaults=(1,))


class Q(NamedTuple):
    x: int
    y: int = 2


class R(Q):
    pass


print(P.__match_args__, Q.__match_args__, R.__match_args__, P(1) == Q(1, 1))
for bad in (lambda: P(), lambda: Q(1, 2, 3), lambda: R(z=1)):
    try:
        bad()
    except TypeError as e:
        print(e)
match R(3):
    case R(x, y):
        print(x, y)
match P(3):
    case P(x):
        print(x)
