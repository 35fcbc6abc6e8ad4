# Classes of the program's own: what they hold, how they are made of one another, and what stands for operators.
import math
import time
from dataclasses import dataclass, field
import numpy as np
from numba import cuda


@cuda.jit
def axpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


class Timer:
    """A clock that is set around launches."""
    count = 0

    def __init__(self, name, *, steps=3):
        self.name = name
        self.steps = steps
        Timer.count += 1

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, kind, value, trace):
        self.seconds = time.perf_counter() - self.start
        print("left", self.name, kind is None)


class Simulation(object):
    THREADS = 4

    def __init__(self, n, scale=2.0):
        self.n = n
        self.scale = scale
        self.x = np.arange(n, dtype=np.float64)
        self.out = np.zeros(n)
        self.d_x = cuda.to_device(self.x)
        self.history = []

    @property
    def blocks(self):
        return math.ceil(self.n / self.THREADS)

    @staticmethod
    def make(n):
        return Simulation(n, scale=3.0)

    @classmethod
    def twice(cls, n):
        return cls(2 * n)

    def step(self, times=1):
        for _ in range(times):
            axpy[self.blocks, self.THREADS](self.scale, self.d_x, self.x, self.out)
            self.history.append(float(self.out.sum()))
        return self

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.out[i]

    def __setitem__(self, i, value):
        self.out[i] = value

    def __repr__(self):
        return f"Simulation(n={self.n}, scale={self.scale})"


with Timer("loop") as t:
    s = Simulation(6)
    s.step(2).step()
print(s, s.history, s.blocks, len(s), s[1], s[1:3], t.seconds >= 0, t.steps, Timer.count, bool(s), [s], {"s": s})
s[0] = 5
s.scale += 1
s.x += 1
s.out[1] = -1
print(s.scale, s.x, s.out, Simulation.make(3), Simulation.twice(2).step().out, Simulation.THREADS, s.THREADS)
s.THREADS = 8
print(s.THREADS, Simulation.THREADS, s.blocks, hasattr(s, "scale"), hasattr(s, "none"), getattr(s, "none", 3))
print(isinstance(s, Simulation), isinstance(t, Simulation), type(s) is Simulation, type(s).__name__, s.__class__.__name__, Simulation.__name__)


class Shape:
    sides = 0

    def __init__(self, name):
        self.name = name

    def area(self):
        return 0.0

    def __str__(self):
        return f"{self.name} of {self.sides} sides, area {self.area():.2f}"


class Square(Shape):
    sides = 4

    def __init__(self, a):
        super().__init__("square")
        self.a = a

    def area(self):
        return self.a ** 2 + super().area()


class Tilted(Square):
    def __init__(self, a, angle):
        super().__init__(a)
        self.angle = angle

    def __eq__(self, other):
        return isinstance(other, Tilted) and (self.a, self.angle) == (other.a, other.angle)


shapes = [Shape("nothing"), Square(2), Tilted(3, 45)]
for shape in shapes:
    print(shape, str(shape), f"{shape!s:>40}", isinstance(shape, Square), isinstance(shape, Shape))
print(Tilted(3, 45) == shapes[2], Tilted(3, 46) == shapes[2], shapes[1] == Square(2), shapes[1] == shapes[1], shapes[2] != 3)
print(Tilted(1, 2) in [Tilted(1, 2)], max(shapes, key=lambda s: s.area()).name, {shapes[1]: "key"}[shapes[1]])


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __neg__(self):
        return self * -1

    def __call__(self, t):
        return self.x + t * self.y

    def __iter__(self):
        yield self.x
        yield self.y

    def __repr__(self):
        return "Vec(%g, %g)" % (self.x, self.y)


v = Vec(1, 2) + Vec(0.5, 0.5) * 2 - Vec(1, 1)
v += Vec(1, 0)
x, y = v
print(v, -v, v(10), list(v), x, y, callable(v), callable(shapes[0]), sum(v), [*v], "{0.x} {0}".format(v) if 0 else "", "%r %s" % (v, v))


@dataclass
class Config:
    n: int
    name: str = "run"
    rates: list = field(default_factory=list)
    dt: float = field(default=0.5)
    LIMIT = 7

    def __post_init__(self):
        self.cells = self.n * self.n

    @property
    def half(self):
        return self.n // 2


@dataclass(frozen=True)
class Fixed:
    n: int
    extra: tuple = ()


c, d = Config(8), Config(8, dt=0.5)
c.rates.append(1)
print(c, d, c == d, c.cells, c.half, Config.LIMIT, c.name, Config(n=3, name="x", rates=[2]) == Config(3, "x", [2]))
print(Fixed(4, extra=(1, 2)), Fixed(1) == Fixed(1), Fixed(2) in [Fixed(1), Fixed(2)])


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


head = None
for i in range(5):
    head = Node(i, head)
values = []
while head:
    values.append(head.value)
    head = head.next
print(values)


class Registry:
    kernels = {}

    @classmethod
    def add(cls, function):
        cls.kernels[function.__name__] = function
        return function


@Registry.add
def plain(a):
    return a + 1


print(Registry.kernels["plain"](1), list(Registry.kernels))


def make(n):
    class Local:
        size = n

        def scaled(self, k):
            return self.size * k * n
    return Local()


print(make(2).scaled(3), make(3).scaled(3))


class Empty:
    pass


e = Empty()
e.any = 1
e.any += 1
print(e.any, "Empty object" in repr(e), Empty() == Empty(), e == e, not e)
for name, value in {"u": 1, "v": [2]}.items():
    setattr(e, name, value)
del e.any
print(e.u, e.v, hasattr(e, "any"), getattr(e, "v"))
