"""What a row of the measurement is made of: arrays, CUDA launches, the work at one size."""
import numpy as np

f32, f64, c64 = np.float32, np.float64, np.complex64
i16, i32, i64, u8, u16 = np.int16, np.int32, np.int64, np.uint8, np.uint16
bf16 = np.dtype("V2")  # NumPy has no bfloat16: its two bytes

ONE = ("uniform", 0.0, 1.0)
AROUND = ("uniform", -1.0, 1.0)
NORMAL = ("normal", 0.0, 1.0)


class Array:
    """An array argument. `fill` is None for zeros, ("uniform", low, high), ("normal", mean,
    deviation), ("whole", low, high) or, growing, ("steps", step, spread): the i-th element is i
    steps and a whole number below the spread; `step` makes it a view of every step-th element of a
    row; with order "F" it is column by column."""

    def __init__(self, dtype, shape, fill=None, step=1, order="C"):
        self.dtype = np.dtype(dtype)
        self.shape = tuple(np.atleast_1d(shape).tolist())
        self.fill, self.step, self.order = fill, step, order

    def base_shape(self):
        """Of the memory that is behind it, row by row."""
        if self.order == "F":
            return self.shape[::-1]
        return (*self.shape[:-1], self.shape[-1] * self.step)

    def view(self, base):
        return base.T if self.order == "F" else base[..., ::self.step]

    def strides(self):
        strides, bytes = [], self.dtype.itemsize
        for extent in reversed(self.base_shape()):
            strides.insert(0, bytes)
            bytes *= extent
        if self.order == "F":
            return tuple(reversed(strides))
        return (*strides[:-1], strides[-1] * self.step)

    def count(self):
        return int(np.prod(self.base_shape()))

    def bytes(self):
        return self.count() * self.dtype.itemsize


class Step:
    """A launch of a CUDA kernel. Parameters: the name of an argument, or a number (int: int,
    float: float)."""

    def __init__(self, kernel, grid, block, params, shared=0):
        self.kernel, self.params, self.shared = kernel, params, shared
        self.grid, self.block = three(grid), three(block)


class Work:
    """One row at one size. `params` are those of the plain CUDA kernel, None for those of the
    kernel; `peers` {name: Step, or a tuple (library, function, parameters...)}; `moved` the bytes
    that have to be, None where that is not what bounds the work, and `operations` {type: how many
    the text asks for at least, a multiplication whose product is added being one};
    `expected(arrays)` what the outputs should be, to within `rtol` and `atol`, of peers in `loose`
    to within what it says instead of `atol`, and those in `unordered` in any order. Arrays in
    `cleared` become zeros before each launch that is timed, which is in the time."""

    def __init__(self, args, grid, block, params, outputs, expected, moved=None, peers=None,
                 rtol=0.0, atol=0.0, plain=None, loose=None, operations=None, unordered=(),
                 cleared=()):
        self.args, self.params, self.outputs = args, params or list(args), outputs.split()
        self.grid, self.block = three(grid), three(block)
        self.expected, self.moved, self.peers = expected, moved, peers or {}
        self.rtol, self.atol, self.plain, self.loose = rtol, atol, plain, loose or {}
        self.operations, self.unordered, self.cleared = operations or {}, unordered, cleared

    def floor(self, rates):
        """The microseconds that moving the bytes takes, or the operations where they take longer;
        None where neither is known. `rates` {"bytes" or a type: how many a microsecond}."""
        needed = {"bytes": self.moved, **self.operations}
        return max((count / rates[what] for what, count in needed.items() if count), default=None)


class Row:
    """`cuda` is the text of the same kernel in CUDA C; None: there is none, and no text for numba."""

    def __init__(self, name, text, make, full, small, bars=None, set="first", cuda="plain"):
        self.name, self.make, self.full_sizes, self.small_sizes = name, make, full, small
        self.file, self.kernel = text.split(":")
        self.bars = {**({"nvcc": 1.02, "numba": 1.0} if cuda else {}), **(bars or {})}
        self.set, self.cuda = set, cuda

    def full(self):
        return self.make(**self.full_sizes)

    def small(self):
        return self.make(**self.small_sizes)


def numbers(array):
    """Of any type, as float64."""
    if array.dtype == bf16:
        array = (array.view(u16).astype(np.uint32) << 16).view(f32)
    return array.astype(f64)


def three(sizes):
    sizes = tuple(np.atleast_1d(sizes).tolist())
    return sizes + (1,) * (3 - len(sizes))


def cover(extents, block):
    """The grid whose blocks cover these extents."""
    return tuple(-(-n // b) for n, b in zip(np.atleast_1d(extents).tolist(), three(block)))
