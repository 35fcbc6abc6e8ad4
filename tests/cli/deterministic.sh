# deterministic=True: the same bits from run to run, whatever the threads, the grid and the device;
# refused where it cannot be.
cat >sums.k <<'E'
from numba import cuda, float32, int32
@cuda.jit(deterministic=True)
def sums(x, total):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(total, i % 3, x[i])
@cuda.jit(deterministic=True)
def counts(x, count):
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        cuda.atomic.add(count, 0, 1)
@cuda.jit(deterministic=True)
def before(x, total):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = cuda.atomic.add(total, 0, x[i])
E
for threads in 1 2 3 4 4 4; do
    for kernel in sums before; do
        expect 0 env OMP_NUM_THREADS=$threads "$KJIT" run sums.k:$kernel --device cpu -q \
            --grid 300x64 'x=normal(30007,seed=1,dtype=float32)' 'total=zeros(3,dtype=float32)' \
            --save "total=$threads.npy"
        [ -e $kernel.npy ] || mv $threads.npy $kernel.npy
        [ -e $threads.npy ] && holds cmp $threads.npy $kernel.npy
        rm -f $threads.npy
    done
done
# Sums do not depend on the launch's shape either.
expect 0 "$KJIT" run sums.k:sums --device cpu -q --grid 7x33 \
    'x=normal(30007,seed=1,dtype=float32)' 'total=zeros(3,dtype=float32)' --save total=other.npy
holds cmp other.npy sums.npy
types='(float32[::1],float32[::1])'
expect 0 "$KJIT" build sums.k:sums --emit c --sig "sums$types"
says out 'launch->share\(sums_block_work,'
expect 0 "$KJIT" build sums.k:sums --emit cuda --sig "sums$types"
says out '__global__ void sums_round\('
expect 0 "$KJIT" build sums.k:before --emit c --sig "before$types"
silent out 'launch->share'
expect 1 "$KJIT" build sums.k:before --emit cuda --sig "before$types"
says err "sums.k:15:16: error: a GPU cannot do this atomic operation in the same order"
# Which of two kinds came first shows, of whole numbers too.
cat >kinds.k <<'E'
from numba import cuda
@cuda.jit(deterministic=True)
def kinds(x, most):
    cuda.atomic.add(most, 0, 1)
    cuda.atomic.max(most, 0, x[cuda.grid(1)])
E
expect 0 "$KJIT" build kinds.k --emit c --sig 'kinds(int32[::1],int32[::1])'
silent out 'launch->share'
# Whole numbers come to the same in any order.
types='(float32[::1],int32[::1])'
expect 0 "$KJIT" build sums.k:counts --emit c --sig "counts$types"
says out 'launch->share'
expect 0 "$KJIT" build sums.k:counts --emit cuda --sig "counts$types"
# A binary for GPUs has one kernel of each text.
types='(float32[::1],float32[::1])'
expect 3 "$KJIT" build sums.k:sums --emit c-header --arch compute_75 --sig "sums$types"
says err 'binaries for GPUs cannot have yet'
expect 0 "$KJIT" build sums.k:sums --emit c-header --arch cpu --sig "sums$types"
sed -i 's/deterministic=True/device=True, deterministic=True/' sums.k
expect 1 "$KJIT" build sums.k:counts --emit c --sig "counts$types"
says err 'deterministic= is for kernels'
