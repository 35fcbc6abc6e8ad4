import numpy as np
from numba import cuda


@cuda.jit
def step(now, after):
    y, x = cuda.grid(2)
    rows, columns = now.shape
    if y >= rows or x >= columns:
        return
    alive = 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy != 0 or dx != 0:
                alive += now[(y + dy) % rows, (x + dx) % columns]
    after[y, x] = 1 if alive == 3 or (alive == 2 and now[y, x]) else 0


def step_numpy(now):
    alive = sum(np.roll(now, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - now
    return ((alive == 3) | ((alive == 2) & (now == 1))).astype(now.dtype)


world = np.random.default_rng(5).integers(0, 2, (50, 70)).astype(np.int8)
expected = world
d_now, d_after = cuda.to_device(world), cuda.device_array_like(world)
for generation in range(30):
    step[(7, 5), (8, 16)](d_now, d_after)
    d_now, d_after = d_after, d_now
    expected = step_numpy(expected)
cuda.synchronize()
np.testing.assert_array_equal(d_now.copy_to_host(), expected)
