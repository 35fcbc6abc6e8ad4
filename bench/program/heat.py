# 1000 steps of heat on a plate, as expressions of arrays: the same text for kjit, NumPy and CuPy.
from time import perf_counter

import numpy as np

N = 4096
STEPS = 1000


def run(u, v, steps):
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:]
                                               + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        u, v = v, u
    return u, v, float(u[N // 2, N // 2])       # which waits for all of it


u = np.full((N, N), 20, dtype=np.float32)
u[N // 4:-N // 4, N // 4:-N // 4] = 100
u[0] = 50
v = u.copy()
u, v, middle = run(u, v, 2)
begin = perf_counter()
u, v, middle = run(u, v, STEPS)
print(f"{1e3 * (perf_counter() - begin) / STEPS:.6f} ms a step, sum {float(u.sum()):.6g}")
