"""An epidemic by differential equations, by four methods, and by chance."""
import numpy as np
from math import exp, inf


def sir(beta, gamma):
    def rate(t, y):
        s, i, r = y
        return np.array([-beta * s * i, beta * s * i - gamma * i, gamma * i])
    return rate


def euler(f, t, y, h):
    return y + h * f(t, y)


def heun(f, t, y, h):
    k1 = f(t, y)
    return y + h / 2 * (k1 + f(t + h, y + h * k1))


def rk4(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(step, f, y0, end, count):
    ts, ys = np.linspace(0, end, count + 1), [np.asarray(y0, dtype=float)]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        ys.append(step(f, t0, ys[-1], t1 - t0))
    return ts, np.array(ys)


def adaptive(f, y0, end, tolerance=1e-6, *, most=10_000):
    t, y, h, tried, kept = 0.0, np.array(y0, dtype=float), 0.1, 0, 0
    while t < end:
        if tried >= most:
            raise RuntimeError("too many steps")
        h = min(h, end - t)
        error = np.abs(heun(f, t, y, h) - rk4(f, t, y, h)).max()
        tried += 1
        if error <= tolerance:
            y, t, kept = rk4(f, t, y, h), t + h, kept + 1
        h *= min(2, max(0.2, 0.9 * (tolerance / (error + 1e-300)) ** (1 / 3)))
    return y, tried, kept


f = sir(0.9, 0.3)
start = (0.99, 0.01, 0.0)
reference = solve(rk4, f, start, 40, 4000)[1][-1]
print("end", np.round(reference, 8), "sum", round(float(reference.sum()), 12))
for step in (euler, heun, rk4):
    errors = []
    for count in (40, 80, 160):
        ts, ys = solve(step, f, start, 40, count)
        errors.append(np.abs(ys[-1] - reference).max())
    orders = [np.log2(a / b) for a, b in zip(errors, errors[1:])]
    print(f"{step.__name__:5}", *(f"{e:.2e}" for e in errors), "order", "%.1f" % orders[-1])
ts, ys = solve(rk4, f, start, 40, 400)
peak = ys[:, 1].argmax()
print(f"peak {ys[peak, 1]:.4f} at day {ts[peak]:.1f}; at most one in ten from {ts[np.argmax(ys[:, 1] > 0.1)]}")
y, tried, kept = adaptive(f, start, 40)
print("adaptive", np.abs(y - reference).max() < 1e-5, tried >= kept > 10)


def chance(people, beta, gamma, seed):
    rng = np.random.default_rng(seed)
    s, i, r, t, most = people - 5, 5, 0, 0.0, 5
    while i:
        infect, heal = beta * s * i / people, gamma * i
        t += rng.exponential(1 / (infect + heal))
        if rng.random() < infect / (infect + heal):
            s, i = s - 1, i + 1
        else:
            i, r = i - 1, r + 1
        most = max(most, i)
    return r, most, t


runs = np.array([chance(200, 0.9, 0.3, seed) for seed in range(6)])
print(runs[:, :2].astype(int).tolist(), "mean %.2f" % runs[:, 2].mean())
final = lambda r0, z=0.5: z if abs(z - (1 - exp(-r0 * z))) < 1e-12 else final(r0, 1 - exp(-r0 * z))
print("final size", round(final(3.0), 10), inf > final(1.5) > 0.5)
