# Namedtuples on both sides of a launch: made, shown, compared, passed to kernels and closed over.
import math
from collections import namedtuple
from typing import NamedTuple

import numpy as np
from numba import cuda, njit

Point = namedtuple("Point", "x y")
P3 = namedtuple("Vec3", ["x", "y", "z"], defaults=(0.5,))


class Box(NamedTuple):
    """Two corners."""

    low: Point
    high: Point
    pad: float = 0.25

    def width(self):
        return self.high.x - self.low.x

    @property
    def area(self):
        return self.width() * (self.high.y - self.low.y)

    @staticmethod
    def unit():
        return Box(Point(0, 0), Point(1, 1))

    @classmethod
    def square(cls, size):
        return cls(Point(0, 0), Point(size, size), pad=0)


class Polar(namedtuple("Polar", "r phi")):
    __slots__ = ()

    def flat(self):
        return Point(self.r * math.cos(self.phi), self.r * math.sin(self.phi))


Renamed = namedtuple("Renamed", "a class b a _x", rename=True)
FIVE = Renamed(1, 2.5, 3, 4, 5)


SIDE = len([1, 2, 3]) * 4
BOX = Box(Point(1, SIDE), high=Point(y=20, x=5))
ORIGIN = Point(*[2.5, 1])


@cuda.jit
def constants(out):
    i = cuda.grid(1)
    p = Point(i, 2 * i)
    out[i, 0] = BOX.low.y + BOX.pad
    out[i, 1] = p.x + ORIGIN.x
    out[i, 2] = P3(1, 2).z


@cuda.jit
def arguments(p, q: Point, out):
    i = cuda.grid(1)
    out[i] = p.x + 10 * p.y + 100 * q.y


def scaled(factor):
    Pair = namedtuple("Pair", "a b")
    pair = Pair(factor, 2 * factor)

    @cuda.jit
    def kernel(out):
        out[0] = pair.a
        out[1] = pair[1]

    return kernel


@cuda.jit
def renamed(p: Renamed, out):
    out[0] = p._1 + FIVE._4
    out[1] = Renamed(1, 2, 3, 4, 5)._3 * p.b


@njit
def swapped(p):
    return Point(p.y, p.x)


@njit
def total(n):
    s = 0.0
    for i in range(n):
        q = Point(i, 2 * i)
        s += q.x * q.y
    return s


table = np.zeros((2, 3))
constants[1, 2](table)
print(table)
ORIGIN = Point(-1.0, -2.0)
row = np.zeros(2)
arguments[1, 2](Point(1, 2), Point(x=3, y=4), row)
print(row)
scaled(1.5)[1, 1](row)
print(row)
print(swapped(ORIGIN), swapped(swapped(ORIGIN)) == ORIGIN, total(4))
print(BOX, BOX.width(), BOX.area, Box.unit(), Box.square(3).area)
print(Polar(2, 0).flat(), Polar(1, 2), isinstance(Polar(1, 2), Polar), isinstance(Polar(1, 2), Point))
a, b = ORIGIN
print(a, b, ORIGIN[0], len(ORIGIN), ORIGIN._replace(x=7), Point._fields, Point._make([1, 2]))
points = [Point(3, 1), Point(1, 2), Point(2, 0)]
print(sorted(points), max(points, key=lambda p: p.y), min(points).x)
print(sum(p.x for p in points), [math.hypot(*p) for p in points])
print(isinstance(BOX, Box), isinstance(BOX, tuple), type(BOX).__name__, type(ORIGIN) is Point)
print(tuple(ORIGIN), ORIGIN + (1,), ORIGIN[:1], 2 * ORIGIN, ORIGIN == (-1, -2), -1 in ORIGIN)
print(f"{ORIGIN} {ORIGIN.x:.2f}", "%s" % (ORIGIN,), "%g/%g" % ORIGIN, str(P3(1, 2)))
print(ORIGIN.index(-2), ORIGIN.count(3), Point.__name__, Box, hasattr(BOX, "pad"), getattr(BOX, "no", 0))
print(Point(x=np.arange(3), y=None), [Point(1, (2, 3))], bool(Point(0, 0)))
print(Renamed._fields, FIVE, Renamed(1, 2, 3, 4, _4=0)._replace(_1=7), namedtuple("P", "x", rename=False)(1))
renamed[1, 1](FIVE, row)
print(row)
ORIGIN.x = 3
