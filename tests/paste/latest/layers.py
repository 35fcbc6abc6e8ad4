"""Tiny neural network layers on numba.cuda."""
import abc
import contextlib
import json
import math
import random
import typing
from types import SimpleNamespace
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.dlpack import from_dlpack
from numba import cuda, float32
import numba

numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

cfg = SimpleNamespace(tile=16, eps=1e-5, heads=8)
TILE = cfg.tile
EPS = cfg.eps
ACT = {"relu": 0, "gelu": 1, "silu": 2}
RELU, GELU, SILU = ACT.values()
SQRT_2_OVER_PI = math.sqrt(2 / math.pi)

def cdiv(a, b): return (a + b - 1) // b

@cuda.jit(device=True)
def act(x, kind):
    if kind == RELU:
        return max(x, 0.0)
    if kind == GELU:
        return 0.5 * x * (1 + math.tanh(SQRT_2_OVER_PI * (x + 0.044715 * x ** 3)))
    return x / (1 + math.exp(-x))

@cuda.jit
def linear(x, w, b, y, kind):
    sx = cuda.shared.array((TILE, TILE), float32)
    sw = cuda.shared.array((TILE, TILE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, x.shape[1], TILE):
        sx[ty, tx] = x[row, k0 + tx] if row < x.shape[0] and k0 + tx < x.shape[1] else 0.
        sw[ty, tx] = w[k0 + ty, col] if col < w.shape[1] and k0 + ty < w.shape[0] else 0.
        cuda.syncthreads()
        for k in range(TILE):
            acc += sx[ty, k] * sw[k, tx]
        cuda.syncthreads()
    if row < y.shape[0] and col < y.shape[1]:
        y[row, col] = act(acc + b[col], kind)

@cuda.jit
def softmax(x, y):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    m = float32(-math.inf)
    for j in range(lane, x.shape[1], 32):
        m = max(m, x[row, j])
    off = 16
    while off > 0:
        m = max(m, cuda.shfl_xor_sync(0xffffffff, m, off))
        off //= 2
    s = float32(0)
    for j in range(lane, x.shape[1], 32):
        e = math.exp(x[row, j] - m)
        y[row, j] = e
        s += e
    for off in (16, 8, 4, 2, 1):
        s += cuda.shfl_xor_sync(0xffffffff, s, off)
    for j in range(lane, x.shape[1], 32):
        y[row, j] /= s

@cuda.jit
def layer_norm(x, gamma, beta, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        mean = 0.
        for v in x[i]:
            mean += v
        mean /= len(x[i])
        var = 0.
        for v in x[i]:
            var += (v - mean) ** 2
        rstd = 1 / math.sqrt(var / x.shape[1] + EPS)
        for j, (g, b) in enumerate(zip(gamma, beta)):
            y[i, j] = (x[i, j] - mean) * rstd * g + b

class Layer(abc.ABC):
    @abc.abstractmethod
    def forward(self, x): ...
    def __matmul__(self, other): return self.forward(other)

class Linear(Layer):
    __slots__ = ("w", "b", "kind")
    def __init__(self, n_in: int, n_out: int, activation: typing.Literal["relu", "gelu", "silu"] = "relu"):
        lim = 1 / math.sqrt(n_in)
        self.w = cuda.to_device(np.random.uniform(-lim, lim, (n_in, n_out)).astype("f4"))
        self.b = cuda.to_device(np.zeros(n_out, "f4"))
        self.kind = ACT[activation]
    def forward(self, x):
        y = cuda.device_array((x.shape[0], self.w.shape[1]), np.float32)
        linear[(cdiv(y.shape[1], TILE), cdiv(y.shape[0], TILE)), (TILE, TILE)](x, self.w, self.b, y, self.kind)
        return y

class Attention:
    def __init__(self, d, heads=cfg.heads):
        self.scale = 1 / math.sqrt(d // heads)
        self._kernel = self._make(d // heads)

    @staticmethod
    def _make(dh=16):
        scale = 1.0 / math.sqrt(dh)
        @cuda.jit
        def scores(q, k, s):
            i, j = cuda.grid(2)
            if i < q.shape[0] and j < k.shape[0] and j <= i:
                acc = 0.0
                for c in range(dh):
                    acc += q[i, c] * k[j, c]
                s[i, j] = acc * scale
            elif i < s.shape[0] and j < s.shape[1]:
                s[i, j] = -math.inf
        return scores

@contextlib.contextmanager
def timer(name):
    start, stop = cuda.event(), cuda.event()
    start.record()
    try:
        yield
    finally:
        stop.record(); stop.synchronize()
        print(json.dumps({"name": name, "ms": cuda.event_elapsed_time(start, stop)}))

async def serve(queue):
    async for item in queue:
        async with timer("x"):
            await item
            match item:
                case {"op": "softmax", "x": x}: softmax[1, 32](x, x)
                case [a, *rest] if rest: print(a)
                case _: pass

if __name__ == "__main__":
    net = [Linear(64, 128), Linear(128, 10, activation="gelu")]
    x = torch.randn(32, 64, device="cuda")
    with timer("net"):
        for l in net: x = l @ cuda.as_cuda_array(x)
