"""Local alignment by anti-diagonals, and counts of k-mers."""
import itertools
import string
import typing as t

import numpy as np
from numba import cuda, int32, uint8

ALPHABET = "ACGT"
CODE = {c: i for i, c in enumerate(ALPHABET)}
MATCH, MISMATCH, GAP_OPEN, GAP_EXTEND = 2, -1, -3, -1
SUB = np.full((4, 4), MISMATCH, dtype=np.int32)
np.fill_diagonal(SUB, MATCH)
COMPLEMENT = np.array([CODE[c] for c in "TGCA"], dtype=np.uint8)
K = 7
TABLE = 4 ** K
NEG = -(1 << 30)
LOWER = string.ascii_lowercase[:4]


def encode(seq: str) -> np.ndarray:
    return np.fromiter((CODE[c] for c in seq.upper() if c in CODE), dtype=np.uint8)


@cuda.jit
def score_diagonal(a, b, h, e, f, d):
    """Cells (i, d - i) of the matrices, from those of two diagonals before."""
    i = cuda.grid(1) + 1
    j = d - i
    if i > len(a) or j < 1 or j > len(b):
        return
    e[i, j] = max(h[i, j - 1] + GAP_OPEN, e[i, j - 1] + GAP_EXTEND)
    f[i, j] = max(h[i - 1, j] + GAP_OPEN, f[i - 1, j] + GAP_EXTEND)
    diag = h[i - 1, j - 1] + SUB[a[i - 1], b[j - 1]]
    h[i, j] = max(0, diag, e[i, j], f[i, j])


@cuda.jit
def best_cell(h, best):
    """Packs score and place into one 64-bit word."""
    stride = cuda.gridsize(1)
    total = h.shape[0] * h.shape[1]
    mine = 0
    for k in range(cuda.grid(1), total, stride):
        i, j = divmod(k, h.shape[1])
        packed = (h[i, j] << 32) | k
        if packed > mine:
            mine = packed
    cuda.atomic.max(best, 0, mine)


@cuda.jit
def count_kmers(reads, lengths, table, canonical):
    read = cuda.blockIdx.x
    if read >= reads.shape[0]:
        return
    last = lengths[read] - K
    for start in range(cuda.threadIdx.x, last + 1, cuda.blockDim.x):
        forward = 0
        backward = 0
        for k in range(K):
            c = reads[read, start + k]
            forward = forward * 4 + c
            backward += COMPLEMENT[c] * 4 ** k
        key = min(forward, backward) if canonical else forward
        cuda.atomic.add(table, key, 1)


@cuda.jit
def hamming(words, out):
    i, j = cuda.grid(2)
    n = words.shape[0]
    if i < n and j < n and i < j:
        d = 0
        for k in range(words.shape[1]):
            d += cuda.popc(words[i, k] ^ words[j, k])
        out[i, j] = out[j, i] = d


def align(a: str, b: str) -> t.Tuple[int, t.List[int]]:
    assert a and b, "empty"
    x, y = map(encode, (a, b))
    shape = (len(x) + 1, len(y) + 1)
    h, e, f = (cuda.to_device(np.zeros(shape, np.int32)) for _ in range(3))
    for d in range(2, sum(shape) - 1):
        score_diagonal[(len(x) + 127) // 128, 128](x, y, h, e, f, d)
    return int(h.copy_to_host().max()), [*itertools.accumulate(shape)]


if __name__ == "__main__":
    print(align("ACGTACGT", "ACGTTACG"))
