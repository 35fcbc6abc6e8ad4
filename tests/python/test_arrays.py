"""Device arrays as numba's programs make and ask them."""
import warnings

import numpy as np
import pytest

from kjit import cuda, guvectorize, vectorize
from kjit.numba import driver_names
from kjit.arrays import DeviceNDArray


def test_transposes_are_arrays_of_their_own():
    host = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    whole = cuda.to_device(host)
    for turned, expected in ((whole.T, host.T), (whole.transpose((1, 0, 2)), host.transpose(1, 0, 2)),
                             (whole[0].T, host[0].T), (whole[::, ::2, 1].T, host[::, ::2, 1].T)):
        assert turned.is_c_contiguous() and np.array_equal(turned.copy_to_host(), expected)
        turned[...] = 0
    assert np.array_equal(whole.copy_to_host(), host)
    assert whole.transpose((0, 1, 2)) is whole


def test_columns_in_rows():
    host = np.asfortranarray(np.arange(12).reshape(3, 4))
    for array in (host, np.ascontiguousarray(host), host[:, ::2]):
        given = cuda.to_device(array)
        for order in "CFA":
            assert np.array_equal(given.ravel(order).copy_to_host(), np.asarray(given).ravel(order)), order
    view = cuda.to_device(host)
    view.ravel("F")[0] = 100
    assert view[0, 0] == 100  # where no copy is needed, none is made
    assert np.array_equal(view.reshape(4, 3, order="F").copy_to_host(), view.copy_to_host().reshape(4, 3, order="F"))


def test_copies_between_layouts():
    host = np.arange(12).reshape(3, 4)
    target = cuda.to_device(np.zeros((3, 4), host.dtype, order="F"))
    target.copy_to_device(cuda.to_device(host))
    assert np.array_equal(target.copy_to_host(), host)
    target[1].copy_to_device(np.full(4, 7))
    assert target.copy_to_host()[1].tolist() == [7] * 4
    with pytest.raises(TypeError, match="an array of int32"):
        target.copy_to_device(np.zeros((3, 4), np.int32))
    with pytest.raises(ValueError, match="an array of int64"):
        target.copy_to_device(np.zeros((3, 3), np.int64))


def test_broadcast_arrays():
    array = cuda.to_device(np.broadcast_to(np.array([1]), (10,)))
    array[3] = 5
    assert array.copy_to_host().tolist() == [1, 1, 1, 5, 1, 1, 1, 1, 1, 1]


def test_one_record_is_that_on_the_device():
    inner = [("i", "i4"), ("j", "f4", (2, 2))]
    array = cuda.to_device(np.zeros(3, [("a", "f8"), ("y", inner), ("t", "<U4"), ("s", "S3")]))
    array[0]["a"] = 2.5
    array[1]["y"]["i"] = 7
    array[1]["y"]["j"][0, 1] = 3
    array[2]["t"] = "abc"
    array[2]["s"] = b"xy"
    assert (array[0]["a"], array[1]["y"]["i"], array[1]["y"]["j"][0, 1]) == (2.5, 7, 3)
    assert (array[2]["t"], array[2]["s"]) == ("abc", b"xy")
    host = array.copy_to_host()
    assert host["a"].tolist() == [2.5, 0, 0] and host["y"]["i"].tolist() == [0, 7, 0]
    array[0] = array[1].copy_to_host()
    assert array.copy_to_host()[0] == host[1]
    with pytest.raises(ValueError, match="no field of name z: the array has a, y, t, s"):
        array["z"]
    with pytest.raises(ValueError, match="no field of name a: the array is of no records"):
        cuda.to_device(np.zeros(3))["a"]


def test_arrays_made_of_strides():
    made = DeviceNDArray((2, 3), (32, 8), np.float64)
    made[...] = np.arange(6).reshape(2, 3)
    assert made.strides == (32, 8) and made.copy_to_host().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert DeviceNDArray((4,), None, np.int8).strides == (1,)
    assert DeviceNDArray((0,), (8,), np.int8).copy_to_host().size == 0
    for shape, strides in (((2,), (8, 8)), ((2,), (-8,))):
        with pytest.raises(ValueError, match="strides"):
            DeviceNDArray(shape, strides, np.float64)


def test_arrays_made_of_anothers_memory():
    first = cuda.to_device(np.arange(6.0))
    second = DeviceNDArray((3,), (16,), np.float64, gpu_data=first.gpu_data)
    second[1] = 50
    assert first[2] == 50
    with pytest.raises(ValueError, match="take 56 bytes, and there are 48"):
        DeviceNDArray((7,), (8,), np.float64, gpu_data=first.gpu_data)
    del first
    assert second.copy_to_host().tolist() == [0, 50, 4]


def test_bytes_that_are_set():
    for array in (cuda.to_device(np.ones(5, np.int32)), cuda.mapped_array(5, np.int32)):
        driver_names.device_memset(array, 1, driver_names.device_memory_size(array))
        driver_names.device_memset(array, 0, 4)
        assert np.asarray(array).tolist() == [0] + [0x01010101] * 4


@cuda.jit
def waits(a):
    cuda.cg.this_grid().sync()
    a[0] = 1


@cuda.jit
def goes_on(a):
    a[0] = 1


def test_which_kernels_wait_for_their_grid():
    for kernel, does in ((waits, True), (goes_on, False)):
        kernel[1, 1](np.zeros(1))
        assert [overload.cooperative for overload in kernel.overloads.values()] == [does]


def test_device_functions_are_not_launched():
    with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
        cuda.jit(device=True)(lambda: 1)[1, 1]()


def scaled(factor, x, out):
    for i in range(x.size):
        out[i] = factor * x[i]


def test_scalars_for_narrower_ones_of_gufuncs():
    by = guvectorize(["void(int32, int32[:], int32[:])"], "(),(t)->(t)")(scaled)
    x = np.arange(5, dtype=np.int32)
    assert by(np.int64(3), x).tolist() == [0, 3, 6, 9, 12]
    with pytest.raises(TypeError, match="no signature"):
        by(np.int64(2**40), x)
    with pytest.raises(TypeError, match="does not support .astype"):
        by(cuda.to_device(np.array(3)), x)


def numbered(dtype):
    return np.arange(3, dtype=dtype)


@pytest.mark.parametrize("target, chosen", [("cuda", "float32 float64 int32 int64 float64"),
                                            ("cpu", "float64 float64 float64 float64 float64")])
def test_which_signature_is_chosen_for_a_dtype(target, chosen):
    """For a GPU numba asks for the same dtypes, on the host NumPy takes the first that all go into."""
    twice = vectorize(["float64(float64)", "float32(float32)", "int32(int32)", "int64(int64)"], target=target)(lambda x: 2 * x)
    found = [twice(numbered(dtype)).dtype.name for dtype in (np.float32, np.float64, np.int32, np.int64, np.int16)]
    assert found == chosen.split()


def test_numbers_beside_arrays_of_a_gpus_ufunc():
    added = vectorize(["float64(float64, float64)", "float32(float32, float32)", "int64(int64, int64)"],
                      target="cuda")(lambda a, b: a + b)
    assert added(numbered(np.float32), 2.5).dtype == np.float32
    assert added(numbered(np.float64), 2).dtype == np.float64
    assert added(numbered(np.int64), 2.5).tolist() == [2, 3, 4]  # as in numba: the number becomes an int64
    assert type(added(1, 2)) is np.int64 and type(added(1, 2.5)) is np.float64


def test_arrays_for_narrower_ones_of_a_gpus_gufunc():
    """numba takes the first signature that goes into what is given, if none has its dtypes."""
    kinds = ["(float32[:], float32[:], float32[:])", "(float64[:], float64[:], float64[:])", "(int32[:], int32[:], int32[:])"]

    def add(a, b, c):
        for i in range(a.shape[0]):
            c[i] = a[i] + b[i]

    added = guvectorize(kinds, "(n),(n)->(n)", target="cuda")(add)
    pairs = {("int32", "int32"): "int32", ("int64", "int64"): "int32", ("float64", "int32"): "int32",
             ("float64", "float64"): "float64", ("float32", "float64"): "float32", ("float32", "int8"): "float32"}
    assert {(a, b): added(numbered(a), numbered(b)).dtype.name for a, b in pairs} == pairs
    strict = guvectorize(kinds[:1], "(n),(n)->(n)")(add)
    with pytest.raises(TypeError, match="no signature"):
        strict(numbered(np.float64), numbered(np.float64))


def test_a_keyword_that_says_nothing():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        vectorize(["float32(float32)"], target="cuda", nopython=True)(lambda x: x)
    assert [str(it.message) for it in told] == ["nopython kwarg for cuda target is redundant"]
