"""Smith-Waterman scores of many reads against one reference."""
import gzip
import argparse
import contextlib
import numpy as np
from numba import cuda, int8, int16, int32, uint8, types

ALPHABET = "ACGTN"
CODES = {base: code for code, base in enumerate(ALPHABET)}
GAP_OPEN, GAP_EXTEND, MATCH, MISMATCH = -5, -1, 2, -3
MAX_READ = 1 << 7
A, C, G, T = (ord(b) for b in "ACGT")
N = CODES["N"]
SCORES = np.array([[MATCH if a == b and a != "N" else 0 if "N" in (a, b) else MISMATCH
                    for b in ALPHABET] for a in ALPHABET], dtype=np.int8)
SENTINEL = np.iinfo(np.int16).min // 2


@cuda.jit("uint8(uint8)", device=True)
def encode(base):
    if base == ord("A") or base == ord("a"):
        return 0
    elif base == C:
        return 1
    elif base == G:
        return 2
    return 3 if base == T else N


@cuda.jit
def encode_all(text, codes):
    for i in range(cuda.grid(1), text.size, cuda.gridsize(1)):
        codes[i] = encode(text[i])


@cuda.jit
def score(reads, lengths, reference, best, place):
    read = cuda.grid(1)
    if read >= reads.shape[0]:
        return
    table = cuda.const.array_like(SCORES)
    h = cuda.local.array(MAX_READ + 1, int16)
    e = cuda.local.array(shape=MAX_READ + 1, dtype=types.int16)
    n = lengths[read]
    for j in range(n + 1):
        h[j], e[j] = 0, SENTINEL
    top, where = int16(0), -1
    for i in range(reference.size):
        diagonal, f = int32(0), int32(SENTINEL)
        for j in range(1, n + 1):
            f = max(f + GAP_EXTEND, h[j - 1] + GAP_OPEN)
            e[j] = max(e[j] + GAP_EXTEND, h[j] + GAP_OPEN)
            value = max(0, diagonal + table[reads[read, j - 1], reference[i]], e[j], f)
            diagonal = h[j]
            h[j] = value
            if value > top:
                top, where = value, i
    best[read] = top
    place[read] = where


@cuda.jit
def kmers(codes, counts, k):
    i = cuda.grid(1)
    if i + k > codes.size:
        return
    key = 0
    for j in range(k):
        if codes[i + j] == N:
            return
        key = key << 2 | codes[i + j]
    cuda.atomic.add(counts, key, 1)


@contextlib.contextmanager
def opened(path, mode="rt"):
    handle = gzip.open(path, mode) if path.endswith(".gz") else open(path, mode)
    try:
        yield handle
    finally:
        handle.close()


def reads_of(path):
    with opened(path) as lines:
        while name := lines.readline().strip():
            sequence, _, quality = (lines.readline().strip() for _ in range(3))
            yield name[1:], np.frombuffer(sequence.encode(), np.uint8), [ord(q) - 33 for q in quality]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("reads"); parser.add_argument("-k", type=int, default=8)
    options = parser.parse_args()
    for name, bases, _ in reads_of(options.reads):
        codes = cuda.device_array(len(bases), np.uint8)
        encode_all[1, 128](bases, codes)
