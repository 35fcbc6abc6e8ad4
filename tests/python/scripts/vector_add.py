import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


n = 100_000
a = np.random.default_rng(1).random(n)
b = np.random.default_rng(2).random(n)
c = np.zeros(n)
threads = 128
add[(n + threads - 1) // threads, threads](a, b, c)
np.testing.assert_array_equal(c, a + b)

d = cuda.device_array_like(a)
add.forall(n)(cuda.to_device(a), cuda.to_device(b), d)
np.testing.assert_array_equal(d.copy_to_host(), a + b)
