# Kernels that crash on the processor end in a message and status 3, not in a bare signal.
cat >crash.k <<'K'
@cuda.jit
def far(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i * 1000000000]


@cuda.jit(device=True)
def down(n):
    if n < -5:
        return n
    return down(n + down(n + 1)) + 1


@cuda.jit
def deep(out):
    out[cuda.grid(1)] = down(cuda.grid(1))


@cuda.jit
def shared(out):
    tile = cuda.shared.array(16, float32)
    for i in range(1000000):
        tile[i] = i
    out[0] = tile[3]
K
expect 3 "$KJIT" run crash.k:far --device cpu 'x=ones(8)' 'out=ones(8)'
says err '^kjit: the kernel far crashed \(out-of-bounds access\?\); run it with --debug'
expect 3 "$KJIT" run crash.k:far --device cpu 'x=ones(8)' 'out=ones(8)' --debug
says err 'crash.k:5:.*IndexError'
cat >crash.py <<'K'
from numba import cuda
import numpy as np


@cuda.jit
def far(x, n):
    x[cuda.grid(1) + n] = 1


far[1, 32](np.zeros(10), 1 << 40)
K
expect 3 "$KJIT" run crash.py --device cpu
says err '^kjit: a kernel of the program crashed \(out-of-bounds access\?\); run it with --debug'
expect 3 "$KJIT" run crash.py --device cpu --debug
says err '^IndexError: crash.py:7:5: index 1099511627776'
expect 3 "$KJIT" run crash.k:shared --device cpu 'out=ones(8)' --grid 1x1
says err '^kjit: the kernel shared (crashed|damaged memory) '
for grid in 1x1 8x2; do
    expect 3 "$KJIT" run crash.k:deep --device cpu 'out=ones(16)' --grid $grid
    says err 'the kernel deep crashed: its stack is full \(endless recursion\?\)'
done
