"""A thread is a function of Python's here: what it raises ends it alone."""
import numpy as np

X = np.arange(-4, 4)


def _threads(out, body, x=X):
    for i, v in enumerate(x):
        try:
            body(out, i, int(v))
        except Exception:
            pass
    return {"out": out}


def _checked(ok, value=None):
    if not ok:
        raise ValueError
    return value


def a_raise():
    return {"out": np.where(X < 0, 1.0, 2.0)}


def an_assert():
    return {"out": np.where(X < 0, 1.0, 2.0)}


def in_a_function():
    return {"out": np.where(X < 2, 1.0, 2 * X - 2 + 10)}


def in_a_closure():
    return {"out": np.where(X + 7 < 10, -1.0, 9 - X)}


def before_a_barrier():
    other = X.reshape(2, 4)[:, ::-1].ravel()
    return {"out": np.where(X % 3 == 0, 1.0, other)}


def in_a_recursion():
    def deep(n):
        _checked(n <= 5)
        return 0 if n < 0 else deep(n + 1) + 1 if n % 2 else deep(n + 3) * 2

    def countdown(n):
        return 0 if n == 0 else countdown(_checked(n < 6, n) - 1) + n

    def body(out, i, v):
        out[i, 0] = 7
        out[i, 1] = countdown(v)
        out[i, 0] = deep(-v)

    return _threads(np.zeros((8, 2)), body, range(8))


def in_a_recursion_without_result():
    def mark(out, i, n):
        out[i] += 1
        _checked(n <= 3)
        if n != 0:
            mark(out, i, n + 1 if n > 0 else n // 2 + 1)
        out[i] += 10

    def body(out, i, v):
        mark(out, i, v)
        out[i] += 100

    return _threads(np.zeros(8), body)


def a_recursion_that_gives_a_tuple():
    def pair(n):
        _checked(n <= 4)
        while n > 1:
            n, m = pair(n - 1)
            _checked(m < 4)
        return n, n + 1

    def body(out, i, v):
        out[i] = -1
        a, b = pair(v)
        out[i] = a * 10 + b

    return _threads(np.zeros(8), body, range(8))


def arguments_are_computed():
    return {"out": np.array([2, 40, 1, 0, 0, 0, 0, 0])}
