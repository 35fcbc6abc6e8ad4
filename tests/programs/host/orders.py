"""Sorting, running sums and counts along axes, of few elements and of many."""
import numpy as np
r = np.random.default_rng(3)
for dtype in (np.int8, np.uint16, np.int32, np.uint64, np.float32, np.float64, np.float16, np.bool_):
    a = (r.normal(size=3000) * 100).astype(np.int64).astype(dtype)
    if a.dtype.kind == "f":
        a[::7] = np.nan
        a[1::9] = -0.0
        a[2::9] = np.inf
    print(np.sort(a)[:5], np.argsort(a, kind="stable")[-5:], np.sort(a.reshape(50, 60), axis=0)[3, :4], np.argsort(a.reshape(3, 20, 50), axis=1, kind="stable")[1, 3, :5])
n = 1 << 20
b = r.integers(0, 1000, n)
s = np.sort(b)
print(s[::100000], np.argsort(b, kind="stable")[::100000])
c = r.normal(size=(4096, 300)).astype(np.float32)
print(np.sort(c, axis=1)[7, ::50], np.sort(c, axis=0)[::600, 5], np.argsort(c, axis=0, kind="stable")[::700, 9])
print(np.cumsum(b)[::200000], np.cumsum(c, axis=0)[-1, :3], np.cumsum(c, axis=1)[5, -3:], np.cumprod(c[:, :] * 0 + 1, axis=1).sum())
print(np.cumsum(b.astype(np.uint8))[-1], np.cumsum(c)[-1], np.cumsum(c > 0, axis=1)[3, -1])
print(np.bincount(b)[:5], np.bincount(b % 7, minlength=9), np.bincount(np.arange(5), weights=[1, 2, 3, 4, 5.]))
print(np.histogram(c, bins=5)[0], np.median(c), np.unique(b).size)
r = np.random.default_rng(4)
for n in (0, 1, 2, 3, 7, 8, 1000):
    a = np.sort(np.round(r.normal(size=n) * 8) / 4)
    if n > 7: a[-2:] = np.nan
    v = np.round(r.normal(size=600) * 9) / 4
    v[::50] = np.nan
    v[1::50] = np.inf
    for side in ("left", "right"):
        f = np.searchsorted(a, v, side=side)
        print(n, side, f.sum(), f[::37], f.dtype)
b = np.sort(r.integers(-50, 50, 300)).astype(np.int16)
w = r.integers(0, 60, (40, 20)).astype(np.uint8)
print(np.searchsorted(b, w).sum(), np.searchsorted(b, w, "right").shape, np.searchsorted(b, w, "right").sum(), np.searchsorted(b, w * 1.5).sum())
print(np.digitize(w, [3, 9, 30]).sum(), np.interp(np.linspace(0, 9, 700), np.arange(10), np.arange(10) ** 2).sum().round(6))
