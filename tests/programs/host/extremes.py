"""Where extremes of large arrays are, running sums, counts, and places in sorted arrays."""
import numpy as np

n = 100003
draw = np.random.default_rng(3)
a = draw.integers(-1000, 1000, n)
f = draw.random(n).astype(np.float32)
f[777] = f.max()
g = a[:100000].reshape(100, 1000)

# places of extremes
print(np.argmax(a), np.argmin(a), np.argmax(f), np.argmin(f), np.argmax(a > 990),
      np.argmin(a.astype(np.uint8)))
for x in (g, g.T, g.reshape(10, 100, 100), g > 900, g.astype(np.float32) * 0.5):
    for k in range(x.ndim):
        print(np.argmax(x, axis=k).sum(), np.argmin(x, k).ravel()[:5],
              np.argmax(x, axis=k, keepdims=True).shape)
h = g.astype(float)
h[5, 7], h[5, 3], h[5, 1] = np.nan, np.nan, np.inf
print(np.argmax(h), np.argmin(h), np.argmax(h, axis=1)[:8], np.argmin(h, axis=0)[:9])

# over all
print(a.max(), a.min(), a.sum(), f.max(), f.min(), h.max(), h.min(), g.T[1:].max())
print((a > 1000).any(), (a >= -1000).all(), (a > 990).any(), g[::2, ::3].sum())
print((a % 3 - 1).prod(), a.astype(np.int8).max(), a.astype(np.uint8).min(),
      a.astype(np.uint16).sum(), a.astype(np.float16).max())

# running
for dtype in (np.float32, np.float64, np.int32, np.uint64, np.int8):
    x = (f * 100).astype(dtype)
    print(x.cumsum()[-3:], x[:50].cumprod()[-3:], np.cumsum(x[::-3])[-2:])
    print(np.cumsum(x[:1000].reshape(10, 100), axis=0)[-1, -3:], np.cumsum(x, dtype=np.float64)[-1])
print(np.cumsum(f > 0.5)[-1], np.add.accumulate(f)[-1])

# counted
b = a + 1000
print(np.bincount(b)[:9], np.bincount(b.astype(np.uint8))[:5], np.bincount(b, minlength=3000).size)
print(np.bincount(b[::2].astype(np.int32), weights=f[::2])[:4], np.bincount([], minlength=3))

# found
s = np.sort(f)
print(np.searchsorted(s, f[:1000], "right")[:9], np.searchsorted(s, f[:1000])[:9])
print(np.searchsorted(np.sort(a), f[:100], side="right")[:4], np.digitize(f[:100], [0.1, 0.5])[:9])
for side in ("left", "right"):
    print(np.searchsorted(np.array([1.0, np.nan]), np.array([np.nan, 2.0, 1.0] * 50), side)[:4])
