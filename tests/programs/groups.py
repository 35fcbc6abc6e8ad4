import functools

import numpy as np
from expect import tolerance


def blocks():
    out = np.zeros((2, 48, 14), np.int64)
    for b in range(2):
        for t in range(48):
            z, y, x = t // 24, t // 12 % 2, t % 12
            out[b, t] = [t, 48 * 101, x + 100 * y + 10000 * z, b, 1200 + 20 + 2, 48 * b + t, 96 * 1001,
                         b + 20 + 100, 47 - t, t % 8 + 100 * (t // 8) + 60000, t % 8 + 800,
                         t % 4 + 100 * (t % 8 // 4) + 20000, t // 4 * 4 + 1, 84]
    return {"out": out}


def _value(i):
    return i * 37 % 101 / 101


def _bits(ranks):
    return sum(1 << rank for rank in ranks)


def _tile(lanes, i):
    """What thread i gets of the tile of these threads."""
    n, rank, v = len(lanes), lanes.index(i), [_value(k) for k in lanes]
    whole, up_to = range(n), range(rank + 1)
    same_all = _bits(whole) + 0.5 if all(k // 16 == lanes[0] // 16 for k in lanes) else 0
    return [v[2 % n], v[rank - 1 if rank else 0], lanes[rank + 3 if rank + 3 < n else rank],
            np.float32(v[rank ^ 1 if rank ^ 1 < n else rank]), any(k > 0.9 for k in v),
            all(k < 0.9 for k in v), _bits(k for k in whole if v[k] < 0.5),
            _bits(k for k in whole if lanes[k] % 3 == i % 3), same_all, sum(lanes), min(v), max(lanes),
            functools.reduce(lambda a, b: a | b, (1 << k % 5 for k in lanes)),
            functools.reduce(lambda a, b: a ^ b, lanes) +
            functools.reduce(lambda a, b: a & b, (k | 64 for k in lanes)),
            max(v), sum(lanes), sum(lanes[k] for k in up_to), sum(lanes[k] for k in range(rank)),
            max(v[k] for k in up_to), sum(lanes)]


def tiles():
    out = np.zeros((4, 128, 20))
    for k, size in enumerate((32, 16, 4, 1)):
        for i in range(128):
            out[k, i] = _tile(list(range(i // size * size, i // size * size + size)), i)
    return {"out": out}


def _together(lanes, i):
    n, rank, v = len(lanes), lanes.index(i), [_value(k) for k in lanes]
    part, odd = lanes[rank // 4 * 4:rank // 4 * 4 + 4], [k for k in lanes if k % 2 == i % 2]
    third = [k for k in lanes if k % 3 == i % 3]
    return [rank, n * 101, lanes[1], lanes[rank - 2 if rank >= 2 else rank],
            lanes[rank + 2 if rank + 2 < n else rank],
            any(k < 0.1 for k in v) + 2 * all(k < 0.5 for k in v),
            _bits(k for k in range(n) if lanes[k] % 2), _bits(k for k in range(n) if lanes[k] % 4 == i % 4),
            sum(lanes), sum(v) / n, sum(lanes[:rank + 1]), rank,
            rank % 4 + 10 * (rank // 4) + 100 * (-(-n // 4)), max(part),
            len(odd) * 10 + 1 - i % 2, min(third) * 10 + len(third), len({k % 3 for k in lanes})]


@tolerance(1e-14)
def threads_together():
    out = np.zeros((96, 17))
    for warp in range(3):
        lanes = [i for i in range(32 * warp, 32 * warp + 32) if _value(i) < 0.6]
        for i in lanes:
            out[i] = _together(lanes, i)
    return {"out": out}


def sum_of_tiles():
    return {"total": np.array([255.0 * 128])}
