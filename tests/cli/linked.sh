# Functions that a kernel declares, and that CUDA C or C defines: cuda.declare_device() and link=.

cat >f.cu <<'A'
extern "C" __device__ int half_of(float *result, float x) { *result = x / 2; return 0; }
A
cat >f.c <<'A'
int half_of(float *result, float x) { *result = x / 2; return 0; }
A
program()
{
    cat >p.py <<A
from numba import cuda
half_of = cuda.declare_device($1)
@cuda.jit($2)
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = half_of(x[i])
@cuda.jit
def other(x):
    x[cuda.grid(1)] += 1
A
}

# The texts, and what is made of them on either device.
program '"half_of", "float32(float32)"' 'link=["f.cu", "f.c"]'
holds "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says out '^extern "C" __device__ int half_of' '^namespace kjit_code {' \
    'call_linked<float>\(::half_of, arg0\)'
holds "$KJIT" build p.py:k --emit c --sig '(float32[::1],)' -o -
says out 'extern void half_of\(void\);'
silent out 'x / 2'
holds "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)' --print x
says out '0, 0.5, 1, 1.5'
holds "$KJIT" check p.py:k 'x=arange(4, dtype=float32)'

# An edited C file is compiled anew, and a macro of it stays its own.
printf '#define k broken\nint half_of(float *result, float x) { *result = x / 4; return 0; }\n' >f.c
holds "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)' --print x
says out '0, 0.25, 0.5, 0.75'

# C's calling convention, on the whole way by the IR's text.
program '"half_of", "float32(float32)", abi="c", link="f.c"' ''
echo 'float half_of(float x) { return x / 8; }' >f.c
holds "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)' --print x
says out '0, 0.125, 0.25, 0.375'
holds "$KJIT" build p.py:k --emit ir-full --sig '(float32[::1],)' -o first.ir
says first.ir 'foreign\(half_of, c\)'
holds "$KJIT" build first.ir --emit ir-full -o second.ir
holds cmp first.ir second.ir

# What is missing is told where it is wanted, and what to do.
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err "p.py:2:1: error: 'half_of' is declared, and nothing is linked .*link=\[\"f.cu\"\]"
program '"half_of", "float32(float32)"' 'link=["f.cu"]'
expect 1 "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)'
says err "'half_of' is CUDA C, in f.cu, which the processor cannot run: give a C file"
program '"half_of", "float32(float32)"' 'link="f.ptx"'
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err 'p.py:3:16: error: kjit links CUDA C and C as source, .cu and .c, and f.ptx is neither'
program '"half_of", "float32(float32)"' 'link="gone.cu"'
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err "p.py:3:16: error: link= cannot be honoured: there is no file 'gone.cu'"
holds "$KJIT" build p.py:other --emit cuda --sig '(float32[::1],)' -o -
program '"half_of", "float32(float32)"' 'link=[n + ".cu" for n in "fg"]'
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err 'link= names what kjit cannot evaluate: write a path'
program '"half_of", "float32(float32[:])"' 'link=["f.cu"]'
sed -i 's/half_of(x\[i\])/half_of(x)/' p.py
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err "parameter 1 of 'half_of' is float32\[::1\], and a linked function takes numbers and point"
program '"half_of", "float32(float32)", use_cooperative=True' 'link=["f.cu", "f.c"]'
expect 1 "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)'
says err "'half_of' may wait for other threads, use_cooperative=True"
program '"half of", "float32(float32)"' 'link=["f.cu"]'
expect 1 "$KJIT" build p.py:k --emit cuda --sig '(float32[::1],)' -o -
says err 'cuda.declare_device takes the name of a function and its signature'
holds "$KJIT" build p.py:other --emit cuda --sig '(float32[::1],)' -o -

# What does not compile is the user's text, not kjit's.
program '"half_of", "float32(float32)"' 'link=["f.c"]'
echo 'int half_of(float *result, float x) { return y; }' >f.c
expect 1 "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)'
says err 'does not compile with .* together with what link= names' 'f.c:1:'
echo 'int of_half(void) { return 0; }' >f.c
expect 1 "$KJIT" run --device cpu p.py:k 'x=arange(4, dtype=float32)'
says err 'does not compile with .* together with what link= names' 'half_of'
