"""What is stored where it is read from: through views, masks and lists of indices, in place."""
import numpy as np

a = np.arange(10)
a[1:] = a[:-1]
a[::2] += a[1::2]
a[::-1] += a
print(a)
a = np.arange(300.0)
a[1:] += a[:-1] * 2
a[:] = a[::-1]
print(a[:3], a[-3:], a.sum())
a = np.arange(400).reshape(20, 20)
a += a.T
a[1:, 1:] = a[:-1, :-1] + 1
print(a[3], a.sum())

a = np.arange(5)
a[[0, 0, 1]] += 1
a[a > 2] *= 10
a[np.array([3, 4])] -= 5
print(a)
a = np.arange(6).reshape(2, 3)
a[[1, 0]] = a
print(a)
a[a > 2] -= 3
print(a)
rows = [np.arange(3)] * 2
rows[0] += 1
rows[1][1:] *= 5
print(rows)
a = np.arange(24).reshape(2, 3, 4)
b = a[:, ::-1, 1:3][::-1]
b += 100
c = b[1, ::2]
c[:] = -1
print(a)

numbers = [1, 2]
same = numbers
numbers *= 2
numbers += numbers
print(same)
numbers = list(range(10))
del numbers[::3]
del numbers[::-2]
print(numbers)

# ravel() copies what does not lie row by row; reshape() does not where it need not.
for shape in ((1, 5), (5, 1), (5,), (1, 1, 5)):
    a, b = np.arange(5).reshape(shape), np.arange(5).reshape(shape)
    np.ravel(a[::-1])[:] = 9
    b[::-1].reshape(-1)[:] = 9
    print(shape, a.ravel(), b.ravel())
