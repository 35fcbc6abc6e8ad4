"""Transforms, ufunc.at(), percentiles, shapes, places, sets: what NumPy has beside the usual."""
import numpy as np


def show(name, x, digits=9):
    if isinstance(x, (tuple, list)):
        for y in x:
            show(name, y, digits)
        return
    x = np.asarray(x)
    if x.dtype.kind in "fc":
        print(name, x.dtype, x.shape, (np.round(x.ravel()[:8], digits) + 0.0).tolist())
    else:
        print(name, x.dtype, x.shape, x.ravel()[:8].tolist())


r = np.random.default_rng(5)
z = r.normal(size=30)
z2 = r.normal(size=(12, 10))
for n in (5, 8, 30, 37, 67):
    q = r.normal(size=n)
    show("fft", np.fft.fft(q))
    show("rfft", np.fft.rfft(q))
    show("irfft", np.fft.irfft(np.fft.rfft(q), n))
    show("ifft", np.fft.ifft(q, norm="ortho"))
show("fft2", (np.fft.fft2(z2), np.fft.ifft2(z2), np.fft.fftn(z2), np.fft.rfft2(z2),
              np.fft.irfft2(np.fft.rfft2(z2)), np.fft.fft(z2, axis=0), np.fft.fft(z2, 4),
              np.fft.fft(z2.astype(np.float32)).real.astype(float)), 5)
a = np.zeros(5)
np.add.at(a, [0, 1, 1, -1], [1.0, 2.0, 3.5, 1])
show("at", a)
a = np.zeros((3, 4), int)
np.add.at(a, ([0, 1, 1], [2, 3, 3]), 5)
show("at", a)
a = np.arange(40, dtype=np.float32)
i = r.integers(0, 40, 500)
b = r.normal(size=500).astype(np.float32)
np.add.at(a, i, b)
show("at", a, 20)
np.subtract.at(a, i, b)
show("at", a, 20)
np.maximum.at(a, i, b)
np.minimum.at(a, i, 2 * b)
np.multiply.at(a, i, b + 1)
show("at", a, 20)
a = np.arange(40, dtype=np.int8)
np.add.at(a, i, i.astype(np.int8))
show("at", a)
a = np.zeros(40)
np.add.at(a, i, 1)
show("at", a)
show("outer", (np.add.outer([1, 2], [3.0, 4]), np.multiply.outer(z2[:2, :2], [1, 2]),
               np.subtract.outer(np.arange(3), np.arange(2)), np.maximum.outer([1, 5], [3, 4])))
show("reduceat", (np.add.reduceat(np.arange(10), [0, 4, 2, 8]), np.add.reduceat(z2, [0, 3, 5])))
show("partition", (np.sort(np.partition(z, 5)[:5]), np.partition(z, 5)[5],
                   np.sort(np.argpartition(z, 5)[:6])))
zn = z2.copy()
zn[2, 3] = np.nan
show("nan", (np.nanpercentile(zn, 30), np.nanpercentile(zn, [30, 50], axis=1),
             np.nanquantile(zn, 0.5, axis=0), np.nanprod(zn), np.nancumprod(zn)))
show("h2d", np.histogram2d(r.normal(size=200), r.normal(size=200), bins=4))
show("h2d", np.histogram2d(r.normal(size=200), r.normal(size=200), bins=(3, 2), range=[[-1, 1], [0, 2]]))
show("unwrap", (np.unwrap(np.cumsum(z) % 6), np.unwrap(z2 * 4, axis=0)))
show("shapes", (np.concat([z[:2], z[:1]]), np.permute_dims(z2).shape, np.matrix_transpose(z2)[:1],
                np.vecdot(z2, z2), np.dsplit(np.arange(16).reshape(2, 2, 4), 2),
                np.rollaxis(np.zeros((2, 3, 4)), 2).shape,
                np.rollaxis(np.zeros((2, 3, 4)), 0, 3).shape, np.resize([1, 2, 3], (2, 4)),
                np.trim_zeros(np.array([0, 0, 1, 2, 0]))))
show("broadcast", np.broadcast_arrays([[1], [2]], [3, 4]))
show("ix", np.arange(20).reshape(4, 5)[np.ix_([0, 2], [1, 3])])
print(np.s_[1:3], np.arange(9)[np.s_[::2]])
show("diag", np.eye(3)[np.diag_indices(3)])
show("tri", z2[:3, :3][np.triu_indices_from(z2[:3, :3])])
a = np.arange(12).reshape(3, 4)
np.put(a, [0, -1], [7, 8])
show("put", a)
np.place(a, a > 5, [1, 2])
show("place", a)
np.putmask(a, a < 2, 9)
np.copyto(a, 3, where=a == 9)
show("copyto", a)
np.put_along_axis(a, np.array([[1], [0], [2]]), -5, 1)
show("paa", a)
show("piecewise", np.piecewise(z, [z < 0, z >= 1], [lambda t: -t, 5, lambda t: t * 2]))
f = np.vectorize(lambda a, b: a + b if a > b else a - b)
show("vectorize", f(np.arange(4), 2))
show("vectorize", f([[1.5], [2]], [0, 3]))
show("el", (np.float_power([1, 2], 2), np.logaddexp(1.0, 2.0), np.logaddexp([1, 1000.0], [1, 3]),
            np.logaddexp2(1.0, 2.0), np.isneginf([1, -np.inf]), np.isposinf(np.inf),
            np.iscomplex([1, 2j]), np.isreal([1, 2j]), np.bitwise_not([1, 2])))
show("sets", (np.isin([1, 2, 3], [2, 5]), np.setxor1d([1, 2, 3, 3], [2, 5]),
              np.unique_values([3, 1, 1]), np.bartlett(7)))
print(np.array_repr(np.arange(3)), np.array2string(np.arange(3)), np.base_repr(10), np.base_repr(-255, 16))
np.testing.assert_almost_equal(1.00000001, 1.0)
np.testing.assert_array_almost_equal([1.0], [1.0000001])
np.testing.assert_array_less([1], [2])
for a, b in [((3, 0), (1, 2, 0, 4)), ((0, 2), (1, 2, 0)), ((2, 0), (1, 0, 3))]:
    show("empty", np.dot(np.zeros(a), np.zeros(b)))
show("pad", np.pad(np.arange(6).reshape(2, 3), ((1, 2),), mode="symmetric"))
