# How the axes of what is made of arrays lie in memory: what reshape() has to copy, and ravel("K") shows.
import numpy as np


def shared(x):
    y = x.reshape(-1)
    y[0] = 99
    return int((x == 99).sum())


def show(what, x):
    print(what, x.shape, x.ravel("K").tolist(), shared(x))


c = np.arange(12).reshape(3, 4) * 1.0
f = np.asfortranarray(c)
b = np.broadcast_to(np.arange(4), (3, 4))

show("rows first", c + f)
show("columns first", f + c)
show("columns", f + f)
show("a row", c[0] + f)
show("a column", f + c[:, :1])
show("three", (f + f) + c[:, :1])
show("repeated", b + 1)
show("repeated and columns", b + f)
show("chosen", np.where(f > 2, c, f))
show("chosen by columns", np.where(f > 2, f, 0))
show("steps", f[:, ::2] + f[:, ::2])
show("backwards", f[::-1] + 1)
show("clipped", np.clip(f, 1, 5))
show("compared", (f > c) + 0)
show("converted", f.astype(np.int8))
show("converted sum", (f + 1).astype(np.int64))
show("converted repeated", b.astype(np.float32))
show("copied repeated", np.copy(b))
show("like repeated", np.zeros_like(b))
show("full", np.full_like(f, 2))
show("copied", f.copy())
show("copied as it lies", f.copy("K"))
show("array", np.array(f, dtype=np.float32))
show("asarray", np.asarray(f, np.int64))
show("flat", f.flatten("K"))
show("reshaped", f.copy("K").reshape((4, 3), order="F"))

t = np.arange(24).reshape(2, 3, 4)
for axes in ((0, 2, 1), (1, 0, 2), (2, 0, 1), (2, 1, 0), (1, 2, 0)):
    for v in (t.transpose(axes), t.transpose(axes)[::-1], t.transpose(axes)[:, ::2]):
        show(axes, v + 0)
        show("astype", v.astype(np.float32))
        show("copy", np.copy(v))
        show("ones", np.ones_like(v))
u = t.transpose(2, 0, 1)[:, ::2]
v = t.transpose(1, 2, 0)
show("an axis of one", u + np.arange(3))
show("an axis more", (u[:, 0] + u[:, 0])[:, None] + u)
show("three and rows", v + t.reshape(3, 4, 2))
show("three and one", v * np.arange(4)[:, None] + v)
show("parts", v[:1] + v[:, :, :1])

# Sums of floats are added in the order in which the elements lie.
q = np.reciprocal((np.arange(22) % 7 + 1.5).reshape(2, 11).T)
print(np.var(q.astype(np.float32)), np.var(q), np.sum(q + 0.1), np.mean(q.astype(np.float64)))
print(np.asarray(f).reshape(12).tolist())
