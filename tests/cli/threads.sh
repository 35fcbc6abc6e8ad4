# Threads of a block that wait for one another.
cat >deadlock.k <<'K'
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def deadlock(out):
    t = cuda.threadIdx.x
    if t == 0:
        cuda.syncthreads()
    else:
        cuda.syncwarp()
    out[t] = 1
K
expect 3 "$KJIT" run deadlock.k --device cpu
says err 'waits for ever'

# A block that has ended does not come to where the others wait for the grid.
cat >grid_deadlock.k <<'K'
@example(out=zeros(32, dtype=int32), grid=4, block=32)
@cuda.jit
def grid_deadlock(out):
    if cuda.blockIdx.x == 3:
        return
    cuda.cg.this_grid().sync()
    out[cuda.threadIdx.x] = 1
K
expect 3 "$KJIT" run grid_deadlock.k --device cpu
says err 'waits for ever: some blocks wait for the grid'

# Where not all threads may come to a barrier, they are no loops, which a remark says.
cat >parting.k <<'K'
@cuda.jit(device=True)
def meet(i):
    if i < 32:
        cuda.syncthreads()
    else:
        cuda.syncthreads()
@example(out=zeros(64, dtype=int32), grid=1, block=32)
@cuda.jit
def parting(out):
    for i in range(2):
        meet(cuda.threadIdx.x + i * 32)
        out[cuda.threadIdx.x] += 1
@example(out=zeros(64, dtype=int32), grid=1, block=32)
@cuda.jit
def together(out):
    for i in range(2):
        cuda.syncthreads()
        out[cuda.threadIdx.x] += 1
@example(out=zeros((3, 32), dtype=int32), grid=(1, 3), block=32)
@cuda.jit
def as_the_block_says(out):
    for i in range(cuda.blockIdx.y):
        cuda.syncthreads()
        out[cuda.blockIdx.y, cuda.threadIdx.x] += 1
K
for passes in all none; do
    expect 0 env KJIT_PASSES=$passes "$KJIT" run parting.k:parting --device cpu --remarks
    says err 'parting.k:3:5: remark: each thread of a block stops and goes on by itself'
    expect 0 env KJIT_PASSES=$passes "$KJIT" run parting.k:together --device cpu --remarks
    silent err 'stops and goes on'
    expect 0 env KJIT_PASSES=$passes "$KJIT" run parting.k:as_the_block_says --device cpu --remarks
    silent err 'stops and goes on'
done
# How long tiles are follows from how many threads blocks run on; what comes out does not. Turns
# that have nothing to do with one another are shared by more threads than were asked for.
cat >turns.k <<'K'
from numba import cuda, float32
@cuda.jit
def sums(x, out):
    sum = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        sum = sum * float32(0.5) + x[i]
    out[cuda.grid(1)] = sum
@cuda.jit
def doubled(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] * 2
K
for threads in 1 2 16; do
    expect 0 env OMP_NUM_THREADS=$threads "$KJIT" run turns.k:sums --device cpu -q --grid 64x64 \
        'x=normal(100003,seed=1,dtype=float32)' 'out=zeros(4096,dtype=float32)' \
        --save "out=$threads.npy"
    holds cmp $threads.npy 1.npy
    expect 0 env OMP_NUM_THREADS=$threads "$KJIT" run turns.k:doubled --device cpu --remarks \
        --grid 2x32 'x=arange(100003,dtype=float32)' 'out=zeros(100003,dtype=float32)'
    says err 'as many threads as there are iterations'
    says out 'sum 10000500000'
done

# clang makes vectors of loops over threads as gcc does: each thread keeps its own arrays.
if command -v clang >/dev/null; then
    expect 0 env KJIT_CC=clang "$KJIT" test --device cpu \
        "$ROOT/tests/golden/threads/own_arrays_in_memory.k"
fi
