"""Streams, events, pinned and mapped arrays, dynamic shared memory."""
import numpy as np
from numba import cuda, int32


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def reverse(x):
    room = cuda.shared.array(0, dtype=int32)
    t = cuda.threadIdx.x
    room[t] = x[t]
    cuda.syncthreads()
    x[t] = room[x.size - 1 - t]


n = 64
stream = cuda.stream()
start, end = cuda.event(), cuda.event()
x = cuda.pinned_array(n, dtype=np.float32)
x[:] = np.arange(n)
y = cuda.to_device(np.ones(n, dtype=np.float32), stream=stream)
out = cuda.device_array(n, dtype=np.float32, stream=stream)
start.record(stream)
add[2, 32, stream](x, y, out)
end.record(stream)
stream.synchronize()
end.synchronize()
print(out.copy_to_host()[:8], isinstance(start.elapsed_time(end), float))
z = np.arange(16, dtype=np.int32)
reverse[1, 16, 0, 16 * 4](z)
cuda.synchronize()
print(z)
host = np.zeros(n, dtype=np.float32)
out.copy_to_host(host)
print(host.sum(), host.dtype)
