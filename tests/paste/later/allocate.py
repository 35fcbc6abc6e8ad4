"""Classes that build device functions and kernels for their sizes."""
from abc import ABC, abstractmethod
from functools import cached_property, lru_cache
import attrs
import numpy as np
from numba import cuda, float32, from_dtype, int32

_CACHE = {}


class Factory(ABC):
    precision = np.float32

    def __init__(self, size=8, **kwargs):
        self._size = size
        self.kwargs = kwargs

    @abstractmethod
    def build(self):
        """Returns what was compiled."""

    @cached_property
    def compiled(self):
        return self.build()


class Buffers(Factory):
    def build(self, size=8, shared=False):
        precision = from_dtype(np.dtype(np.float32))

        @cuda.jit(device=True, inline=True)
        def scratch():
            return cuda.local.array(size, precision)

        @cuda.jit(device=True)
        def fill(target, value):
            for i in range(size):
                target[i] = value * (i + 1)

        return scratch, fill


class RungeKutta(Factory):
    TABLEAU = {"heun": ((0.0, 1.0), (0.5, 0.5)), "rk4": ((0.0, 0.5, 0.5, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6))}

    def build(self, method="rk4", n=3, dt=0.01):
        c, b = RungeKutta.TABLEAU[method]
        stages = len(b)

        @cuda.jit(device=True)
        def derivative(state, t, out):
            for i in range(n):
                out[i] = state[(i + 1) % n] * t - state[i]

        @cuda.jit
        def integrate(states, steps):
            lane = cuda.grid(1)
            if lane >= states.shape[0]:
                return
            state = cuda.local.array(n, float32)
            probe = cuda.local.array(n, float32)
            k = cuda.local.array((stages, n), float32)
            for i in range(n):
                state[i] = states[lane, i]
            for step in range(steps):
                for s in range(stages):
                    for i in range(n):
                        probe[i] = state[i]
                        if s > 0:
                            probe[i] += dt * c[s] * k[s - 1, i]
                    derivative(probe, (step + c[s]) * dt, k[s])
                for s in range(stages):
                    for i in range(n):
                        state[i] += dt * b[s] * k[s, i]
            for i in range(n):
                states[lane, i] = state[i]

        return integrate


@lru_cache(maxsize=None)
def reducer(op, block=128, *, identity=0.0):
    if op not in ("sum", "max"):
        raise KeyError(op)

    @cuda.jit(device=True)
    def combine(a, b):
        return a + b if op == "sum" else max(a, b)

    @cuda.jit
    def reduce(x, out):
        tile = cuda.shared.array(block, float32)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        tile[t] = x[i] if i < len(x) else identity
        cuda.syncthreads()
        half = block >> 1
        while half:
            if t < half:
                tile[t] = combine(tile[t], tile[t + half])
            cuda.syncthreads()
            half >>= 1
        if not t:
            out[cuda.blockIdx.x] = tile[0]

    return reduce


@attrs.define
class Plan:
    n: int = attrs.field(default=3, validator=attrs.validators.instance_of(int))


@cuda.jit
def uses_scratch(out):
    mine = cuda.local.array(4, int32)
    for i in range(4): mine[i] = i
    out[cuda.grid(1)] = mine[3]
