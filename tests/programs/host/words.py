"""Text: word statistics with arrays of bytes, Levenshtein on the GPU, run lengths."""
import numpy as np
from numba import cuda

TEXT = ("the quick brown fox jumps over the lazy dog and the slow dog looks at the quick fox "
        "while a lazy cat sleeps under the brown tree").split()
words = sorted([w for i, w in enumerate(TEXT) if w not in TEXT[:i]])
codes = np.zeros((len(words), 8), dtype=np.uint8)
lengths = np.array([len(w) for w in words], dtype=np.int32)
for i, w in enumerate(words):
    codes[i, :len(w)] = [ord(c) for c in w]


@cuda.jit
def distances(codes, lengths, out):
    i, j = cuda.grid(2)
    n = lengths.size
    if i >= n or j >= n:
        return
    row = cuda.local.array(9, dtype=np.int32)
    for k in range(lengths[j] + 1):
        row[k] = k
    for a in range(1, lengths[i] + 1):
        diagonal = row[0]
        row[0] = a
        for b in range(1, lengths[j] + 1):
            cost = 0 if codes[i, a - 1] == codes[j, b - 1] else 1
            new = min(row[b] + 1, row[b - 1] + 1, diagonal + cost)
            diagonal = row[b]
            row[b] = new
    out[i, j] = row[lengths[j]]


n = len(words)
out = np.zeros((n, n), dtype=np.int32)
distances[(3, 3), (8, 8)](codes, lengths, out)
print(words)
print(out)
print("symmetric", (out == out.T).all(), "mean", out.mean())
np.fill_diagonal(out, 99)
for i in range(0, n, 5):
    j = int(out[i].argmin())
    print(f"{words[i]!r:>10} ~ {words[j]!r:<10} {out[i, j]}")
counts = [TEXT.count(w) for w in words]
for w, c in sorted(zip(words, counts), key=lambda p: (-p[1], p[0]))[:6]:
    print(f"{w:<8}{c:>3} {'=' * c}")
letters = "".join(TEXT)
histogram = np.bincount(np.array([ord(c) - 97 for c in letters]), minlength=26)
print(" ".join(f"{chr(97 + k)}{v}" for k, v in enumerate(histogram) if v))
title = " ".join(TEXT[:4]).title()
print(title, title.swapcase(), title.replace("o", "0"), title.center(30, "*"), sep="|")
print(f"{len(letters)=} {max(words, key=len)=} {'dog' in TEXT=}")
runs, last = [], None
for c in "aaabbbccd":
    if c == last:
        runs[-1] = (c, runs[-1][1] + 1)
    else:
        runs.append((c, 1))
        last = c
print(runs, "".join(f"{c}{n}" for c, n in runs))
