"""What the kernels of shared.k must leave."""
import numpy as np
from expect import fails, options

T = np.arange(32)
U = 31 - T


def shapes():
    out = np.zeros((10, 32))
    out[0], out[1], out[2], out[3] = U, U * 2, U * 3, U * 4
    out[4] = (250 + U) % 256
    out[5], out[6] = U * 5, U * 0.5
    out[7, :6] = [4, 8, 3, 33, 4, 32]
    return {"out": out}


def dtypes():
    out = np.array([U % 3 != 0, 2 * U, U, U / 4, -U, U * 2, (100 + U).astype(np.int8)], float)
    return {"out": out}


def alignments():
    out = np.zeros((6, 32), np.int64)
    out[5] = 6
    return {"out": out}


def local_alignments():
    return {"out": np.zeros((6, 64), int)}


def alignments_in_vectors():
    return {"out": np.zeros((3, 64), int)}


@options("--shared", "64")
def alignments_across_barriers():
    out = np.zeros((8, 64), int)
    out[5] = 9
    return {"out": out}


def alignments_of_stopped_threads():
    return {"out": np.zeros((4, 64), int)}


def call_sites():
    out = np.array([U, 100 + U, 1000 + U, (T + 1) % 8 * 1.5, (T + 1) % 4 + 300 - 256], float)
    return {"out": out}


@options("--shared", str(512 + 40))
def dynamic():
    every = np.where(U < 20, U + 1, -1)
    last = np.where(T < 16, T + 1, 0)
    out = np.array([U + 0.5, U * 3, U * 7, T * 7, every, last], float)
    return {"out": out, "n": np.array([138, 69, 138, 552, 20, 552])}


@options("--shared", "256")
def dynamic_in_a_function():
    return {"out": np.tile(U * 11, 2)}


@options("--shared", "4")
def bits_seen():
    return {"out": np.array([1078523331, 1], np.int32)}


def static_beyond_48_kb():
    t = np.tile(np.arange(128), 2)
    return {"out": np.array([6143 - t, 2 * t - 127, 4095 - (t % 64 * 64 + t // 64), t * 0 + 9],
                            float)}


@options("--shared", "65536")
def both_beyond_48_kb():
    t = np.arange(128)
    return {"out": np.array([8191 - t, -(8191 - t)], float), "n": np.array([8192, 16384])}


@options("--shared", "96000")
def dynamic_beyond_48_kb():
    return {"out": 23999.0 - np.arange(128)}


def local_arrays():
    i = np.arange(64.0)
    total = (((i + 3) * 2 + i + 2) * 2 + i + 1) * 2 + i
    return {"out": np.array([total, i - 5, 4 * i])}


@options("--shared", "233000")
@fails(2, "233000 bytes of dynamic and 0 of static shared memory: .* allows 232448 in all")
def too_much_dynamic():
    return {}


@options("--shared", "50000")
@fails(2, "50000 bytes of dynamic and 204800 of static shared memory: .* allows 232448 in all")
def too_much_together():
    return {}


@fails(1, "the shared arrays of .* take 262144 bytes, and a block of .* may have 232448")
def too_much_in_functions():
    return {}


def dynamic_of_the_example():
    t, a = np.arange(32), np.arange(64.0).reshape(2, 32)
    return {"out": (a[:, t] * 2 + a[:, (t + 1) % 32] + 31 - t + 96).ravel()}


def shared_as_a_parameter():
    return {"out": np.arange(1.0, 5)}


@fails(1, "shared= takes a number of bytes")
def dynamic_of_fewer_bytes_than_none():
    return {}
