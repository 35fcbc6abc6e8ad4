"""Felsenstein's pruning, pairwise distances and a hidden Markov model, for sequences."""
import collections
import csv
import enum
import gzip
import io
import math
import subprocess
import sys
import tempfile
import textwrap

import numpy as np
from numba import cuda, types
from numba.cuda.types import float32, float64, int32, uint8
from numba.core import config as numba_config

HELP = textwrap.dedent("""
    Usage: phylo.py [FILE]
""").strip()


class Nuc(str, enum.Enum):
    A = "A"
    C = "C"
    G = "G"
    T = "T"


class State(enum.IntFlag):
    NONE = 0
    EXON = enum.auto()
    INTRON = enum.auto()
    CODING = EXON | INTRON


RATES = {
    ("A", "C"): 1.0, ("A", "G"): 4.0, ("A", "T"): 1.0,
    ("C", "G"): 1.0, ("C", "T"): 4.0, ("G", "T"): 1.0,
}
FREQ = np.full(4, 0.25)


def rate_matrix(rates, freq):
    """Normalised, rows adding up to 0."""
    letters = "ACGT"
    q = np.zeros((4, 4))
    for (a, b), rate in rates.items():
        i, j = letters.index(a), letters.index(b)
        q[i, j] = rate * freq[j]
        q[j, i] = rate * freq[i]
    for i in range(4):
        q[i, i] = -q[i].sum()
    scale = -sum(freq[i] * q[i, i] for i in range(4))
    return q / scale


QM = rate_matrix(RATES, FREQ)
STATES = 3
LOGA = np.log(np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]))
GAPS = (ord("-"), ord("N"))
UNDERFLOW = sys.float_info.min * 1e10


@cuda.jit(device=True)
def transition(t, i, j):
    """exp(Q t)[i, j], by a series of few terms."""
    term = cuda.local.array((4, 4), float64)
    nxt = cuda.local.array((4, 4), float64)
    total = 1.0 if i == j else 0.0
    for a in range(4):
        for b in range(4):
            term[a, b] = 1.0 if a == b else 0.0
    for k in range(1, 12):
        for a in range(4):
            for b in range(4):
                s = 0.0
                for c in range(4):
                    s += term[a, c] * QM[c, b]
                nxt[a, b] = s * t / k
        for a in range(4):
            for b in range(4):
                term[a, b] = nxt[a, b]
        total += term[i, j]
    return total


@cuda.jit
def prune(left, right, tl, tr, out, scale):
    site = cuda.grid(1)
    if site < out.shape[0]:
        top = 0.0
        for i in range(4):
            a = b = 0.0
            for j in range(4):
                a += transition(tl, i, j) * left[site, j]
                b += transition(tr, i, j) * right[site, j]
            out[site, i] = a * b
            top = max(top, a * b)
        if 0 < top < UNDERFLOW:
            for i in range(4):
                out[site, i] /= top
            scale[site] += math.log(top)


@cuda.jit
def viterbi(obs, logb, path, score):
    """One sequence a thread."""
    s = cuda.grid(1)
    if s >= obs.shape[0]:
        return
    v = cuda.local.array((2, STATES), types.float64)
    for k in range(STATES):
        v[0, k] = logb[k, obs[s, 0]]
    n = obs.shape[1]
    for t in range(1, n):
        now, before = t & 1, (t - 1) & 1
        for k in range(STATES):
            best, arg = -math.inf, 0
            for m in range(STATES):
                c = v[before, m] + LOGA[m, k]
                if c > best:
                    best, arg = c, m
            v[now, k] = best + logb[k, obs[s, t]]
            path[s, t, k] = arg
    last = (n - 1) & 1
    top = v[last, 0]
    for k in range(1, STATES):
        top = max(top, v[last, k])
    score[s] = top


@cuda.jit
def jukes_cantor(seqs, lengths, out):
    i, j = cuda.grid(2)
    if i < j < seqs.shape[0]:
        same = diff = 0
        for k in range(min(lengths[i], lengths[j])):
            a, b = seqs[i, k], seqs[j, k]
            if a in GAPS or b in GAPS:
                continue
            if a == b:
                same += 1
            else:
                diff += 1
        p = diff / max(same + diff, 1)
        out[i, j] = out[j, i] = -0.75 * math.log(1 - 4 / 3 * p) if p < 0.75 else math.inf


@cuda.jit
def classify(states, names, out):
    i = cuda.grid(1)
    if i < states.size:
        if states[i] & State.CODING == State.CODING:
            names[i] = "both"
        elif states[i] & State.EXON:
            names[i] = "exon"
        else:
            names[i] = "-"
        out[i] = len(names[i])


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as handle, io.StringIO() as buffer:
        for name, *rest in csv.reader(handle, delimiter="\t"):
            buffer.write(f"{name:<10}{''.join(rest)!s}\n")
        return collections.Counter(buffer.getvalue())
