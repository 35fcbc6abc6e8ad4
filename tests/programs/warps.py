import numpy as np

LANES = np.arange(32)


def _mask(lanes):
    return np.uint32(sum(1 << int(lane) for lane in lanes)).astype(np.int32)


def _groups(values):
    """For each thread the lanes of its warp that have its value."""
    values = np.asarray(values)
    warps = [values[first:first + 32] for first in range(0, values.size, 32)]
    return np.array([_mask(np.flatnonzero(warp == value)) for warp in warps for value in warp],
                    np.int32)


def matches():
    i = np.arange(64)
    return {"any": _groups(i % 3), "floats": _groups(0.5 * (i // 8)),
            "all": np.where(i < 32, -1, 0).astype(np.int32), "same": i < 32}


def matches_of_ten():
    return {"out": _groups(np.arange(10) % 2)}


def masks():
    lane = np.arange(64) % 32
    below = (1 << lane) - 1
    full = 0xffffffff
    rows = [below, below << 1 | 1, 1 << lane, full & ~below, full & ~(below << 1 | 1), below]
    return {"out": np.array(rows).astype(np.uint32)}


def active():
    return {"out": np.where(np.arange(64) % 2 == 0, 0x55555555, 0xaaaaaaaa).astype(np.uint32)}


def shuffles():
    i = LANES

    def up(delta):
        return np.where(i < delta, i, i - delta)

    def down(delta):
        return np.where(i + delta > 31, i, i + delta)

    rows = [np.full(32, 3 - 16), (i * 9).astype(np.uint8)[up(4)], (-i * 1000).astype(np.int16)[down(4)],
            (i * 2000).astype(np.uint16)[i ^ 5], 4000000000 + (i + 1) % 32,
            np.full(32, (1 << 42) + 8), (i << 33)[i ^ 1], 0.5 * down(1), (i % 3 == 0)[i ^ 1],
            (i / 3)[up(1)], (np.pi * i)[up(2)], np.full(32, 31)]
    z = i - 1j * i
    w = i + 2j * i
    return {"out": np.array(rows, float), "parts": np.array([z[i ^ 2], w[i ^ 3]])}


def votes_of_ten():
    return {"out": np.array([[0b1010101010] * 10, [1] * 10, [1] * 10, [0] * 10], np.int32)}


def half_warps():
    low = [120] * 16
    high = [np.int64(0xaaaa0000) + (0xf << i // 4 * 4) for i in range(16, 32)]
    warp = np.array(low + high).astype(np.uint32).astype(np.int32)
    return {"out": np.tile(warp, 2)}


def cached():
    i = np.arange(64)
    return {"n": (i * 3).reshape(8, 8), "out": np.array([i, i, 63 - i, 2 * i, i * 3], float)}
