"""Arrays of more than four axes, powers of integers, and the truth of numbers."""
import numpy as np
a = np.arange(2*3*2*3*2*3).reshape(2, 3, 2, 3, 2, 3)
s = a.swapaxes(0, 2).swapaxes(1, 5)
print((a + s).sum(), (a * s[::-1]).sum(axis=(0, 3)).ravel()[:4])
b = a.transpose(5, 0, 3, 1, 2, 4)[:, :, ::2, ::-1]
c = b * 1.5 + b[:, ::-1]
print(c.shape, c.sum(axis=3).shape, c.sum(axis=3).ravel()[:5], c.max(axis=0).ravel()[-4:], np.mean(c, axis=(1, 4)).ravel()[:6])
d = np.zeros((2, 2, 2, 2, 2, 2, 2, 2))
d[..., 0, :, 1, :] = 3
d[1, :, 0] += np.arange(2)
print(d.sum(), d.sum(axis=7).shape, d.argmax(), d.argmin(axis=2).sum(), np.sort(d, axis=3).sum(), np.cumsum(d, axis=4)[1, 1, 1, 1, 1].ravel())
e = np.ones((1, 2, 3, 1, 2)) * np.arange(4).reshape(4, 1)
print(e.shape, e[:, 1, :, 2].T, (e > 1).any(axis=-2).shape)
print(np.where(e > 1, e, -e).std(), np.prod(e + 1, axis=3).shape, np.ptp(e, axis=3).shape)
print(np.stack([e, e]).shape, np.concatenate([e, e], axis=2).sum(), np.roll(e, 1, axis=3)[0, 0, 0])
f = a.astype(np.int16)
f[:, 1, ..., ::-1] //= 3
print(f.sum(), f[1, 1, 1, 1, 1])
print(np.outer(np.arange(3), a[0, 0, 0, 0]).shape, np.flip(a, axis=4)[0, 0, 0, 0], a.repeat(2, axis=3).shape)
g = a[::-1, :, None, 0, ..., None]
print(g.shape, (g - g.mean(axis=3, keepdims=True)).ravel()[::17])
v = np.array([3, 70000, 65536, 123457, 4294967295, 0], dtype=np.uint32)
w = v.copy()
w **= w
print(w)
print(v ** v, v ** 2, v ** np.uint32(3), v ** 70001)
b = np.array([3, 200, 255, 0], dtype=np.uint8)
print(b ** b, (b ** b).dtype)
c = np.array([-3, 7, -128, 0], dtype=np.int8)
print(c ** 3, c ** np.int8(5))
d = np.array([3, 2**40 + 1, 2**62 + 5, 0], dtype=np.uint64)
print(d ** d)
e = np.array([3, -2**40 + 1, 2**62 + 5, 0], dtype=np.int64)
print(e ** np.abs(e), np.power(e, np.abs(e)), np.power(e[:3], 3), 3 ** np.abs(e))
i = np.array([3, -7, 100001], dtype=np.int32)
print(i ** 100003, i ** np.abs(i))
print(np.logical_or(-128, np.arange(3, dtype=np.uint16)), np.logical_and(np.arange(3, dtype=np.uint8), 1000), np.logical_xor(-1, np.uint8(3)), np.logical_not(-128), np.logical_and(np.nan, [0., 1.]))
