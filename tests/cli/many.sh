# Launches that are split over ranks: what is refused, with its line and what would help, and what
# is said of arrays. The plans themselves are in tests/golden/many.
cat >bad.k <<'K'
from numba import cuda, int32
import math
@cuda.jit
def takes_a_ticket(x, n):
    x[cuda.atomic.add(n, 0, 1)] = 1
@cuda.jit
def in_place(x, n):
    i = cuda.grid(1)
    x[i % 7] += 1
@cuda.jit
def shifts(x, n):
    i = cuda.grid(1)
    if i < x.shape[0] - 1:
        x[i] = x[i + 1]
@cuda.jit
def reads_the_count(x, n):
    cuda.atomic.add(n, 0, 1)
    x[cuda.grid(1)] = n[0]
@cuda.jit
def stores_the_count(x, n):
    cuda.atomic.add(n, 0, 1)
    n[0] = 0
@cuda.jit
def swaps(x, n):
    cuda.atomic.cas(n, 0, 0, 1)
@cuda.jit
def two_operations(x, n):
    cuda.atomic.add(n, 0, 1)
    cuda.atomic.max(n, 0, 1)
@cuda.jit
def prints(x, n):
    print(x[0])
@cuda.jit
def meets(x, n):
    cuda.cg.this_grid().sync()
@cuda.jit
def waits(x, n):
    while cuda.atomic.add(n, 0, 0) < cuda.grid(1):
        pass
    cuda.atomic.add(n, 0, 1)
@cuda.jit(device=True)
def again(n):
    return again(n - 1) if n > 0 else 0
@cuda.jit
def calls_itself(x, n):
    x[cuda.grid(1)] = again(3)
K
cat >tuples.k <<'K'
from numba import cuda
@cuda.jit
def in_a_tuple(pair):
    pair[0][cuda.grid(1)] = 1
K
plan() # KERNEL OPTIONS...
{
    kernel=$1
    shift
    expect 1 "$KJIT" build --emit plan bad.k:"$kernel" --grid 4x16 'x=zeros(64, dtype=int32)' \
        'n=zeros(1, dtype=int32)' "$@"
}
refused() # KERNEL LINE WHY
{
    plan "$1"
    says err "^bad.k:$2:[0-9]+: error: $1 cannot be split over 4 ranks: $3\$"
}
refused takes_a_ticket 5 \
    "what an atomic on 'n' gives is used, and hangs on what blocks of other ranks did"
refused in_place 9 "'x' is written, and read at elements that blocks of other ranks may write"
says err "note: --split x=0 says that no rank reads what another one writes"
refused shifts 14 "'x' is written, and read at elements that blocks of other ranks may write"
refused reads_the_count 18 "'n' is changed by atomics, and read here"
refused stores_the_count 22 "'n' is changed by atomics, and written here"
refused swaps 25 "'n' is changed by atomics that no one operation puts together"
refused two_operations 28 "'n' is changed by atomics that no one operation puts together"
refused prints 32 "it prints"
refused meets 35 "its blocks wait for one another"
refused waits 38 "it waits in a loop for what another thread does"
refused calls_itself 46 "it calls a function that cannot be looked into"
expect 1 "$KJIT" build --emit plan tuples.k --grid 4x16 'pair=(zeros(64), zeros(1))'
says err "tuples.k:4:5: error: in_a_tuple cannot be split over 4 ranks: 'pair' is written" \
    'as an item of a tuple' \
    'note: pass the array by itself'

# What is said of arrays.
said() # KERNEL PATTERN OPTIONS...
{
    kernel=$1 pattern=$2
    shift 2
    expect 0 "$KJIT" build --emit plan bad.k:"$kernel" --grid 4x16 'x=zeros(64, dtype=int32)' \
        'n=zeros(1, dtype=int32)' "$@"
    says out "$pattern"
}
said shifts 'x: read, written: split along axis 0, neighbours share 1' --split x=0
said shifts 'x: read, written: split along axis 0, neighbours share 4' --split x=0 --halo x=2
said in_place 'x: read, written: what ranks change is put together' --split x=0
said in_place 'x: read, written: reduced with sum' --reduce x=sum
said shifts '^shifts over 3 ranks' --split x=0 --ranks 3
plan in_place --copy x
says err '--copy is for what is only read, and .x. is written'
plan two_operations --split n=0
says err '--split is for what no atomics change, as they do .n.'
wrong() # MESSAGE OPTIONS...
{
    message=$1
    shift
    expect 2 "$KJIT" build --emit plan bad.k:shifts --grid 4x16 'x=zeros(64, dtype=int32)' \
        'n=zeros(1, dtype=int32)' "$@"
    says err "$message"
}
wrong '^kjit: --split x: it takes NAME=AXIS, as in x=0$' --split x
wrong '^kjit: --split x=1: it takes an axis of the array, 0$' --split x=1
wrong '^kjit: --halo x=-1: it takes a number of rows$' --halo x=-1
wrong '^kjit: --reduce x=mean: it takes sum, sum:ordered, max, min, and, or or xor$' --reduce x=mean
wrong "^kjit: --copy y: shifts has no array 'y'$" --copy y
wrong "^kjit: 'x' is to be two things at once" --split x=0 --reduce x=sum
wrong '^kjit: --ranks' --ranks 0
expect 2 "$KJIT" build --emit ir bad.k:shifts --ranks 3
says err 'are for --emit plan; types of arguments are given by --sig$'
expect 2 "$KJIT" build --emit plan bad.k:shifts --sig 'shifts(int32[::1], int32[::1])'
says err 'a plan needs a launch'
