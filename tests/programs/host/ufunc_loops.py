import numpy as np
from numba import njit, vectorize, guvectorize, float64, float32, int64


@vectorize
def double(x):
    return x + x


for a in (np.arange(3, dtype=np.float64), np.arange(3, dtype=np.int32), np.arange(3, dtype=np.int64), np.arange(3, dtype=np.float32)):
    r = double(a)
    print(r, r.dtype)


@vectorize
def other(x, y):
    return x * y + 1


i = np.arange(3)
for x, y in ((i, i), (i.astype(np.int32), i), (i * 1.5, i), (i, i * 1.5), (i.astype(np.int8), i.astype(np.int16)), (i.astype(np.float32), i.astype(np.float32))):
    r = other(x, y)
    print(r, r.dtype)

SCALE = 10


@vectorize
def scale(x):
    return x * SCALE


print(scale(i))
SCALE = 20
print(scale(i), scale(i * 0.5))
SCALE = 30
print(scale(i), scale(i * 0.5), scale(i + 1j))


@njit
def helper(v):
    return v + SCALE


@vectorize(["float64(float64)", "int64(int64)"])
def with_helper(x):
    return helper(x)


SCALE = 40
print(with_helper(i), with_helper(i * 0.5))


@guvectorize([(float64[:], float64, float64[:])], "(n),()->(n)")
def plus(x, s, out):
    for k in range(x.shape[0]):
        out[k] = x[k] + s * SCALE


SCALE = 50
print(plus(np.arange(2.0), 2))


@guvectorize(["void(float64[:], float64[:], int64[:], float64[:])"], "(n),(),()->()")
def pick(x, scale, index, out):
    out[0] = x[index[0]] * scale[0]


print(pick(np.arange(4.0), 2.5, 3), pick(np.arange(6.0).reshape(2, 3), np.array([1.0, 10.0]), np.array([0, 2])))


@guvectorize([(float32[:], float32[:, :]), (float64[:], float64[:, :])], "(n)->(n,n)")
def outer(x, out):
    for a in range(x.shape[0]):
        for b in range(x.shape[0]):
            out[a, b] = x[a] * x[b]


print(outer(np.arange(3, dtype=np.float32)).dtype, outer(np.arange(3.0))[2])
