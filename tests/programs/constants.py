"""What the kernels of constants.k must leave."""
import math

import numpy as np
from expect import options, tolerance

TABLE = np.array([1.0, 2.5, -3.0, 0.25], np.float32)
INTS = np.array([1, -2, 3])
SQUARE = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int32)
CUBE = np.arange(24, dtype=np.int16).reshape(2, 3, 4)


def computed_as_arrays():
    line, ints, floats = np.linspace(0, 1, 5), np.array([1, -2, 3]), np.array([1, 2.5, True])
    square = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    ramp = np.arange(300, dtype=np.float32) / np.float32(7)
    table = np.array([1.0, 2.5, -3.0, 0.25], np.float32)
    grid_of = np.arange(3)[:, None] * 10 + np.arange(4, dtype=np.float32)
    out = [9, 6, 3, 0, ints.sum(), ramp.sum(), floats.mean(), square.prod(), ramp.std(), np.var(ints), -1,
           2.5, 1 + 10 * 1, 2, 2, grid_of.itemsize + 4, 8]
    return {"outer": np.outer(line[:3], ints), "grid_of": grid_of * 1.0, "normed": floats / floats.sum(),
            "eye": np.eye(3, k=1) + np.identity(3, np.int32),
            "like": np.full_like(square, 7), "out": np.array(out, np.float64), "held": table}


@tolerance(1e-6, 1e-12)
def functions_of_arrays():
    ramp = np.arange(300, dtype=np.float32) / np.float32(7)
    return {"gauss": np.exp(-np.linspace(0, 1, 5)**2 / 2).astype(np.float32),
            "wave": np.sin(ramp) + np.arctan2(ramp, 2) + np.sqrt(np.arange(300)) + np.power(ramp, 1.5),
            "roots": np.abs(np.floor(-ramp)) + np.float64(np.fabs(ramp))}


def read_by_index():
    i = np.arange(8) % 4
    return {"out": TABLE[i] + TABLE[-1 - i]}


def facts():
    out = np.zeros(20, np.int64)
    out[:17] = [4, 2, 3, 24, 3, 2, 48, 24, 2, 0, 0, 3, 4, 3, 0, 16, 10]
    return {"out": out}


def dtypes():
    i, f, z = np.zeros(16, np.int64), np.zeros(40), np.zeros(8, complex)
    i[:3] = INTS + 1
    i[4:8] = [0, 127, 200, 255]
    i[8:12] = [0, -1, -2**63, 2**63 - 1]
    i[12] = 14
    f[:3] = [1, 2.5, 1]
    f[3:6] = [1, -1, 1]
    f[6:11] = [np.inf, -np.inf, np.nan, -0.0, 5e-324]
    f[11:16] = np.array([1.0, 0.1, 65504.0, -2.0, 1e-7], np.float16)
    f[16:20] = np.array([np.inf, 1e-45, 3.4e38, -0.0], np.float32)
    f[20:23] = [7.5, -3, 1.5]
    z[:3] = [1 + 2j, -3j, 0.5]
    z[4:] = [1j, 2, 3, 4 - 1j]
    return {"i": i, "f": f, "z": z}


def ranges():
    f = np.zeros(20)
    steps = np.arange(1.0, 2.0, 0.3)
    f[:len(steps)] = steps
    f[5:10] = np.linspace(0, 1, 5)
    f[10:14] = np.linspace(1.0, -1.0, num=4, endpoint=False, dtype=np.float32)
    f[14] = 2
    return {"f": f, "i": np.arange(5, -5, -3)}


def computed_before():
    return {"w": np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], np.float32) / 16,
            "s": (2 * INTS + 1).astype(float), "n": -TABLE, "c": SQUARE.T, "t": TABLE[1:],
            "e": CUBE[:, ::2, 1], "l": np.array([[1.0, 2.0], [3.0, 4.0]]),
            "k": np.array([INTS, -INTS, (7, 8, 9)])}


def views():
    out = np.zeros((6, 12))
    out[0, :3] = SQUARE[1]
    out[1, :3] = SQUARE.T[:, 0]
    out[2, :3] = SQUARE[0, ::-1]
    out[3, :3] = CUBE[1, 1:, 2:][1, np.arange(3) % 2]
    out[4, :6] = SQUARE.ravel()
    out[5] = CUBE[0].ravel()
    return {"out": out}


def walks():
    out = np.zeros(8)
    out[0] = TABLE.sum()
    out[1] = 3 * 100 + 24
    out[2] = SQUARE.sum()
    out[3] = sum(i * 10 + j * v for (i, j), v in np.ndenumerate(SQUARE))
    out[5] = np.dot(TABLE[:3], INTS)
    out[6] = CUBE.sum()
    out[7] = 5.5
    return {"out": out}


def passed_to_functions():
    x = np.arange(4, dtype=np.float32)
    out = np.zeros((5, 4))
    out[0] = TABLE[2] + INTS[2] + x[2]
    out[1] = out[2] = x * TABLE
    out[3] = [TABLE[1], TABLE[2], TABLE[1], TABLE[2]]
    out[4] = 6
    return {"out": out}


def array_like():
    return {"out": np.array([TABLE, SQUARE[1, [0, 1, 2, 0]]], np.float32)}


def where_paths_meet():
    return {"out": np.array([2.5, 2.5, -3, -3, 1, 1], np.float32)}


def in_tuples():
    return {"out": TABLE[:3] * INTS + SQUARE[0].astype(float)}


def through_barriers():
    i = np.arange(32)
    s = TABLE[i % 4].astype(float)
    s = s[31 - i] + TABLE[i % 4] + 0.5
    return {"out": s[4:8]}


def known_elements():
    return {"out": np.array([6, 6, -3, 0.25])}


def records():
    i = np.arange(3)
    out = np.zeros((6, 3))
    out[0] = np.array([8.5, -10])[i % 2]
    out[1] = np.array([3.5, 2])[i % 2]
    out[2] = [2.5, 3, 0.5]
    out[3] = np.array([5, 12])[i % 2]
    out[4] = np.array([1, 3, 1]) + [2.5, -4.5, 0.5]
    out[5] = 3
    return {"out": out}


def beyond_constant_memory():
    i = np.arange(256)
    return {"out": i * 78.0 + 7 + i * 7}


@options("-D", "SIZE=6", "-D", "GIVEN=np.array([1, 2, 4], dtype=np.int8)")
def overridden():
    out = np.zeros(8)
    out[:4] = [6, 15, 7, 1]
    return {"out": out}


def basket():
    return {"totals": np.arange(1.0, 6) * [10, 25, 5, 15, 30] * (1 + 0.08)}


def other_constants():
    out = np.zeros((3, 4))
    out[:, 0] = 2.5 * np.array([2, 1, 0]) + 5
    out[:, 1] = 7.5
    out[:, 2] = 40 + float(np.float32(0.1))
    out[:, 3] = np.pi * np.e
    return {"out": out}


@tolerance(1e-15)
def computed_by_python():
    out = np.zeros(16)
    out[:10] = [2 ** 0.5, 1.0 / math.sqrt(2 * math.pi), 8, 0.5, -7.5 // 2.0, -7.5 % 2.0,
                round(2.675, 2), 2, math.sin(1.0), -2]
    out[10:14] = [0.5 - 0.5 * math.cos(0.3), math.exp(-0.5) ** 2, math.sqrt(2), 1]
    return {"out": out}


def array_like_of_any_kind():
    i = np.arange(32)
    z, halves = np.array([1 + 2j, -3j, 0.5]), np.array([1.0, 0.1, 65504.0, -2.0, 1e-7], np.float16)
    out = np.zeros((32, 8))
    out[:, 0] = z[i % 3].real - z[i % 3].imag
    out[:, 1] = SQUARE.T[i % 3, i % 2] + 3
    out[:, 2] = CUBE[:, ::2, 1][i % 2, i // 16]
    out[:, 3] = CUBE[i % 2, i % 3, i % 4]
    out[:, 4] = np.array([3.5, -2.5])[i % 2]
    out[:, 6] = i % 3 != 1
    out[:, 7] = halves[i % 5]
    return {"out": out}


def as_python_computes():
    mask = (1 << 64) - 1
    return {"out": np.array([0.5, 1e19, 1 << 62, 2.0 ** 64, 7, 1.1, 6, -2.0 ** 63, -384, 0, 2, 0, 0, 0, 0, 0]),
            "bits": np.array([mask, 0xcbf29ce484222325 ^ 5, mask - 1, mask, mask,
                              mask // 255 + 0xcbf29ce484222325 % 1000, mask - 5, 0, 0, 0, 0, 0], np.uint64),
            "z": np.array([complex(8 ** 0.5 * math.cos(math.pi / 2), 8 ** 0.5)])}


@tolerance(1e-15, 0)
def parts_and_axes():
    rows = np.array([[1.5, 2.0, 7.0], [4.0, 5.0, -6.0]])
    deep = np.arange(24).reshape(2, 3, 4).min(axis=1)
    return {"out": np.array([1 + 2.5 * 3 + 4, 10 + 20 + 70, 30 + 40, rows.sum(0)[0], rows.sum(0)[2],
                             rows.mean(1)[1], rows.argmax(0)[2], rows.max(1).sum(), rows.std(1)[0],
                             deep[1, 3], 24, 0, 0, 0, 0, 0])}


def as_python_holds_them():
    pairs = sum(10 * a + b for a in range(3) for b in range(a))
    return {"out": np.array([0.25 + 42 + 30, 9.5, 6, 4, pairs, 2, 3, 76, 11.5, 14 + 1 + 2, 65 + 12, 17,
                             0, 0, 0, 0, 0, 0, 0, 0])}


def branches_not_run():
    return {"out": np.array([1.0, 11.0])}
