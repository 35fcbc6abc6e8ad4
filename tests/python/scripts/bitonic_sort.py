import numpy as np
from numba import cuda


@cuda.jit
def exchange(x, j, k):
    i = cuda.grid(1)
    partner = i ^ j
    if partner > i:
        ascending = (i & k) == 0
        if (x[i] > x[partner]) == ascending:
            x[i], x[partner] = x[partner], x[i]


n = 1 << 12
x = np.random.default_rng(11).random(n).astype(np.float32)
d = cuda.to_device(x)
k = 2
while k <= n:
    j = k >> 1
    while j > 0:
        exchange[n // 256, 256](d, j, k)
        j >>= 1
    k <<= 1
np.testing.assert_array_equal(d.copy_to_host(), np.sort(x))
