"""isinstance() with a protocol of the program's; enumerations whose members have attributes."""
import enum
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
import numpy as np
from numba import cuda


@runtime_checkable
class Runnable(Protocol):
    def run(self, d): ...


@runtime_checkable
class Named(Protocol):
    name: str

    def label(self) -> str:
        ...


class Doubler:
    def run(self, d):
        double[1, 32](d)
        return d


@dataclass
class Item:
    name: str = "item"

    def label(self):
        return self.name.upper()


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


class Explicit(Runnable):
    def run(self, d):
        return d


print([isinstance(x, Runnable) for x in (Doubler(), Explicit(), 3, Item(), "x", None)])
print([isinstance(x, Named) for x in (Item(), Doubler(), double)])
for stage in (Doubler(), Item()):
    if isinstance(stage, Runnable):
        print(stage.run(np.arange(3)).tolist())
    elif isinstance(stage, (int, Named)):
        print(stage.label())


class Planet(enum.Enum):
    MERCURY = (3.303e+23, 2.4397e6)
    EARTH = (5.976e+24, 6.37814e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        return 6.673e-11 * self.mass / (self.radius * self.radius)


class Direction(enum.Enum):
    NORTH = (0, -1)
    EAST = (1, 0)
    SOUTH = (0, 1)
    WEST = (-1, 0)

    def __init__(self, dx, dy):
        self.dx, self.dy = dx, dy

    def right(self):
        return Direction((-self.dy, self.dx))


class Level(enum.Enum):
    LOW = 1
    HIGH = 5

    def __init__(self, weight):
        self.text = "*" * weight


print(Planet.EARTH.value, Planet.EARTH.mass, round(Planet.EARTH.gravity, 4), Planet.EARTH)
print([round(p.gravity, 2) for p in Planet], Planet["MERCURY"].radius)
print(Direction.NORTH.right(), Direction.WEST.right().dx, repr(Direction.EAST), Direction((0, 1)).dy)
print(Level.HIGH.text, Level(1).text, Level.LOW.name, {m: m.text for m in Level})
Level.LOW.text = "changed"
print(Level.LOW.text)
try:
    Level.LOW.missing
except AttributeError as error:
    print(type(error).__name__)
steps = np.array([(d.dx, d.dy) for d in Direction])
flat = steps.ravel()
double[1, 32](flat)
print(flat.tolist())
