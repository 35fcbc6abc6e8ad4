"""A picture: blurred by a kernel, its edges by expressions of shifted views."""
import numpy as np
from numba import cuda


@cuda.jit
def blur(image, out, radius):
    y, x = cuda.grid(2)
    h, w = image.shape
    if y < h and x < w:
        total = 0.0
        count = 0
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                if 0 <= y + dy < h and 0 <= x + dx < w:
                    total += image[y + dy, x + dx]
                    count += 1
        out[y, x] = total / count


def edges(image):
    gx = image[1:-1, 2:] - image[1:-1, :-2]
    gy = image[2:, 1:-1] - image[:-2, 1:-1]
    return np.sqrt(gx * gx + gy * gy)


h, w = 12, 16
y, x = np.arange(h)[:, None], np.arange(w)[None, :]
image = ((x - 8) ** 2 + (y - 6) ** 2 < 16) * 1.0
print(image.dtype, image.shape, image.sum())
soft = np.zeros_like(image)
blur[(3, 4), (4, 4)](image, soft, 1)
print(soft[5:8, 3:9])
found = edges(soft)
print("edges:", found.shape, f"{found.max():.4f}", int((found > 0.5).sum()))
for row in found > 0.5:
    print("".join("#" if cell else "." for cell in row))
