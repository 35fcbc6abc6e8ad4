"""A plate is heated at its rim: kernels launched in a loop, arrays computed with between.

kjit run examples/heat.py --plot plate=build/plate.svg
"""
import numpy as np
from numba import cuda

SIZE = 96
steps = 2000


@cuda.jit
def diffuse(old, new, rate):
    """Each inner point moves towards the mean of its four neighbours."""
    row, col = cuda.grid(2)
    if 0 < row < old.shape[0] - 1 and 0 < col < old.shape[1] - 1:
        around = old[row - 1, col] + old[row + 1, col] + old[row, col - 1] + old[row, col + 1]
        new[row, col] = old[row, col] + rate * (around - 4 * old[row, col])


plate = np.zeros((SIZE, SIZE))
plate[0] = 100
plate[:, 0] = np.linspace(100, 0, SIZE)

now, later = cuda.to_device(plate), cuda.to_device(plate)
for step in range(steps):
    diffuse[(SIZE // 16, SIZE // 16), (16, 16)](now, later, 0.2)
    now, later = later, now
    if (step + 1) % 500 == 0:
        warm = (now.copy_to_host() > 10).sum()
        print(f"after {step + 1:4} steps {warm} of {SIZE * SIZE} points are above 10 degrees")

plate = now.copy_to_host()
print(f"{plate.mean():.3f} degrees on average, {plate[SIZE // 2, SIZE // 2]:.3f} in the middle")
