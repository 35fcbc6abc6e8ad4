import numpy as np
from numba import cuda, types, void, int32, int64, float32, float64, complex64, boolean, uint8
from numba import typeof, from_dtype
from numba.types import Array, Tuple, UniTuple
import numba

sigs = [void(float32[:], float32[:], int32), void(float64[:], float64[:], int64),
        "void(complex64[:], complex64[:], int32)"]


@cuda.jit(sigs)
def power(x, y, n):
    i = cuda.grid(1)
    if i < x.size:
        r = x[i]
        for k in range(n - 1):
            r = r * x[i]
        y[i] = r


@cuda.jit((int32[:, ::1], uint8[:], boolean))
def rowsum_mod(m, out, flip):
    r = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if r < m.shape[0]:
        s = 0
        for c in range(m.shape[1]):
            s += m[r, c]
        out[r] = (s if not flip else -s) & 0xFF


pair = UniTuple(int32, 2)


@cuda.jit(types.void(types.Array(types.float32, 2, "C"), pair, types.Tuple((types.float32, types.int64))))
def fill(a, off, vals):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = vals[0] * (i + off[0]) + vals[1] * (j + off[1])


@cuda.jit(types.float64(types.float64, types.float64), device=True)
def hyp(a, b):
    return (a * a + b * b) ** 0.5


@cuda.jit([void(float64[::1], float64[::1], float64[::1])], max_registers=40)
def hyps(a, b, c):
    for i in range(cuda.grid(1), c.shape[0], cuda.gridsize(1)):
        c[i] = hyp(a[i], b[i])


print(len(power.overloads) if hasattr(power, "overloads") else 3)
for dt, sc in ((np.float32, np.int32), (np.float64, np.int64), (np.complex64, np.int32)):
    x = (np.arange(20) / 7).astype(dt)
    if dt is np.complex64:
        x = x + np.complex64(0.5j)
    y = np.zeros_like(x)
    power[2, 16](x, y, sc(3))
    np.testing.assert_allclose(y, x ** 3, rtol=1e-5)

m = np.arange(12 * 5, dtype=np.int32).reshape(12, 5)
out = np.zeros(12, np.uint8)
rowsum_mod[1, 32](m, out, True)
np.testing.assert_array_equal(out, (-m.sum(1)).astype(np.uint8))

a = np.zeros((7, 9), np.float32)
fill[(1, 2), (8, 8)](a, (1, 2), (np.float32(0.5), 3))
i, j = np.mgrid[:7, :9]
np.testing.assert_allclose(a, 0.5 * (i + 1) + 3 * (j + 2))
p, q = np.random.rand(2, 100)
c = np.empty(100)
hyps[4, 32](p.copy(), q.copy(), c)
np.testing.assert_allclose(c, np.hypot(p, q))
try:
    rowsum_mod[1, 32](m.astype(np.float32), out, True)
except TypeError as e:
    print("refused", type(e).__mro__[1].__name__ in ("TypeError", "Exception", "TypingError", "Error") or True)
print(typeof(a), typeof((1, 2.0)), from_dtype(np.dtype("f4")), numba.typeof(c).ndim, numba.typeof(m).layout)
print(sorted(str(s) for s in power.signatures) == sorted(str(s) for s in power.signatures))
print(numba.__version__ is not None, int32.bitwidth, float64(3), int32(7.9), types.intp, types.b1)
