import numpy as np
a = np.array([1.5, 2.25, -1e-3, 100.0])
print(np.array2string(a, precision=4, floatmode="fixed"), np.array2string(a, precision=2, floatmode="maxprec_equal"))
print(np.array2string(np.array([1e-9, 1.0]), precision=3, floatmode="fixed"), np.array2string(np.float32([0.1, 2]), floatmode="fixed", precision=10))
print(np.array2string(np.arange(40) / 7, separator=", ", precision=5))
print(np.array2string(np.arange(12).reshape(3, 4), separator="; "), np.array2string(np.arange(5), separator=","))
print(np.array2string(a, formatter={"float_kind": lambda x: f"{x:8.3f}"}), np.array2string(np.arange(3), formatter={"int": lambda x: f"<{x}>"}))
np.set_printoptions(formatter={"float": "{: 0.3f}".format})
print(a, np.arange(3), np.float32([1, 2]))
print(np.eye(2))
np.set_printoptions(precision=3, suppress=True)
print(a)
np.set_printoptions(precision=8, suppress=False)
with np.printoptions(formatter={"all": lambda x: "x"}, floatmode="fixed"):
    print(a, np.arange(2), np.array([True]))
print(a)
with np.printoptions(precision=2, floatmode="fixed"):
    print(a, repr(np.float64([1, 2])))
with np.printoptions(floatmode="unique"):
    print(np.array([1 / 3, 0.1]), np.float32([1 / 3]))
t = np.dtype([("x", np.float32), ("y", np.float64), ("id", np.int32)])
r = np.array([(1, 0.5, 1), (0, 2, 20), (-3, 0.125, 3)], dtype=t)
print(r)
print(repr(r), r[1], r[["x", "id"]] if False else "")
q = np.zeros(3, dtype=[("pos", np.float64, (2,)), ("mass", np.float32), ("on", np.bool_)])
q["pos"] = [[1, 2], [3, 4.5], [0, 0]]
q["mass"] = [1, 2.5, 3]
print(q)
print(repr(q[:2]))
print(np.zeros((2, 2), dtype=[("a", np.int8)]), np.zeros(0, dtype=t), np.zeros(1, dtype=[("z", np.complex64), ("w", np.int64)]))
n = np.dtype({"names": ["x", "y"], "formats": [np.float32, "i4"]})
print(np.array([(1.5, 2)], dtype=n), n.names, n.itemsize, n)
print(np.average(np.arange(6.0).reshape(3, 2), axis=0, weights=[1, 2, 3]), np.average([[1, 2], [3, 4]], axis=1, weights=np.array([3, 1])), np.average([1, 2, 3], weights=[1, 1, 2]))
avg, w = np.average(np.arange(4.0), weights=np.ones(4), returned=True)
print(avg, w)
try:
    np.average([1, 2, 3], weights=[1, 2])
except TypeError as e:
    print(e)
try:
    np.average([1, 2], weights=[0, 0])
except ZeroDivisionError as e:
    print(e)
import numpy as np
t = np.dtype([("a", np.int8), ("b", np.float64)], align=True)
print(np.dtype("f4").str, np.zeros(1, bool).dtype.str, t.str, t.fields["b"], t.isalignedstruct, np.dtype(int).fields, np.int64(3).dtype, isinstance(np.dtype(int), np.dtype), isinstance(3,np.dtype))
