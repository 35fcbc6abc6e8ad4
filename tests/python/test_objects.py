"""What becomes of objects, threads and processes: references, the GIL, exceptions, fork."""
import gc
import os
import resource
import sys
import threading
import weakref

import numpy as np
import pytest

import kjit
from kjit import cuda

LAUNCHES = 1_000_000


@cuda.jit
def add(a, b, out, factor, pair):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (a[i] + b[i]) * factor + pair[0]


def test_launches_leave_nothing_behind():
    a, b, out = (np.zeros(4, np.float32) for _ in range(3))
    d = cuda.to_device(a)
    pair = (1, b)
    counted = a, b, out, d, pair, None, float, type(a)

    def launch(count):
        for _ in range(count):
            add[1, 4](a, b, out, 2.0, pair)
            add[1, 4](d, b, out, np.float32(3), pair)

    launch(100)
    gc.collect()
    before = list(map(sys.getrefcount, counted))
    blocks, memory = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    launch(LAUNCHES // 2)
    gc.collect()
    after = list(map(sys.getrefcount, counted))
    immortal = 1 << 31  # objects whose counts newer Pythons do not keep
    assert all(abs(count - was) < 100 or was > immortal for count, was in zip(after, before)), (before, after)
    assert sys.getallocatedblocks() < blocks + 1000  # free-threaded Pythons count roughly
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < memory + 2048


def test_failures_leave_nothing_behind():
    a, b, out = np.zeros(4), np.zeros(4), np.zeros(4)

    def fail():
        for args in ((a, b, "text", 1, (1, 2)), (a, b, out, 1, (1, object())), (a, b), (a, b, out, 2**80, (1, 2))):
            with pytest.raises((TypeError, OverflowError)):
                add[1, 4](*args)
        with pytest.raises(ValueError):
            add[1, 4, 5, 6, 7]

    for _ in range(50):
        fail()
    before = list(map(sys.getrefcount, (a, b, out)))
    for _ in range(500):
        fail()
    assert list(map(sys.getrefcount, (a, b, out))) == before


def test_kernels_and_arrays_go():
    @cuda.jit
    def local(x):
        x[0] = 1

    x = cuda.to_device(np.zeros(1))
    view = x[0:1]
    local[1, 1](view)
    references = [weakref.ref(local), weakref.ref(x), weakref.ref(view)]
    del local, x
    gc.collect()
    assert view.copy_to_host().tolist() == [1]
    del view
    gc.collect()
    assert [reference() for reference in references] == [None] * 3


def test_memory_of_arrays_comes_back():
    device = cuda.current_context().device.kjit_context
    before = device.memory()["arrays"]
    arrays = [cuda.device_array(1000) for _ in range(10)]
    views = [array[10:20].reshape(2, 5)[:, ::2] for array in arrays]
    assert device.memory()["arrays"] == before + 10
    del arrays
    assert device.memory()["arrays"] == before + 10
    del views
    assert device.memory()["arrays"] == before


def test_closed_contexts_go():
    from kjit import device
    x, out = np.ones(1), np.zeros(1)
    for _ in range(3):
        cuda.close()
        add[1, 1](x, x, out, 2, (0, 0))
        assert out[0] == 4
        assert {key[0] for key in device.modules} == {device.current()}


def test_64_threads():
    wrong = []

    def work(number):
        number %= 8  # several make the same kernel at once

        @cuda.jit
        def shifted(x, out):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = x[i] + number

        x, out = np.arange(100.0), np.zeros(100)
        for i in range(100):
            shifted[1, 128](x, out)
            if not np.array_equal(out, x + number):
                wrong.append(number)
            add[1, 128](x, x, out, i, (number, x))
            if not np.array_equal(out, 2 * x * i + number):
                wrong.append((number, i))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@cuda.jit
def fill(out, pair, value):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = pair[1] + value


def test_64_threads_with_arguments_of_many_types():
    """What is noted of types, dtypes and shapes, kernels that are found, made and forgotten, and devices that become
    current, at once."""
    wrong, dtypes = [], [np.int8, np.int16, np.int32, np.int64, np.uint8, np.float32, np.float64, np.complex64]
    start = threading.Barrier(64)

    def work(number):
        kind = type(f"Kind{number}", (Holder,), {})
        dtype = dtypes[number % 8]
        start.wait()
        for i in range(60):
            out = np.zeros(33, dtype)
            fill[2, (32, 1)](kind(out), (number, dtype(number)), i)
            if not (out == number + i).all():
                wrong.append((number, i, out[0]))
            if number == 0:
                fill.forget()
            if number == 1:
                cuda.select_device(0)
            if number == 2:
                dtypes_kept.append(np.dtype([(f"x{i}", dtype)]))
                cuda.to_device(np.zeros(2, dtypes_kept[-1]))

    dtypes_kept = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


class Holder:
    """Another library's array, each of a class of its own."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


def test_other_threads_run_while_a_kernel_does():
    """The kernel sees what another thread of Python's writes meanwhile."""
    flag, left = np.zeros(1, np.int32), np.zeros(1, np.int64)
    most = 1_000_000_000

    @cuda.jit
    def watch(flag, left, most):
        for i in range(most):
            left[0] = i
            if cuda.atomic.add(flag, 0, 0) != 0:
                break

    if cuda.current_context().device.kjit_name != "cpu":
        pytest.skip("the kernel works on a copy of the array")
    watch[1, 1](np.ones(1, np.int32), left, most)
    launch = threading.Thread(target=lambda: watch[1, 1](flag, left, most))
    launch.start()
    flag[0] = 1
    launch.join()
    assert left[0] < most - 1


def test_fork():
    a, b, out = np.arange(4.0), np.ones(4), np.zeros(4)
    add[1, 4](a, b, out, 2, (0, 0))
    if cuda.current_context().device.kjit_name.startswith("cuda"):
        pytest.skip("a GPU's context does not outlive fork()")
    child = os.fork()
    if child == 0:
        try:
            fine = np.zeros(4)
            add[1, 4](a, b, fine, 2, (0, 0))
            os._exit(0 if fine.tolist() == out.tolist() else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_exception_of_a_converter_goes_through():
    class Broken:
        @property
        def __array_interface__(self):
            raise KeyError("broken")

    class Wrong:
        def __dlpack__(self, **words):
            return 5

    with pytest.raises((KeyError, TypeError)):
        add[1, 1](Broken(), 1, 2, 3, 4)
    with pytest.raises((TypeError, ValueError)):
        add[1, 1](Wrong(), 1, 2, 3, 4)


def test_handles_are_not_made_of_anything():
    from kjit import _core
    for kind in (_core.Kernel, _core.Module, _core.Launch):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises((TypeError, kjit.Error)):
        _core.Context("nonsense")


def test_one_interpreter():
    try:
        import _interpreters as interpreters
    except ImportError:
        interpreters = pytest.importorskip("_xxsubinterpreters")
    text = """
try:
    import kjit
except ImportError as error:
    assert "main interpreter" in str(error) or "does not support loading in subinterpreters" in str(error), error
else:
    raise SystemExit("imported")
"""
    text = f"import sys\nsys.path[:] = {sys.path!r}\n" + text
    number = interpreters.create()
    run = getattr(interpreters, "run_string", None) or interpreters.exec
    assert run(number, text) is None
