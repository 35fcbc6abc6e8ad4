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
