import numpy as np

f32 = np.float32


def each_type():
    out = np.zeros((20, 4))
    out[0] = [127, -128, 44, -1]
    out[1, :3] = [32767, -32768, 1]
    out[2, :2] = [2147483647, -2147483648]
    out[3, 0] = -1
    out[4, 0] = 255
    out[5, :2] = 65535
    out[6, :3] = [0, 4294967295, 4294967295]
    out[7] = [1, 2, 3, 4]
    out[8, :3] = [f32(0.1), f32(1e-45), f32(-0.0)]
    out[9] = [0.1, 2, 1, f32(0.1)]
    return {"out": out}


def aliases():
    unsigned = [2**8 - 1] * 4 + [2**16 - 1] * 4 + [2**32 - 1] * 4 + [-1] * 8
    return {"out": np.array([-1] * 20 + unsigned + [-1] * 8)}


def makings():
    out = np.zeros((64, 9, 4), f32)
    for i in range(64):
        one, two, three = [i], [i, i + 1], [i, i + 1, i + 2]
        whole = [9] + three
        out[i] = [[i, 2, 3.5, 1], one + [7] + two, two + two, three + one, one + three,
                  [7] + two + [8], two + one + one, whole, two[::-1] + one + whole[3:]]
    return {"out": out}


def flow():
    out = np.zeros((64, 4), f32)
    for i in range(64):
        total = [i, i * (i - 1) / 2, i * i, i / 2]
        parity = (i, -i) if i % 2 else (0, i)
        v = total if i % 3 == 0 else [*parity, 1, 2]
        out[i] = v if i % 5 else [0, i, 2, 0]
    return {"out": out}


def arrays():
    out = np.zeros((64, 4), f32)
    for i in range(64):
        cell = i % 8 * 8 + i // 8
        out[i] = [4 * (63 - i) + 3 + cell, 4 * ((i + 1) % 64) + 2 - cell, i % 3 + i + 0.1,
                  i // 2 * 8 + 32 + 64 + 16]
    return {"out": out.ravel()}


def kept_across_barriers():
    i = np.arange(64)
    return {"out": (i + 1000 * ((i + 1) % 64 * 5 % 256)).astype(np.int32)}


def views():
    x = np.arange(256, dtype=f32).reshape(64, 4)
    return {"x": np.c_[x[:, :0:-1], np.full(64, 64, f32)].ravel(), "out": x[:, 0] + x[:, 3]}
