import functools
from numba import cuda
from numba.core import types as nbtypes
def kernel(func=None, /, *, fastmath=False, name=None, **kw):
    if func is None:
        return functools.partial(kernel, fastmath=fastmath, name=name, **kw)
    return cuda.jit(func, fastmath=fastmath, **kw)
def timed_kernel(tag, fn=None):
    def wrap(f):
        k = kernel(f, name=tag)
        k.tag = tag
        return k
    return wrap if fn is None else wrap(fn)
@kernel
def a(x): x[0] = 1
@kernel(fastmath=True, name="b")
def b(x): x[0] = x[1] / 3
@timed_kernel("c")
def c(x): x[0] = 1
@cuda.jit(nbtypes.void(nbtypes.float64[::1]))
def d(x): x[0] = nbtypes.float32(0.1)
