"""Poisson's equation: red-black Gauss-Seidel in kernels, multigrid in host functions."""
import numpy as np
from numba import cuda

TPB = (8, 8)


@cuda.jit
def smooth(u, f, h2, colour):
    i, j = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1 and (i + j) & 1 == colour:
        u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] + h2 * f[i, j])


@cuda.jit
def residual(u, f, h2, r):
    i, j = cuda.grid(2)
    if i < u.shape[0] and j < u.shape[1]:
        if i == 0 or j == 0 or i == u.shape[0] - 1 or j == u.shape[1] - 1:
            r[i, j] = 0
        else:
            r[i, j] = f[i, j] + (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]) / h2


@cuda.jit
def restrict(fine, coarse):
    i, j = cuda.grid(2)
    if 0 < i < coarse.shape[0] - 1 and 0 < j < coarse.shape[1] - 1:
        a, b = 2 * i, 2 * j
        total = 4 * fine[a, b]
        for d in (-1, 1):
            total += 2 * (fine[a + d, b] + fine[a, b + d])
            for e in (-1, 1):
                total += fine[a + d, b + e]
        coarse[i, j] = total / 16


@cuda.jit
def prolong_add(coarse, fine):
    i, j = cuda.grid(2)
    if i < fine.shape[0] and j < fine.shape[1]:
        a, b = i // 2, j // 2
        ia, ib = a + i % 2, b + j % 2
        fine[i, j] += 0.25 * (coarse[a, b] + coarse[ia, b] + coarse[a, ib] + coarse[ia, ib])


def blocks(shape):
    return tuple((s + t - 1) // t for s, t in zip(shape, TPB))


def relax(u, f, h, times):
    for _ in range(times):
        for colour in (0, 1):
            smooth[blocks(u.shape), TPB](u, f, h * h, colour)


def vcycle(u, f, h, depth=0):
    global visits
    visits[depth] += 1
    if u.shape[0] <= 3:
        relax(u, f, h, 4)
        return
    relax(u, f, h, 2)
    r = cuda.device_array(u.shape)
    residual[blocks(u.shape), TPB](u, f, h * h, r)
    n = u.shape[0] // 2 + 1
    rc = cuda.to_device(np.zeros((n, n)))
    ec = cuda.to_device(np.zeros((n, n)))
    restrict[blocks(rc.shape), TPB](r, rc)
    vcycle(ec, rc, 2 * h, depth + 1)
    prolong_add[blocks(u.shape), TPB](ec, u)
    relax(u, f, h, 2)


n = 33
x = np.linspace(0, 1, n)
X, Y = np.meshgrid(x, x, indexing="ij", sparse=True)
exact = np.sin(np.pi * X) * np.sin(2 * np.pi * Y)
f = 5 * np.pi ** 2 * exact
h = x[1] - x[0]
visits = [0] * 6
du, df = cuda.to_device(np.zeros((n, n))), cuda.to_device(f)
dr = cuda.device_array_like(df)
history = []
for cycle in range(7):
    vcycle(du, df, h)
    residual[blocks(du.shape), TPB](du, df, h * h, dr)
    history.append(float(np.linalg.norm(dr.copy_to_host()) * h))
print("residuals", ["%.2e" % v for v in history])
ratios = [b / a for a, b in zip(history, history[1:])]
print("each at most a quarter of the one before:", max(ratios[:5]) < 0.25, "visits", visits[:5])
err = du.copy_to_host() - exact
size = np.abs(err)
print(f"error {size.max():.6f} at", [tuple(int(k) for k in at) for at in np.argwhere(size > (1 - 1e-9) * size.max())])
plain = np.zeros((n, n))
for it in range(50):
    plain[1:-1, 1:-1] = 0.25 * (plain[:-2, 1:-1] + plain[2:, 1:-1] + plain[1:-1, :-2] + plain[1:-1, 2:] + h * h * f[1:-1, 1:-1])
print("Jacobi alone after 50: %.4f" % np.abs(plain - exact).max())
order = []
for m in (9, 17, 33):
    xs = np.linspace(0, 1, m)
    e = np.sin(np.pi * xs)[:, None] * np.sin(2 * np.pi * xs)
    u = cuda.to_device(np.zeros((m, m)))
    g = cuda.to_device(5 * np.pi ** 2 * e)
    for _ in range(8):
        vcycle(u, g, 1 / (m - 1))
    order.append(np.abs(u.copy_to_host() - e).max())
print("order of convergence", np.round(np.log2(np.array(order[:-1]) / order[1:]), 2))
