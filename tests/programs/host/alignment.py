"""Global and local alignment of two sequences, and their edit distance."""
import numpy as np
from numba import njit

MATCH, MISMATCH, GAP = 2, -1, -2
ALPHABET = "ACGT"


def encode(text):
    return np.array([ALPHABET.index(c) for c in text], dtype=np.int8)


@njit
def fill(a, b, score, local):
    best, at_i, at_j = 0, 0, 0
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            s = score[i - 1, j - 1] + (MATCH if a[i - 1] == b[j - 1] else MISMATCH)
            s = max(s, score[i - 1, j] + GAP, score[i, j - 1] + GAP)
            if local and s < 0:
                s = 0
            score[i, j] = s
            if s > best:
                best, at_i, at_j = s, i, j
    return best, at_i, at_j


def align(first, second, local=False):
    a, b = encode(first), encode(second)
    score = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    if not local:
        score[:, 0] = np.arange(len(a) + 1) * GAP
        score[0] = np.arange(len(b) + 1) * GAP
    best, i, j = fill(a, b, score, local)
    if not local:
        best, i, j = int(score[-1, -1]), len(a), len(b)
    top, bottom = [], []
    while i > 0 or j > 0:
        if local and score[i, j] == 0:
            break
        if i > 0 and j > 0 and score[i, j] == score[i - 1, j - 1] + (
                MATCH if a[i - 1] == b[j - 1] else MISMATCH):
            top.append(first[i - 1])
            bottom.append(second[j - 1])
            i, j = i - 1, j - 1
        elif i > 0 and score[i, j] == score[i - 1, j] + GAP:
            top.append(first[i - 1])
            bottom.append("-")
            i -= 1
        else:
            top.append("-")
            bottom.append(second[j - 1])
            j -= 1
    return best, "".join(reversed(top)), "".join(bottom[::-1])


def distance(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, start=1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (x != y)))
        before = now
    return before[-1]


pairs = [("GATTACA", "GCATGCG"), ("ACGTACGTTAG", "CGTACTTACG"), ("AAAA", "TTTT")]
for first, second in pairs:
    for local in (False, True):
        best, top, bottom = align(first, second, local=local)
        kind = "local" if local else "global"
        bars = "".join("|" if x == y else " " for x, y in zip(top, bottom))
        print(f"{kind:>6} {best:+4d}")
        for line in (top, bars, bottom):
            print("      ", line.rstrip())
print([distance(a, b) for a, b in pairs])
print(f"{distance('kitten', 'sitting') = }")
