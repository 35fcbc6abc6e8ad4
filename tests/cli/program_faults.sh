# What kernels raise under debug: programs catch it by its class.
run="$KJIT run --device cpu"
cat >faults.py <<'K'
import numpy as np
from numba import cuda

@cuda.jit
def past(x):
    x[cuda.grid(1)] = 1

@cuda.jit
def picky(x):
    if x[0] > 0:
        raise ValueError("too large")
    assert x[0] == 0

x = np.zeros(4)
for kernel, value in (past, 0), (picky, 1), (picky, -1):
    x[0] = value
    try:
        kernel[1, 5](x)
        cuda.synchronize()
    except (IndexError, ValueError) as error:
        print(type(error).__name__, error)
    except AssertionError as error:
        print("assertion", error)
past[1, 4](x)
print(x)
picky[1, 1](x)
K
expect 3 $run --debug faults.py
says out '^IndexError faults.py:6:5: index 4 is out of range for axis 0 of size 4 \(block ' \
    '^ValueError faults.py:11:9: too large \(block \(0, 0, 0\), thread \(0, 0, 0\)\)$' \
    '^assertion faults.py:12:5: \(block ' \
    '^\[1\. 1\. 1\. 1\.\]$'
says err '^ValueError: faults.py:11:9: too large \(block '
