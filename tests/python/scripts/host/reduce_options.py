import operator
from functools import reduce as freduce
import numpy as np
from numba import cuda


@cuda.reduce
def sum_reduce(a, b):
    return a + b


maxi = cuda.reduce(lambda a, b: max(a, b))
product = cuda.Reduce(lambda x, y: x * y)


def absmax(a, b):
    if abs(a) > abs(b):
        return a
    return b


amax = cuda.reduce(absmax)

for n in (1, 2, 31, 33, 1000, 1024 * 3 + 5):
    A = np.arange(n, dtype=np.float64) + 1
    assert sum_reduce(A) == A.sum(), n
    assert maxi(A) == A.max()
    B = np.random.randint(-1000, 1000, n).astype(np.int64)
    assert abs(amax(B)) == np.abs(B).max()
    assert sum_reduce(B, init=10) == B.sum() + 10
    assert sum_reduce(B, size=max(1, n // 2)) == B[:max(1, n // 2)].sum()
    d = cuda.to_device(B)
    r = cuda.device_array(1, np.int64)
    s = cuda.stream()
    sum_reduce(d, res=r, stream=s)
    s.synchronize()
    assert r.copy_to_host()[0] == B.sum()
assert product(np.full(10, 2, np.int32), init=1) == 1024
assert sum_reduce(np.zeros(0)) == 0
f32 = np.random.rand(5000).astype(np.float32)
np.testing.assert_allclose(sum_reduce(f32), f32.sum(), rtol=1e-4)
print(type(sum_reduce(f32)).__name__, type(sum_reduce(np.arange(3))).__name__)
