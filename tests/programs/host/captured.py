"""Arrays of the device that kernels and device functions read from around them, and write to."""
import numpy as np
from numba import cuda, float32

table = cuda.to_device(np.arange(6, dtype=np.float32))
counts = cuda.to_device(np.zeros(3, dtype=np.int32))
big = cuda.to_device(np.arange(10000.0))
pair = (cuda.to_device(np.ones(2)), 7)


@cuda.jit(device=True)
def look(i):
    return table[i] + big[i * 100]


@cuda.jit
def step(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = look(i) + pair[1]
        table[i] += 1
        cuda.atomic.add(counts, i % 3, 1)
        if i < 2:
            pair[0][i] = i + 4


def factory(n):
    scratch = cuda.device_array(n, dtype=np.float64)

    @cuda.jit
    def fill(x):
        i = cuda.grid(1)
        if i < n:
            scratch[i] = x * i

    return fill, scratch


out = np.zeros(6)
step[1, 6](out)
print(out)
step[1, 6](out)
print(out, table.copy_to_host(), counts.copy_to_host())
table.copy_to_device(np.full(6, 100, dtype=np.float32))
step[1, 6](out)
print(out, pair[0].copy_to_host())
for n in (3, 4):
    fill, scratch = factory(n)
    fill[1, 8](1.5)
    print(scratch.copy_to_host())
