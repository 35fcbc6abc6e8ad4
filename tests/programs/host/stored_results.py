"""out= of running sums, arrays that are compared and differ in shape, dtypes of fields, bytes as
numbers."""
import numpy as np

a = np.arange(5, dtype=np.int32); np.cumsum(a, out=a); print(a)
o = np.empty((2, 2)); print(np.cumsum([[1, 2], [3, 4]], axis=1, out=o) is o, o, np.add.accumulate([1, 2, 3], out=np.zeros(3)))
for f in (lambda: np.testing.assert_array_equal(np.arange(3), np.arange(4)), lambda: np.testing.assert_allclose(np.zeros((2, 2)), np.zeros(2), err_msg="here")):
    try: f()
    except AssertionError as e: print(e)
np.testing.assert_array_equal(np.ones(3), 1); np.testing.assert_allclose([[1., 1.]], 1.0)
d = np.dtype([("x", "f4"), ("n", "i8")])
print(d["x"], d["n"].itemsize, d[1], d["x"] == np.float32)
try: d["zz"]
except KeyError as e: print("KeyError", e)
b = bytearray(b"hey"); print(np.array(b), np.array(b).dtype, np.array(b, dtype=np.int32) + 1)
for how in ({"rtol": 1e-3}, {"atol": 0.25, "err_msg": "said"}):
    try:
        np.testing.assert_allclose([1.0, 2.0], [1.0, 2.5], **how)
    except AssertionError as e:
        print(str(e).split("\n")[1:3])
