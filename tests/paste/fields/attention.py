"""Attention, layer norm and an optimiser, for small models."""
import functools
import math
import warnings
from typing import Callable, Sequence

import numpy as np
from numba import cuda, float32, float64, int32, types

warnings.filterwarnings("ignore", category=UserWarning)
gpu = functools.partial(cuda.jit, fastmath=False)
DTYPES = {"half": np.float16, "single": np.float32}
ACT = DTYPES["single"]
HEAD = 32
TPB = 64
EPS = np.float32(1e-5)
ACTIVATIONS: dict[str, Callable] = {}


def register(name):
    def decorate(fn):
        ACTIVATIONS[name] = fn
        return fn
    return decorate


@register("gelu")
@cuda.jit(device=True)
def gelu(x):
    return 0.5 * x * (1.0 + math.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x ** 3)))


@register("silu")
@cuda.jit(device=True)
def silu(x):
    return x / (1.0 + math.exp(-x))


def make_mlp(activation: Callable, width: int = 16):
    tile = width

    @cuda.jit
    def mlp(x, w, bias, out):
        row, col = cuda.grid(2)
        ws = cuda.shared.array((tile, tile), float32)
        xs = cuda.shared.array((tile, tile), float32)
        acc = float32(0)
        for k0 in range(0, x.shape[1], tile):
            i, j = cuda.threadIdx.x, cuda.threadIdx.y
            xs[i, j] = x[row, k0 + j] if row < x.shape[0] and k0 + j < x.shape[1] else 0
            ws[i, j] = w[k0 + i, col] if k0 + i < w.shape[0] and col < w.shape[1] else 0
            cuda.syncthreads()
            for k in range(tile):
                acc += xs[i, k] * ws[k, j]
            cuda.syncthreads()
        if row < out.shape[0] and col < out.shape[1]:
            out[row, col] = activation(acc + bias[col])

    return mlp


@gpu()
def attention(q, k, v, out, scale):
    """One query a thread; running maximum and sum (online softmax)."""
    i = cuda.grid(1)
    if i >= q.shape[0]:
        return
    acc = cuda.local.array(HEAD, ACT)
    for d in range(HEAD):
        acc[d] = 0
    m, total = -math.inf, 0.0
    for j in range(k.shape[0]):
        s = 0.0
        for d in range(HEAD):
            s += q[i, d] * k[j, d]
        s *= scale
        new = max(m, s)
        fix, p = math.exp(m - new), math.exp(s - new)
        for d in range(HEAD):
            acc[d] = acc[d] * fix + p * v[j, d]
        total = total * fix + p
        m = new
    for d in range(HEAD):
        out[i, d] = acc[d] / total


@gpu
def layer_norm(x, gamma, beta, out):
    sums = cuda.shared.array((2, TPB), float64)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    a = b = 0.0
    for j in range(t, x.shape[1], TPB):
        value = x[row, j]
        a += value
        b += value * value
    sums[0, t], sums[1, t] = a, b
    cuda.syncthreads()
    half = TPB // 2
    while half:
        if t < half:
            for r in range(2):
                sums[r, t] += sums[r, t + half]
        cuda.syncthreads()
        half >>= 1
    mean = sums[0, 0] / x.shape[1]
    inv = 1.0 / math.sqrt(sums[1, 0] / x.shape[1] - mean ** 2 + EPS)
    for j in range(t, x.shape[1], TPB):
        out[row, j] = (x[row, j] - mean) * inv * gamma[j] + beta[j]


class Adam:
    b1, b2, eps = 0.9, 0.999, 1e-8

    def __init__(self, params: Sequence[np.ndarray], lr: float = 1e-3):
        self.state = [(np.zeros_like(p), np.zeros_like(p)) for p in params]
        self.lr, self.t = lr, 0

    @staticmethod
    @cuda.jit
    def update(p, g, m, v, lr, t):
        i = cuda.grid(1)
        if i < p.size:
            m[i] = Adam.b1 * m[i] + (1 - Adam.b1) * g[i]
            v[i] = Adam.b2 * v[i] + (1 - Adam.b2) * g[i] ** 2
            p[i] -= lr * (m[i] / (1 - Adam.b1 ** t)) / (math.sqrt(v[i] / (1 - Adam.b2 ** t)) + Adam.eps)

    def step(self, params, grads):
        self.t += 1
        for (m, v), p, g in zip(self.state, params, grads, strict=True):
            Adam.update[(p.size + 127) // 128, 128](p, g, m, v, self.lr, self.t)


layers = [make_mlp(ACTIVATIONS[name]) for name in ("gelu", "silu")]
