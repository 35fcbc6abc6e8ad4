#!/usr/bin/env python3
"""Modern Python: PEP 695 aliases, match, walrus, generics, protocols."""
import enum
import math
import sys
from typing import NamedTuple, Protocol, Final, overload, Annotated, Self
import numpy as np
from numba import cuda
from numba import float32 as f4, int32 as i4, float64 as f8
from numba import *

type Vec3 = tuple[float, float, float]
type Grid[T] = list[list[T]]

class HasArea(Protocol):
    def area(self) -> float: ...

class Material(NamedTuple):
    albedo: tuple[float, float, float] = (0.5, 0.5, 0.5)
    rough: float = 0.3
    ior: float = 1.5

class Kind(enum.IntEnum):
    SPHERE = enum.auto()
    PLANE = enum.auto()

class Flags(enum.IntFlag):
    NONE = 0
    SHADOW = 1
    REFLECT = 2
    ALL = SHADOW | REFLECT

GLASS: Final = Material(rough=0.0, ior=1.52)
MAX_DEPTH: Final[int] = 4
W, H = SIZE = (64, 48)
INV_PI = 1 / math.pi
match sys.byteorder:
    case "little":
        SHIFT = 0
    case _:
        SHIFT = 8

class Stack[T]:
    def __init__(self) -> None:
        self.items: list[T] = []
    def push(self, x: T) -> Self:
        self.items.append(x); return self

def first[T](xs: list[T], /, default: T | None = None) -> T | None:
    return xs[0] if (n := len(xs)) > 0 else default

@cuda.jit(device=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

@cuda.jit(device=True)
def axpy3(s, a, b):
    return (s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2])

@cuda.jit(device=True)
def norm(a):
    s = 1 / math.sqrt(dot(a, a))
    return a[0] * s, a[1] * s, a[2] * s

@cuda.jit(device=True)
def hit_sphere(o, d, c, r):
    oc = axpy3(-1.0, c, o)
    b = dot(oc, d)
    if (disc := b * b - dot(oc, oc) + r * r) < 0:
        return -1.0
    return -b - math.sqrt(disc)

@cuda.jit
def trace(spheres, img, flags):
    x, y = cuda.grid(2)
    if x >= W or y >= H:
        return
    o = (0.0, 0.0, 0.0)
    d = norm(((x + 0.5) / W - 0.5, 0.5 - (y + 0.5) / H, -1.0))
    col = (0.0, 0.0, 0.0)
    w = 1.0
    for depth in range(MAX_DEPTH):
        best, who = math.inf, -1
        for k in range(spheres.shape[0]):
            t = hit_sphere(o, d, (spheres[k, 0], spheres[k, 1], spheres[k, 2]), spheres[k, 3])
            if 1e-4 < t < best:
                best, who = t, k
        if who < 0:
            col = axpy3(w, (0.6, 0.7, 1.0), col)
            break
        p = axpy3(best, d, o)
        n = norm((p[0] - spheres[who, 0], p[1] - spheres[who, 1], p[2] - spheres[who, 2]))
        kind = Kind.SPHERE if spheres[who, 3] < 10 else Kind.PLANE
        match kind:
            case 1:
                w *= GLASS.albedo[0]
            case 2:
                w *= 0.9
            case _:
                w = 0.0
        if not flags & Flags.REFLECT:
            break
        o, d = p, norm(axpy3(-2 * dot(d, n), n, d))
    img[y, x, 0], img[y, x, 1], img[y, x, 2] = col

@cuda.jit
def tonemap(img, out, gamma):
    """Reinhard."""
    x, y, c = cuda.grid(3)
    if y < img.shape[0] and x < img.shape[1] and c < 3:
        v = img[y, x, c]
        v = v / (1 + v)
        out[y, x, c] = int(255 * v ** (1 / gamma) + .5) << SHIFT

@cuda.jit
def mandel(cx: float, cy: float, out: Annotated[np.ndarray, "u2"]) -> None:
    (i, j), (n, m) = cuda.grid(2), out.shape
    if i < n and j < m:
        c = complex(cx + j / m, cy + i / n)
        z = 0j
        k = 0
        while (z.real * z.real + z.imag * z.imag) <= 4 and k < 1000:
            z = z * z + c
            k += 1
        else:
            if k == 1000: k = 0
        out[i, j] = k

def main(*argv: str) -> int:
    global W
    W = 64
    with (open("/dev/null") as a, open("/dev/null") as b):
        print(f"{a.name!s:^{10 + 2}} {b.name=}", file=sys.stderr)
    try:
        raise ExceptionGroup("x", [ValueError(1)])
    except* ValueError as eg:
        print(eg.exceptions)
    return 0

if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
