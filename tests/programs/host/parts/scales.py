from numba import cuda

FACTOR = 10.0


@cuda.jit(device=True)
def by(x):
    return x * FACTOR
