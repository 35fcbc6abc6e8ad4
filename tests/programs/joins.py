"""What the kernels of joins.k leave."""
import numpy as np


def layouts_meet():
    m, f, x = np.arange(32).reshape(4, 8), np.full((4, 8), 7), np.arange(16)

    def row(i):
        a = f if i % 2 else m
        b = [m[:, ::2], m[1:], a][i % 3]
        t = (m, (x, i)) if i > 13 else (f, (x[::-1], 2.5))
        p, q = (m, f) if i > 3 else (f, m)
        return [a[1, 2] + 8, b[1, 2] + 100 * b.shape[0] + 1000 * b.shape[1],
                t[0][1, 1] + t[1][0][0] * 100 + t[1][1], p[1, 1] - q[1, 1],
                (m.T if i % 2 else m)[2, 3]]
    return {"out": np.array([row(i) for i in range(32)], dtype=float).T}


def parameters_become_views():
    m = np.arange(16).reshape(4, 4)

    def row(i):
        z = m.reshape(16)
        for _ in range(i // 2):
            z = z[::-1][1:]
        return [sum(range(16 - max(i, 1))), (m.T if i % 2 else m)[0, 1],
                z[0] + 100 * len(z), 8 + 3, 30]
    return {"out": np.array([row(i) for i in range(16)]).T}


def returned_views():
    x, m = np.arange(16), np.arange(16).reshape(4, 4)

    def row(i):
        v = x[1:] if i > 2 else m.T[0]
        e = [x, x[::-1], x[::2], x[::2], x[::2], x[::2], x[5:], x[5:]][i]
        h = x
        for _ in range(i % 4):
            h = h[len(h) // 2:]
        return [v[1] + len(v) * 100, i + 600 + i * 10000, e[1] + 100 * len(e), h[0], i,
                m[3, i % 4]]
    return {"out": np.array([row(i) for i in range(8)]).T}


def shared_and_global():
    src = np.arange(32.0)
    for _ in range(4):
        src = np.roll(src, -1) + 100
    i = np.arange(32)
    return {"out": np.where(i % 2, -i, src).astype(float)}


def tuples_meet():
    def row(i):
        t = (2.5, i, (3, 0)) if i % 2 else (1, i, (True, 2))
        a, b = 0, 1
        for _ in range(i % 8):
            a, b = b, a + b / 2
        return [t[0], t[1], t[2][0] + t[2][1], a]
    return {"out": np.array([row(i) for i in range(32)], dtype=float).T}


def other_kinds_when_loops_come_round():
    return {"out": np.array([8, 0.5 + 1.5 + 2.5, 1 + 1, 3])}
