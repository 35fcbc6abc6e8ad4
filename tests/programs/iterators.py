import numpy as np


def places():
    return {"out": np.array([12, 3, 4, 11, 3, 25, 3142, 16, 1, 32.0])}


def past_the_end():
    out = np.zeros(64)
    out[:3] = 1, 2, 3
    return {"out": out}


def arrays_come_apart():
    return {"out": np.array([393, 123, 4, 43.0, 0, 0, 0, 0]), "y": np.array([4, 3, -1.0])}


def found():
    return {"out": np.array([1 + 4 + 8, 12, -6, 3.1, 1 + 8, 41, 6133, 131, 4, np.inf, 3,
                             3 + 2 + 4, 0, 0, 0, 0])}


def searched():
    x = np.array([1, 2, 2, 2, 5, np.inf, np.nan])
    v = np.array([0, 1, 2, 3, 5, 6, np.inf, np.nan])
    left, right = np.searchsorted(x, v), np.searchsorted(x, v, "right")
    z = np.array([0, -0.0, 0.5, 3, -1.5])
    return {"out": np.array([left, right, left, 0 * left]), "s": np.sinc(z)}


def ranges_are_what_they_were():
    a = np.arange(10)
    a[3] = 7
    return {"a": a, "out": np.array([2, 9, 3, 6, 2, 2, 11, 1])}


def taken_from():
    out, x = np.zeros(24), np.arange(1, 7.0)
    pairs = zip(x, range(10, 20))
    v, k = next(pairs)
    out[0] = v * k
    for v, k in pairs:
        out[1] += v * k
    counted = enumerate(x, 3)
    for i, v in counted:
        j, w = next(counted)
        out[3] += i * w - j * v
    out[4] = sum(i * v for i, v in enumerate(x[1:], -2))
    out[5] = 1
    it = iter(range(8))
    out[6] = sum(i * v for i, v in zip(it, it))
    it = iter(range(9))
    out[7] = sum(i * v for i, v in zip(it, range(3)))
    out[8] = next(it)
    it = iter(range(9))
    out[9] = sum(i * v for i, v in zip(range(3), it))
    out[10] = next(it)
    it = iter(x)
    for i, (j, v) in enumerate(enumerate(it, 3), -2):
        if i == 2:
            break
        out[11] += i * j * v
    out[12] = next(it)
    out[13] = 2
    out[14] = 3 * 4 + 5 * 6
    out[15] = 7
    out[16:19] = 0, 1, 2
    return {"out": out}


def taken_between_barriers():
    return {"out": np.repeat([496, 497], 32)}


def far_ranges():
    low, high = -2 ** 63, 2 ** 63 - 1
    return {"out": np.array([True, 2 ** 62 in range(-2 ** 62, high, 2 ** 62), False, False, True,
                             0 in range(high, low, -2), -1 in range(high, low, -2 ** 61), False])}


def shift_register():
    out = np.zeros(100, np.int64)
    out[:3] = [100 // 2, 150 // 2, 199 // 2]
    return {"out": out}


def unsigned_counters():
    counted = list(range(3, 250, 40))
    return {"out": np.array(counted + [0] * (8 - len(counted)), np.uint64)}
