import math

import numpy as np

X = np.arange(8.0)


def nested():
    return {"out": X * 2 + 10 + X * 2 + 0.5}


def reads_around():
    return {"out": (3 + X * 5) + (3 + 100)}


def lambdas():
    return {"out": X * X + 3 + 3 + (X + 1)}


def passed_on():
    return {"out": (X * 10 + 1) + (X * 10 + 3) + 3 + 5}


def star_arguments():
    return {"out": np.array([3.0, 11, 60])}


def literal_arguments():
    return {"out": np.array([6.0, 6, 7.5, -56 + 256])}


def arithmetic_on_literal_arguments():
    return {"out": np.array([400.0 + 10 + 2, 600 + 60 + 3, 1000 + 40 + 20])}


def intrinsics_as_arguments():
    return {"out": np.array([64, 31], np.int32)}


def strings_as_arguments():
    return {"out": np.array([1, 2, 3], np.int32)}


def recursion():
    fibonacci = [0, 1]
    while len(fibonacci) < 10:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    return {"out": np.array([[math.factorial(i) for i in range(10)], fibonacci])}


def keywords():
    return {"out": np.array([123, 124, 653, 111])}


def literals_of_several_lambdas():
    return {"out": np.array([9.0])}


def recursion_of_several_types():
    out = np.zeros((32, 5))
    for i in range(32):
        out[i, 0] = math.factorial(i % 7)
        out[i, 1] = i if i > 5 else -1
        out[i, 2] = i + 6.5
        out[i, 3] = i
    return {"out": out}


def defaults_of_the_place():
    return {"out": np.array([206, 37.5, 0, 0, 4 * 8 + 60 + 100, 7, 4, 0, 0, 0])}


def functions_that_call_their_neighbours():
    a, out = np.arange(6), np.zeros(7)
    y = a[1]
    g = lambda x: x + y
    h = lambda x: g(x) * 2
    deeper = lambda x: h(x) * 3 + g(x) + 100.0
    out[0], out[1] = h(3), deeper(1)
    y = 2.5
    out[2], out[3] = h(3), deeper(1)
    for i in range(2, 5):
        y = a[i]
        out[4] += h(i)
        out[5] += a[i] + y + g(i)
    out[6] = h(1) + g(1)
    return {"out": out}


def arrays_of_functions_inside():
    i = np.arange(64)
    odd = i % 2
    b = np.where(odd, i + 4, i + 3)
    return {"out": np.array([b + 2, 12 + b, 14 + 0 * i, 26 + 0 * i, 31 - i % 32 + i // 32 * 32]).T * 1.0}
