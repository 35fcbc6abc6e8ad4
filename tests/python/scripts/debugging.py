import numpy as np
from numba import cuda


@cuda.jit(debug=True, opt=False)
def out_of_range(x, i):
    x[i] = 1


@cuda.jit(debug=True, opt=False)
def raises(x):
    if x[0] > 0:
        raise ValueError("positive")
    assert x[0] != -1, "minus one"


x = np.zeros(4)
out_of_range[1, 1](x, 3)
assert x[3] == 1
for run, kind in ((lambda: out_of_range[1, 1](x, 4), IndexError), (lambda: raises[1, 1](np.ones(1)), ValueError),
                  (lambda: raises[1, 1](-np.ones(1)), AssertionError)):
    try:
        run()
    except kind as error:
        assert "debugging.py" in str(error), error
    else:
        raise AssertionError(f"no {kind}")
raises[1, 1](np.zeros(1))
