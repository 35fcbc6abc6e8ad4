# `kjit build`: every stage that needs no GPU.
cat >two.k <<'K'
@example(x=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def first(x):
    x[cuda.threadIdx.x] = 1


@cuda.jit("void(int32[::1])")
def second(x):
    x[cuda.threadIdx.x] = 2


@cuda.jit
def third(x, n):
    x[0, n] = 3
K
expect 0 "$KJIT" build two.k --emit tokens
says out 'first'
expect 0 "$KJIT" build two.k --emit ast
says out 'second'
for stage in ir cuda c; do
    expect 0 "$KJIT" build two.k:first --emit $stage
    says out 'first'
    expect 0 "$KJIT" build two.k --emit $stage --sig 'second(int32[::1])'
    expect 0 "$KJIT" build two.k --emit $stage --sig 'third(float64[:, ::1], int64)'
    expect 0 "$KJIT" build two.k:third --emit $stage --sig '(float64[:, :], int64)'
done
expect 2 "$KJIT" build two.k:first --emit ir --facts hot,block=16x16
says err "'hot' stands for all facts"
expect 2 "$KJIT" build two.k:first --emit ir --facts hut
says err "no fact is called 'hut'"
expect 2 "$KJIT" build two.k:first --emit cheader
says err "or tvm-ffi, not 'cheader'; did you mean 'c-header'\?$"
expect 2 "$KJIT" build two.k:first --emit xyzzy
says err "or tvm-ffi, not 'xyzzy'$"
expect 2 "$KJIT" build two.k:third --emit ir
says err "third has no @example .* --sig 'third"
mkdir stages
expect 0 "$KJIT" build two.k:first two.k:first --emit cuda -o stages
holds test -s stages/first.cu
expect 2 "$KJIT" build two.k:first two.k:first --emit cuda -o one.cu
expect 0 "$KJIT" build two.k:first --emit c -o one.c
holds test -s one.c
expect 3 "$KJIT" build two.k:first --emit c -o nowhere/one.c
expect 3 "$KJIT" build nowhere.k --emit ast
says err 'nowhere.k'
expect 2 "$KJIT" build two.k:fourth --emit ir
printf 'x = (\n' >broken.k
expect 1 "$KJIT" build broken.k --emit ast
says err '^broken\.k:1:'
printf 'x = 1\0\n' >binary.k
expect 3 "$KJIT" build binary.k --emit tokens
# What is wrong with the command line and not with the program: 2.
expect 0 "$KJIT" build two.k:third --emit ir --sig 'void(float64[:, ::1], int64)'
for sig in 'third(' 'third(flaot32, int64)' 'third(float64[:, ::1])' \
    'fourth(int32[:, :], int64)' '4'; do
    expect 2 "$KJIT" build two.k:third --emit ir --sig "$sig"
done
expect 1 "$KJIT" build two.k:third --emit ir --sig 'third(float64, int64)'
cat >constant.k <<'K'
SIZE = 3


@cuda.jit("void(int32[::1])")
def constant(x):
    x[0] = SIZE
K
expect 0 "$KJIT" build constant.k --emit ir -D SIZE=4
for define in SIZ=4 'SIZE=(4' SIZE=unknown; do
    expect 2 "$KJIT" build constant.k --emit ir -D "$define"
    says err '-D SIZ'
    expect 2 "$KJIT" run constant.k --device cpu 'x=zeros(1, dtype=int32)' -D "$define"
done
printf '@cuda.jit("void(flaot32)")\ndef k(x):\n    pass\n' >declared.k
expect 1 "$KJIT" build declared.k --emit ir
: >nothing.k
expect 1 "$KJIT" build nothing.k --emit ir

# Remarks go to stderr, beside what is built or run.
cat >wide.k <<'K'
@example(x=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def wide(x):
    x[cuda.threadIdx.x] *= 0.5
K
expect 0 "$KJIT" build wide.k --remarks
says err 'wide.k:4:28: remark: float32 becomes float64 here'
expect 0 "$KJIT" build wide.k --remarks --emit ir
says err 'remark'
says out 'kernel'
expect 0 "$KJIT" run wide.k --device cpu --remarks
says err 'remark: float32 becomes float64'
says out 'x  float32'

cat >long.k <<'K'
@cuda.jit
def pick(t, out):
    i = cuda.grid(1)
    out[i] = t[i % 900]
K
expect 0 "$KJIT" build long.k --emit ir --sig 'pick(UniTuple(float64, 900), float64[:])'
says out '^kernel pick\(t: UniTuple\(float64, 900\), out: float64\[:\]\)$'
expect 0 "$KJIT" build long.k --emit cuda --sig 'pick(UniTuple(float64, 900), float64[:])'
says out 'tuple_of_900 t'
expect 1 "$KJIT" build long.k --emit cuda --sig 'pick(UniTuple(float64[:, :], 900), float64[:])'
says err 'the arguments take 36032 bytes, and a GPU.s kernel at most 32764'
# - is the standard output.
expect 0 "$KJIT" build "$ROOT/examples/hist.k" --emit ir -o -
says out '^kernel histogram'
holds test ! -e ./-

# For readers: the same statements (braces of one line aside), and no #line, where there are any.
cat >read.k <<'K'
from numba import cuda

@cuda.jit
def scaled(x, y):
    i = cuda.grid(1)

    if i < x.size:

        y[i] = 2 * x[i]
K
for stage in cuda c check; do
    expect 0 "$KJIT" build read.k --emit $stage --sig 'scaled(float32[::1], float32[::1])' -o lined
    says lined '^#line [0-9] "read\.k"'
    expect 0 "$KJIT" build read.k --emit $stage --no-line --sig \
        'scaled(float32[::1], float32[::1])' -o unlined
    silent unlined '^#line'
    grep -v '^#line' lined | tr -d ' {}\n' >lined.words
    tr -d ' {}\n' <unlined >unlined.words
    holds cmp lined.words unlined.words
done
expect 2 "$KJIT" build read.k --emit ptx --no-line --sig 'scaled(float32[::1], float32[::1])'
says err '[-]-no-line is for --emit cuda, c or check'
