import dataclasses

from numba import cuda


@dataclasses.dataclass(slots=True, frozen=True)
class Solenoid:
    strength: float
    radius: float = 1.0

    def __post_init__(self):
        if self.radius <= 0:
            raise ValueError(f"radius {self.radius!r}")

    @property
    def flux(self):
        return self.strength * self.radius ** 2


@cuda.jit(device=True, inline="always")
def b_field(strength, radius, r):
    return strength if r < radius else 0.0
