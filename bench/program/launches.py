# What the launch of an empty kernel costs from host code; launches.c is the same by the C library.
from time import perf_counter

from numba import cuda

COUNT = 200000


@cuda.jit
def nothing(x):
    pass


def run(x, count):
    for _ in range(count):
        nothing[1, 1](x)


x = cuda.device_array(1)
run(x, 100)
best = 1e9
for _ in range(5):
    begin = perf_counter()
    run(x, COUNT)
    best = min(best, perf_counter() - begin)
    cuda.synchronize()
print(f"{1e6 * best / COUNT:.3f} us a launch")
