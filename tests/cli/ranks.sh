# Launches over several ranks leave what one device leaves, bit for bit: ranks that are threads of a
# process, and processes of mpirun. Memory that a rank does not hold is poisoned.
. "$ROOT/tests/ranks/compare.sh"
export KJIT_MANY_POISON=1
# The arrays that a kernel writes, from its report.
written()
{
    sed -n 's/^\([a-z_0-9]*\)  [a-z0-9]*\[.*/\1/p' out
}
compare() # FILE:KERNEL RANKS...: what they leave
{
    target=$1
    shift
    expect 0 "$KJIT" run "$target"
    names=$(written) one='' many=''
    for name in $names; do
        one="$one --save $name=one_$name.npy" many="$many --save $name=many_$name.npy"
    done
    # shellcheck disable=SC2086 # words
    expect 0 "$KJIT" run "$target" -q $one
    for ranks; do
        # shellcheck disable=SC2086
        expect 0 "$KJIT" run "$target" -q --devices cpu:"$ranks" $many
        for name in $names; do
            expect 0 cmp one_"$name".npy many_"$name".npy
        done
    done
}
whole "$WHOLE" -r 3
# As they are optimised for the processor.
OPTIMISED="$E/matmul.k $E/life.k $E/hist.k $E/banded.k:banded_pairs $E/banded.k:banded_shared
    $E/log_sum.k:log_sum $E/measured.k:season more.k:large more.k:heat_1d"
for ranks in 2 7; do
    # shellcheck disable=SC2086
    expect 0 "$WHOLE" -r $ranks $OPTIMISED
done

# As the command has them.
compare more.k:strided 2 4 7

# Tiles at the end of a product move back, but not into what another rank reads.
cat >tiles.k <<'K'
from numba import cuda, int32, int64
@example(a=arange(144 * 32, dtype=int32) % 15, b=arange(32 * 131, dtype=int32) % 13,
         c=zeros(144 * 131, dtype=int32), rows=int32(144), columns=int32(131), depth=int64(32),
         grid=(18, 16), block=(8, 8))
@cuda.jit
def tiles(a, b, c, rows, columns, depth):
    j, i = cuda.grid(2)
    if i < rows and j < columns:
        total = 0
        for k in range(depth):
            total += a[i * depth + k] * b[k * columns + j]
        c[i * columns + j] = total
K
export KJIT_PASSES=all
compare tiles.k:tiles 2 3 7
unset KJIT_PASSES

# Float sums by atomics, in order: that of one thread for the text as it stands.
cat >sums.k <<'K'
from numba import cuda, float32
@example(x=normal(1000, seed=1, dtype=float32), s=full(3, 0.1, dtype=float32), grid=16, block=64)
@cuda.jit
def sums(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(s, i % 3, x[i])
@example(x=normal(100_000, seed=1, dtype=float32), s=ones(1, dtype=float32), grid=391, block=256)
@cuda.jit
def one_sum(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(s, 0, x[i])
K
for kernel in sums one_sum; do
    expect 0 env KJIT_PASSES=none OMP_NUM_THREADS=1 "$KJIT" run sums.k:$kernel -q --save s=one.npy
    for ranks in 2 5; do
        expect 0 "$KJIT" run sums.k:$kernel -q --devices cpu:$ranks --reduce s=sum:ordered \
            --save s=many.npy
        expect 0 cmp one.npy many.npy
    done
done
expect 0 "$KJIT" run sums.k:sums --devices cpu:3

# Arrays stay with the ranks from launch to launch.
steps='--repeat 21 --swap u,v -q'
for kernel in heat_1d heat_3d; do
    # shellcheck disable=SC2086 # words
    expect 0 "$KJIT" run more.k:$kernel $steps --save u=u.npy --save v=v.npy
    for ranks in 2 3 7; do
        # shellcheck disable=SC2086
        expect 0 "$KJIT" run more.k:$kernel --devices cpu:$ranks $steps --save u=u_.npy \
            --save v=v_.npy
        expect 0 cmp u.npy u_.npy
        expect 0 cmp v.npy v_.npy
    done
done

# A loop by the stride of the grid, of which passes give threads the iterations of others.
cat >strides.k <<'K'
from numba import cuda, int32
@example(x=arange(193, dtype=int32), n=zeros(200, dtype=int32), grid=3, block=64)
@cuda.jit
def strides(x, n):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.max(n, x[i] % n.shape[0], 2)
K
expect 0 env KJIT_PASSES=none "$KJIT" run strides.k -q --save n=one.npy
for ranks in 2 3; do
    expect 0 env KJIT_PASSES=all "$KJIT" run strides.k -q --devices cpu:$ranks --save n=many.npy
    expect 0 cmp one.npy many.npy
done

# Two ranks that write one element otherwise, which is a race.
cat >race.k <<'K'
from numba import cuda, int32
@example(x=zeros(4, dtype=int32), grid=4, block=1)
@cuda.jit
def race(x):
    x[2] = cuda.blockIdx.x + 1
K
expect 3 env KJIT_PASSES=none "$KJIT" run race.k --devices cpu:2
says err "^kjit: ranks write different values to element 2 of 'x', the last rank 1$" 'kjit check'

# What is not split, and what makes no sense.
expect 2 "$KJIT" run race.k --devices 0,x
says err '^kjit: --devices 0,x: it takes cpu:N, N ranks that the processor serves; all,'
expect 3 "$KJIT" run race.k --devices all
says err '^kjit: --devices all: there is no GPU \(kjit doctor says why\);'
expect 3 "$KJIT" run race.k --devices 4000
says err '^kjit: there is no GPU 4000: this machine has'
expect 2 "$KJIT" run race.k --devices cpu:0
says err '^kjit: --devices cpu:0: it takes cpu:N'
expect 2 "$KJIT" run race.k --devices cpu:9999
says err '^kjit: a group has 1 to 256 ranks, not 9999$'
expect 2 "$KJIT" run race.k --devices cpu:2 --time 2
says err '^kjit: --time is for one device, not for --devices$'
expect 2 "$KJIT" run race.k --split x=0
says err '^kjit: --split is for a launch over several ranks: --devices, or mpirun$'
expect 0 "$KJIT" run "$E"/heat.py --devices cpu:2
expect 2 "$KJIT" run race.k --device check --devices cpu:2
says err '^kjit: --devices says which devices, and makes no sense with --device$'
cat >shifts.k <<'K'
from numba import cuda, int32
@example(x=arange(64, dtype=int32), grid=4, block=16)
@cuda.jit
def shifts(x):
    i = cuda.grid(1)
    if i < x.shape[0] - 1:
        x[i] = x[i + 1]
K
expect 1 env KJIT_PASSES=none "$KJIT" run shifts.k --devices cpu:2
says err '^shifts.k:7:16: error: shifts cannot be split over 2 ranks:' \
    "'x' is written, and read at elements"
expect 3 "$KJIT" run more.k:heat_1d --devices cpu:2 'u=zeros(9)' v=u
says err "^kjit: 'v' is written and shares memory with 'u', which cannot be split over ranks$"

# ---- processes ------------------------------------------------------------------------------
if ! has_mpi; then
    skips 20 'there is no mpirun of Open MPI'
    return 0
fi
cat >rank.sh <<'S'
#!/bin/sh
# rank.sh WHAT: rank 2 is not like the others
if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then
    case $1 in
    file) exec "$KJIT" run other.k:heat_1d ;;
    value) exec "$KJIT" run more.k:heat_1d 'u=normal(4001, seed=9)' ;;
    grid) exec "$KJIT" run more.k:heat_1d --grid 64x64 ;;
    missing) exec "$KJIT" run nowhere.k ;;
    dies) kill -9 $$ ;;
    esac
fi
exec "$KJIT" run more.k:heat_1d --save v=v.npy
S
chmod +x rank.sh
sed 's/0.25/0.26/' more.k >other.k
export KJIT KJIT_PASSES=none
for ranks in 2 5; do # more of them: tests/thorough/ranks.sh
    whole mpirun -n $ranks "$WHOLE"
done
expect 0 "$KJIT" run more.k:heat_1d -q --save v=one.npy
expect 0 mpirun -n 4 ./rank.sh same
expect 0 cmp one.npy v.npy
# Many launches: halos go from rank to rank, by MPI's messages and by NCCL's.
# shellcheck disable=SC2086
expect 0 "$KJIT" run more.k:heat_1d $steps --save u=u.npy --save v=v.npy
nccl=${BUILD:-$ROOT/build}/tests/fake/libnccl.so.2
case $nccl in /*) ;; *) nccl=$ROOT/$nccl ;; esac
for library in none "$nccl"; do
    for poison in 0 1; do
        # shellcheck disable=SC2086
        expect 0 env KJIT_NCCL_HOST=1 KJIT_NCCL="$library" FAKE_NCCL_CALLS=calls \
            KJIT_MANY_POISON=$poison mpirun -n 3 "$KJIT" run more.k:heat_1d $steps \
            --save u=u_.npy --save v=v_.npy
        expect 0 cmp u.npy u_.npy
        expect 0 cmp v.npy v_.npy
    done
done
expect 0 test "$(grep -c '^16 16$' calls)" -ge 20 # the rank between two others
expect 3 heard env KJIT_NCCL_HOST=1 KJIT_NCCL=/nowhere.so mpirun -n 2 ./speaks.sh "$KJIT" run \
    more.k:heat_1d
says err '^kjit: KJIT_NCCL=/nowhere.so is no NCCL that can be loaded'
fails() # STATUS WHAT MESSAGE
{
    expect "$1" heard timeout -k 9 60 mpirun -n 4 ./speaks.sh ./rank.sh "$2"
    says err "$3"
    [ "$(grep -c '^kjit: ' err)" -le 1 ] || silent err '^kjit: '
}
fails 2 file '^kjit: rank 2 has another version of the file, or of kjit, than rank 0$'
fails 2 value '^kjit: rank 2 has another value of argument 1 than rank 0$'
fails 2 grid '^kjit: rank 2 has another grid, .* or another kind of device than rank 0$'
fails 3 missing "^kjit: rank 2: there is no file 'nowhere.k'"
cat >endless.py <<'K'
from numba import cuda
import numpy as np
@cuda.jit
def step(u, v):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = u[i - 1] + u[i + 1]
u = np.ones(10000)
v = np.ones(10000)
k = 0
while True:
    step[40, 256](u, v)
    u, v = v, u
    k += 1
    if k == 9:
        print("going", flush=True)
K
cat >noted.sh <<'S'
#!/bin/sh
echo $$ >process.$OMPI_COMM_WORLD_RANK
exec "$KJIT" run endless.py 2>said.$OMPI_COMM_WORLD_RANK
S
chmod +x noted.sh
# One that is stopped is waited for some seconds. Rank 0 speaks for all: it writes to a pipe that is
# full. As long as it has not said why, rank 2 does not end, since mpirun would end rank 0 then.
stops()
{
    rm -f said.*
    mkfifo said.0 || return
    exec 3<>said.0
    dd if=/dev/zero of=said.0 oflag=nonblock bs=1 count=1000000
    timeout -k 9 600 mpirun -n 3 ./noted.sh >going &
    until grep -q going going; do
        kill -0 $! || break
        sleep 0.1
    done
    kill -STOP "$(cat process.1)"
    until [ -s "/proc/$(cat process.2)/fd/2" ]; do # what it would say, and keeps for itself
        kill -0 "$(cat process.2)" || break
        sleep 0.1
    done
    sleep 2 # in which mpirun would end rank 0, had rank 2 ended
    dd if=said.0 iflag=nonblock bs=64k >heard
    wait $!
    status=$?
    dd if=said.0 iflag=nonblock bs=64k >>heard
    exec 3<&-
    return $status
}
expect 3 stops
tr -d '\0' <heard >said
says said 'RuntimeError: rank 1 is stopped .process [0-9]*., and others wait for it'
fails 137 dies 'signal 9|non-zero exit code'
expect 2 heard mpirun -n 3 ./speaks.sh "$KJIT" run more.k:heat_1d nosuch=1
says err "^kjit: heat_1d has no parameter 'nosuch'"
expect 2 heard mpirun -n 2 ./speaks.sh "$KJIT" run more.k:heat_1d --devices cpu:2
says err '^kjit: --devices cpu:2: the launcher has made 2 ranks of kjit already$'
# GPUs go by the place on the host, and are shared where that is said.
gpus()
{
    fakes=${nccl%/*}
    env KJIT_DRIVER="$fakes/libcuda.so.1" KJIT_NVRTC="$fakes/libnvrtc.so.13" KJIT_CACHE_SIZE=0 \
        KJIT_NCCL="$library" FAKE_CUDA_EVENTS=events mpirun "$@"
}
library=none
expect 0 gpus -n 2 "$KJIT" run more.k:heat_1d
says events '^retain 0$' '^retain 1$' '^stream independent -[1-9]' # edges go first
expect 2 heard gpus -n 3 ./speaks.sh "$KJIT" run more.k:heat_1d
says err '^kjit: 3 ranks of this host would share 2 GPUs: start .*, or say --share'
expect 0 gpus -n 3 "$KJIT" run more.k:heat_1d --share
# Where bytes go by NCCL no host waits for its GPU, however many launches there are.
library=$nccl
for launches in 5 21; do
    : >events
    expect 0 gpus -n 2 "$KJIT" run more.k:heat_1d --repeat $launches --swap u,v -q
    grep -c '^synchronize' events >waits.$launches
done
holds cmp waits.5 waits.21

# By MPICH's library and launcher.
if ! command -v mpiexec.hydra >/dev/null; then
    skips 10 'there is no mpiexec.hydra of MPICH'
    return 0
fi
whole mpiexec.hydra -n 3 "$WHOLE"
expect 0 "$KJIT" run more.k:heat_1d
grep '\[' out >wanted
expect 0 mpiexec.hydra -n 3 "$KJIT" run more.k:heat_1d
grep '\[' out >got
holds cmp got wanted
