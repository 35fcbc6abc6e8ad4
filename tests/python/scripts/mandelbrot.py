import numpy as np
from numba import cuda, uint8, complex64


@cuda.jit(device=True)
def mandel(x, y, max_iters):
    c = complex(x, y)
    z = 0.0j
    for i in range(max_iters):
        z = z * z + c
        if (z.real * z.real + z.imag * z.imag) >= 4:
            return i
    return max_iters


@cuda.jit
def mandel_kernel(min_x, max_x, min_y, max_y, image, iters):
    height, width = image.shape
    pixel_x = (max_x - min_x) / width
    pixel_y = (max_y - min_y) / height
    start_x, start_y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    for x in range(start_x, width, step_x):
        real = min_x + x * pixel_x
        for y in range(start_y, height, step_y):
            image[y, x] = mandel(real, min_y + y * pixel_y, iters)


image = np.zeros((96, 128), dtype=np.uint8)
mandel_kernel[(4, 4), (16, 8)](-2.0, 1.0, -1.0, 1.0, image, 20)

real = -2.0 + np.arange(128) * (3.0 / 128)
imag = -1.0 + np.arange(96) * (2.0 / 96)
c = real[None, :] + 1j * imag[:, None]
z, expected = np.zeros_like(c), np.full(c.shape, 20, np.uint8)
for i in range(20):
    inside = expected == 20
    z[inside] = z[inside] ** 2 + c[inside]
    expected[inside & (z.real ** 2 + z.imag ** 2 >= 4)] = i
assert (image != expected).mean() < 0.001, (image != expected).sum()
