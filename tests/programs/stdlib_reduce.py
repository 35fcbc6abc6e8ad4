import numpy as np


def _block_sums(x, threads):
    sums = x.reshape(-1, threads).sum(1, dtype=x.dtype)
    return {"out": np.repeat(sums, threads)}


def block_1():
    return _block_sums(np.arange(64), 1)


def block_33():
    return _block_sums(np.arange(66, dtype=np.int32), 33)


def block_96():
    return _block_sums(np.arange(96.0), 96)


def block_1024():
    return _block_sums(np.arange(2048, dtype=np.uint64), 1024)


def block_of_three_axes():
    return _block_sums(np.arange(210), 105)


def narrow_sums_wrap():
    return {"out": np.full(96, np.arange(96).sum().astype(np.int8))}


def half_sums_round():
    """In pairs, so that little is lost: all sums but the last few are exact."""
    values = np.zeros(128, np.float16)
    values[:96] = np.arange(96)
    while len(values) > 1:
        values = values[0::2] + values[1::2]
    return {"out": np.full(96, values[0])}


def complex_sums():
    return {"out": np.full(40, np.arange(40).sum() * (1 - 2j), np.complex64)}


def least_and_greatest():
    return {"out": np.array([np.full(70, 3), np.full(70, 69)], np.uint8)}


def nan_is_least_and_greatest():
    return {"out": np.full((2, 70), np.nan, np.float32)}


def order_is_kept():
    real, imag = 1.0, 0.0
    for i in range(50):
        a = 1.0 + i % 3 - 2 * (i % 2)
        real, imag = real * a, real * i + imag
    return {"out": np.full(50, complex(real, imag))}


def warps():
    i = np.arange(80)
    sums = np.array([i[w * 32:w * 32 + 32].sum() for w in range(3)])
    return {"out": np.array([sums[i // 32], np.full(80, 6)])}


def all_and_any():
    return {"out": np.repeat([[True], [False], [True], [False]], 40, axis=1)}


def one_after_another():
    i = value = np.arange(96)
    for _ in range(5):
        value = (value.sum() + i) % 1000
    return {"out": value}


def own_array_reduction():
    return {"out": np.array([2 * np.arange(10_000).sum()]), "done": np.zeros(1, np.int32)}


def sum_of_nothing():
    return {"out": np.zeros(1), "parts": np.zeros(4)}


def greatest_of_one():
    return {"out": np.array([2.5], np.float16)}


def least_of_bytes():
    return {"out": np.array([-128], np.int8)}
