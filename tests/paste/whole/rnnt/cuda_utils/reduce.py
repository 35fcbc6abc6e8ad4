"""Rows reduced by blocks."""
import enum
import math

import torch
from numba import cuda

from rnnt import rnnt_helper, global_constants
from rnnt.global_constants import threads_per_block, dtype as reduce_dtype

warp_size = global_constants.warp_size()
CTA_REDUCE_SIZE = global_constants.threads_per_block()
DTYPE = reduce_dtype()


class I_Op(enum.Enum):
    EXPONENTIAL = 0
    IDENTITY = 1


class R_Op(enum.Enum):
    ADD = 0
    MAXIMUM = 1


@cuda.jit(device=True)
def CTAReduce(tid: int, x, storage, count: int, R_opid: int):
    """Reduces over the threads of a block; R_opid 0 adds, 1 takes the maximum."""
    storage[tid] = x
    cuda.syncthreads()
    if CTA_REDUCE_SIZE >= warp_size * 2:
        if tid < warp_size:
            storage[tid] += storage[tid + warp_size]
        cuda.syncthreads()
    offset = warp_size // 2
    while offset > 0:
        if tid < offset and tid + offset < count:
            if R_opid == 0:
                storage[tid] = rnnt_helper.add(storage[tid], storage[tid + offset])
            else:
                storage[tid] = rnnt_helper.maximum(storage[tid], storage[tid + offset])
        cuda.syncthreads()
        offset = offset // 2
    return storage[0]


@cuda.jit()
def _reduce_rows(I_opid: int, R_opid: int, acts: torch.Tensor, output: torch.Tensor, num_rows: int):
    tid = cuda.threadIdx.x
    idx = tid
    col = cuda.blockIdx.x
    storage = cuda.shared.array(shape=(CTA_REDUCE_SIZE,), dtype=acts.dtype)
    if idx < num_rows:
        curr = acts[col, idx] - (global_constants.THRESHOLD if R_opid == 0 else 0.0)
        if I_opid == 0:
            curr = rnnt_helper.exponential(curr)
        else:
            curr = rnnt_helper.identity(curr)
    else:
        curr = 0.0
    idx += CTA_REDUCE_SIZE
    while idx < num_rows:
        activation_ = acts[col, idx]
        if I_opid == 0 and R_opid == 0:
            curr = rnnt_helper.add(curr, rnnt_helper.exponential(activation_))
        elif I_opid == 0 and R_opid == 1:
            curr = rnnt_helper.maximum(curr, rnnt_helper.exponential(activation_))
        elif I_opid == 1 and R_opid == 0:
            curr = rnnt_helper.add(curr, rnnt_helper.identity(activation_))
        else:
            curr = rnnt_helper.maximum(curr, rnnt_helper.identity(activation_))
        idx += CTA_REDUCE_SIZE
    curr = CTAReduce(tid, curr, storage, num_rows, R_opid)
    if tid == 0:
        output[col] = curr


@cuda.jit()
def compute_alphas_kernel(
    acts: torch.Tensor, alphas: torch.Tensor, llForward: torch.Tensor, maxT: int, maxU: int, blank_: int
):
    b = cuda.blockIdx.x
    u = cuda.threadIdx.x
    offset = b * maxT * maxU
    if u == 0:
        alphas[offset] = 0
    cuda.syncthreads()
    for n in range(1, maxT + maxU - 1):
        t = n - u
        if u == 0:
            if t > 0 and t < maxT:
                alphas[offset + t * maxU + u] = alphas[offset + (t - 1) * maxU + u] + acts[b, t - 1, u, blank_]
        elif u < maxU:
            if t == 0:
                alphas[offset + u] = alphas[offset + u - 1] + acts[b, 0, u - 1, 1]
            elif t > 0 and t < maxT:
                no_emit = alphas[offset + (t - 1) * maxU + u] + acts[b, t - 1, u, blank_]
                emit = alphas[offset + t * maxU + u - 1] + acts[b, t, u - 1, 1]
                alphas[offset + t * maxU + u] = rnnt_helper.log_sum_exp(emit, no_emit)
        cuda.syncthreads()
    if u == 0:
        loglike = alphas[offset + (maxT - 1) * maxU + maxU - 1] + acts[b, maxT - 1, maxU - 1, blank_]
        llForward[b] = loglike


def reduce_exp(acts: torch.Tensor, denom, rows: int, cols: int, minus: bool, stream):
    return ReduceHelper(I_opid=I_Op.EXPONENTIAL.value, R_opid=R_Op.ADD.value)
