"""Conway's game of life on a torus, a thread a cell."""
import numpy as np
from numba import cuda


@cuda.jit
def evolve(world, after):
    y, x = cuda.grid(2)
    h, w = world.shape
    if y < h and x < w:
        count = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dy != 0 or dx != 0:
                    count += world[(y + dy + h) % h, (x + dx + w) % w]
        if count == 3 or (count == 2 and world[y, x] == 1):
            after[y, x] = 1
        else:
            after[y, x] = 0


def show(world):
    for row in world:
        print("".join("#" if cell else "." for cell in row))
    print()


h, w = 8, 12
world = np.zeros((h, w), dtype=np.int32)
for y, x in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
    world[y, x] = 1
show(world)
a, b = cuda.to_device(world), cuda.device_array_like(world)
for generation in range(24):
    evolve[(2, 3), (4, 4)](a, b)
    a, b = b, a
show(a.copy_to_host())
print("alive:", int(a.copy_to_host().sum()))
