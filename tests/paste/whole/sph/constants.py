import math as _m
from dataclasses import dataclass
from typing import NamedTuple

H = 0.1
H2, H6, H9 = H ** 2, H ** 6, H ** 9
MASS = 0.02
POLY6 = 315.0 / (64.0 * _m.pi * H9)
SPIKY_GRAD = -45.0 / (_m.pi * H6)
_private = 3


class Vec(NamedTuple):
    x: float
    y: float


GRAVITY = Vec(0.0, -9.81)


@dataclass
class Fluid:
    rest: float = 1000.0
    stiffness: float = 3.0
    viscosity: float = 0.1

    def speed(self):
        return (self.stiffness / self.rest) ** 0.5


WATER = Fluid()
OIL = Fluid(rest=900.0, viscosity=WATER.viscosity * 10)
FLUIDS = [WATER, OIL]
RESTS = tuple(f.rest for f in FLUIDS)
BY_NAME = dict(water=WATER, oil=OIL)
