# Blocks that a kernel's text is written for: the one that is chosen, what is said of another, and
# what is said where none suits. The results are those of NumPy.
cat >blocks.k <<'K'
from numba import cuda, float64, int32

TPB = 16


@cuda.jit
def matmul(A, B, C):
    sA = cuda.shared.array((TPB, TPB), float64)
    sB = cuda.shared.array((TPB, TPB), float64)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = 0.0
    for i in range((A.shape[1] + TPB - 1) // TPB):
        k = i * TPB
        sA[tx, ty] = A[x, k + ty] if x < A.shape[0] and k + ty < A.shape[1] else 0.0
        sB[tx, ty] = B[k + tx, y] if k + tx < B.shape[0] and y < B.shape[1] else 0.0
        cuda.syncthreads()
        for j in range(TPB):
            total += sA[tx, j] * sB[j, ty]
        cuda.syncthreads()
    if x < C.shape[0] and y < C.shape[1]:
        C[x, y] = total


@cuda.jit
def transposed(a, out):
    tile = cuda.shared.array((TPB, TPB + 1), float64)
    x = cuda.blockIdx.x * TPB + cuda.threadIdx.x
    y = cuda.blockIdx.y * TPB + cuda.threadIdx.y
    for j in range(0, TPB, TPB // 4):
        if y + j < a.shape[0] and x < a.shape[1]:
            tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = a[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TPB + cuda.threadIdx.x
    y = cuda.blockIdx.x * TPB + cuda.threadIdx.y
    for j in range(0, TPB, TPB // 4):
        if y + j < out.shape[0] and x < out.shape[1]:
            out[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


@cuda.jit
def sums(x, out):
    near = cuda.shared.array(TPB, float64)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * TPB + t
    near[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    half = TPB // 2
    while half > 0:
        if t < half:
            near[t] += near[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = near[0]


@cuda.jit
def grow(x):
    i = cuda.blockIdx.x * TPB + cuda.threadIdx.x
    if i < x.size:
        x[i] += 1


@cuda.jit
def two_sizes(x, y):
    x[cuda.blockIdx.x * TPB + cuda.threadIdx.x] = 1
    y[cuda.blockIdx.x * 2 * TPB + cuda.threadIdx.x] = 2


@cuda.jit
def small_tile(x):
    near = cuda.shared.array(TPB, float64)
    near[cuda.threadIdx.x] = 3
    x[cuda.blockIdx.x * 2 * TPB + cuda.threadIdx.x] = near[cuda.threadIdx.x]


@cuda.jit
def too_many(x):
    i = cuda.blockIdx.x * 64 + cuda.threadIdx.x
    j = cuda.blockIdx.y * 64 + cuda.threadIdx.y
    x[j, i] = 1


@cuda.jit
def any_block(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
K
cat >equal.py <<'P'
import sys
import numpy as np
rng = np.random.default_rng(1)
a, b, x = rng.integers(0, 9, (70, 50)) * 1.0, rng.integers(0, 9, (50, 90)) * 1.0, np.arange(1000.0)
if len(sys.argv) == 1:
    np.save("a.npy", a), np.save("b.npy", b), np.save("x.npy", x)
    sys.exit(0)
size = int(sys.argv[2])
padded = np.pad(x, (0, -len(x) % size)).reshape(-1, size).sum(1)
want = {"matmul": a @ b, "transposed": a.T, "sums": padded, "grow": x + 1}[sys.argv[1]]
sys.exit(not np.array_equal(np.load("out.npy"), want))
P
holds "$PYTHON" equal.py
fits() # kernel, grid that is chosen, TPB, the name of its result, arguments...
{
    kernel=$1 grid=$2 size=$3 result=$4
    shift 4
    expect 0 "$KJIT" run "blocks.k:$kernel" --device cpu -D TPB="$size" \
        --save "$result=out.npy" "$@"
    says out "^--grid $grid was chosen"
    silent err .
    holds "$PYTHON" equal.py "$kernel" "$size"
}
for size in 16 32; do
    across=$(((90 + size - 1) / size)) down=$(((70 + size - 1) / size))
    fits matmul "$down,${across}x$size,$size" $size C A=a.npy B=b.npy 'C=zeros((70, 90))'
    across=$(((50 + size - 1) / size))
    fits transposed "$across,${down}x$size,$((size / 4))" $size out a=a.npy 'out=zeros((50, 70))'
done
for size in 8 64 512; do
    blocks=$(((1000 + size - 1) / size))
    fits sums "${blocks}x$size" $size out x=x.npy "out=zeros($blocks)"
    fits grow "${blocks}x$size" $size x x=x.npy
done
# --forall and check choose the same block.
expect 0 "$KJIT" run blocks.k:grow --device cpu --forall 1000 'x=zeros(1000)'
says out 'max 1  sum 1000 '
expect 0 "$KJIT" check blocks.k:grow 'x=zeros(1000)'
expect 0 "$KJIT" check blocks.k:matmul 'A=ones((20, 40))' 'B=ones((40, 20))' 'C=empty((20, 20))'

# Of a block that a user gives and that does not suit there is a line, with one that does.
remark() # the remark, arguments of run...
{
    said=$1
    shift
    expect 0 "$KJIT" run "$@"
    says err "^remark: blocks\.k:$said suits$"
    expect 0 "$KJIT" run "$@" -q
    silent err .
}
remark '63 is for blocks of 16 threads along x, not of 8; --grid 63x16' \
    blocks.k:grow --device cpu --grid 125x8 'x=zeros(1000)'
remark '63 is for blocks of 16 threads along x, not of 32; --grid 63x16' \
    blocks.k:grow --device cpu --grid 32x32 'x=zeros(1000)'
remark '20 needs 16 threads along y, not 8; --grid 2,3x16,16' blocks.k:matmul --device cpu \
    --grid 3,5x8,8 'A=ones((20, 40))' 'B=ones((40, 40))' 'C=zeros((20, 40))'
remark '39 is for blocks of 32 threads along x, not of 16; --grid 2,3x32,8' blocks.k:transposed \
    -D TPB=32 --device cpu --grid 4,5x16,8 'a=ones((70, 50))' 'out=zeros((50, 70))'
expect 4 "$KJIT" check blocks.k:sums --grid 10x32 'x=ones(100)' 'out=zeros(10)'
says err '^remark: blocks\.k:47 has room for 16 threads along x, not for 32; --grid 10x16 suits$'
expect 0 "$KJIT" run blocks.k:grow --device cpu --grid 63x16 'x=zeros(1000)'
silent err .
expect 0 "$KJIT" run blocks.k:any_block --device cpu --grid 4x256 'x=zeros(1000)'
silent err .

# Where no block suits that is an error, until one is given.
refused() # what is in the way, and what asks for it, kernel, arguments...
{
    why=$1 reason=$2 kernel=$3
    shift 3
    expect 2 "$KJIT" run "blocks.k:$kernel" --device cpu "$@"
    says err "^kjit: no block suits all of $kernel: $why; $reason" '^note: .*--grid GxB'
    silent out .
}
refused 'blocks\.k:69 is for blocks of 32 threads along x, not of 16' \
    'blocks\.k:68 asks for 16 along x$' \
    two_sizes 'x=zeros(64)' 'y=zeros(128)'
refused 'blocks\.k:75 has room for 16 threads along x, not for 32' \
    'blocks\.k:76 asks for 32 along x$' \
    small_tile 'x=zeros(64)'
refused '64 x 64 x 1 are more than the 1024 threads of a block' blocks \
    too_many 'x=zeros((128, 128))'
expect 0 "$KJIT" run blocks.k:two_sizes --device cpu --grid 4x16 'x=zeros(64)' 'y=zeros(128)'
says out '^x .* sum 64 '
says err '^remark: blocks\.k:69 is for blocks of 32 threads along x, not of 16$'
