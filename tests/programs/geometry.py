"""What the kernels of geometry.k must leave."""
import numpy as np


def one_axis():
    i = np.arange(24)
    return {"out": np.array([i, i, i % 8 + 32]), "n": np.array([24, 24, 2])}


def two_axes():
    x, y = np.indices((6, 10))
    return {"out": x * 100 + y, "n": np.array([6, 10])}


def three_axes():
    x, y, z = np.indices((4, 6, 6))
    return {"out": z % 2 * 10000 + z // 2 * 1000 + y * 100 + x * 10 + z,
            "n": np.array([4, 6, 6])}


def axes_given_otherwise():
    x, y = np.indices((4, 4))
    return {"out": x * 1000 + y * 100 + 44}


def dim3_is_printed():
    lines = [f"(2, 0, 0)\nblock (0, {y}, 0) of (1, 2, 1) (3, 1, 1)\n" for y in range(2)]
    return {"printed": "".join(lines)}


def counts():
    out = np.repeat(np.array([70, 70, 70, 0, 1, 10], np.int32)[:, None], 72, axis=1)
    return {"out": out}


def counts_are_int32():
    return {"out": np.full(64, 1321, np.int32)}


def partial_masks():
    return {"out": np.full(4, 496, np.int32)}


def fences():
    return {"out": np.tile(63 - np.arange(64, dtype=np.int32), 2)}


def counted_in_64_bits():
    big = 2**31 - 1
    return {"out": np.array([big + 1, big * 32, big * big, 5662310400])}


def breakpoint_off():
    return {"out": np.full(4, 5, np.int32)}
