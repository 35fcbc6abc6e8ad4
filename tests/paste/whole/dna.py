"""Sequence tools"""
import numpy as np
from numba import cuda, int32, uint8, types
import argparse, gzip, logging, re
from typing import Dict, List

ALPHABET = "ACGT"
CODE: Dict[str, int] = {c: i for i, c in enumerate(ALPHABET)}
COMPLEMENT = {"A": "T", "C": "G", "G": "C", "T": "A"}
LOOKUP = np.full(256, 4, dtype=np.uint8)
for base, value in CODE.items():
    LOOKUP[ord(base)] = value
    LOOKUP[ord(base.lower())] = value
REVERSE = np.array([CODE[COMPLEMENT[c]] for c in ALPHABET], dtype=np.uint8)
A, C, G, T = (ord(c) for c in ALPHABET)
BLOSUM = """
 4 -1 -2 -2
-1  5  0 -2
-2  0  6  1
-2 -2  1  6
"""
MATRIX = np.array([[int(v) for v in line.split()] for line in BLOSUM.strip().splitlines()], dtype=np.int32)
GAP, EXTEND = -4, -1
MAXLEN = max(64, len(ALPHABET) * 8)
K = 4
POWERS = [len(ALPHABET) ** i for i in range(K)]


@cuda.jit
def encode(text, out):
    i = cuda.grid(1)
    if i < text.size:
        out[i] = LOOKUP[text[i]]


@cuda.jit
def gc_content(text, out):
    i = cuda.grid(1)
    if i < text.shape[0]:
        n = 0
        for c in text[i]:
            if c == G or c == C:
                n += 1
        out[i] = n / text.shape[1]


@cuda.jit
def align(a, b, out):
    pair = cuda.grid(1)
    if pair >= a.shape[0]:
        return
    row = cuda.local.array(MAXLEN + 1, int32)
    for j in range(b.shape[1] + 1):
        row[j] = j * GAP
    for i in range(1, a.shape[1] + 1):
        diagonal = row[0]
        row[0] = i * GAP
        for j in range(1, b.shape[1] + 1):
            up = row[j]
            best = diagonal + MATRIX[a[pair, i - 1], b[pair, j - 1]]
            best = max(best, up + GAP, row[j - 1] + GAP)
            diagonal = up
            row[j] = best
    out[pair] = row[b.shape[1]]


@cuda.jit
def kmers(codes, counts):
    i = cuda.grid(1)
    if i + K <= codes.size:
        h = 0
        for k in range(K):
            h += POWERS[k] * codes[i + k]
        cuda.atomic.add(counts, h, 1)


@cuda.jit
def reverse_complement(codes, out):
    i = cuda.grid(1)
    if i < codes.size:
        out[codes.size - 1 - i] = REVERSE[codes[i]]


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("fasta", type=argparse.FileType("r"))
    args = parser.parse_args(argv)
    sequences: List[str] = [re.sub(r"\s+", "", block) for block in args.fasta.read().split(">")]
    logging.info("%d sequences", len(sequences))
