#!/usr/bin/env python3
"""Smith-Waterman and Levenshtein, wavefront in shared memory"""
import sys
import numpy as np
import numba
from numba import cuda, int32, uint8
from numba.core import config
from numba.core.errors import NumbaPerformanceWarning
import warnings
warnings.simplefilter("ignore", category=NumbaPerformanceWarning)
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

MAXLEN = 64
MATCH, MISMATCH, GAP = 2, -1, -1


def make_kernel(maxlen, local):
    @cuda.jit
    def kernel(a, b, la, lb, out):
        prev2 = cuda.shared.array(maxlen + 1, int32)
        prev = cuda.shared.array(maxlen + 1, int32)
        cur = cuda.shared.array(maxlen + 1, int32)
        pair = cuda.blockIdx.x
        j = cuda.threadIdx.x
        na, nb = la[pair], lb[pair]
        best = 0
        if j <= maxlen:
            prev2[j] = 0
            prev[j] = 0
            cur[j] = 0
        cuda.syncthreads()
        for d in range(0, na + nb + 1):
            i = d - j
            if j <= nb and 0 <= i <= na:
                if local:
                    v = 0
                    if i > 0 and j > 0:
                        s = MATCH if a[pair, i - 1] == b[pair, j - 1] else MISMATCH
                        v = max(0, prev2[j - 1] + s, prev[j - 1] + GAP, prev[j] + GAP)
                else:
                    if i == 0:
                        v = j
                    elif j == 0:
                        v = i
                    else:
                        v = min(prev2[j - 1] + (a[pair, i - 1] != b[pair, j - 1]), prev[j - 1] + 1, prev[j] + 1)
                cur[j] = v
                best = max(best, v)
                if not local and i == na and j == nb:
                    out[pair] = v
            cuda.syncthreads()
            prev2[j] = prev[j]
            cuda.syncthreads()
            prev[j] = cur[j]
            cuda.syncthreads()
        if local:
            cuda.atomic.max(out, pair, best)
    return kernel


def encode(strings):
    m = np.zeros((len(strings), MAXLEN), np.uint8)
    for i, s in enumerate(strings):
        m[i, :len(s)] = np.frombuffer(s.encode("ascii"), dtype=np.uint8)
    return m, np.array([len(s) for s in strings], np.int32)


def lev(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(row[j - 1] + (x != y), row[j] + 1, new[-1] + 1))
        row = new
    return row[-1]


def sw(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1), int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            H[i, j] = max(0, H[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1), H[i - 1, j] - 1, H[i, j - 1] - 1)
    return H.max()


words = ["kitten", "sitting", "saturday", "sunday", "", "gattaca", "tacgacgt" * 3, "the quick brown fox"]
pairs = [(x, y) for x in words for y in words]
a, la = encode([p[0] for p in pairs])
b, lb = encode([p[1] for p in pairs])
for local, ref in ((False, lev), (True, sw)):
    out = np.zeros(len(pairs), np.int32)
    make_kernel(MAXLEN, local)[len(pairs), MAXLEN + 1](a, b, la, lb, out)
    np.testing.assert_array_equal(out, [ref(*p) for p in pairs])
print("ok")
