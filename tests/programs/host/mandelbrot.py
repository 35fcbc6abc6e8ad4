"""The Mandelbrot set as letters: a device function, a kernel over a plane."""
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def iterations(x, y, most):
    a = x
    b = y
    for k in range(most):
        aa = a * a
        bb = b * b
        if aa + bb > 4.0:
            return k
        b = 2.0 * a * b + y
        a = aa - bb + x
    return most


@cuda.jit
def draw(image, left, right, low, high, most):
    row, column = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        x = left + column * (right - left) / (image.shape[1] - 1)
        y = low + row * (high - low) / (image.shape[0] - 1)
        image[row, column] = iterations(x, y, most)


most = 50
image = np.zeros((21, 60), dtype=np.uint8)
draw[(3, 8), (8, 8)](image, -2.0, 0.5, -1.1, 1.1, most)
letters = " .:-=+*#%@"
for row in image:
    print("".join(letters[min(int(count), most) * (len(letters) - 1) // most] for count in row).rstrip())
print(image.dtype, image.shape, "inside:", int((image == most).sum()))
