"""Elements of large arrays chosen by masks and by arrays of places: taken, stored, counted."""
import numpy as np


def show(name, x):
    x = np.asarray(x)
    weights = np.arange(x.size).reshape(x.shape) % 1009
    print(name, x.dtype, x.shape, x.ravel()[:4].tolist(), int(np.sum(x.astype(np.int64) * weights)))


n = 70000
draw = np.random.default_rng(3)
a = draw.integers(0, 1000, n)
f = draw.random(n).astype(np.float32)
at = draw.integers(-n, n, n)

# taken
show("places", a[at])
show("of two axes", a[at.reshape(700, 100)])
show("int32", a[at.astype(np.int32)])
show("uint32", a[(at + n).astype(np.uint32) % n])
show("mask", a[a > 500])
show("another's mask", a[f > 0.25])
show("none", a[a > 5000])
g = a.reshape(700, 100)
rows, columns = draw.integers(-700, 700, 900), draw.integers(0, 100, 900)
show("rows", g[rows])
show("columns", g[:, columns])
show("both", g[rows[:, None], columns])
show("beside a number", g[5, columns])
show("mask of two axes", g[g > 400])
show("turned", g.T[g.T > 400])
d = a.reshape(7, 100, 10, 10)
show("four axes", d[:, [1, 2, 3] * 30, :, [0, 1, 2] * 30])
show("beside a slice", d[:, [1, 2, 3] * 40, 1:])

# stored
b = a.copy()
b[b > 300] = 7
show("a number where true", b)
b = a.copy()
b[at] = np.arange(n)
show("the last stays", b)
b[at] = 3
show("a number", b)
b = a.copy()
b[at % 1000] += 1
show("added once", b)
b[f > 0.5] += 5
show("added where true", b)
b[f > 0.5] = np.arange(int((f > 0.5).sum()))
show("in order where true", b)
b = a.copy()
b[b] = b[::-1]
show("at its own places", b)
b = np.arange(2 * n)
b[::2][at] = np.arange(n)
show("in a view", b)
c = g.copy()
c[g > 400] = -1
show("where two axes are true", c)
c = g.copy().T
c[c > 400] = -1
show("turned", c)
c = g.copy()
c[rows] = np.arange(100)
show("rows", c)
c[rows, :] = np.arange(90000).reshape(900, 100)
show("different rows", c)
c[rows[:, None], columns] = np.arange(900 * 900).reshape(900, 900)
show("both", c)
e = d.copy()
e[:, [1, 2, 3] * 40, 1:] = np.arange(7 * 120 * 9 * 10).reshape(7, 120, 9, 10)
show("beside slices", e)
e[:, [1, 2, 3] * 40, :, [1, 5, 2] * 40] = np.arange(120 * 70).reshape(120, 7, 10)
show("apart", e)
z = np.zeros(n, complex)
z[at] = f * 1000j
show("complex", z.imag)

# found
for found in np.where(d > 900):
    show("where", found)
show("argwhere", np.argwhere(g > 900))
show("flatnonzero", np.flatnonzero(f > 0.1))
show("nonzero", np.nonzero(a)[0])
show("compress", np.compress(f > 0.4, a))
show("take", np.take(g, rows, axis=0))
for found in np.unique(a, return_inverse=True, return_counts=True):
    show("unique", found)
show("searchsorted", np.searchsorted(np.sort(f), draw.random(n).astype(np.float32)))

# What a mask leaves alone stays bit for bit, whatever the number is.
large = np.arange(n).astype(np.uint64) + np.uint64(18446744073709000000)
large[large % np.uint64(3) == 1] = 7
print(large[:3], large[-3:])
