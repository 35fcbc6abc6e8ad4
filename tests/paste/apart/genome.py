import collections, enum, re, string, sys
from pathlib import Path
import numpy as np
import numba
from numba import cuda, types
from numba.cuda import jit as cujit

class Base(enum.IntEnum):
    A = 0; C = 1; G = 2; T = 3
    @classmethod
    def code(cls, ch): return cls[ch].value

COMPLEMENT = np.array([Base.T, Base.G, Base.C, Base.A], dtype=np.uint8)
K = 5
MASK = (1 << (2 * K)) - 1
BLOSUM = {("A", "A"): 5, ("A", "G"): -1}
SCORES = np.where(np.eye(4, dtype=bool), 5, -4).astype(np.int8)
SCORES[0, 2] = SCORES[2, 0] = -1
Hit = np.dtype([("pos", "u4"), ("score", "i2"), ("strand", "S1"), ("kmer", "u8")], align=True)

@cujit(device=True)
def revcomp(kmer, k=K):
    out, two = np.uint64(0), np.uint64(2)
    for _ in range(k):
        out = (out << two) | COMPLEMENT[kmer & np.uint64(3)]
        kmer >>= two
    return out

@cujit
def count_kmers(seq, hist):
    start, stride = cuda.grid(1), cuda.gridsize(1)
    for i in range(start, seq.size - K + 1, stride):
        kmer = np.uint64(0)
        for j in range(K):
            kmer = (kmer << np.uint64(2)) | seq[i + j]
        rc = revcomp(kmer)
        cuda.atomic.add(hist, min(kmer, rc) & np.uint64(MASK), 1)

@cujit
def best_hits(seq, probe, hits):
    i = cuda.grid(1)
    if i >= hits.size:
        return
    score = 0
    for j in range(probe.size):
        score += SCORES[seq[i + j], probe[j]]
    hits[i].pos = i
    hits[i].score = max(score, -100)
    hits[i]["kmer"] = seq[i] * 4 + probe[0]

def encode(text):
    return np.frombuffer(text.translate(str.maketrans("ACGT", "\0\1\2\3")).encode(), np.uint8).copy()

if __name__ == "__main__":
    rng = np.random.RandomState(3)
    seq = encode("".join(rng.choice(list("ACGT"), 600)))
    hist = np.zeros(MASK + 1, np.int64)
    count_kmers[3, 64](seq, hist)
    hits = np.zeros(590, Hit)
    best_hits[10, 64](seq, seq[100:110].copy(), hits)
    print(hist.sum(), hist.argmax(), (hist * np.arange(hist.size)).sum())
    print(hits["score"].max(), hits["pos"][hits["score"].argmax()], int(hits["kmer"].sum()))
