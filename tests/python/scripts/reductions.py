import numpy as np
from numba import cuda

sum_reduce = cuda.reduce(lambda a, b: a + b)


@cuda.reduce
def max_reduce(a, b):
    return max(a, b)


@cuda.jit
def array_sum(data):
    tid = cuda.threadIdx.x
    size = len(data)
    if tid < size:
        i = cuda.grid(1)
        shr = cuda.shared.array(256, np.int64)
        shr[tid] = data[i]
        cuda.syncthreads()
        s = 1
        while s < cuda.blockDim.x:
            if tid % (2 * s) == 0 and tid + s < size:
                shr[tid] += shr[tid + s]
            s *= 2
            cuda.syncthreads()
        if tid == 0:
            data[tid] = shr[tid]


A = np.arange(1234, dtype=np.float64) + 1
assert sum_reduce(A) == A.sum()
assert sum_reduce(cuda.to_device(A[::-1].copy()), init=5) == A.sum() + 5
assert max_reduce(np.array([3, 9, 2], np.int32)) == 9
assert sum_reduce(np.zeros(0), init=7) == 7
result = cuda.device_array(1, np.float64)
sum_reduce(A, res=result)
assert result[0] == A.sum()

a = cuda.to_device(np.arange(256))
array_sum[1, 256](a)
assert a[0] == sum(range(256))
