import numpy as np
from numba import cuda


@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


n, parts = 4096, 4
host = cuda.pinned_array(n, np.float32)
host[:] = np.arange(n)
expected = host * np.repeat(np.arange(1, parts + 1), n // parts)
streams = [cuda.stream() for _ in range(parts)]
start, end = cuda.event(), cuda.event()
start.record()
for number, stream in enumerate(streams):
    part = host[number * n // parts:(number + 1) * n // parts]
    on_device = cuda.to_device(part, stream=stream)
    scale[part.size // 128, 128, stream](on_device, np.float32(number + 1))
    on_device.copy_to_host(part, stream=stream)
for stream in streams:
    stream.synchronize()
end.record()
end.synchronize()
assert cuda.event_elapsed_time(start, end) >= 0
np.testing.assert_array_equal(host, expected)

stream = cuda.stream()
with stream.auto_synchronize():
    d = cuda.to_device(np.ones(8), stream)
    scale[1, 8, stream](d, 3.0)
assert d.copy_to_host().tolist() == [3.0] * 8

with cuda.pinned(host):
    mapped = cuda.mapped_array(16, np.int32)
    mapped[:] = 2
    scale[1, 16](mapped, 4)
    cuda.synchronize()
assert mapped.tolist() == [8] * 16
