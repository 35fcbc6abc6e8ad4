"""Arithmetic of fields of packed records, whose elements lie at addresses that are no multiples of
their size."""
import numpy as np

R = np.dtype([("a", np.int8), ("b", np.int32), ("c", np.float64, (3,)), ("z", np.complex64)])
x = np.zeros(4, dtype=R)
x["b"] = np.arange(4)
print(x["b"] * 2, -x["b"], x["b"] > 1)
x["b"] += 1
x["b"][1:] *= 5
x["b"][::-1] -= x["b"]
x["a"] -= np.int8(2)
x["c"] += 0.5
x["c"] *= x["c"] + x["b"][:, None]
x["z"] += 1j
x[1]["b"] += 3
print(x["b"], x["a"], x["c"], x["z"])

table = np.zeros((2, 3), dtype=[("flag", np.int8), ("value", np.float64)])
table["value"] = np.arange(6.0).reshape(2, 3)
column = table["value"].T
print(column.sum(), column.max(axis=0), column.mean(axis=1), column.prod(), column.any(), column.var(), column.std(axis=0))
print((column + 1).strides, column.copy().strides, column.sum(axis=1, keepdims=True).ravel())
