"""Arrays by their elements in a row, and with axes in front."""
import numpy as np
a = np.arange(6).reshape(2, 3)
print(a.flat[4], [int(v) for v in a.flat], len(a.flat), a.T.flat[1])
a.flat[2] = 9
a.flat[3:5] = [7, 8]
print(a, sum(a.flat))
a.flat = 1
print(a)
print(np.array([1, 2, 3], ndmin=2).shape, np.array(5, ndmin=1), np.array([[1.0]], ndmin=3).shape)
print(np.array([1, 2, 3], ndmin=2, dtype=np.float32), np.array(a, ndmin=1).shape)
