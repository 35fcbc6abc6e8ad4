# Loops that repeat until another thread does something: whatever waits for whatever, it ends
# where it ends on a GPU, on any number of the processor's threads. What never ends is told.
cat >spins.k <<'K'
from numba import cuda, int32
@example(flag=zeros(1, dtype=int32), grid=3, block=40)
@cuda.jit
def nobody_sets_it(flag):
    while cuda.atomic.add(flag, 0, 0) == 0:
        pass
@example(flag=zeros(1, dtype=int32), out=zeros(1, dtype=int32), grid=3, block=40)
@cuda.jit
def nobody_sets_it_and_some_count(flag, out):
    count = 0
    while True:
        if cuda.ldcv(flag, 0):
            break
        count += 1
        cuda.threadfence()
    out[0] = count
@example(locks=zeros(2, dtype=int32), got=zeros(2, dtype=int32), grid=2, block=1)
@cuda.jit
def crosswise(locks, got):
    b = cuda.blockIdx.x
    while cuda.atomic.cas(locks, b, 0, 1) != 0:
        pass
    cuda.atomic.exch(got, b, 1)
    while cuda.atomic.add(got, 1 - b, 0) == 0:
        pass
    while cuda.atomic.cas(locks, 1 - b, 0, 1) != 0:
        pass
@example(lock=zeros(1, dtype=int32), grid=1, block=32)
@cuda.jit
def held_across_a_barrier(lock):
    while cuda.atomic.exch(lock, 0, 1) != 0:
        pass
    cuda.syncthreads()
    cuda.atomic.exch(lock, 0, 0)
@example(flag=zeros(1, dtype=int32), grid=4, block=32)
@cuda.jit
def some_wait_for_the_grid(flag):
    if cuda.grid(1) == 3:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
    cuda.cg.this_grid().sync()
    cuda.atomic.exch(flag, 0, 1)
@example(out=zeros(64, dtype=int32), flag=zeros(1, dtype=int32), grid=1, block=64)
@cuda.jit
def plain_loads(out, flag):
    t = cuda.threadIdx.x
    if t < 63:
        while flag[0] == 0:
            cuda.threadfence()
        out[t] = flag[0]
    else:
        flag[0] = 4
@example(out=zeros(64, dtype=int32), flag=zeros(1, dtype=int32), grid=1, block=64)
@cuda.jit
def past_the_caches(out, flag):
    t = cuda.threadIdx.x
    if t < 63:
        while cuda.ldcv(flag, 0) == 0:
            pass
        out[t] = flag[0]
    else:
        cuda.stwt(flag, 0, 4)
# Takes long, and each block waits for all before it: no deadlock.
@example(done=zeros(1, dtype=int32), out=zeros(1, dtype=int32), grid=64, block=32)
@cuda.jit
def slow_blocks(done, out):
    b = cuda.gridDim.x - 1 - cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        while cuda.atomic.add(done, 0, 0) < b:
            pass
        x = int32(b)
        for i in range(300000):
            x = x * int32(5) + int32(i)
        cuda.atomic.exch(out, 0, x)
        cuda.atomic.add(done, 0, 1)
# It writes in each iteration, so nothing about it stays as it was.
@example(done=zeros(1, dtype=int32), looks=zeros(1, dtype=int64), grid=300, block=32)
@cuda.jit
def counts_while_it_waits(done, looks):
    if cuda.threadIdx.x == 0:
        if cuda.blockIdx.x == 0:
            while cuda.atomic.add(done, 0, 0) < cuda.gridDim.x - 1:
                looks[0] += 1
            looks[0] = -1
        else:
            cuda.atomic.add(done, 0, 1)
K
for threads in 1 3; do
    for kernel in nobody_sets_it nobody_sets_it_and_some_count crosswise held_across_a_barrier \
        some_wait_for_the_grid; do
        expect 3 env OMP_NUM_THREADS=$threads timeout 600 "$KJIT" run --device cpu spins.k:$kernel
        says err 'the kernel waits for ever: threads repeat a loop until another does something'
        says err 'kjit check'
    done
    for kernel in plain_loads past_the_caches; do
        expect 0 env OMP_NUM_THREADS=$threads timeout 600 "$KJIT" run --device cpu spins.k:$kernel
        says out 'out .*sum 252 '
    done
    expect 0 env OMP_NUM_THREADS=$threads timeout 600 "$KJIT" run --device cpu spins.k:slow_blocks
    says out 'done .*\[64\]'
    expect 0 env OMP_NUM_THREADS=$threads timeout 600 "$KJIT" run --device cpu \
        spins.k:counts_while_it_waits
    says out 'done .*\[299\]' 'looks .*\[-1\]'
done
for seed in 0 1; do
    expect 0 timeout 600 "$KJIT" check --orders 1 --seed $seed spins.k:counts_while_it_waits
done

# The same is told by the checker, with the place.
expect 4 timeout 600 "$KJIT" check spins.k:nobody_sets_it spins.k:crosswise
says out 'spins.k:5:11: deadlock: a thread waits for ever for flag\[0\]'
says out 'deadlock: .*lock'

# What kept another thread from it is said first.
cat >stopped.k <<'K'
@example(flags=zeros(64, dtype=int32), grid=1, block=64)
@cuda.jit(debug=True, opt=False)
def chain(flags):
    i = cuda.grid(1)
    if i > 0:
        while cuda.atomic.add(flags, i - 1, 0) == 0:
            pass
    assert i < 50
    cuda.atomic.add(flags, i, 1)
K
expect 4 timeout 600 "$KJIT" check stopped.k
says out 'stopped.k:8:5: assertion: ' 'stopped.k:6:15: deadlock: .* flags\[50\] to change'
line_of() { grep -n " $1: " out | cut -d: -f1; }
holds test "$(line_of assertion)" -lt "$(line_of deadlock)"

# A remark names the loop for which threads stop and go on, where one waits, and nowhere else.
expect 0 "$KJIT" run --device cpu --remarks spins.k:slow_blocks
says err 'spins.k:69:9: remark: each thread of a block stops and goes on by itself, .* this loop'
for kernel in free_of_locks hash_table; do
    expect 0 "$KJIT" run --device cpu --remarks "$ROOT/tests/programs/spins.k:$kernel"
    silent err 'stops and goes on'
done
for kernel in std:sort:sort std:scan:inclusive_sum; do # their blocks wait for such as have begun
    expect 0 "$KJIT" run --device cpu --remarks $kernel
    silent err 'this loop repeats'
done

# On more threads of the processor than there are cores, and on one core: the same comes out.
expect 0 env OMP_NUM_THREADS=7 "$PYTHON" -B "$ROOT/tests/programs/check.py" --kjit "$KJIT" \
    spins:
expect 0 taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$PYTHON" -B \
    "$ROOT/tests/programs/check.py" --kjit "$KJIT" spins:
