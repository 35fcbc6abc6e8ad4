"""Levenshtein's distance: one launch an antidiagonal."""
import numpy as np
from numba import cuda


@cuda.jit
def diagonal(a, b, d, k):
    i = cuda.grid(1) + 1
    j = k - i
    if i < d.shape[0] and 1 <= j < d.shape[1]:
        cost = 0 if a[i - 1] == b[j - 1] else 1
        d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)


def codes(text):
    return np.array([ord(c) for c in text], dtype=np.int32)


def distance(s, t):
    a, b = codes(s), codes(t)
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int32)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    table = cuda.to_device(d)
    da, db = cuda.to_device(a), cuda.to_device(b)
    for k in range(2, len(a) + len(b) + 1):
        diagonal[(len(a) + 31) // 32, 32](da, db, table, k)
    return table.copy_to_host()


def script(s, t, d):
    """What to do to get from one to the other, from the end on."""
    i, j, steps = len(s), len(t), []
    while i > 0 or j > 0:
        if i > 0 and j > 0 and d[i, j] == d[i - 1, j - 1] + (s[i - 1] != t[j - 1]):
            if s[i - 1] != t[j - 1]:
                steps.append(f"{s[i - 1]}->{t[j - 1]}")
            i, j = i - 1, j - 1
        elif i > 0 and d[i, j] == d[i - 1, j] + 1:
            steps.append(f"-{s[i - 1]}")
            i -= 1
        else:
            steps.append(f"+{t[j - 1]}")
            j -= 1
    return steps[::-1]


pairs = [("kitten", "sitting"), ("saturday", "sunday"), ("", "abc"), ("same", "same")]
for s, t in pairs:
    if not s:
        print(repr(s), repr(t), len(t))
        continue
    table = distance(s, t)
    print(repr(s), repr(t), table[-1, -1], " ".join(script(s, t, table)) or "nothing")
long = "abracadabra" * 6
print(distance(long, long[::-1])[-1, -1], distance(long, long.replace("b", "cc"))[-1, -1])
