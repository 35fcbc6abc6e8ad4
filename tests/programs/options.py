import numpy as np

from expect import fails

X = np.arange(64.0)


def _computed():
    return {"x": X * X + 1 + np.where(X < 10, 0, (X - 10) / 2)}


def inlining():
    return _computed()


def not_optimised():
    return _computed()


def debugged():
    return _computed()


def registers():
    return _computed()


def bounds_of_threads():
    return _computed()


@fails(2, r"a block of 72 threads, and the launch_bounds of beyond_its_bounds.* allow 64")
def beyond_its_bounds():
    return {}


def bounds_of_blocks():
    return _computed()


def bounds_of_clusters():
    return _computed()


def carveout_by_name():
    return {"x": X.reshape(2, 32)[:, ::-1].ravel()}


def carveout_in_percent():
    return carveout_by_name()


def many_registers():
    x = np.arange(1024.0)
    return {"x": sum(x[np.arange(1024) - back] for back in range(33))}
