import numpy as np

X = np.arange(-2**31, 2**31, 2**24).astype(np.int32)
A, B, C = X, X[(np.arange(256) * 37 + 11) % 256], X[(np.arange(256) * 101 + 77) % 256]


def _least(negative=-B):
    return {"out": np.minimum(np.minimum(A, negative), C)}


def _greatest():
    return {"out": np.maximum(np.maximum(A, -B), C)}


def of_a_magnitude():
    return _least(-np.abs(B))


first = second = third = nested = of_a_difference = of_a_complement = of_a_choice = _least
greatest_first = greatest_second = greatest_nested = of_a_function = of_bits = of_a_quotient = _greatest
