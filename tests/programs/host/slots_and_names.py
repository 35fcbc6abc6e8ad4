import functools
from statistics import NormalDist


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def move(self):
        return self


class Named(Point):
    __slots__ = "name"


class Free(Point):
    pass


p = Point(1, 2)
try:
    p.z = 3
except AttributeError as e:
    print(e)
n = Named(1, 2)
n.name = "n"
try:
    n.other = 1
except AttributeError as e:
    print(e)
try:
    print(Named(1, 2).name)
except AttributeError:
    print("not set")
f = Free(1, 2)
f.z = 4
print(p.x, n.name, f.z, setattr(p, "x", 5), p.x)


def outer():
    def inner():
        pass

    class Local:
        def method(self):
            pass
    return inner, Local.method, lambda: 0


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args)
    return wrapper


class Job:
    @timed
    def run(self):
        """runs"""

    @staticmethod
    def tool():
        pass


print([g.__qualname__ for g in outer()], Point.move.__qualname__, p.move.__qualname__, outer.__qualname__)
print(Job.run.__qualname__, Job.run.__name__, Job.run.__doc__, Job().run.__name__, Job.tool.__qualname__, outer.__module__, Point.__qualname__)
d = NormalDist(10, 2)
print(d, d.cdf(10), round(d.pdf(9), 12), round(d.cdf(13.2), 12), d.zscore(12), d.variance, NormalDist.from_samples([1, 2, 4]))
import functools
def f(): pass
f.__dict__["a"] = 1
f.__dict__.update(b=2)
print(f.a, f.b, f.__dict__, vars(f))
f.c = 3
@functools.wraps(f)
def g(): pass
print(g.a, g.c, g.__name__, g.__wrapped__ is f, sorted(k for k in g.__dict__ if k != "__wrapped__"))
