"""Wave equation, object-oriented."""
import abc
import contextlib
import json
from collections import defaultdict, namedtuple, OrderedDict
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Optional, Protocol, TypeVar, Union

import numpy as np
from numba import cuda, float32, float64, int32, types

T = TypeVar("T", bound="Base")
Shape = namedtuple("Shape", ["nx", "ny"])
DEFAULT = Shape(32, 16)
BC = {"dirichlet": 0, "neumann": 1, "periodic": 2}
LAYOUT = OrderedDict([("u", 0), ("v", 1)])


@dataclass
class Params:
    dt: float = 0.01
    dx: float = 0.1
    c: float = 2.0
    nu: Optional[float] = None
    shape: Shape = DEFAULT
    TPB: ClassVar[int] = 8

    def __post_init__(self):
        self.courant = self.c * self.dt / self.dx


class Base(abc.ABC):
    order = 2
    halo = order // 2

    @abc.abstractmethod
    def step(self): ...


class Wave(Base):
    """Second order"""
    TPB = 16
    COEF = (1.0, -2.0, 1.0)
    boundary = BC["periodic"]

    def __init__(self, params: Params = Params(), *, dtype=np.float64):
        self.p = params
        self.u = cuda.device_array((params.shape.nx, params.shape.ny), dtype=dtype)
        dt, dx, c = params.dt, params.dx, params.c
        r2 = (c * dt / dx) ** 2
        nx, ny = params.shape

        @cuda.jit
        def leap(u, old, new):
            i, j = cuda.grid(2)
            if i < nx and j < ny:
                l = u[(i - 1) % nx, j] + u[(i + 1) % nx, j] + u[i, (j - 1) % ny] + u[i, (j + 1) % ny] - 4 * u[i, j]
                new[i, j] = 2 * u[i, j] - old[i, j] + r2 * l

        self._leap = leap
        self._energy = self._make_energy()

    def _make_energy(self, block=32, weight=0.5):
        @cuda.jit
        def energy(u, v, out):
            s = cuda.shared.array(block, dtype=float64)
            t = cuda.threadIdx.x
            acc = 0.0
            for k in range(cuda.grid(1), u.size, cuda.gridsize(1)):
                acc += weight * (u[k] ** 2 + v[k] ** 2)
            s[t] = acc
            cuda.syncthreads()
            w = block >> 1
            while w:
                if t < w:
                    s[t] += s[t + w]
                cuda.syncthreads()
                w >>= 1
            if t == 0:
                cuda.atomic.add(out, 0, s[0])
        return energy

    @staticmethod
    @cuda.jit(device=True)
    def lap(u, i, j, coef):
        return coef[0] * u[i - 1, j] + coef[1] * u[i, j] + coef[2] * u[i + 1, j]

    @staticmethod
    @cuda.jit
    def smooth(u, out):
        i, j = cuda.grid(2)
        if Wave.halo <= i < u.shape[0] - Wave.halo and j < u.shape[1]:
            if Wave.boundary == BC["periodic"]:
                out[i, j] = u[i, j] + 0.1 * Wave.lap(u, i, j, Wave.COEF)

    @classmethod
    def from_json(cls, path):
        with open(path) as f:
            return cls(Params(**json.load(f)))

    def step(self):
        self._leap[(4, 4), (self.TPB,) * 2](self.u, self.u, self.u)


@cuda.jit
def clamp(u, which):
    i, j = cuda.grid(2)
    if i < DEFAULT.nx and j < DEFAULT.ny:
        if which == BC["dirichlet"] and (i in (0, DEFAULT.nx - 1) or j in (0, DEFAULT.ny - 1)):
            u[i, j] = LAYOUT["v"]


@contextlib.contextmanager
def device(n):
    cuda.select_device(n)
    yield
    cuda.close()
