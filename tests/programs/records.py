import numpy as np

POINT = np.dtype([("x", np.float32), ("y", np.int32, (3,)), ("z", np.float64)], align=True)
PACKED = np.dtype([("b", np.int8), ("d", np.float64), ("h", np.int16, (2, 2)), ("c", np.complex64)])
OUTER = np.dtype([("p", POINT), ("q", PACKED), ("flag", np.bool_)])
UNION = np.dtype(dict(names=["whole", "low", "high"], formats=[np.uint32, np.uint16, np.uint16],
                      offsets=[0, 0, 2], itemsize=8))
STATE = np.dtype([("s0", np.uint64), ("s1", np.uint64)])


def each_way():
    a = np.zeros(40, POINT)
    i = np.arange(40)
    a["x"] = i + 1.5
    a["z"] = -i
    for k in range(3):
        a["y"][:, k] = (k + 1) * i
    return {"a": a, "out": a["x"] + a["z"] + 2 * i + 3 * i}


def by_reference():
    a = np.ones(33, POINT)
    i = np.arange(33)
    a["x"] += i
    a["y"][:, 1] -= 7
    return {"a": a, "out": 1.0 + i}


def copies():
    b = np.arange(200, dtype=np.uint8).view(PACKED)[::-1].copy()
    b["b"] = -1
    return {"b": b}


def unaligned_fields():
    a = np.zeros(9, PACKED)
    i = np.arange(9)
    a["d"] = i / 3
    a["c"] = i - 1j * i
    a["h"][:, 1, 0] = -i
    a["h"][:, 0, 1] = 300 + i
    return {"a": a, "d": i / 3 + 9 - i - i}


def nested():
    a = np.zeros(5, OUTER)
    i = np.arange(5)
    a["p"] = np.ones(5, POINT)
    a["p"]["y"][:, 2] = i
    a["q"]["d"] = 5.0 * i
    a["q"]["b"] = 100 + i
    a["q"]["h"][:, 1, 1] = i
    a["flag"] = i % 2 == 0
    return {"a": a}


def shared_bytes():
    i = np.arange(6, dtype=np.uint32)
    a = np.zeros(6, UNION)
    a["whole"] = 0x10000 * i + 7
    a["low"] += a["high"]
    return {"out": np.stack([a["whole"], a["high"].astype(np.uint32)])}


def atomics():
    counts, one = np.zeros(3, POINT), np.zeros((), POINT)
    i = np.arange(256)
    counts["x"] = np.bincount(i % 3)
    counts["z"] = [255, 253, 254]
    counts["y"][:, 1] = 2 * np.bincount(i % 3)
    one["y"][0] = 256
    return {"counts": counts, "one": one}


def shared_records():
    states = np.zeros(64, STATE)
    i = np.arange(64).reshape(2, 32)[:, ::-1].ravel()
    states["s0"] = i
    states["s1"] = 1000 + i
    return {"states": states, "out": states["s0"] + states["s1"]}


def record_argument():
    one = np.ones((), POINT)
    one["x"] = 8
    one["y"][2] = -1
    return {"one": one, "out": np.full(4, 3.0)}


def strided():
    a = np.zeros((3, 4), POINT)
    a["x"] = 10 * np.arange(3)[:, None] + np.arange(4)
    a["z"][1:, ::2] = 1
    return {"a": a, "out": a["x"].astype(float)}


def loops_over_records():
    a = np.zeros(10, POINT)
    a["x"] = np.arange(10)
    a["z"][5] = 4
    return {"a": a, "out": np.array([5.0, 1.0])}


def declared():
    a = np.zeros(3, np.dtype(dict(names=["v", "w"], formats=["f4", "i2"], offsets=[4, 8], itemsize=12)))
    a["v"] = np.arange(3)
    a["w"] = -np.arange(3)
    return {"a": a}


def empty_array():
    return {"out": np.array([27.0])}


def fields_after_a_copy():
    i = np.arange(128) % 16
    return {"out": np.full(128, 6701), "sums": 240 + i * -1j + i * 1j}


def at_odd_places():
    odd = np.dtype([("tag", np.uint8), ("half", np.float16), ("places", np.float64, (3,)),
                    ("n", np.int32)])
    out, i = np.zeros(64, odd), np.arange(64)
    out["tag"], out["half"], out["n"] = 255, i + 0.75, i % 4
    for row in range(64):
        out["places"][row, row % 4 % 3] = row % 4 + 0.5
    return {"out": out}
