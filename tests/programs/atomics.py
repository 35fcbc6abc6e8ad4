"""What any order of the threads leaves."""
import functools
import operator

import numpy as np


def _on(dtype, name="out"):
    unsigned, integer = dtype.startswith("u"), "int" in dtype
    i = np.arange(96)
    out = np.zeros(12, np.int64)
    out[[0, 1, 2, 4, 9, 10, 11]] = 96, -96, 3, 49, 5, 49, 95 * 5
    out[3] = 0 if unsigned else -49
    out[6] = functools.reduce(operator.or_, 1 << i % 6) if integer else 0
    return {name: out.astype(dtype)}


def on_int8():
    return _on("int8")


def on_uint8():
    return _on("uint8")


def on_int16():
    return _on("int16")


def on_uint16():
    return _on("uint16")


def on_int32():
    return _on("int32")


def on_uint32():
    return _on("uint32")


def on_int64():
    return _on("int64")


def on_uint64():
    return _on("uint64")


def on_float16():
    return _on("float16")


def on_bfloat16():
    """Its 8 bits hold every sum but those of fives, which are rounded on the way."""
    out, total = _on("float32", "seen"), np.zeros(1, np.float32)
    for _ in range(95):
        bits = (total + np.float32(5)).view(np.uint32)
        total = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view("f4")
    out["seen"][11] = total[0]
    return out


def on_float32():
    return _on("float32")


def on_float64():
    return _on("float64")


def on_complex():
    wide = np.zeros((2, 2), complex)
    wide[1, 0] = 32
    return {"out": np.array([0, 64 + 128j, complex(0, -192)], np.complex64), "wide": wide}


def indices():
    out = np.zeros((3, 4), np.float32)
    out[0, 1] = out[2, 3] = out[1, 2] = 128
    out[1, 0] = 256
    out[0, 3] = 128
    return {"out": out}


def in_shared_memory():
    i = np.arange(64)
    counts = np.bincount(i % 4, weights=i).astype(int)
    bytes_ = np.append(np.bincount(i % 7), 0)
    halves = np.bincount(i % 3) * 0.5
    out = counts[i % 4] + bytes_[i % 8] * 1000 + halves[i % 3] * 100000
    return {"out": out.astype(np.int32), "small": bytes_[i % 8].astype(np.uint8)}


def returned_values():
    return {"out": np.array([5.0, 7, 100, 3, 3, 8, 0, 9])}


def not_a_number():
    return {"out": np.array([10, np.nan, 10, 1, 1, 10])}


def counters():
    return {"out": np.array([40 % 7, -40 % 7, 0, 0], np.uint32),
            "wide": np.array([(4 + 40) % 10, 4], np.uint64)}


def numbers_drawn():
    seen, at = np.zeros((4, 1000), np.int32), np.arange(1000)
    seen[0, :666] = seen[1] = seen[3, :500] = 1
    seen[2] = at % 2 == 0
    return {"seen": seen, "small": np.array([0, 666], np.int32),
            "counts": np.array([1000, 0], np.uint32), "wide": np.array([1000, 0], np.int64),
            "most": np.array([3000, 2500], np.uint64), "falls": np.zeros(1, np.int32)}
