import numpy as np

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


def bounds_of_blocks():
    return _computed()


def bounds_of_clusters():
    return _computed()


def carveout_by_name():
    return {"x": X.reshape(2, 32)[:, ::-1].ravel()}


def carveout_in_percent():
    return carveout_by_name()
