# Kernels that run from their own text after a user edited it.
cat >twice.k <<'K'
@example(a=arange(4, dtype=float32), b=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def twice(a, b):
    i = cuda.grid(1)
    b[i] = 2 * a[i]
K
run="$KJIT run twice.k --device cpu"
expect 0 "$KJIT" build twice.k --emit c -o twice.c
sed 's/2\.0 \*/10.0 */' twice.c >ten.c
expect 0 $run --c twice.c
says out 'sum 12 '
expect 0 $run --c ten.c
says out 'sum 60 '
expect 0 $run
says out 'sum 12 '
expect 0 $run --c ten.c
says out 'sum 60 '
# The compiler's own words, with the file's own lines.
sed 's/2\.0 \*/twoo */' twice.c >typo.c
expect 1 $run --c typo.c
says err "^typo\.c:$(grep -n twoo typo.c | cut -d: -f1):[0-9]+: error: .*twoo" \
    '^kjit: typo\.c, edited'
sed 's/kjit_entry(/entry(/' twice.c >other.c
expect 2 $run --c other.c
says err "other\.c does not define 'kjit_entry'"
sed 's/kjit_entry(void \*const \*params/kjit_entry(void **params/' twice.c >params.c
expect 2 $run --c params.c
says err 'other parameters' '^note: they are \(void \*const \*params'
# What a text says of its pointers is its own affair.
sed 's/const float \*a,/const float *restrict a,/' twice.c >promise.c
says promise.c 'twice_block\(.*restrict a'
expect 0 $run --c promise.c
says out 'sum 12 '
# The function that runs a block is the kernel's own, not one with such a name that it calls.
cat >called.k <<'K'
from numba import cuda


@cuda.jit(device=True)
def of_block(a, i, n):
    if n > 1:
        return of_block(a, i, n - 1)
    return a[i]


@example(a=arange(4, dtype=float32), b=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def called(a, b):
    i = cuda.grid(1)
    b[i] = of_block(a, i, 2)
K
expect 0 "$KJIT" build called.k --emit c -o called.c
sed 's/of_block/from_block/g' called.c >renamed.c
expect 0 "$KJIT" run called.k --device cpu --c renamed.c
says out 'sum 6 '
expect 2 $run --cuda twice.c
says err 'cpu runs C, not CUDA C' '^note: '
expect 2 $run --c twice.c --cuda twice.c
expect 3 $run --c nowhere.c
says err 'nowhere\.c'
expect 0 "$KJIT" build twice.k --emit so --c ten.c -o ten.so
expect 0 "$KJIT" run ten.so --device cpu --grid 1x4 'a=arange(4, dtype=float32)' \
    'b=zeros(4, dtype=float32)'
says out 'sum 60 '
expect 2 "$KJIT" build twice.k --emit ir --c ten.c
says err -- '--c goes with --emit so'
expect 2 "$KJIT" build twice.k --emit so --cuda ten.c
says err 'ptx, cubin or sass'

# CUDA C gets as far as machine code without a GPU, where NVRTC is.
if "$KJIT" build twice.k --emit ptx >/dev/null 2>&1; then
    expect 0 "$KJIT" build twice.k --emit cuda -o twice.cu
    holds grep -q '2\.0 \*' twice.cu
    sed 's/2\.0 \*/10.0 */' twice.cu >ten.cu
    expect 0 "$KJIT" build twice.k --emit ptx --cuda ten.cu
    says out '0f41200000'
    sed 's/2\.0 \*/twoo */' twice.cu >typo.cu
    expect 1 "$KJIT" build twice.k --emit cubin --cuda typo.cu -o typo.cubin
    says err "^typo\.cu\($(grep -n twoo typo.cu | cut -d: -f1)\): error: .*twoo"
    sed 's/const float \*a/const float *c, const float *a/' twice.cu >params.cu
    expect 2 "$KJIT" build twice.k --emit cubin --cuda params.cu -o params.cubin
    says err "'twice' other parameters"
fi
# Records are called the same whatever passes leave of the body.
cat >records.k <<'K'
A = np.dtype([("x", np.int32)])
B = np.dtype([("y", np.int64)])


def stored(r, value):
    r.y = value


@example(a=zeros(4, dtype=A), grid=1, block=4)
@cuda.jit
def records(a):
    own = cuda.local.array(2, B)
    i = cuda.threadIdx.x
    stored(own[i & 1], i)
    a[i].x = own[i & 1].y
K
expect 0 "$KJIT" build records.k --emit c --facts hot --passes none,constants,inlined -o records.c
expect 0 "$KJIT" run records.k --device cpu --c records.c
says out 'sum 6 '
