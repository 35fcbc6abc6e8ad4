"""Names that a module, its factories and the functions that a kernel calls each have of their own."""
import numpy as np
from numba import cuda

n = int(np.sum(np.arange(3)))
scale = 2
where = np.arange(2) + n


@cuda.jit(device=True)
def shifted(v):
    return v + n * 100 + scale + where[1]


def make(n, scale):
    where = (n, scale)

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = shifted(x[i]) + n * 10000 + scale * 1000000 + where[0]

    return kernel


def outer(k):
    @cuda.jit(device=True)
    def times(v):
        return v * k

    def inner(k):
        @cuda.jit
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = times(x[i]) + k * 100

        return kernel

    return inner


for args in ((7, 5), (8, 6)):
    x = np.arange(3)
    make(*args)[1, 8](x)
    print(x)
n = int(np.sum(np.arange(4)))
x = np.arange(3)
make(1, 2)[1, 8](x)
print(x)
for k in (2, 3):
    x = np.arange(3)
    outer(k)(9)[1, 8](x)
    print(x)


def defaulted(n, scale=10):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = shifted(x[i]) * scale + n

    return kernel


for kernel in (defaulted(1), defaulted(2, 3), defaulted(scale=5, n=0)):
    x = np.arange(3)
    kernel[1, 8](x)
    print(x)
