import numpy as np


def without_branches():
    i = np.arange(64)
    x = np.linspace(-4, 4, 64, dtype=np.float32)
    out = np.where(x > 0, x, x[::-1] * np.float32(2))
    return {"out": out, "half": np.where(x < x[::-1], i, 0).astype(np.int16),
            "wide": np.where(i % 3 == 0, 0.5, (out * out).astype(float)),
            "unsigned": np.where(i & 4, np.uint64(1) << i.astype(np.uint64), np.uint64(0))}


def of_other_types():
    i = np.arange(64)
    return {"z": np.where(i > 20, 1 + 2j, 0).astype(np.complex64),
            "out": np.array([np.where(i != 0, i, 7.5), np.where((i > 5) & (i < 9), i > 6, True),
                             np.where(i < 9, 1.5, 0), np.full(64, 1.25)])}
