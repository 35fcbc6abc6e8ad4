"""One kernel is right, another is not; only who asks for that one should hear of it."""
from numba import cuda
from mylab.private import secret_function, SECRET
import mylab.models as models


@cuda.jit
def good(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit
def bad(x):
    i = cuda.grid(1)
    x[i] = secret_function(x[i]) + undefined_name


@models.register("third")
@cuda.jit
def registered(x):
    x[cuda.grid(1)] = models.ONE


@cuda.jit
def also_good(x, y):
    i = cuda.grid(1)
    if i < min(x.size, y.size):
        y[i] = x[i] * 2
