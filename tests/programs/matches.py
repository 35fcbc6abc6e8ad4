import numpy as np


def _named(x):
    return {0: 10, 1: 20, 2: 20, -3: 30, 2.5: 25}.get(x, x if x > 100 else 0)


def literals():
    return {"out": np.array([_named(x) for x in range(-4, 5)] + [101.0, 25, 0])}


def strings():
    return {"out": np.array([-1, 1, 2, 3])}


def in_loops():
    out = []
    for i in range(6):
        count = 0
        for k in range(10):
            value = (k + i) % 4
            if value == 0:
                continue
            if value == 3 and k > 6:
                break
            count += 1 if value == 1 else value * 10
        out.append(-count if i % 3 == 1 else count)
    return {"out": np.array(out)}


def patterns_with_names():
    special = {1: 10, 2: 20, -3: -300, 6: 6000}
    return {"out": np.array([special.get(x, x) for x in range(-8, 24)])}
