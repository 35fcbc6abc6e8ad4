import math
from typing import Optional, Tuple

import numba
import torch
from numba import cuda

from rnnt import global_constants


@cuda.jit(device=True, inline=True)
def log_sum_exp(a: float, b: float):
    if a == global_constants.FP32_NEG_INF:
        return b
    if b == global_constants.FP32_NEG_INF:
        return a
    if a > b:
        return math.log1p(math.exp(b - a)) + a
    else:
        return math.log1p(math.exp(a - b)) + b


@cuda.jit(device=True, inline=True)
def div_up(x: int, y: int):
    return (x + y - 1) // y


@cuda.jit(device=True)
def maximum(x, y):
    if x < y:
        return y
    else:
        return x


@cuda.jit(device=True)
def add(x, y):
    return x + y


@cuda.jit(device=True)
def identity(x):
    return x


@cuda.jit(device=True)
def exponential(x):
    return math.exp(x)


def get_workspace_size(maxT: int, maxU: int, minibatch: int, gpu: bool) -> Tuple[Optional[int], global_constants.RNNTStatus]:
    if minibatch <= 0 or maxT <= 0 or maxU <= 0:
        return (None, global_constants.RNNTStatus.RNNT_STATUS_INVALID_VALUE)
    return (minibatch * maxT * maxU * 2, global_constants.RNNTStatus.RNNT_STATUS_SUCCESS)
