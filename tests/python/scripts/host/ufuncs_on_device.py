import math
import numpy as np
from numba import vectorize, guvectorize, cuda, float32, float64, int32, int64


@vectorize(["float32(float32, float32)", "float64(float64, float64)", "int64(int64, int64)"], target="cuda")
def rel_diff(x, y):
    return 2 * (x - y) / (x + y)


@vectorize([float64(float64, float64, float64)], target="cuda")
def gauss(x, mu, sigma):
    return math.exp(-0.5 * ((x - mu) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))


@cuda.jit(device=True)
def polar(r, t):
    return r * math.cos(t), r * math.sin(t)


@vectorize(["float32(float32, float32, float32, float32)"], target="cuda")
def polar_distance(r1, t1, r2, t2):
    x1, y1 = polar(r1, t1)
    x2, y2 = polar(r2, t2)
    return math.sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2)


@guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)", target="cuda")
def batch_matmul(A, B, C):
    m, n = A.shape
    n, p = B.shape
    for i in range(m):
        for j in range(p):
            s = float32(0)
            for k in range(n):
                s += A[i, k] * B[k, j]
            C[i, j] = s


@guvectorize([(int64[:], int64, int64[:])], "(n),()->(n)", target="cuda")
def addc(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] + y


@guvectorize([(float64[:], float64[:])], "(n)->()", target="cuda")
def mean(x, out):
    acc = 0.0
    for v in x:
        acc += v
    out[0] = acc / len(x)


rng = np.random.default_rng(3)
x, y = rng.random((2, 1000)) + 1
np.testing.assert_allclose(rel_diff(x, y), 2 * (x - y) / (x + y))
r = rel_diff(x.astype("f4"), y.astype("f4"))
print(r.dtype, rel_diff(x, 1.0).dtype)
out = np.empty_like(x)
ret = rel_diff(x, y, out=out)
np.testing.assert_allclose(out, 2 * (x - y) / (x + y))
np.testing.assert_allclose(gauss(x, 0.5, 2.0), np.exp(-0.5 * ((x - .5) / 2) ** 2) / (2 * np.sqrt(2 * np.pi)))
# broadcasting
np.testing.assert_allclose(rel_diff(x[:, None], y[None, :10]), 2 * (x[:, None] - y[None, :10]) / (x[:, None] + y[None, :10]))
dx, dy = cuda.to_device(x), cuda.to_device(y)
dr = rel_diff(dx, dy)
np.testing.assert_allclose(dr.copy_to_host(), 2 * (x - y) / (x + y))
s = cuda.stream()
dr2 = cuda.device_array_like(dx)
rel_diff(dx, dy, out=dr2, stream=s)
s.synchronize()
np.testing.assert_allclose(dr2.copy_to_host(), 2 * (x - y) / (x + y))
t = rng.random((4, 256)).astype("f4")
ref = np.hypot(t[0] * np.cos(t[1]) - t[2] * np.cos(t[3]), t[0] * np.sin(t[1]) - t[2] * np.sin(t[3]))
np.testing.assert_allclose(polar_distance(*t), ref, rtol=1e-4, atol=1e-5)
A, B = rng.random((6, 3, 4)).astype("f4"), rng.random((6, 4, 5)).astype("f4")
np.testing.assert_allclose(batch_matmul(A, B), A @ B, rtol=1e-5)
np.testing.assert_array_equal(addc(np.arange(12).reshape(3, 4), np.array([10, 20, 30])), np.arange(12).reshape(3, 4) + [[10], [20], [30]])
np.testing.assert_allclose(mean(rng.random((5, 7))).shape, (5,))
m = rng.random((5, 7))
np.testing.assert_allclose(mean(m), m.mean(1))
print("ok")
