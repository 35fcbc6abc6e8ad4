"""Radix sort, scan, histogram in one file; uses functools.partial and operator."""
import math, operator
from functools import reduce, partial
import numpy as np
from numba import cuda, int32, uint32
import numba.cuda as nc

BITS = 4
BUCKETS = 2 ** BITS
TPB = reduce(operator.mul, [2] * 6)
STEPS = int(math.log2(TPB))
SHIFTS = tuple(range(0, 32, BITS))
ROUNDS = len(SHIFTS)
blocks_for = lambda n: (n + TPB - 1) // TPB
MAXBLOCKS = blocks_for(1000)


@cuda.jit(device=True)
def exclusive(s, t):
    for d in range(STEPS):
        stride = 1 << d
        v = s[t - stride] if t >= stride else 0
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
    return s[t - 1] if t > 0 else 0


@cuda.jit
def scan(x, sums):
    s = cuda.shared.array(TPB, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    e = exclusive(s, t)
    if i < x.size:
        x[i] = e
    if t == TPB - 1:
        sums[cuda.blockIdx.x] = s[t]


@cuda.jit
def histogram(keys, counts, shift):
    local = cuda.shared.array(BUCKETS, dtype=int32)
    t = cuda.threadIdx.x
    if t < BUCKETS:
        local[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < keys.size:
        cuda.atomic.add(local, (keys[i] >> shift) & (BUCKETS - 1), 1)
    cuda.syncthreads()
    if t < BUCKETS:
        cuda.atomic.add(counts, t, local[t])


@nc.jit
def bitonic(x, k):
    s = nc.shared.array(TPB, np.float32)
    t = nc.threadIdx.x
    s[t] = x[nc.blockIdx.x * TPB + t]
    nc.syncthreads()
    size = 2
    while size <= TPB:
        stride = size >> 1
        while stride:
            partner = t ^ stride
            if partner > t:
                up = (t & size) == 0
                a, b = s[t], s[partner]
                if (a > b) == up:
                    s[t], s[partner] = b, a
            nc.syncthreads()
            stride >>= 1
        size <<= 1
    x[nc.blockIdx.x * TPB + t] = s[t]
    if k is not None and t == 0:
        x[nc.blockIdx.x * TPB] += k * 0


@cuda.jit
def compact(x, out, n, threshold=0.5):
    i = cuda.grid(1)
    lane = i % 32
    keep = i < x.size and x[i] > threshold
    ballot = cuda.ballot_sync(0xFFFFFFFF, keep)
    count = cuda.popc(ballot)
    base = 0
    if lane == 0:
        base = cuda.atomic.add(n, 0, count)
    base = cuda.shfl_sync(0xFFFFFFFF, base, 0)
    if keep:
        out[base + cuda.popc(ballot & ((1 << lane) - 1))] = x[i]


class Sorter:
    kernels = {"scan": scan, "histogram": histogram}

    def __init__(self, n, stream=None):
        self.n, self.stream = n, stream or cuda.default_stream()
        self.launch = partial(self._launch, threads=TPB)

    def _launch(self, name, *args, threads):
        self.kernels[name][blocks_for(self.n), threads, self.stream](*args)
