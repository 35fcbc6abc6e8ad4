"""Pseudo-random permutations of index ranges by a Feistel network, for shuffled loading."""
from __future__ import annotations

import logging
import os
from typing import Iterator, Optional, Sequence

import numpy as np

try:
    from numba import cuda, int64, uint64
    HAVE_CUDA = True
except ImportError:  # documentation builds
    HAVE_CUDA = False

log = logging.getLogger(__name__)
ROUNDS = int(os.environ.get("PERMUTE_ROUNDS", "6"))
GOLDEN = 0x9E3779B97F4A7C15
MULTIPLIERS = [0xBF58476D1CE4E5B9, 0x94D049BB133111EB]
SHIFTS = {"first": 30, "second": 27, "last": 31}

if HAVE_CUDA:

    @cuda.jit(device=True, inline=True)
    def mix(z):
        z = uint64(z)
        z ^= z >> uint64(SHIFTS["first"])
        z = uint64(z * uint64(MULTIPLIERS[0]))
        z ^= z >> uint64(SHIFTS["second"])
        z = uint64(z * uint64(MULTIPLIERS[1]))
        return z ^ (z >> uint64(SHIFTS["last"]))

    @cuda.jit(device=True)
    def feistel(x, key, half: int, rounds=ROUNDS):
        mask = (uint64(1) << uint64(half)) - uint64(1)
        left, right = (x >> uint64(half)) & mask, x & mask
        for r in range(rounds):
            left, right = right, left ^ (mix(right + key + uint64(r) * uint64(GOLDEN)) & mask)
        return (left << uint64(half)) | right

    @cuda.jit
    def permutation(out, key, half):
        """Walks the cycle until it is back in range."""
        i = cuda.grid(1)
        n = out.shape[0]
        if i >= n: return
        x = feistel(uint64(i), key, half)
        while x >= uint64(n): x = feistel(x, key, half)
        out[i] = int64(x)

    @cuda.jit("void(float32[:, ::1], int64[::1], float32[:, ::1])")
    def gather(src, order, dst):
        row, col = cuda.grid(2)
        if row < dst.shape[0] and col < dst.shape[1]:
            dst[row, col] = src[order[row], col]
else:
    def permutation(*_): raise RuntimeError("needs CUDA")
    gather = permutation


class Loader:
    def __init__(self, data: np.ndarray, batch: int = 32, *, seed: Optional[int] = None):
        self.data, self.batch = data, batch
        self.key = np.uint64(seed or 0)

    def __len__(self):
        return -(-len(self.data) // self.batch)

    def __iter__(self) -> Iterator[np.ndarray]:
        n = len(self.data)
        half = max(1, (n.bit_length() + 1) // 2)
        order = cuda.device_array(n, np.int64)
        permutation[(n + 127) // 128, 128](order, self.key, half)
        for first in range(0, n, self.batch):
            yield self.data[order[first:first + self.batch].copy_to_host()]
        log.info("epoch of %d done", n)
