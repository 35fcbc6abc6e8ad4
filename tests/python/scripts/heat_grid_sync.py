import numpy as np
from numba import cuda

size = 1001
data = np.zeros(size)
data[500] = 10000
buf_0 = cuda.to_device(data)
buf_1 = cuda.device_array_like(buf_0)
niter = 500


@cuda.jit
def solve_heat_equation(buf_0, buf_1, timesteps, k):
    i = cuda.grid(1)
    if i >= len(buf_0):
        return
    grid = cuda.cg.this_grid()
    for step in range(timesteps):
        if (step % 2) == 0:
            data = buf_0
            next_data = buf_1
        else:
            data = buf_1
            next_data = buf_0
        curr_temp = data[i]
        if i == 0:
            next_temp = curr_temp + k * (data[i + 1] - (2 * curr_temp))
        elif i == len(data) - 1:
            next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp))
        else:
            next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp) + data[i + 1])
        next_data[i] = next_temp
        grid.sync()


solve_heat_equation.forall(len(data))(buf_0, buf_1, niter, 0.25)
expected = data.copy()
for step in range(niter):
    padded = np.pad(expected, 1)
    expected = expected + 0.25 * (padded[:-2] - 2 * expected + padded[2:])
results = buf_0.copy_to_host()
np.testing.assert_allclose(results, expected, atol=1e-9)
