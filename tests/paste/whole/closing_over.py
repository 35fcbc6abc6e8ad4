import numpy as np
from numba import cuda
from enum import IntFlag, Enum, IntEnum
import numba as nb

rng = np.linspace(0.0, 1.0, 32)
lut = cuda.to_device(np.sin(rng))
host_table = np.arange(12, dtype=np.int32).reshape(3, 4)
pinned = np.ascontiguousarray(host_table.T)
scalar32 = np.float32(0.1)
count64 = np.int64(5)
flag = np.bool_(True)
z64 = np.complex64(1 + 2j)
u8 = np.uint8(200)
zero_d = np.array(2.5)


class Op:
    ADD = 0
    MUL = 1
    TABLE = (1.0, 2.0, 4.0)

    class Inner:
        DEPTH = 3


class Mode(IntFlag):
    READ = 1
    WRITE = 2


class Phase(str, Enum):
    SOLID = "s"
    LIQUID = "l"


@cuda.jit
def look(x, out):
    i = cuda.grid(1)
    if i < x.size:
        k = int(x[i] * 31)
        out[i] = lut[k] + host_table[k % 3, k % 4] + pinned[k % 4, k % 3] + zero_d[()]


@cuda.jit
def scalars(out):
    i = cuda.grid(1)
    if i < out.size and flag:
        out[i] = scalar32 * count64 + z64.imag + u8


@cuda.jit
def ops(x, out, op):
    i = cuda.grid(1)
    if i < x.size:
        match op:
            case Op.ADD:
                out[i] = x[i] + Op.TABLE[1]
            case Op.MUL:
                out[i] = x[i] * Op.TABLE[2]
            case -2 | 7:
                out[i] = -1
            case _:
                out[i] = Op.Inner.DEPTH


@cuda.jit
def modes(x, out, mode):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] if mode & Mode.WRITE else 0.0
        if mode == Mode.READ | Mode.WRITE:
            out[i] *= 2


def make_counter(n=4):
    total = cuda.device_array(n, dtype=np.int32)
    weights = np.ones(n) / n

    @cuda.jit
    def count(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = weights[i % n] * x[i]

    return count, total
