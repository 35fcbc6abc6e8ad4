"""What the kernels of grids.k must leave."""
import numpy as np
from expect import options


def sequential_rows():
    return {"M": np.repeat(np.arange(64, dtype=np.int32)[:, None], 256, axis=1)}


def some_threads_wait():
    out = [0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 11, 11, 13, 13, 13, 13, 17, 18, 19, 20, 21, 21, 23,
           24, 24, 24, 24]
    return {"out": np.array(out, np.float64)}


def sum_of_sums():
    x = np.arange(2048, dtype=np.int64)
    return {"sums": x.reshape(8, 256).sum(1), "out": np.array([x.sum()])}


def sync_gives_zero():
    return {"out": np.full(64, 7, np.int32)}


def in_a_device_function():
    return {"out": np.repeat(np.array([4, 3, 2, 1], np.int32), 32)}


def first_thread_has_ended():
    out = np.where(np.arange(256) % 64 < 40, 0, 20).astype(np.int32)
    return {"out": out}


def heat():
    now = np.zeros(101)
    now[50] = 1000.0
    before = now
    for _ in range(50):
        before = now
        wide = np.concatenate([[0.0], now, [0.0]])
        now = now + 0.25 * (wide[:-2] - 2 * now + wide[2:])
    return {"a": now, "b": before}


def grid_of_two_axes():
    return {"out": np.full((3, 4, 2), 24, np.int32)}


@options("--shared", "128")
def dynamic_shared_lives_on():
    t, block = np.arange(64) % 32, np.arange(64) // 32
    out = 31 - t + 100 * block + (63 - np.arange(64)) % 32 + t
    return {"out": out.astype(np.float32)}


def warps_between():
    return {"out": np.full(128, 496 + 32 * 3, np.int32)}
