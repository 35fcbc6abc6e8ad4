import numpy as np


def literals():
    top = 2 ** 62
    return {"out": np.array([top, 2 ** 63 - 1, 1, 1000000 + 5 + 15 + 255, 1005, -4, 2, 1, 0])}


def geometry_is_int32():
    return {"out": np.array([12 * 2 ** 30, -1, 12, 12 * 10000 + 4 * 100 + 2])}


def array_facts_are_int64():
    wrapped = np.array([15 * 2 ** 62 % 2 ** 64], np.uint64).view(np.int64)[0]
    return {"out": np.array([wrapped, -1, 24, 4, 60, -3])}


def short_names():
    tenth = float(np.float32(0.1))
    return {"out": np.array([44, 4464, 1, 5, 44, 4464, 4294967295, 7, 1.0009765625, tenth, 0.1,
                             2, 2, 1, 0, 0.1, tenth, 1, 32767, 65535])}


def c_names():
    return {"out": np.array([-1, 1, 1, 4294967295, -1, 1, -1, -1, 1, -32768, 65535, -128, 255, 255,
                             1, -1, -1, 3, 1, float(np.float32(0.1)), 1.0009765625, -1])}


def layouts():
    return {"a": np.array([7, 1, 1], np.float32)}


def negative_to_unsigned():
    wide, short = 2 ** 32 - 3, 2 ** 16 - 3
    return {"out": np.array([wide, wide % 16, short + 1, wide // 2, 1, 15, -2, 0xf00,
                             short * short]),
            "real": np.array([wide, short / 2, 253])}


def limits():
    floats = [value for info in map(np.finfo, (np.float16, np.float32, np.float64))
              for value in (info.eps, info.max, info.min, info.tiny, info.bits)]
    integers = np.zeros((6, 3), np.int64)
    for row, dtype in enumerate((np.int8, np.int16, np.int64)):
        integers[row, :2] = np.iinfo(dtype).min, np.iinfo(dtype).max
    integers[3, 1], integers[4, 2] = np.iinfo(np.uint32).max, 8
    integers[5, :2] = np.iinfo(np.int32).min, 1 - np.iinfo(np.uint32).max
    floats.append(1 / 255)
    return {"floats": np.array(floats, np.float64), "integers": integers,
            "top": np.array([2 ** 64 - 1], np.uint64)}
