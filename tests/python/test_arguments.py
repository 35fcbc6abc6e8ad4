"""What a kernel takes, and what it is to the kernel."""
import array
import enum
from collections import namedtuple

import numpy as np
import pytest

import kjit
from kjit import cuda

NAMES = np.array(["abc", "d"], "U4")

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128")


@cuda.jit
def double(a, b):
    i = cuda.grid(1)
    if i < a.size:
        b[i] = a[i] + a[i]


@cuda.jit
def store(x, out):
    out[0] = x


@cuda.jit
def fill(a, value):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = value + 10 * i + j


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_dtype(dtype):
    a = np.arange(5).astype(dtype)
    b = np.zeros(5, dtype)
    double[1, 8](a, b)
    assert np.array_equal(b, (a + a).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_scalars_of_every_dtype(dtype):
    value = np.dtype(dtype).type(1.5 if dtype[0] in "fc" else 1)
    out = np.zeros(1, dtype)
    store[1, 1](value, out)
    assert out[0] == value


def test_numbers_of_python():
    for value, dtype in ((True, bool), (-7, np.int64), (2**64 - 1, np.uint64), (2.5, float), (1 - 2j, complex)):
        out = np.zeros(1, dtype)
        store[1, 1](value, out)
        assert out[0] == value
    with pytest.raises(OverflowError):
        store[1, 1](2**64, np.zeros(1))


def test_layouts():
    whole = np.zeros((6, 8), np.float32)
    for view in (whole, whole.T, np.zeros((3, 4), np.float32, order="F"), whole[::2, 1:-1:3], whole[::-1, ::-2]):
        view[...] = 0
        fill[(2, 2), (4, 8)](view, 1)
        i, j = np.indices(view.shape)
        assert np.array_equal(view, 1 + 10 * i + j)


@cuda.jit
def describe(a, out):
    for axis in range(a.ndim):
        out[axis, 0] = a.shape[axis]
        out[axis, 1] = a.strides[axis]


def described(a):
    out = np.zeros((3, 2), np.int64)
    describe[1, 1](a, out)
    return out.tolist()


def test_arrays_are_what_their_buffers_are():
    """NumPy's arrays are read without the buffer protocol, once it has named their dtype."""
    whole = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    strided = np.lib.stride_tricks.as_strided
    for a in (whole, whole.T, whole[:, ::-1, ::2], whole[:, :1], whole[:0], np.asfortranarray(whole), whole[0, 0, :1],
              strided(whole, (1, 4), (999, 4)), strided(whole, (3, 1), (4, 999)), strided(whole, (2, 0), (8, 999))):
        for _ in range(2):
            assert described(a) == described(memoryview(a))


def test_arrays_that_change_between_launches():
    a, b = np.arange(6.0), np.zeros(6)
    double[1, 8](a, b)
    a.resize((2, 3), refcheck=False)
    assert described(a) == [[2, 24], [3, 8], [0, 0]]
    with pytest.raises(kjit.TypingError, match="read-only"):
        a.flags.writeable = False
        fill[(1, 1), (2, 3)](a, 1)
    a.flags.writeable = True
    fill[(1, 1), (2, 3)](a, 1)
    assert a.tolist() == [[1, 2, 3], [11, 12, 13]]
    big = np.arange(3, dtype=">i4")
    for _ in range(2):
        with pytest.raises(kjit.Error):
            double[1, 4](big, b)


def test_read_only_arrays_stay_so():
    a = np.arange(4.0)
    a.flags.writeable = False
    b = np.zeros(4)
    double[1, 4](a, b)
    assert b.tolist() == [0, 2, 4, 6]
    with pytest.raises(kjit.TypingError, match="read-only"):
        double[1, 4](b, a)
    assert a.tolist() == [0, 1, 2, 3]


def test_other_buffers():
    a, out = array.array("f", [1, 2, 3]), bytearray(3)
    b = memoryview(array.array("d", [0] * 3))
    double[1, 4](a, b)
    assert b.tolist() == [2, 4, 6]
    double[1, 4](b"\1\2\3", out)
    assert out == b"\2\4\6"


def test_records():
    dtype = np.dtype([("x", np.float32), ("n", np.int16, (3,)), ("inner", [("y", np.float64)])], align=True)
    a = np.zeros(3, dtype)

    @cuda.jit
    def write(a):
        i = cuda.grid(1)
        a[i].x = i + 0.5
        a[i].n[1] = i
        a[i].inner.y = 2 * i

    write[1, 3](a)
    assert a["x"].tolist() == [0.5, 1.5, 2.5] and a["n"][:, 1].tolist() == [0, 1, 2]
    assert a["inner"]["y"].tolist() == [0, 2, 4]

    @cuda.jit
    def write_one(r):
        r.x = 8

    write_one[1, 1](a[1])
    assert a["x"].tolist() == [0.5, 8, 2.5]


def test_times():
    a = np.array(["2001-12-31", "2002-01-01"], "M8[D]")
    out = np.zeros(2, "m8[D]")

    @cuda.jit
    def since(a, day, out):
        i = cuda.grid(1)
        out[i] = a[i] - day

    since[1, 2](a, np.datetime64("2001-12-01"), out)
    assert out.astype(int).tolist() == [30, 31]


def test_tuples():
    Pair = namedtuple("Pair", "a b")
    x, y = np.ones(2), np.zeros(2)

    @cuda.jit
    def scale(pair, factors):
        i = cuda.grid(1)
        pair[1][i] = pair[0][i] * factors[0] + factors[1][0]

    scale[1, 2](Pair(x, y), (3, (0.5,)))
    assert y.tolist() == [3.5, 3.5]


class Protocol:
    """An array that says of itself where it lies, and nothing else."""

    def __init__(self, array, name):
        self.array = array
        setattr(self, name, array.__array_interface__)


def test_array_interfaces():
    a, out = np.arange(3.0), np.zeros(3)
    double[1, 4](Protocol(a, "__array_interface__"), out)
    assert out.tolist() == [0, 2, 4]


def test_dlpack():
    class Tensor:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **words):
            return self.array.__dlpack__(**words)

    a, out = np.arange(3.0), np.zeros(3)
    double[1, 4](Tensor(a), out)
    assert out.tolist() == [0, 2, 4]


def test_enumerations():
    class Size(enum.IntEnum):
        LARGE = 7

    out = np.zeros(1, np.int64)
    store[1, 1](Size.LARGE, out)
    assert out[0] == 7


@pytest.mark.parametrize("wrong", ["text", None, [1, 2], {}, object(), np.array(["a"]), np.array([None])])
def test_what_is_no_argument(wrong):
    with pytest.raises((TypeError, kjit.Error)):
        store[1, 1](wrong, np.zeros(1))


@pytest.mark.parametrize("wrong", [[1, 2], [1, int], [np.zeros(1), print], [], cuda.InOut([1, print]), np.float32, int])
def test_lists_and_types_are_no_arguments(wrong):
    out = np.full(1, 7.0)
    with pytest.raises(TypeError, match="argument 1 is of type .*: kernels take numbers, arrays and tuples"):
        store[1, 1](wrong, out)
    assert out[0] == 7


def test_messages_say_what_to_give():
    out = np.zeros(1)
    with pytest.raises(TypeError, match=r"argument 1 is of type <class 'list'>: .*; np\.array\(\) makes an array"):
        store[1, 1]([1, 2], out)
    with pytest.raises(TypeError, match="argument 1 is .*'NoneType'>: .*; give a number that stands for None"):
        store[1, 1](None, out)
    with pytest.raises(TypeError, match=r"argument 2 is a masked array, whose mask kernels do not see: give its filled\(\)"):
        store[1, 1](1, np.ma.array([1.0, 2.0], mask=[0, 1]))
    with pytest.raises(OverflowError, match="argument 1 is an integer that does not fit into 64 bits"):
        store[1, 1](2**64, out)
    with pytest.raises(TypeError, match=r"; np\.asarray\(\) makes an array of it"):
        store[1, 1](type("Series", (), {"__array__": lambda self: out})(), out)
    with pytest.raises(kjit.Error, match=r"is big-endian[^$]*note: convert the array, as by a\.astype"):
        store[1, 1](np.zeros(2, ">f4"), out)
    with pytest.raises(TypeError, match=r"store\(x, out\): missing a required argument: 'out'"):
        store[1, 1](1)
    with pytest.raises(ValueError, match="-5 bytes of shared memory: these are 0 or more"):
        store[1, 1, 0, -5]


def test_wrong_interfaces():
    class Wrong:
        pass

    for dict_ in (None, {}, {"shape": (1,)}, {"shape": "a", "typestr": "<f4", "data": (0, False)},
                  {"shape": (1,), "typestr": 5, "data": (0, False)}, {"shape": (1,) * 9, "typestr": "<f4", "data": (0, False)},
                  {"shape": (1,), "typestr": ">f4", "data": (0, False)}, {"shape": (1,), "typestr": "<f4", "data": 3}):
        wrong = Wrong()
        wrong.__array_interface__ = dict_
        with pytest.raises((TypeError, kjit.Error)):
            store[1, 1](wrong, np.zeros(1))


def test_device_arrays_by_dlpack():
    if cuda.current_context().device.kjit_name != "cpu":
        pytest.skip("NumPy takes arrays of the host alone")
    d = cuda.to_device(np.arange(6.0).reshape(2, 3))
    taken = np.from_dlpack(d)
    assert taken.tolist() == [[0, 1, 2], [3, 4, 5]] and d.__dlpack_device__() == (1, 0)
    d[1, 1] = 40
    assert taken[1, 1] == 40
    del d
    assert taken[1, 1] == 40
    capsule = cuda.to_device(np.zeros(3)).__dlpack__()
    del capsule
    part = cuda.to_device(np.arange(6.0))[::2]
    assert np.from_dlpack(part).tolist() == [0, 2, 4]
    with pytest.raises((kjit.Error, BufferError)):
        cuda.to_device(np.zeros(2, [("x", "i4")])).__dlpack__()


def test_texts_of_fixed_length():
    @cuda.jit
    def k(a, s, r, o):
        a[0] = "xyz"
        s[1] = b"\xff1"
        r[0]["y"] = "ABC"
        o[0] = a[1] == NAMES[1]
        o[1] = len(r[1]["y"])

    a, s, o = np.array(["", "d", "e"], "<U12"), np.zeros(2, "S3"), np.zeros(2)
    r = np.zeros(2, [("x", "i4"), ("y", "<U12")])
    r["y"] = "four"
    k[1, 1](a, s, r, o)
    assert list(a) == ["xyz", "d", "e"] and list(s) == [b"", b"\xff1"]
    assert list(r["y"]) == ["ABC", "four"] and list(o) == [1, 4]
    d = cuda.to_device(np.zeros(3, "<U12"))
    k[1, 1](d, s, r, o)
    assert list(d.copy_to_host()) == ["xyz", "", ""] and list(o) == [0, 4]
