"""DLPack's C exchange API, with TVM FFI on the other side. Wants apache-tvm-ffi."""
import ctypes
import gc

import numpy as np
import pytest

import kjit
from kjit import cuda, float32

tvm_ffi = pytest.importorskip("tvm_ffi")
from tvm_ffi import core  # noqa: E402


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 2 * x[i]


class Foreign(core.DLTensorTestWrapper):
    """An array that nothing but the API describes."""
    __dlpack__ = property(lambda self: pytest.fail("__dlpack__ was asked for"))


def wrapped(array):
    return Foreign(tvm_ffi.from_dlpack(array))


def test_kernels_take_arrays_by_it():
    x = np.arange(8, dtype=np.float32)
    for _ in range(3):
        double[1, 8](wrapped(x))
    assert list(x) == [8 * i for i in range(8)]
    rows = np.arange(24, dtype=np.int64).reshape(4, 6)

    @cuda.jit
    def sums(a, out):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                out[i] += a[i, j]

    out = np.zeros(4, np.int64)
    sums[1, 1](wrapped(rows), wrapped(out))
    assert list(out) == list(rows.sum(1))


def content(tensor):
    return cuda.as_cuda_array(tensor).copy_to_host()  # NumPy does not read a GPU's


def test_device_arrays_have_it():
    x = cuda.to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    tensor = tvm_ffi.from_dlpack(x)
    assert tuple(tensor.shape) == (2, 3) and str(tensor.dtype) == "float32"
    x[0, 0] = 7
    assert content(tensor)[0, 0] == 7  # the same memory
    del x
    gc.collect()
    assert content(tensor)[1, 2] == 5
    strided = cuda.to_device(np.arange(10.0))[::2]
    assert list(content(tvm_ffi.from_dlpack(strided))) == [0, 2, 4, 6, 8]


def test_what_cannot_be_said():
    with pytest.raises(kjit.Error, match="no records"):
        tvm_ffi.from_dlpack(cuda.to_device(np.zeros(2, [("x", "i4")])))
    with pytest.raises(TypeError, match="float16"):
        cuda.jit([(float32[:],)])(double.py_func)[1, 1](wrapped(np.zeros(2, np.float16)))


def test_nothing_is_kept():
    x = np.zeros(4, np.float32)
    tensor = wrapped(x)
    device = cuda.to_device(x)
    double[1, 4](tensor)
    context = device.context
    gc.collect()
    before = context.memory()["arrays"]
    for _ in range(1000):
        double[1, 4](tensor)
        tvm_ffi.from_dlpack(device)
    del device
    gc.collect()
    assert context.memory()["arrays"] == before - 1


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


SetError = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
Allocate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, SetError)
ToObject = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))


class Api(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p), ("allocate", Allocate),
                ("from_object", ctypes.c_void_p), ("to_object", ToObject), ("borrow", ctypes.c_void_p),
                ("stream", ctypes.c_void_p)]


def api():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    cuda.current_context()
    return Api.from_address(pointer(cuda.devicearray.DeviceNDArray.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def test_arrays_are_made_by_it():
    table, shape, said = api(), (ctypes.c_int64 * 2)(3, 5), []
    like, made, back = Tensor(None, 1, 0, 2, 2, 32, 1, shape, None, 0), ctypes.c_void_p(), ctypes.py_object()
    refused = SetError(lambda context, kind, message: said.append((kind, message)))
    assert (table.major, table.borrow) == (1, None)
    assert table.allocate(like, made, None, refused) == 0 and table.to_object(made, back) == 0
    array = back.value
    assert (type(array), array.shape, array.dtype) == (cuda.devicearray.DeviceNDArray, (3, 5), np.float32)
    array[1, 2] = 4
    assert array.copy_to_host()[1, 2] == 4
    like.bits = 7
    assert table.allocate(like, made, None, refused) == -1 and said[0][0] == b"RuntimeError"
