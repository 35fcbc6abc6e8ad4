"""Heat in a rod: a kernel and an array expression take the same steps."""
import numpy as np
from numba import cuda


@cuda.jit
def step(u, v, r):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = u[i] + r * (u[i + 1] - 2 * u[i] + u[i - 1])


def by_kernel(u, steps, r):
    a = cuda.to_device(u)
    b = cuda.to_device(u)
    threads = 32
    blocks = (u.size + threads - 1) // threads
    for _ in range(steps):
        step[blocks, threads](a, b, r)
        a, b = b, a
    return a.copy_to_host()


def by_expression(u, steps, r):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


if __name__ == "__main__":
    n = 101
    x = np.linspace(0, 1, n)
    start = np.where((x > 0.4) & (x < 0.6), 1.0, 0.0)
    for steps in (1, 10, 50):
        one = by_kernel(start, steps, 0.25)
        other = by_expression(start, steps, 0.25)
        assert np.allclose(one, other)
        print(f"{steps:3d} steps: max {one.max():.6f}, sum {one.sum():.6f}, middle {one[n // 2]:.6f}")
    print(np.round(one[45:56], 4) if False else one[48:53])
