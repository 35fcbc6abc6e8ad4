import numpy as np
from numba import cuda


def polynomial(coefficients):
    """A kernel for a polynomial whose coefficients are constants in it."""
    degree = len(coefficients)

    @cuda.jit
    def evaluate(x, y):
        i = cuda.grid(1)
        if i < x.size:
            total = 0.0
            for k in range(degree):
                total = total * x[i] + coefficients[k]
            y[i] = total

    return evaluate


x = np.linspace(-1, 1, 33)
for coefficients in ((1.0, 2.0), (0.5, -1.0, 3.0), (2.0,)):
    y = np.zeros_like(x)
    polynomial(coefficients)[1, 64](x, y)
    np.testing.assert_allclose(y, np.polyval(coefficients, x), rtol=1e-14)

scale = 3


@cuda.jit
def scaled(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * scale


y = np.zeros_like(x)
scaled[1, 64](x, y)
scale = 100  # what a kernel was compiled with stays
scaled[1, 64](x, y)
np.testing.assert_array_equal(y, 3 * x)
