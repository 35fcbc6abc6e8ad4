import math

import numpy as np


def uses():
    out = []
    for i in range(64):
        best = (0, 0)
        for k in range(4):
            q = ((i + k) % 5, k)
            best = best if best[0]**2 + best[1]**2 > q[0]**2 + q[1]**2 else q
        out.append([i + 2.5, 10 * i - 1, 5, i - 2.5, 2 * i, 0.5, 3 * i + 1, *best,
                    2 if i % 2 else 14, 1, i < 5, i in (1, 2, 3), 4 + i + max(3, i), 4 + i % 3, i,
                    i + 3, 3, i + 7 + 2, 3])
    return {"out": np.array(out, float)}


def from_outside():
    return {"out": np.arange(64) * 2 + 3.5}


def across_barriers():
    i = np.arange(64)
    return {"out": (63 - i)**2 - i}


def from_outside_by_their_count():
    return {"out": np.array([43, 5, 3, math.hypot(5, 6) + 2, 5.0])}


def in_a_signature():
    return {"out": np.array([46, math.sqrt(5), 0])}


def by_themselves():
    return {"out": np.array([1, 10, 0.5, 7, 1, 3, 3, 10, 2])}
