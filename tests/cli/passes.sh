# What kernels become by what is known of a launch, and the remarks on it.

# Extents and scalars are constants for hot launches alone.
cat >hot.k <<'K'
@example(x=zeros(77, dtype=float32), n=5, f=float32(0.5), grid=2, block=64)
@cuda.jit
def k(x, n, f):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = n * f
K
expect 0 "$KJIT" build hot.k --emit ir --facts=hot --after=constants
says out 'lt\(i, 77\)'
says out '5'
expect 0 "$KJIT" build hot.k --emit ir --facts=launch --after=constants
says out 'lt\(i, extent\(x, 0\)\)'
expect 0 "$KJIT" build hot.k --emit ir --facts=hot --passes=-constants
says out 'extent\(x, 0\)'

# So are the strides that follow from them.
cat >rows.k <<'K'
@example(x=zeros((5, 77), dtype=float32), grid=1, block=(77, 5))
@cuda.jit
def k(x):
    i, j = cuda.grid(2)
    x[j, i] = i
K
expect 0 "$KJIT" build rows.k --emit cuda --facts=hot
says out '\* 77'
expect 0 "$KJIT" build rows.k --emit cuda --facts=launch
says out '\* x_1'

# Remarks on a launch speak of what runs: few threads are enough for the processor.
cat >few.k <<'K'
@example(x=ones(640, dtype=float32), y=zeros(640, dtype=float32), grid=10, block=64)
@cuda.jit
def k(x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i]
K
expect 0 "$KJIT" run few.k -q --device cpu --passes=all --remarks
says err 'each thread does the work of 4'
expect 0 "$KJIT" build few.k --emit cuda --facts=launch --remarks
silent err 'each thread does the work'

# IR that was printed is read again: by passes of one's own choice, to any stage.
cat >scale.ir <<'IR'
launch narrow
kernel scale(x: float32[::1], a: float32)
    i: int64 = grid(0)
    _i: int64 = i
    if lt(_i, extent(x, 0))
        store x[_i] = mul(load(x, _i), a)
IR
expect 0 "$KJIT" build scale.ir --emit ir
says out '_i: int64 = i'
says out 'launch narrow'
expect 0 "$KJIT" build scale.ir --emit ir --passes forward,dce,narrow
says out 'if lt\(i, extent<int32>\(x, 0\)\)'
expect 0 "$KJIT" build scale.ir --emit ir --facts none --passes narrow
says out 'i: int64 = grid\(0\)'
expect 0 "$KJIT" build scale.ir --emit cuda --passes all
says out '^#line [23] "scale.ir"'
expect 0 "$KJIT" build scale.ir --emit check
says out 'scale'
expect 0 "$KJIT" build scale.ir --emit remarks --passes all
expect 0 "$KJIT" build scale.ir --emit ir-full -o full.ir
expect 0 "$KJIT" build full.ir --emit c
says out '^#line [23] "scale.ir"'
printf 'kernel k(x: float32[::1])\n    store x[0] = popc(load(x, 0))\n' >popc.ir
for stage in cuda c check; do
    expect 1 "$KJIT" build popc.ir --emit $stage
    says err "popc.ir:1:8: error: 'k' needs popc of float32, which is not there"
done
expect 2 "$KJIT" build scale.ir --emit ir --passes forward,narow
says err "there is no pass 'narow'; did you mean 'narrow'\?$"
expect 2 "$KJIT" build scale.ir --emit ir --facts launch
says err 'facts of a launch need its arguments'
expect 2 "$KJIT" build scale.ir --emit so
says err "IR has no stage 'so'"
printf 'kernel k(x: float32[::1])\n    store y[0] = 1.0\n' >wrong.ir
expect 1 "$KJIT" build wrong.ir --emit cuda
says err "^wrong.ir:2:11: error: there is no variable 'y'"
expect 3 "$KJIT" build nowhere.ir --emit ir
expect 0 "$KJIT" build hot.k --emit ir --after=lower
says out '^kernel k'

# Code for blocks of one thread along an axis serves no launches whose blocks have more, whichever
# pass it was that asked.
cat >blocks.py <<'K'
import numpy as np
from numba import cuda

@cuda.jit
def count_first(out):
    if cuda.threadIdx.y == 0:
        cuda.atomic.add(out, 0, 1)

out = np.zeros(1, np.int64)
for block in (32, (32, 4)):
    count_first[2, block](out)
print(out)
K
for passes in all tensor persist coarsen none; do
    expect 0 env KJIT_PASSES=$passes "$KJIT" run blocks.py --device cpu
    says out '^\[128\]$'
done
