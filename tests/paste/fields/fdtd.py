"""FDTD in two dimensions with PML; materials from a dict of dataclasses."""
import argparse
import collections.abc
import math
import operator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Dict, List, Tuple

import numpy as np
from numba import cuda, float32
from scipy.constants import c as C0, epsilon_0 as EPS0, mu_0 as MU0

ETA0 = math.sqrt(MU0 / EPS0)


@dataclass
class Material:
    eps: float = 1.0
    sigma: float = 0.0
    name: str = "vacuum"


@dataclass
class Domain:
    nx: int = 256
    ny: int = 256
    dx: float = 1e-3
    pml: int = 10
    materials: Dict[str, Material] = field(default_factory=dict)

    @cached_property
    def dt(self):
        return self.dx / (C0 * math.sqrt(2)) * 0.99

    def add(self, name, **kw):
        self.materials[name] = Material(name=name, **kw)
        return self


BASE = Domain()
DOMAIN = replace(BASE, nx=512, pml=12)
NX, NY, DX, PML = DOMAIN.nx, DOMAIN.ny, DOMAIN.dx, DOMAIN.pml
DT = DOMAIN.dt
GLASS = Material(eps=2.25, name="glass")
SIGMA_MAX = 0.8 * (3 + 1) / (ETA0 * DX)
PROFILE = [SIGMA_MAX * (k / PML) ** 3 for k in range(PML + 1)]
LOSS = np.array([(1 - s * DT / (2 * EPS0)) / (1 + s * DT / (2 * EPS0)) for s in PROFILE], dtype=np.float32)
SOURCES: List[Tuple[int, int]] = [(NX // 4, NY // 2), (NX // 4 + 5, NY // 2)]
COEF = DT / (DX * EPS0)


@cuda.jit(device=True)
def depth(i, n):
    if i < PML:
        return PML - i
    return max(0, i - (n - 1 - PML))


@cuda.jit
def update_h(ez, hx, hy):
    i, j = cuda.grid(2)
    if i < NX - 1 and j < NY - 1:
        hx[i, j] -= DT / (MU0 * DX) * (ez[i, j + 1] - ez[i, j])
        hy[i, j] += DT / (MU0 * DX) * (ez[i + 1, j] - ez[i, j])


@cuda.jit
def update_e(ez, hx, hy, eps, t):
    i, j = cuda.grid(2)
    if 0 < i < NX and 0 < j < NY:
        curl = (hy[i, j] - hy[i - 1, j]) - (hx[i, j] - hx[i, j - 1])
        loss = LOSS[depth(i, NX)] * LOSS[depth(j, NY)]
        ez[i, j] = loss * ez[i, j] + COEF / (eps[i, j] * GLASS.eps if i > NX // 2 else eps[i, j]) * curl
        for si, sj in SOURCES:
            if i == si and j == sj:
                ez[i, j] += math.sin(2 * math.pi * 30e9 * t) * math.exp(-((t - 1e-10) / 3e-11) ** 2)


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=500)
    ap.add_argument("--show", action=argparse.BooleanOptionalAction)
    ns = ap.parse_args(argv)
    print({**asdict(DOMAIN), "steps": ns.steps})


if __name__ == "__main__":
    main()
