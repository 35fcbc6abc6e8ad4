# The same steps by a kernel that is written for them.
from time import perf_counter

import numpy as np
from numba import cuda

N = 4096
STEPS = 1000


@cuda.jit(fastmath=False)
def step(u, v):
    j, i = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = u[i, j] + np.float32(0.1) * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1]
                                               + u[i, j - 1] - np.float32(4) * u[i, j])


def run(u, v, steps):
    for _ in range(steps):
        step[((N + 63) // 64, (N + 3) // 4), (64, 4)](u, v)
        u, v = v, u
    return u, v, float(u[N // 2, N // 2])


u = np.full((N, N), 20, dtype=np.float32)
u[N // 4:-N // 4, N // 4:-N // 4] = 100
u[0] = 50
u, v = cuda.to_device(u), cuda.to_device(u)
u, v, middle = run(u, v, 2)
begin = perf_counter()
u, v, middle = run(u, v, STEPS)
print(f"{1e3 * (perf_counter() - begin) / STEPS:.6f} ms a step, sum {float(u.copy_to_host().sum()):.6g}")
