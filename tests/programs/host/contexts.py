"""with: streams that are waited for behind it, memory that is pinned."""
import numpy as np
from numba import cuda


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def run(stream, x):
    with stream.auto_synchronize() as inside:
        d = cuda.to_device(x, inside)
        add_one[2, 32, stream](d)
        return d.copy_to_host(stream=stream)


a = np.arange(40.0)
stream = cuda.stream()
print(run(stream, a).sum())
with cuda.pinned(a):
    print("pinned", a[-1])
with cuda.defer_cleanup(), np.errstate(divide="ignore", invalid="ignore"):
    b = np.zeros(3) / np.array([0.0, 1.0, np.inf])
    for i in range(3):
        if i == 1:
            break
print(b, i, np.gradient(np.arange(6.0).reshape(2, 3) ** 2)[1])
