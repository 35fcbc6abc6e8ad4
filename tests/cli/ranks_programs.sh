# Programs over several ranks print what they print on one device. Memory that a rank does not hold
# is poisoned.
. "$ROOT/tests/ranks/compare.sh"
together "$KJIT" run --devices cpu:3

# What cannot be split rank 0 does, and it is told once.
cat >ticket.py <<'K'
import numpy as np
from numba import cuda
@cuda.jit
def ticket(n, x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] += cuda.atomic.add(n, 0, 1) * 0 + i
n, x = np.zeros(1, dtype=np.int32), np.zeros(64, dtype=np.int32)
for k in range(3):
    ticket[4, 16](n, x)
print(n, x.sum(), (x * 2)[5])
K
expect 0 "$KJIT" run ticket.py --devices cpu:3
says out '^\[192\] 6048 30$'
says err '^ticket.py:7:[0-9]+: error: ticket cannot be split over 3 ranks:' \
    '^note: rank 0 alone carries it out$'
expect 0 test "$(grep -c 'rank 0 alone' err)" = 1
expect 2 "$KJIT" run ticket.py --devices cpu:3 --profile
says err '^kjit: --profile is not for a program over several ranks$'

# Ranks share the passes of a sort, also of wide keys.
cat >wide.py <<'K'
import numpy as np
from radix import argsort
print((argsort(np.arange(70000)[::-1] << 40) == np.arange(70000)[::-1]).all())
K
expect 0 "$KJIT" run wide.py --devices cpu:3
says out '^True$'
expect 0 test ! -s err

cat >who.py <<'K'
import kjit
import numpy as np
print(kjit.rank, kjit.ranks, np.ones(10).sum())
K
expect 0 "$KJIT" run who.py --device cpu
says out '^0 1 10.0$'
expect 0 "$KJIT" run who.py --devices cpu:5
says out '^0 5 10.0$'

# What several launches add to an array is put together before anything else is done with it.
cat >adds.py <<'K'
from numba import cuda, float32
import numpy as np

@cuda.jit
def add(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(s, x[i] % s.shape[0], 1)

@cuda.jit
def most(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.max(s, x[i] % s.shape[0], x[i])

@cuda.jit
def sums(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(s, x[i] % s.shape[0], float32(x[i] % 3))

@cuda.jit
def read(s, t):
    i = cuda.grid(1)
    if i < s.shape[0]:
        t[i] = s[i] * 2 + s[s.shape[0] - 1 - i]

x = np.arange(1003, dtype=np.int32) * 7 % 1009
s = np.zeros(10, dtype=np.int32)
f = np.ones(13, dtype=np.float32)
t = np.zeros(10, dtype=np.int32)
for k in range(4):
    for j in range(3):
        add[17, 64](x, s)
        sums[17, 64](x, f)
    print(s[3])
    add[17, 64](x, s[1:9])
    add[17, 64](x, s[::2])
    most[17, 64](x, s)
    most[17, 64](x, s)
    read[1, 16](s, t)
    print(s, t, f)
    add[3, 64](x, s)
    s += 1
    add[17, 64](x, t)
print(s, t, f)
K
expect 0 "$KJIT" run adds.py --device cpu
cp out wanted
for ranks in 2 3 7; do
    expect 0 env KJIT_MANY_POISON=1 "$KJIT" run adds.py --devices cpu:$ranks
    cp out got
    holds cmp got wanted
done

# Each process reads and writes its part of a file.
cat >parts.py <<'K'
from numba import cuda
import numpy as np

@cuda.jit
def smooth(u, v):
    i, j = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4

u = np.load("u.npy")
v = u.copy()
for k in range(3):
    smooth[(8, 8), (16, 16)](u, v)
    smooth[(8, 8), (16, 16)](v, u)
np.save("out.npy", u)
np.save("rows.npy", v[3:40])
np.save("column.npy", v[:, 3])
np.save("link.npy", u)
u += 1
np.save("u.npy", u) # what was mapped stays as it was
print(u.sum() + v[5, 7])
K
cat >begin.py <<'K'
import numpy as np
np.save("u.npy", (np.arange(12000).reshape(120, 100) * 7919 % 1009).astype(np.float64))
K
sed 's,"out.npy","nowhere/out.npy",' parts.py >lost.py
ln -s real.npy link.npy
parts_of() # COMMAND...: runs parts.py, and keeps what it left if it is the first
{
    rm -f real.npy
    expect 0 "$KJIT" run begin.py --device cpu
    expect 0 timeout 60 "$@"
    tr -d '\r' <out >printed
    for name in printed out.npy rows.npy column.npy real.npy u.npy; do
        test -e "one.$name" || cp "$name" "one.$name"
        holds cmp "$name" "one.$name"
    done
}
parts_of "$KJIT" run parts.py --device cpu
parts_of env KJIT_MANY_POISON=1 "$KJIT" run parts.py --devices cpu:3

# Errors are told once, files written once.
cat >fails.py <<'K'
import numpy as np
x = np.zeros(100) + 1
np.save("x", x)
print(x.sum())
x[200] = 1
K
expect 1 "$KJIT" run fails.py --devices cpu:2
says out '^100.0$'
says err '^IndexError'

# A file that becomes shorter while it is mapped.
cat >shorter.py <<'K'
import os
import numpy as np

np.save("whole.npy", np.ones(1 << 20))
whole = np.load("whole.npy")
np.save("mapped.npy", np.ones(1))
while not os.path.exists("shortened"):
    pass
print(whole.sum())
K
expect 3 sh -c "timeout 60 '$KJIT' run shorter.py --devices cpu:2 &
    while test ! -e mapped.npy && kill -0 \$! 2>/dev/null; do sleep 0.1; done
    : >whole.npy; : >shortened; wait \$!"
says err '^kjit: error: .*/whole.npy was made shorter while the program used it$'

if ! has_mpi; then
    skips 10 'there is no mpirun of Open MPI'
    return 0
fi
for ranks in 2 3 5; do
    parts_of env KJIT_MANY_POISON=1 mpirun -n $ranks "$KJIT" run parts.py --device cpu
done
# One that fails where no other waits for it.
printf '%s\n' 'import kjit' 'print(1)' 'if kjit.rank == 1:' '    [][1]' >late.py
expect 0 heard sh -c '! timeout -k 9 60 mpirun -n 3 ./speaks.sh "$KJIT" run late.py --device cpu'
says err '^kjit: rank 1: Traceback' '^IndexError: list index out of range'
# Ranks that come to other decisions: one launches another kernel, one none at all.
sed '/^x = /,$d; s/cuda.atomic.add(s, x\[i\] % s.shape\[0\], 1)/s[i] = x[i]/' adds.py >parting.py
cat >>parting.py <<'K'
import kjit
x, s = np.arange(2000, dtype=np.int32), np.zeros(2000, dtype=np.int32)
for k in range(3):
    add[20, 100](x, s)
    read[20, 100](s, x)
K
sed '$a(add if kjit.rank == 1 else read)[20, 100](s, x)\nprint(x.sum())' parting.py >other.py
sed '$aif kjit.rank != 1: read[20, 100](s, x)' parting.py >none.py
nccl=${BUILD:-$ROOT/build}/tests/fake/libnccl.so.2
case $nccl in /*) ;; *) nccl=$ROOT/$nccl ;; esac
# Bytes go from rank 0 to rank 1 alone, and rank 1 launches something else.
cat >aside.py <<'K'
from numba import cuda
import numpy as np
import kjit

@cuda.jit
def shift(x, s):
    i = cuda.grid(1)
    if 0 < i < x.shape[0]:
        s[i] = x[i - 1]

@cuda.jit
def double(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        s[i] = 2 * x[i]

x, s = np.arange(2000, dtype=np.int32), np.zeros(2000, dtype=np.int32)
shift[20, 100](x, s)
shift[20, 100](s, x)
(double if kjit.rank == 1 else shift)[20, 100](x, s)
print(s.sum())
K
for program in other none aside; do
    for library in none "$nccl"; do
        expect 3 heard env KJIT_PASSES=none KJIT_NCCL_HOST=1 KJIT_NCCL="$library" \
            FAKE_NCCL_CALLS=$program.calls timeout -k 9 60 mpirun -n 3 ./speaks.sh "$KJIT" run \
            $program.py --device cpu
        says err '^(RuntimeError|kjit): rank [0-2] (is at|has ended|has come to)'
        expect 0 test "$(grep -cE '^(RuntimeError|kjit: r)' err)" = 1
    done
done
expect 0 test "$(grep -c '^4 0$' aside.calls)" = 1 # not again where rank 1 is elsewhere
# One that fails by itself after it has been connected: others wait for it, as NCCL does where
# processes part.
cat >waves.py <<'K'
from numba import cuda
import numpy as np
import kjit

@cuda.jit
def spread(u, v):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = u[i - 1] + u[i + 1]

u, v = np.ones(3000, dtype=np.int32), np.ones(3000, dtype=np.int32)
for k in range(9):
    if k == 5 and kjit.rank == FIRST:
        [][1]
    spread[30, 100](u, v)
    u, v = v, u
print("done")
if kjit.rank == LAST:
    [][1]
K
for ranks in '1 -1' '0 -1' '-1 1' '-1 0'; do
    sed "s/FIRST/${ranks% *}/; s/LAST/${ranks#* }/" waves.py >failing.py
    expect 0 heard env KJIT_PASSES=none KJIT_NCCL_HOST=1 KJIT_NCCL="$nccl" sh -c \
        '! timeout -k 9 60 mpirun -n 3 ./speaks.sh "$KJIT" run failing.py --device cpu'
    says err '^IndexError: list index out of range'
done
# One that fails in an exchange that others have begun.
cat >star.py <<'K'
from numba import cuda
import numpy as np

@cuda.jit
def double(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        s[i] = 2 * x[i]

@cuda.jit
def gather(x, s):
    i = cuda.grid(1)
    n = x.shape[0] // 3
    if i < n:
        s[i] = x[i] + x[i + n] + x[i + 2 * n]

x, s = np.arange(3000, dtype=np.int32), np.zeros(3000, dtype=np.int32)
double[30, 100](x, s)
gather[30, 100](s, x)
print(x.sum())
K
for blocking in 0 1; do
    expect 3 heard env KJIT_PASSES=none KJIT_NCCL_HOST=1 KJIT_NCCL="$nccl" FAKE_NCCL_FAIL=2 \
        NCCL_COMM_BLOCKING=$blocking timeout -k 9 60 mpirun -n 3 ./speaks.sh "$KJIT" run star.py \
        --device cpu
    # Whoever comes to it first says so: the rank that sends, or one whose group fails for that.
    says err '^(RuntimeError|kjit): rank (2: ncclSend|[01]: ncclGroupEnd) failed: internal error'
    expect 0 test "$(grep -cE '^(RuntimeError|kjit: r)' err)" = 1
done
"$KJIT" run begin.py --device cpu
expect 3 heard timeout -k 9 60 mpirun -n 2 ./speaks.sh "$KJIT" run lost.py --device cpu
says err "^FileNotFoundError: \[Errno 2\] No such file or directory: 'nowhere/out.npy'"
# A file that one of them cannot write is written by none: the old one stays as it was.
expect 3 heard env OMPI_MCA_btl=self,tcp timeout -k 9 60 \
    mpirun -n 1 ./speaks.sh "$KJIT" run parts.py --device cpu : \
    -n 1 ./speaks.sh sh -c 'ulimit -f 60; exec "$0" run parts.py --device cpu' "$KJIT"
says err "^OSError: rank 1: cannot write 'out.npy': File too large"
expect 0 cmp out.npy one.out.npy
expect 0 test -z "$(ls | grep tmp)"
together mpirun -n 2 "$KJIT" run --device cpu # on more of them: tests/thorough/ranks.sh
together env OMP_NUM_THREADS=1 mpirun -n 5 "$KJIT" run --device cpu
expect 0 mpirun -n 3 "$KJIT" run who.py --device cpu
tr -d '\r' <out >got
expect 0 grep -qx '0 3 10.0' got
rm -f x.npy
expect 1 heard timeout -k 9 60 mpirun -n 3 ./speaks.sh "$KJIT" run fails.py --device cpu
says err '^IndexError'
expect 0 test "$(grep -c '^IndexError' err)" = 1
expect 0 test -f x.npy
