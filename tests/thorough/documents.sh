# The Python of documents runs as it stands, cell by cell, and prints what they show. Two of its own,
# a notebook and one with numbered lines, and those that DOCUMENTS names, if it does.
export KJIT_CACHE=$KERNELS
cat >notebook.txt <<'END'
Doubling

A notebook in plain text has cells, what they print, and what they are.

In [1]:
%matplotlib inline
import numpy as np
import matplotlib.pyplot as plt
from numba import cuda, njit

Every thread doubles one element.

In [2]:
@cuda.jit
def double(x):
    i = cuda.grid(1)

    if i < x.size:
        x[i] *= 2

x = np.arange(2000, dtype=np.float32)
double[8, 256](x)
print(f'total={x.sum()}')
total=3998000.0
In [3]:
x
Out[3]:
array([0.000e+00, 2.000e+00, 4.000e+00, ..., 3.994e+03, 3.996e+03,
       3.998e+03], dtype=float32)
In [4]:
@njit
def added(x):
    s = 0.0
    for v in x:
        s += v
    return s

%timeit -n 3 added(x); cuda.synchronize()
print('the same:')
added(x)
19 ms ± 1 ms per loop (mean ± std. dev. of 7 runs, 3 loops each)
the same:
Out[4]:
3998001.0
In [5]:
draws = np.random.normal(size=3)
plt.plot(draws)
draws
Out[5]:
array([0.1, 0.2, 0.3])

It ends here.
END
cat >listing.txt <<'END'
Sums of neighbours

First comes what is needed:

1from numba import cuda
2import numpy as np

Then a kernel, and its launch:

 1@cuda.jit
 2def pairs(x, out):
 3    i = cuda.grid(1)
 4
 5    if i < out.size:
 6        out[i] = x[i] + x[i + 1]
 7
 8x = np.arange(6)
 9out = np.zeros(5, dtype=x.dtype)
10pairs[1, 32](x, out)
11print(out)

and the output:

$ python pairs.py
[1 3 5 7 9]
END
script=$ROOT/tests/documents.py
expect 0 "$PYTHON" "$script" "$KJIT" cpu notebook.txt listing.txt
says out '5 cells, 4 lines as in the document, 2 left out' 'what was timed' 'random draws' \
    '2 cells, 1 lines as in the document, 0 left out' '^2 passed, 0 failed'
# What a document shows and the program does not print is told.
sed -i 's/1 3 5 7 9/1 3 5 7 8/' listing.txt
expect 1 "$PYTHON" "$script" "$KJIT" cpu notebook.txt listing.txt
says out 'cell 2: not printed: \[1 3 5 7 8\]' '^1 passed, 1 failed'

if [ -z "$DOCUMENTS" ]; then
    skips 1 'DOCUMENTS names none'
else
    expect 0 "$PYTHON" "$script" "$KJIT" cpu $DOCUMENTS
    grep -v ' left out' out
fi
