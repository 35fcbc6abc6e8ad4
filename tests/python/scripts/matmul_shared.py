import math

import numpy as np
from numba import cuda, float32

TPB = 16


@cuda.jit
def fast_matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0.)
    for i in range((A.shape[1] + TPB - 1) // TPB):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and tx + i * TPB < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and ty + i * TPB < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            total += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = total


rng = np.random.default_rng(3)
A = rng.random((45, 23), dtype=np.float32)
B = rng.random((23, 37), dtype=np.float32)
C = cuda.device_array((45, 37), np.float32)
blocks = (math.ceil(C.shape[1] / TPB), math.ceil(C.shape[0] / TPB))
fast_matmul[blocks, (TPB, TPB)](cuda.to_device(A), cuda.to_device(B), C)
np.testing.assert_allclose(C.copy_to_host(), A @ B, rtol=1e-5)
