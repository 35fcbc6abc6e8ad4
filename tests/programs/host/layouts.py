"""Rows and columns: order=, asfortranarray, and what keeps the order of an array."""
import numpy as np

a = np.arange(6).reshape(2, 3)
c = np.arange(24.0).reshape(2, 3, 4)
print(np.zeros_like(a.T), np.full_like(a.T, 2, dtype=np.float32), np.zeros_like(a, dtype=bool, order="F"))
for like in (np.zeros_like, np.ones_like, np.empty_like, np.copy, np.array, np.asarray, np.ascontiguousarray, np.asfortranarray):
    print(like(a).strides, like(a.T).strides, like(c.T).strides, like(a[:, ::2]).strides)
for order in ("C", "F", "A", "K"):
    print(order, np.array(a, order=order).strides, np.array(a.T, order=order).strides, np.zeros_like(a.T, order=order).strides)
    print(a.copy(order).strides, a.T.copy(order=order).strides, np.copy(a.T, order=order).strides, np.asarray(a.T, order=order).strides)
    print(a.ravel(order), a.T.ravel(order=order), a.flatten(order), np.ravel(a.T, order=order), c.ravel(order)[:5])
for order in ("C", "F"):
    print(a.reshape(3, 2, order=order), np.reshape(c, (4, 6), order=order), a.T.reshape(-1, order=order))
    print(c.reshape((3, -1, 2), order=order), np.array([[1, 2], [3, 4]], order=order).strides)
f = np.asfortranarray(a)
f[0, 1] = 9
print(f, a, np.asfortranarray(f) is f, np.asfortranarray(a, dtype=np.float32), np.asfortranarray([1, 2]).strides)
g = a.T
np.asarray(g, order="F")[0, 0] = -1
np.array(a, copy=False)[1, 1] = 7
np.array(a)[1, 1] = 70
print(a, a.reshape(3, 2, order="F").strides)
m = np.arange(12).reshape(3, 4)
m[range(2), (0, 1)] = [50, 60]
m[range(0, 3, 2)] += 100
print(m, m[(0, 2), 1:], m[range(3), [3, 2, 1]], m[:, range(1, 3)], m[[0, 1], (1, 2)])
q = np.arange(24).reshape(2, 3, 4).transpose(0, 2, 1)
print(q.ravel(order="K"), q.flatten("K"), q[::-1].ravel("K"), np.ravel(q.T[1:], "K"), q.ravel("A")[:4])
print(np.arange(24).reshape(4, 6).T[::2].ravel("K"), np.asfortranarray(q).ravel("K")[:4], np.arange(3).ravel("K"))
