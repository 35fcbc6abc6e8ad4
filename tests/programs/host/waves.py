# A wave on a string by array expressions, its energy on the way.
import numpy as np

N, STEPS, C = 201, 400, 0.5
x = np.linspace(0, 1, N)
u = np.exp(-200 * (x - 0.3) ** 2)
before = u.copy()
after = np.zeros_like(u)


def energy(u, before):
    speed = u - before
    slope = np.diff(u)
    return 0.5 * np.sum(speed ** 2) + 0.5 * C ** 2 * np.sum(slope ** 2)


start = energy(u, before)
for step in range(STEPS):
    after[1:-1] = 2 * u[1:-1] - before[1:-1] + C ** 2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    before, u, after = u, after, before
    if step % 100 == 0:
        print(f"{step:4d} {u.max():.6f} {u.min():.6f} at {int(np.argmax(u))}")
print(f"energy kept within a part of {abs(energy(u, before) / start - 1):.1e}" < "f")
print(np.round(u[::25], 5))
