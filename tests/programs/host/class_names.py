# Names in class statements: as defaults of parameters, methods by a second name, private ones, and those that begin and end with two underscores.
import typing
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


def outside(self):
    return "outside " + self.name


class Layer:
    __slots__ = ("name", "__count")
    __doc__ = "A layer."
    __version__ = "1.2"
    __most = 3

    def __init__(self, name):
        self.name = name
        self.__count = 1

    def forward(self, x):
        return x * self.__most + self.__count

    def __repr__(self):
        return "Layer " + self.name

    __call__ = forward
    __str__ = outside
    again = forward
    sizes = [len(__version__), __most]


class Base(namedtuple("Base", "x y")):
    __slots__ = ()

    def sum(self):
        return self.x + self.y
    total = sum


class Kind(Enum):
    A = 1

    def half(self):
        return self.value / 2
    other = half


layer = Layer("in")
print(layer, [layer], layer(2), layer.again(3), layer.sizes, Layer.__version__, layer.forward(0))
print(Base(1, 2), Base(1, 2).total(), Kind.A.other(), list(Kind))


STEPS = 1


class Solver:
    STEPS = 4
    SCALE = STEPS * 0.5
    steps_of = lambda self: STEPS

    def run(self, steps=STEPS, *, scale=SCALE, also=lambda: STEPS):
        return steps, scale, STEPS, also()


print(Solver().steps_of(), Solver().run(), Solver().run(7, scale=1))


@dataclass
class Grid:
    THREADS: ClassVar[int] = 256
    COUNT: typing.ClassVar = 2
    n: int = 1


print(Grid(3), Grid.THREADS, Grid(5).COUNT, Grid(5) == Grid(5))
