"""What kernels read from around them, or are given, that is more than numbers and arrays: arrays of the device,
members of enumerations, addresses, numba's floats of 8 bits."""
import enum
from collections import namedtuple

import numpy as np
import pytest

from kjit import cuda, float32, int64, types, vectorize

device_numbers = cuda.to_device(np.array([10.0, 20.0, 30.0]))


@cuda.jit(device=True)
def number(i):
    return device_numbers[i]


@cuda.jit
def read(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = number(i) + device_numbers[0]


def test_device_arrays_are_read_as_they_are_at_each_launch():
    device_numbers[...] = np.array([10.0, 20.0, 30.0])
    out = np.zeros(3)
    read[1, 32](out)
    assert out.tolist() == [20, 30, 40]
    device_numbers[0] = 1
    read[1, 32](out)
    assert out.tolist() == [2, 21, 31]
    assert read.overloads  # what it was compiled for can be asked


def test_they_are_written_to():
    target = cuda.to_device(np.zeros(4, np.int32))

    @cuda.jit
    def fill():
        i = cuda.grid(1)
        if i < 4:
            target[i] = i + 1

    for _ in range(2):
        fill[1, 32]()
    assert target.copy_to_host().tolist() == [1, 2, 3, 4]


def made(array):
    @cuda.jit
    def copy(out):
        out[0] = array[0]

    return copy


def test_equal_texts_with_other_arrays():
    first, second = (made(cuda.to_device(np.array([value]))) for value in (1.5, 2.5))
    out = np.zeros(1)
    for kernel, value in ((first, 1.5), (second, 2.5), (first, 1.5)):
        kernel[1, 1](out)
        assert out[0] == value
    other = made(cuda.to_device(np.array([7], np.int8)))  # of another dtype
    other[1, 1](out)
    assert out[0] == 7


def test_signatures_say_nothing_of_them():
    array = cuda.to_device(np.array([3], np.int32))

    @cuda.jit("void(float64[::1])")
    def copy(out):
        out[0] = array[0]

    out = np.zeros(1)
    copy[1, 1](out)
    assert out[0] == 3


def test_elementwise_functions_read_them():
    array = cuda.to_device(np.array([100.0]))

    @vectorize(["float64(float64)"])
    def more(x):
        return x + array[0]

    assert more(np.arange(3.0)).tolist() == [100, 101, 102]


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Shape(enum.IntEnum):
    SQUARE = 2


class Planet(enum.Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)


class Word(enum.Enum):
    YES = "yes"
    NO = "no"


@cuda.jit
def compare(a, b, out):
    out[0], out[1], out[2], out[3] = a == b, a != b, a is b, a is not b


@pytest.mark.parametrize("a, b", [(Color.RED, Color.RED), (Color.RED, Color.GREEN), (Planet.EARTH, Planet.EARTH),
                                  (Planet.EARTH, Planet.MARS), (Word.YES, Word.NO), (Shape.SQUARE, Shape.SQUARE)])
def test_members_as_arguments(a, b):
    out, expected = np.zeros(4, bool), np.zeros(4, bool)
    compare[1, 1](a, b, out)
    compare.py_func(a, b, expected)
    assert out.tolist() == expected.tolist()


@cuda.jit
def is_green(c, out):
    out[0] = c == Color.GREEN
    out[1] = c.value


Pair = namedtuple("Pair", "x y")


def test_a_member_is_no_number():
    out = np.zeros(2, np.int64)
    is_green[1, 1](Color.GREEN, out)
    assert out.tolist() == [1, 2]
    is_green[1, 1](Color.RED, out)
    assert out.tolist() == [0, 1]
    with pytest.raises(TypeError):
        is_green[1, 1](2, out)  # compiled anew: a number has no value


class Access(enum.IntFlag):
    READ = 1
    WRITE = 2


MODE, COLOR, SIZES, WORD = Shape.SQUARE, Color.GREEN, (Shape.SQUARE, Planet.MARS, Pair(Color.RED, 4)), Word.NO
BOTH = Access.READ | Access.WRITE


@cuda.jit
def read_members(out):
    out[0] = MODE + 1
    out[1] = MODE == 2 and MODE == Shape.SQUARE
    out[2] = COLOR == Color.GREEN and COLOR is not Color.RED
    out[3] = COLOR.value
    out[4] = SIZES[0]
    out[5] = SIZES[1] == Planet.MARS
    out[6] = SIZES[2].x == Color.RED
    out[7] = SIZES[2].y
    out[8] = WORD == Word.NO
    out[9] = BOTH | Access.READ


def test_members_around_kernels():
    out, expected = np.zeros(10, np.int64), np.zeros(10, np.int64)
    read_members[1, 1](out)
    read_members.py_func(expected)
    assert out.tolist() == expected.tolist()


def test_closures_over_members():
    def chooser(mode, color):
        @cuda.jit
        def choose(out):
            out[0] = mode
            out[1] = 5 if color == Color.RED else 6

        return choose

    class Shape(enum.IntEnum):  # another one of that name
        SQUARE = 9

    for mode, color, expected in ((MODE, Color.RED, [2, 5]), (Shape.SQUARE, Color.GREEN, [9, 6])):
        out = np.zeros(2, np.int64)
        chooser(mode, color)[1, 1](out)
        assert out.tolist() == expected

    both, out = (MODE, Shape.SQUARE), np.zeros(2, np.int64)

    @cuda.jit
    def read_both(out):
        out[0] = both[0]
        out[1] = both[1]

    read_both[1, 1](out)
    assert out.tolist() == [2, 9]


def test_addresses():
    @cuda.jit(types.void(types.CPointer(types.int32), types.int32, types.CPointer(types.int32)))
    def add(to, n, x):
        i = cuda.grid(1)
        if i < n:
            to[i] += x[i]

    to, x = (cuda.to_device(np.arange(5, dtype=np.int32)) for _ in range(2))
    add[1, 32](to.gpu_data.device_pointer, 5, x.gpu_data.device_pointer)
    assert to.copy_to_host().tolist() == [0, 2, 4, 6, 8]


def test_floats_of_8_bits():
    from kjit.cuda import fp8

    @cuda.jit
    def round_them(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = cuda.fp8.fp8_e4m3(x[i])
            out[i + x.size] = fp8.fp8_e5m2(x[i])

    x = np.array([1.0, 1.06, -300, 1e6], np.float32)
    out = np.zeros(8, np.float32)
    round_them[1, 32](x, out)
    assert out.tolist() == [1, 1, -288, 448, 1, 1, -320, 57344]


class Mine(Exception):
    pass


class Narrow(ValueError):
    def __init__(self, first, second):
        super().__init__(first, second)


@cuda.jit(device=True)
def checks(i):
    if i == 3:
        raise Mine("of a device function")


@cuda.jit(debug=True)
def raises(i):
    if i == 1:
        raise Mine
    elif i == 2:
        raise Mine("foo")
    checks(i)
    if i == 4: raise Narrow("so")  # noqa: E701


def test_exceptions_of_ones_own():
    raises[1, 1](0)
    for number, text in ((1, r"Mine \("), (2, r"Mine: foo \("), (3, "Mine: of a device function")):
        with pytest.raises(Mine, match=rf"test_captured.py:\d+:\d+: {text}"):
            raises[1, 1](number)
    with pytest.raises(ValueError, match="ValueError: so") as caught:  # it cannot be made of a message alone
        raises[1, 1](4)
    assert type(caught.value) is ValueError


def as_numba_has_it(shown, **attributes):
    """A type of numba's own, as far as it is looked at."""
    kind = type("Kind", (), {"__module__": "numba.core.types", "__str__": lambda self: shown})()
    vars(kind).update(attributes)
    return kind


def test_types_of_numbas_own_are_ours():
    wide, narrow = as_numba_has_it("int64"), as_numba_has_it("float32")
    rows = as_numba_has_it("array(float32, 1d, C)", dtype=narrow, ndim=1, layout="C", mutable=True)
    signature = as_numba_has_it("(array(float32, 1d, C), int64) -> none", args=(rows, wide),
                                return_type=as_numba_has_it("none"))

    @cuda.jit(signature)
    def scale(x, n):
        own = cuda.local.array(2, narrow)
        own[1] = narrow(0.1) * wide(n)
        x[cuda.grid(1)] += own[1]

    x = np.ones(3, np.float32)
    scale[1, 3](x, 2)
    assert np.array_equal(x, np.full(3, np.float32(1) + np.float32(np.float32(0.1) * 2.0)))
    assert scale.signatures == [(float32[::1], int64)]


class Private:
    __scale = 4

    @staticmethod
    @cuda.jit
    def scaled(x):
        x[0] = Private.__scale


def test_private_names_of_classes():
    x = np.zeros(1)
    Private.scaled[1, 1](x)
    assert x[0] == 4
