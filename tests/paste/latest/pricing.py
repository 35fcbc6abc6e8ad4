"""Monte Carlo pricing: package style, relative imports and lazy globals."""
from __future__ import absolute_import, division

from . import utils as _u
from .config import settings, THREADS as _T
from ..core import Engine, register
from ._version import get_versions
__version__ = get_versions()['version']
del get_versions

import math
import typing as t
import numpy as np
from numba import cuda, float32, float64, uint32, void
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_uniform_float32,
                               xoroshiro128p_normal_float64, xoroshiro128p_type)

try:
    import cupy as cp
except Exception:
    cp = np

Real = t.TypeVar('Real', float, np.floating)
SQRT1_2 = 1 / math.sqrt(2.)
A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438


class PathError(RuntimeError):
    """Raised when nothing goes right."""


@cuda.jit(float64(float64), device=True, inline='always')
def cnd(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret = RSQRT2PI * math.exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))))
    return 1.0 - ret if d > 0 else ret

@cuda.jit(void(float64[:], float64[:], float64[:], float64[:], float64[:], float64, float64))
def black_scholes(callResult, putResult, S, X, T, R, V):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i >= S.shape[0]:
        return
    sqrtT = math.sqrt(T[i])
    d1 = (math.log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1, cndd2 = cnd(d1), cnd(d2)
    expRT = math.exp((-1. * R) * T[i])
    callResult[i] = (S[i] * cndd1 - X[i] * expRT * cndd2)
    putResult[i] = (X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1))


@register("mc", aliases=["monte-carlo"])
class MonteCarlo(Engine):
    tpb: t.ClassVar[int] = 64

    @staticmethod
    @cuda.jit
    def paths(rng_states, out, s0, mu, sigma):
        i = cuda.grid(1)
        if i < out.shape[0]:
            s = s0
            dt = 1.0 / out.shape[1]
            for k in range(out.shape[1]):
                z = xoroshiro128p_normal_float64(rng_states, i)
                s *= math.exp((mu - 0.5 * sigma ** 2) * dt + sigma * math.sqrt(dt) * z)
                out[i, k] = s

    @staticmethod
    @cuda.jit(debug=False, opt=True, lineinfo=True)
    def pi(rng_states, iterations: int, out: "np.ndarray"):
        """Estimates pi."""
        thread_id = cuda.grid(1)
        inside = 0
        for i in range(iterations):
            x = xoroshiro128p_uniform_float32(rng_states, thread_id)
            y = xoroshiro128p_uniform_float32(rng_states, thread_id)
            if x**2 + y**2 <= 1.0:
                inside += 1
        out[thread_id] = 4.0 * inside / iterations

    @classmethod
    def build(cls, n: int, *args: t.Any, **kw: t.Any) -> "MonteCarlo":
        states = create_xoroshiro128p_states(n, seed=kw.pop("seed", 1))
        out = np.empty(n, dtype=np.float32)
        cls.pi[n // cls.tpb, cls.tpb](states, 1000, out)
        assert abs(out.mean() - np.pi) < .1, PathError("pi")
        return cls(*args, **kw)

@cuda.jit
def barrier_option(seed, payoff, strike):
    i = cuda.grid(1)
    x = uint32(seed[i])
    total = float32(0.)
    for _ in range(16):
        x ^= x << uint32(13); x ^= x >> uint32(17); x ^= x << uint32(5)
        total += float32(x & uint32(0xffff)) / float32(65536.)
    payoff[i] = max(total - strike, float32(0.))
