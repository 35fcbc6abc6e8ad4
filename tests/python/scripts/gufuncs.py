import numpy as np
from numba import cuda, float64, guvectorize, int64


@guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)", target="cuda")
def matmulcore(A, B, C):
    m, n = A.shape
    n, p = B.shape
    for i in range(m):
        for j in range(p):
            C[i, j] = 0
            for k in range(n):
                C[i, j] += A[i, k] * B[k, j]


rng = np.random.default_rng(9)
A = rng.random((100, 2, 4), dtype=np.float32)
B = rng.random((100, 4, 5), dtype=np.float32)
np.testing.assert_allclose(matmulcore(A, B), A @ B, rtol=1e-5)
np.testing.assert_allclose(matmulcore(A[0], B), A[0] @ B, rtol=1e-5)
C = matmulcore(cuda.to_device(A), cuda.to_device(B))
np.testing.assert_allclose(C.copy_to_host(), A @ B, rtol=1e-5)


@guvectorize([(int64[:], int64, int64[:])], "(n),()->(n)", target="cuda")
def shift(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] + y


x = np.arange(6).reshape(2, 3)
np.testing.assert_array_equal(shift(x, np.array([10, 20])), x + [[10], [20]])


@guvectorize([(float64[:], float64[:])], "(n)->()", target="cuda")
def mean(x, out):
    total = 0.0
    for value in x:
        total += value
    out[0] = total / x.size


np.testing.assert_allclose(mean(rng.random((7, 5))).shape, (7,))
np.testing.assert_allclose(mean(x.astype(float)), x.mean(1))
