import numpy as np
from numba import cuda, void, int32, float64
from numba.cuda import cg
import numba.cuda.cg as cg2


@cuda.jit(void(int32[:, ::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    rows = M.shape[0]
    cols = M.shape[1]
    for row in range(1, rows):
        opposite = cols - col - 1
        if col < cols:
            M[row, col] = M[row - 1, opposite] + 1
        g.sync()


@cuda.jit
def prefix(a, tmp):
    i = cuda.grid(1)
    grid = cg.this_grid()
    d = 1
    while d < a.size:
        v = a[i] + (a[i - d] if i >= d else 0)
        tmp[i] = v
        grid.sync()
        a[i] = tmp[i]
        grid.sync()
        d *= 2


A = np.zeros((16, 64), np.int32)
A[0] = np.arange(64)
R = A.copy()
for r in range(1, 16):
    R[r] = R[r - 1, ::-1] + 1
d = cuda.to_device(A)
sequential_rows[2, 32](d)
np.testing.assert_array_equal(d.copy_to_host(), R)
defn = next(iter(sequential_rows.overloads.values()))
mx = defn.max_cooperative_grid_blocks(32)
assert mx >= 1
a = np.random.randint(0, 9, 128)
ref = a.cumsum()
t = np.zeros_like(a)
prefix[4, 32](a, t)
np.testing.assert_array_equal(a, ref)


@cuda.jit
def warps(x, out):
    i = cuda.threadIdx.x
    lane = cuda.laneid
    v = x[i]
    off = 16
    while off > 0:
        v += cuda.shfl_down_sync(0xffffffff, v, off)
        off //= 2
    if lane == 0:
        cuda.atomic.add(out, 0, v)
    b = cuda.ballot_sync(0xffffffff, x[i] > 0.5)
    if lane == 0:
        cuda.atomic.add(out, 1, cuda.popc(b))
    if cuda.syncthreads_count(int32(x[i] > 0.5)) >= 0 and i == 0:
        cuda.atomic.max(out, 2, 77.0)


x = np.random.rand(64).astype(np.float32)
out = np.zeros(3)
warps[1, 64](x, out)
np.testing.assert_allclose(out, [x.sum(), (x > .5).sum(), 77], rtol=1e-5)
print("ok")
