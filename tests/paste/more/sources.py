"""Activities of sources, by rates of a package whose folders have no __init__.py."""
import pkg.deep.inner.rates
import pkg.deep.inner.rates as rates
from numba import cuda


@cuda.jit
def activities(t, out):
    i = cuda.grid(1)
    if i < t.size:
        out[i] = rates.decay(t[i]) + pkg.deep.inner.rates.HALF_LIFE
