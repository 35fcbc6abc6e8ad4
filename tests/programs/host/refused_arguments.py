"""Arguments of NumPy's functions and of the library's that are refused, not computed with."""
import csv
import itertools
import re

import numpy as np


def tried(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


kept = np.arange(5)
for function in (
        lambda: np.put(kept, [9], 1), lambda: np.put(kept, [0, -1], 7), lambda: kept,
        lambda: np.unravel_index(100, (2, 3)), lambda: np.unravel_index([5, -1], (2, 3)),
        lambda: np.unravel_index([5, 1], (2, 3)), lambda: np.ravel_multi_index((5, 5), (2, 3)),
        lambda: np.ravel_multi_index(([0, 1], [2, 0]), (2, 3)),
        lambda: np.histogram([np.nan, 1]), lambda: np.histogram([1, 2], bins=[3, 2, 1]),
        lambda: np.histogram([1, 2], bins=-1), lambda: np.histogram([1, 2, 2], bins=[1, 2, 2]),
        lambda: np.percentile([1, 2, 3], 101), lambda: np.quantile([1, 2], [-0.1]),
        lambda: np.quantile([1, 2], [0.0, 1.0]), lambda: np.diff(kept, n=-1),
        lambda: np.einsum("ii->", np.ones((2, 3))), lambda: np.einsum("i->k", np.ones(3)),
        lambda: np.einsum("ii->i", np.eye(2)), lambda: np.unpackbits(np.array([300])),
        lambda: np.binary_repr(-3, 2), lambda: np.binary_repr(-4, 3), lambda: np.binary_repr(9, 3),
        lambda: np.binary_repr(-3, 4), lambda: np.frombuffer(b"abcd", dtype="i4", offset=-4),
        lambda: np.array_split(kept, 0), lambda: np.repeat(kept, [1, 2]),
        lambda: np.repeat(kept, np.int8(2)), lambda: np.repeat(kept, [2]),
        lambda: np.repeat(kept, [1, -2, 3, 0, 0]), lambda: np.repeat([], 3),
        lambda: bytes.fromhex("abc"), lambda: list(csv.reader(['a,"b\n', 'c'])),
        lambda: list(csv.reader(['a,"b'])), lambda: re.match("a{5,2}", "a"),
        lambda: re.match("a{2,5}", "aaa").end(), lambda: list(itertools.combinations("ab", -1))):
    tried(function)


def divide(x):
    x /= 2


for function in (lambda: np.add(kept, 0.5, out=kept), lambda: divide(kept)):
    try:
        function()
    except TypeError as error:
        print("TypeError", error)
