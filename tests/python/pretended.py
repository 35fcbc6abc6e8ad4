"""The package on a GPU that only pretends (tests/fake): where memory lies, streams, events, protocols.

Nothing is computed there; test_pretended.py runs this.
"""
import numpy as np

from kjit import cuda, guvectorize, vectorize


class Foreign:
    """Another library's array of a GPU's memory, whose work is on a stream."""

    def __init__(self, array, stream):
        self.array, self.stream = array, stream

    @property
    def __cuda_array_interface__(self):
        return dict(self.array.__cuda_array_interface__, stream=self.stream)


class Attributed:
    """The same, told of by an attribute of its own."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class OfOthers:
    """A stream of another library's."""

    def __init__(self, said):
        self.said = said

    def __cuda_stream__(self):
        return self.said


@cuda.jit
def move(x, y):
    x[0] = y[0]


def copy_row(a, b):
    for i in range(a.shape[0]):
        b[i] = a[i]


def refuses(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


assert len(cuda.gpus) == 2 and cuda.get_current_device().compute_capability == (9, 0)
host = np.arange(6, dtype=np.float32).reshape(2, 3)
d = cuda.to_device(host)
assert d.copy_to_host().tolist() == host.tolist()
assert d.T.copy_to_host().tolist() == host.T.tolist() and d[1, 2] == 5
d[0] = np.array([7, 8, 9])
d[1, ::2] = 3
assert d.copy_to_host().tolist() == [[7, 8, 9], [3, 4, 3]]

interface = d.__cuda_array_interface__
assert interface["shape"] == (2, 3) and interface["typestr"] == "<f4" and not interface["data"][1]
assert d.__dlpack_device__() == (2, 0)
refuses(AttributeError, lambda: d.__array_interface__)
refuses(BufferError, lambda: memoryview(d))
del_me = d.__dlpack__()
del del_me

for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array):
    memory = make(8, np.float32)
    memory[:] = 3
    assert memory.tolist() == [3] * 8

flat = d.reshape(6)
stream = cuda.stream()
start, end = cuda.event(), cuda.event()
start.record(stream)
for number in (None, 1, 2, stream.handle):
    move[1, 1, stream](flat, Foreign(flat, number))
move[1, 1, cuda.external_stream(stream.handle)](flat, host.reshape(6))
move[1, 1, cuda.per_thread_default_stream()](flat, flat)
for said in (0, 0), (0, stream.handle):
    move[1, 1, OfOthers(said)](flat, flat)
refuses(TypeError, lambda: move[1, 1, OfOthers(5)](flat, flat))
refuses(TypeError, lambda: move[1, 1, object()](flat, flat))
end.record(OfOthers((0, stream.handle)))
end.synchronize()
assert cuda.event_elapsed_time(start, end) >= 0 and stream.query()
adopted = cuda.as_cuda_array(Foreign(d, None))
assert adopted.copy_to_host().tolist() == d.copy_to_host().tolist()
for foreign in Foreign(flat, None), Attributed(flat):
    @cuda.jit
    def reads(x):
        x[0] = foreign[1]

    reads[1, 1](flat)

sums = vectorize(["float32(float32, float32)"], target="cuda")(lambda a, b: a + b)
assert sums(Foreign(d, None), 1).shape == sums(Attributed(d), Attributed(d)).shape == (2, 3)

result = cuda.device_array((2, 3), np.float32)
assert sums(d, 1, out=Foreign(result, None)).gpu_data == result.gpu_data
rows = guvectorize(["(float32[:], float32[:])"], "(n)->(n)", target="cuda")(copy_row)
assert rows(d, out=Foreign(result, None)).gpu_data == rows(d, Foreign(result, None)).gpu_data == result.gpu_data
face = d.__cuda_array_interface__
assert cuda.from_cuda_array_interface(face, d).copy_to_host().tolist() == d.copy_to_host().tolist()
assert cuda.from_cuda_array_interface(dict(face, strides=(4, 8))).strides == (4, 8)
refuses(NotImplementedError, lambda: cuda.from_cuda_array_interface(dict(face, mask=d)))

first = cuda.current_context()
first.reset()  # what there was on it is gone, and it is the one that launches go to
flat = cuda.to_device(np.zeros(6, np.float32))
move[1, 1](flat, flat)
cuda.select_device(1)
assert cuda.get_current_device().id == 1
move[1, 1](cuda.to_device(np.zeros(1)), cuda.to_device(np.ones(1)))
cuda.select_device(0)
move[1, 1](flat, flat)
cuda.synchronize()
print("done")
