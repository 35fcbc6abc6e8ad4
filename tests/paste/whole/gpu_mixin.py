"""Methods that are kernels, mixins, properties, generics; plots at the bottom."""
from __future__ import annotations

import math
import operator as op
import typing as t
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numba.cuda
import numpy as np
from numba import cuda, types as nbt
from numba.extending import overload, register_jitable
from numba.np.ufunc.parallel import get_thread_count
from scipy import constants as sc, signal
from scipy.special import erf as serf

Number = t.Union[int, float]
P = SimpleNamespace(n=16, eps=1e-6, weights=(1.0, 2.0, 1.0), nested=SimpleNamespace(k=3))
KB_T = sc.Boltzmann * 300 / sc.elementary_charge
with suppress(ImportError):
    import cupy as cp
_T = t.TypeVar("_T")


@register_jitable
def helper(x):
    return x * P.nested.k


@cuda.jit(device=True)
def clampf(x: float, lo: float = 0.0, hi: float = 1.0, /) -> float:
    return lo if x < lo else hi if x > hi else x


class Kernels:
    """A namespace of kernels"""
    BLOCK: t.Final[int] = 32
    table: t.ClassVar[dict[str, int]] = {"a": 1, "b": 2}

    @staticmethod
    @cuda.jit
    def scale(x, s: Number = 2.0):
        """Doc."""
        i = cuda.grid(1)
        if i < x.size:
            x[i] = clampf(x[i] * s) + Kernels.table["b"]

    @staticmethod
    @cuda.jit(device=True)
    def weight(k):
        return P.weights[k % 3]

    @cuda.jit
    def without_self(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] + Kernels.BLOCK


class Model(Kernels, ABC):
    n_steps = 4

    @property
    def name(self) -> str:
        return type(self).__name__

    @abstractmethod
    def run(self, x: np.ndarray) -> None: ...

    @staticmethod
    @cuda.jit
    def smooth(x, out):
        i = cuda.grid(1)
        n = x.shape[0]
        if i < n:
            acc = 0.0
            for k in range(3):
                acc += Model.weight(k) * x[(i + k - 1) % n]
            out[i] = acc / sum(P.weights) * Model.n_steps

    @classmethod
    def make(cls, *, thickness: float = 1.5, mode: t.Literal["a", "b"] = "a"):
        inv = 1 / thickness
        n = cls.n_steps
        sel = cls.table[mode]

        @cuda.jit(max_registers=cls.BLOCK)
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = x[i] * inv + n + sel + helper(1)
        return kernel


@cuda.jit
def physics(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.exp(-x[i] / KB_T) if x[i] > P.eps else op.add(1, 0)


def plot(y: Sequence[float], *args: t.Any, **kw: t.Any) -> plt.Figure:
    fig, (a, b) = plt.subplots(nrows=2)
    a.plot(y, *args, label=f"{len(y)=} {max(y):.2e}", **kw)
    b.imshow(np.outer(y, y)); b.set(xlabel="x", ylabel="y")
    assert isinstance(y, Iterable), y
    return fig
