# How what goes along an axis lies in memory: sums and their like, running sums, sorts.
import numpy as np
a = np.asfortranarray(np.arange(24.0).reshape(4, 6))
t = np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)
s = np.arange(48.0).reshape(6, 8)[::2, ::-2]
for name, x in (("F", a), ("T3", t), ("S", s)):
    print(name, x.strides)
    print(x.sum(0).strides, x.sum(1).strides, x.cumsum(0).strides, x.cumsum(1).strides, x.cumsum().strides)
    print(x.mean(0).strides, x.max(0).strides, x.argmax(0).strides, x.argmax(1).strides)
    print(x.std(0).strides, x.var(1).strides, np.median(x, axis=0).strides, x.any(0).strides, (x > 2).all(1).strides)
    print(np.sort(x, axis=0).strides, np.argsort(x, axis=0).strides, np.cumprod(x, axis=0).strides, np.diff(x, axis=0).strides)
u = np.arange(24.0).reshape(2, 3, 4)
print(u.sum(0).strides, u.sum((0, 1)).strides, u.transpose(1, 2, 0).sum(2).strides, u.transpose(1, 2, 0).sum((0,)).strides, u.transpose(2, 1, 0).max(1).strides)
print(np.maximum.accumulate(a, axis=0).strides, np.maximum.accumulate(t, 1).strides, np.add.accumulate(a).strides, np.cumprod(t.astype(np.int8), axis=2).strides, np.cumsum(t, 0), np.sort(t, 0), np.sort(a[::-1], 1), a[::-1].cumsum(0).strides, np.nancumsum(a, axis=0).strides)
big = np.asfortranarray((np.arange(1200000) * 7919 % 10007).reshape(1000, 1200))
for y in np.sort(big, axis=0), np.cumsum(big, axis=1), np.argsort(big, 1, kind="stable"), np.cumprod(big % 3, axis=0):
    print(y.strides, y.dtype, y.sum(), y[3, 5:9], y[:3, 7])
v = np.asfortranarray(np.arange(30.0).reshape(5, 6) * 0.1)
w = (v[1:] + v[:-1].T.reshape(6, 4).T) * v[:-1]
print(w.sum(0).strides, w.sum(1).tolist(), (w * 1.1).cumsum(0).sum(), np.prod(w, axis=0).tolist(), w.argmax(0), w.min(axis=1))
