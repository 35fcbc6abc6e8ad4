"""Objects that lie, change while they are read, or go while they are used: an exception, never a crash."""
import ctypes
import gc
import threading
import time
import weakref

import numpy as np
import pytest

import kjit
from kjit import _core, cuda


@cuda.jit
def double(a, b):
    i = cuda.grid(1)
    if i < b.size:
        b[i] = a[i] + a[i]


@cuda.jit
def store(x, out):
    out[0] = x


class Interface:
    """What says anything at all of itself."""

    def __init__(self, array, **words):
        self.array = array
        self.__array_interface__ = {**array.__array_interface__, **words}


def test_arrays_of_ctypes():
    """They export buffers without strides."""
    a, out = ((ctypes.c_int * 3) * 2)(), np.zeros(4)

    @cuda.jit
    def write(a):
        a[1, 2] = 5
        a[0, 1] = 3

    write[1, 1](a)
    assert np.array(a).tolist() == [[0, 3, 0], [0, 0, 5]]
    double[1, 4]((ctypes.c_float * 4)(1, 2, 3, 4), out)
    assert out.tolist() == [2, 4, 6, 8]


class Changing:
    """A number that empties the dict that holds it while it is read."""

    def __init__(self):
        self.owner = {}

    def __index__(self):
        self.owner.clear()
        gc.collect()
        return 1


def test_an_interface_that_changes_while_it_is_read():
    out = np.zeros(1)
    for name in ("shape", "strides"):
        number = Changing()
        lying = Interface(np.ones((1,) * 8), **{name: (number, *[1] * 7)})
        number.owner = lying.__array_interface__
        try:
            store[1, 1](lying, out)
        except (TypeError, kjit.Error):
            pass


@pytest.mark.parametrize("words", [
    {"shape": (-3,)}, {"shape": (2**62,)}, {"shape": (2**40, 2**40)}, {"strides": (2**62,)}, {"data": (0, False)},
    {"data": (2**70, False)}, {"typestr": "<f400"}, {"typestr": ""}, {"typestr": "<"}, {"typestr": "|O8"},
    {"typestr": "|V8"}, {"mask": 1}, {"shape": (1.5,)}, {"shape": [3]}])
def test_interfaces_that_lie(words):
    @cuda.jit
    def size(a, out):
        out[0] = a.size

    with pytest.raises((TypeError, OverflowError, AttributeError, kjit.Error)):
        size[1, 1](Interface(np.arange(3.0), **words), np.zeros(1))


def test_what_attributes_raise_goes_through():
    class Raises:
        def __init__(self, error):
            self.error = error

        def __getattr__(self, name):
            if name in ("__array_interface__", "__cuda_array_interface__"):
                raise self.error
            raise AttributeError(name)

    for error in (KeyboardInterrupt(), RuntimeError("no"), MemoryError()):
        with pytest.raises(type(error)):
            store[1, 1](Raises(error), np.zeros(1))


def test_an_adopted_array_keeps_what_was_exported():
    class Source:
        """Each tensor is of memory of its own."""

        def __dlpack__(self, **_):
            array = np.full(1000, 7.0)
            self.exported = weakref.ref(array)
            return array.__dlpack__()

    source = Source()
    view = cuda.as_cuda_array(source)[10:20]
    gc.collect()
    assert source.exported() is not None or cuda.current_context().device.kjit_name != "cpu"
    assert view.copy_to_host().tolist() == [7] * 10
    del view
    gc.collect()
    assert source.exported() is None

    class Buffer(bytearray):
        def __dlpack__(self, **_):
            raise BufferError

    memory = Buffer(8)
    adopted = cuda.as_cuda_array(memory)
    with pytest.raises(BufferError):
        memory.clear()
    del adopted
    memory.clear()


def test_an_adopted_array_of_records():
    class Records:
        def __init__(self, array):
            self.array, self.dtype = array, array.dtype
            self.__cuda_array_interface__ = array.__array_interface__

    if cuda.current_context().device.kjit_name != "cpu":
        pytest.skip("the memory is the host's")
    a = np.zeros(3, [("x", "f4"), ("y", "i8")])
    a["y"] = 4, 5, 6
    adopted = cuda.as_cuda_array(Records(a))
    assert adopted.dtype == a.dtype and adopted[1:]["y"].copy_to_host().tolist() == [5, 6]


def test_streams_that_are_none():
    class Endless:
        @property
        def _kjit_stream(self):
            return Endless()

    class Fresh:
        """A stream without another reference."""

        @property
        def _kjit_stream(self):
            return cuda.stream()._kjit_stream

    out = np.zeros(1)
    with pytest.raises(TypeError, match="is no stream"):
        store[1, 1, Endless()]
    launch = store[1, 1, Fresh()]
    gc.collect()
    launch(3, out)
    cuda.synchronize()
    assert out[0] == 3


def test_a_device_that_closes_during_a_launch():
    class Closes:
        def __dlpack__(self, **_):
            cuda.close()
            gc.collect()
            return np.arange(4.0).__dlpack__()

    name = cuda.current_context().device.kjit_name
    out = np.zeros(4)
    with pytest.raises(RuntimeError, match="another device became current"):
        double[1, 4](Closes(), out)
    cuda.current_context()
    double[1, 4](np.arange(4.0), out)
    assert out.tolist() == [0, 2, 4, 6] and cuda.current_context().device.kjit_name == name


def test_kernels_that_are_forgotten_while_they_run():
    right = []

    class Fresh(_core.Dispatcher):
        """It alone has its modules, which go with the GIL released."""

        def find_context(self):
            return cuda.current_context()

        def make_kernel(self, args):
            context = cuda.current_context().device.kjit_context
            return context.load("text", "@cuda.jit\ndef shifted(x, out): out[0] = x[0] + 1\n", None, None, False,
                                False, 0, None).kernel(None)

    shifted = Fresh()
    shifted.param_count = 2

    def forget():
        while not done.is_set():
            shifted.forget()

    def launch():
        for number in range(150):
            x, out = np.full(1, number, np.int64), np.zeros(1)
            shifted[1, 1](x, out)
            right.append(out[0] == number + 1)

    done = threading.Event()
    forgetting = [threading.Thread(target=forget) for _ in range(2)]
    launching = [threading.Thread(target=launch) for _ in range(3)]
    for thread in forgetting + launching:
        thread.start()
    for thread in launching:
        thread.join()
    done.set()
    for thread in forgetting:
        thread.join()
    assert right == [True] * 450


def test_kernels_are_looked_for_while_others_are_forgotten():
    """Many kernels of a dispatcher, so that looking takes as long as forgetting."""
    kinds = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.float32, np.float64, int, float]
    context = cuda.current_context().device.kjit_context
    module = context.load("text", "@cuda.jit\ndef after(x, out): out[0] = x + 1\n", None, None, False, False, 0, None)
    done, wrong = threading.Event(), []

    class Kept(_core.Dispatcher):
        def find_context(self):
            return cuda.current_context()

        def make_kernel(self, args):
            return module.kernel(None)

    after = Kept()
    after.param_count = 2

    def forget():
        while not done.is_set():
            time.sleep(1e-5)
            after.forget()
            _core.use(context)

    def launch():
        for number in range(4000):
            x, out = kinds[number % 11](number % 100), np.zeros(1)
            after[1, 1](x, out)
            if out[0] != x + 1:
                wrong.append(x)

    forgetting = [threading.Thread(target=forget) for _ in range(2)]
    launching = [threading.Thread(target=launch) for _ in range(6)]
    for thread in forgetting + launching:
        thread.start()
    for thread in launching:
        thread.join()
    done.set()
    for thread in forgetting:
        thread.join()
    assert not wrong


def test_a_launch_that_its_kernel_keeps_goes():
    @cuda.jit
    def local(x):
        x[0] = 1

    local.configured = local[1, 1]
    reference = weakref.ref(local)
    del local
    gc.collect()
    assert reference() is None


def test_buffers_are_laid_out_as_they_are_asked_for():
    """PyObject_GetBuffer() by ctypes, as nothing of Python's asks for each layout."""
    if cuda.current_context().device.kjit_name != "cpu":
        pytest.skip("the host does not see the memory")
    rows = cuda.to_device(np.arange(6.0).reshape(2, 3))
    get, release = ctypes.pythonapi.PyObject_GetBuffer, ctypes.pythonapi.PyBuffer_Release
    for array, refused in ((rows, (0x58,)), (rows.transpose_by(), (0x38, 0, 8)), (rows[:, ::2], (0x38, 0x58, 0x98, 0, 8))):
        for flags in (0, 8, 0x18, 0x38, 0x58, 0x98):
            view = (ctypes.c_char * 256)()
            if flags in refused:
                with pytest.raises(BufferError):
                    get(ctypes.py_object(array), view, flags)
            else:
                assert get(ctypes.py_object(array), view, flags) == 0
                release(view)
    assert memoryview(cuda.to_device(np.array(5.0))).tolist() == 5


def test_numbers_that_are_too_large():
    for number in (2**64, -2**63 - 1, 10**6000):
        with pytest.raises(OverflowError, match="64 bits"):
            store[1, 1](number, np.zeros(1))
    for block in (-1, 2**32 + 1):
        with pytest.raises(ValueError):
            store.forall(4, tpb=block)


def test_handles_are_not_copied():
    import copy
    assert copy.deepcopy(store) is store  # as functions are
    for handle in (store[1, 1], cuda.to_device(np.zeros(2)), cuda.current_context().device.kjit_context,
                   cuda.stream()._kjit_stream, _core.Value(3, 4)):
        with pytest.raises(TypeError):
            copy.deepcopy(handle)


def test_arrays_of_another_byte_order():
    swapped = np.dtype("i4").newbyteorder()
    records = np.zeros(2, [("x", swapped)])

    @cuda.jit
    def read(a, out):
        out[0] = a[0].x

    for call in (lambda: read[1, 1](records, np.zeros(1)), lambda: double[1, 1](np.zeros(2, swapped), np.zeros(2)),
                 lambda: cuda.to_device(np.zeros(2, swapped)), lambda: cuda.device_array(2, swapped),
                 lambda: cuda.to_device(records)):
        with pytest.raises((TypeError, kjit.Error)):
            call()
    d = cuda.to_device(np.zeros(2, np.int32))
    d[:] = np.array([1, 2], swapped)
    assert d.copy_to_host().tolist() == [1, 2]


def test_indices_of_device_arrays():
    d = cuda.to_device(np.arange(4.0))
    assert d[-2**70:2**70].copy_to_host().tolist() == [0, 1, 2, 3] and d[np.int8(2)] == 2
    for index in (1.7, np.float32(1), np.True_, 2**70):
        with pytest.raises((TypeError, NotImplementedError, OverflowError)):
            d[index]


def test_states_of_generators_are_written_where_they_fit():
    from kjit.cuda import random
    strided = np.zeros(4, random.xoroshiro128p_dtype)[::2]
    fixed = np.zeros(2, random.xoroshiro128p_dtype)
    fixed.flags.writeable = False
    for wrong in (np.zeros(4, np.uint8), strided, fixed):
        with pytest.raises(TypeError, match="xoroshiro128p_dtype"):
            random.init_xoroshiro128p_states_cpu(wrong, 1, 0)
    assert not strided["s0"].any()


def test_tensors_for_another_device():
    d = cuda.to_device(np.zeros(2))
    d.__dlpack__(dl_device=d.__dlpack_device__())
    with pytest.raises(BufferError, match="lies on"):
        d.__dlpack__(dl_device=(77, 0))
