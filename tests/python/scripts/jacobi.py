import numpy as np
from numba import cuda

THRESHOLD = 1e-4


@cuda.jit
def relax(u, v, change):
    i, j = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        cuda.atomic.max(change, 0, abs(v[i, j] - u[i, j]))


u = np.zeros((34, 34))
u[0] = 1
expected = u.copy()
d_u, d_v = cuda.to_device(u), cuda.to_device(u)
steps = 0
while True:
    change = np.zeros(1)
    relax[(5, 5), (8, 8)](d_u, d_v, change)
    d_u, d_v = d_v, d_u
    steps += 1
    after = expected.copy()
    after[1:-1, 1:-1] = 0.25 * (expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:])
    np.testing.assert_allclose(change[0], np.abs(after - expected).max(), rtol=1e-12)
    expected = after
    if change[0] < THRESHOLD:
        break
np.testing.assert_allclose(d_u.copy_to_host(), expected, rtol=1e-12)
assert steps > 100
