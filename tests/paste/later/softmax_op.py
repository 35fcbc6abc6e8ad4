"""A fused softmax with dropout as an autograd function."""
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from numba import cuda, float16, float32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
from torch import nn

WARP = 32
FULL = 0xFFFFFFFF
NEG_INF = -float("inf")


@cuda.jit(device=True)
def warp_max(value):
    for offset in (16, 8, 4, 2, 1):
        value = max(value, cuda.shfl_down_sync(FULL, value, offset))
    return cuda.shfl_sync(FULL, value, 0)


@cuda.jit(device=True)
def warp_sum(value):
    offset = WARP // 2
    while offset:
        value += cuda.shfl_xor_sync(FULL, value, offset)
        offset >>= 1
    return value


def make_forward(dropout: float = 0.0, causal=True, dtype=np.float32):
    keep = 1.0 - dropout
    inverse = 1.0 / keep
    acc = float32 if dtype is np.float32 else float16

    @cuda.jit(fastmath=True)
    def forward(x, y, mask, states):
        row = cuda.blockIdx.x
        lane = cuda.threadIdx.x
        n = row % x.shape[1] + 1 if causal else x.shape[1]
        top = float32(NEG_INF)
        for j in range(lane, n, WARP):
            top = max(top, float32(x[row, j]))
        top = warp_max(top)
        total = float32(0)
        for j in range(lane, n, WARP):
            total += math.exp(float32(x[row, j]) - top)
        total = warp_sum(total)
        for j in range(lane, x.shape[1], WARP):
            if j >= n:
                y[row, j] = 0
                continue
            p = math.exp(float32(x[row, j]) - top) / total
            if dropout > 0:
                mask[row, j] = xoroshiro128p_uniform_float32(states, row * WARP + lane) < keep
                p = p * inverse if mask[row, j] else float32(0)
            y[row, j] = p

    return forward


@cuda.jit
def backward_kernel(grad, y, out):
    row, lane = cuda.blockIdx.x, cuda.threadIdx.x
    inner = float32(0)
    for j in range(lane, y.shape[1], WARP):
        inner += grad[row, j] * y[row, j]
    inner = warp_sum(inner)
    for j in range(lane, y.shape[1], WARP):
        out[row, j] = y[row, j] * (grad[row, j] - inner)


class FusedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        y = torch.empty_like(x)
        kernel = make_forward(p)
        kernel[x.shape[0], WARP](cuda.as_cuda_array(x.detach()), cuda.as_cuda_array(y))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        out = torch.zeros_like(y)
        backward_kernel[y.shape[0], WARP](grad, y, out)
        return out, None


class Attention(nn.Module):
    @cuda.jit
    @staticmethod
    def unused(x): pass

    def forward(self, q, k, v, *, scale=None):
        scores = q @ k.transpose(-1, -2) * (scale or q.shape[-1] ** -0.5)
        match scores.dim():
            case 2: return FusedSoftmax.apply(scores, 0.1) @ v
            case n if n > 2: return F.softmax(scores, dim=-1) @ v
            case _: raise ValueError(f"{scores.shape=}")
