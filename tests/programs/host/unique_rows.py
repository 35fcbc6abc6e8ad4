# np.unique() along an axis, np.corrcoef() of columns.
import numpy as np
a = np.array([[3, 1], [1, 2], [3, 1], [1, 0], [1, 2]])
print(np.unique(a, axis=0), np.unique(a, axis=1), np.unique(a.astype(np.float32), axis=0).dtype)
for v in np.unique(a, axis=0, return_index=True, return_inverse=True, return_counts=True):
    print(v, v.dtype)
b = (np.arange(48) * 7 % 5 // 2).reshape(4, 3, 4)
for axis in (0, 1, 2, -1):
    u, c = np.unique(b, axis=axis, return_counts=True)
    print(u.shape, c, u.ravel())
print(np.unique(np.array([3, 1, 3]), axis=0), np.unique(np.zeros((0, 2)), axis=0).shape, np.unique(np.array([[1.5, -0.0], [1.5, 0.0]]), axis=0))
x = np.arange(12.0).reshape(4, 3) ** 1.5
print(np.corrcoef(x, rowvar=False), np.corrcoef(x[0]), np.corrcoef(x[:, 0], x[:, 1]).shape, np.corrcoef(x, x, rowvar=False).shape)
