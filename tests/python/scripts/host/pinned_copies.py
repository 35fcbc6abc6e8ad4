import numpy as np
from numba import cuda
import logging
logging.getLogger("numba").setLevel(logging.WARNING)
logging.getLogger("numba.cuda.cudadrv.driver").setLevel(logging.ERROR)


@cuda.jit
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


N, PARTS = 1 << 12, 4
x = cuda.pinned_array(N, dtype=np.float32)
y = cuda.pinned_array(N, dtype=np.float32)
x[:] = np.arange(N)
y[:] = 1
ref = 3 * x + y
streams = [cuda.stream() for _ in range(PARTS)]
begin, end = cuda.event(timing=True), cuda.event(timing=True)
begin.record()
step = N // PARTS
out = cuda.pinned_array_like(y) if hasattr(cuda, "pinned_array_like") else np.empty_like(y)
for k, s in enumerate(streams):
    sl = slice(k * step, (k + 1) * step)
    dx = cuda.to_device(x[sl], stream=s)
    dy = cuda.to_device(y[sl], stream=s)
    axpy[(step + 127) // 128, 128, s](np.float32(3), dx, dy)
    dy.copy_to_host(out[sl], stream=s)
for s in streams:
    s.synchronize()
end.record()
end.synchronize()
assert cuda.event_elapsed_time(begin, end) >= 0
assert begin.query() in (True, False)
np.testing.assert_array_equal(out, ref)

with cuda.pinned(x, y):
    stream = cuda.stream()
    with stream.auto_synchronize():
        dx = cuda.to_device(x, stream)
        dy = cuda.to_device(y, stream)
        axpy[N // 128, 128, stream, 0](2.0, dx, dy)
        dy.copy_to_host(y, stream)
np.testing.assert_array_equal(y, 2 * x + 1)

m = cuda.mapped_array(16, dtype=np.float64)
m[:] = 5
axpy[1, 16](1.0, m, m)
cuda.synchronize()
assert (m == 10).all()
mg = cuda.managed_array((4, 4), dtype=np.int32)
mg[:] = 7
assert mg.sum() == 112
big = cuda.device_array((8, 8), dtype=np.float32, order="F")
big[:] = 0
big[2:4, :] = 5
h = big.copy_to_host()
assert h.sum() == 80 and h.flags.f_contiguous
view = big[2]
assert (view.copy_to_host() == 5).all()
big.copy_to_device(np.ones((8, 8), np.float32))
assert big.copy_to_host().sum() == 64
flat = cuda.to_device(np.arange(64)).reshape(8, 8)
assert flat.ndim == 2 and flat[3, 3] == 27 and flat.ravel().shape == (64,)
left, right = cuda.to_device(np.arange(10)).split(5)
assert right.copy_to_host()[0] == 5
s0 = cuda.default_stream()
ev = cuda.event()
ev.record(s0)
ev.wait(streams[0])
with cuda.defer_cleanup():
    del dx, dy
free, total = cuda.current_context().get_memory_info()
assert 0 < free <= total
dev = cuda.get_current_device()
print(isinstance(dev.name, (bytes, str)), dev.compute_capability >= (2, 0), dev.MAX_THREADS_PER_BLOCK >= 512, dev.WARP_SIZE)
print(len(cuda.gpus) >= 1, cuda.is_available())
for gpu in cuda.gpus:
    with gpu:
        pass
cuda.select_device(0)
cuda.close()
