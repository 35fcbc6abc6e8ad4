# `kjit test` tells right from wrong, rewrites, and survives what it tests.
mkdir cases
cat >cases/one.k <<'K'
@example(x=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def one(x):
    x[cuda.threadIdx.x] = 1
K
printf 'def f(:\n' >cases/bad.k
touch cases/one.out cases/one.ast cases/bad.err
expect 4 "$KJIT" test cases
says out '^0 passed, 3 failed$' '^\+x  float32\[4\]  min 1  max 1  sum 4'
expect 0 "$KJIT" test cases --update
says out '^3 passed, 0 failed$' 'updated'
expect 0 "$KJIT" test cases -j 1
says out '^3 passed, 0 failed$'
says cases/bad.err '^bad\.k:1:[0-9]+: error'
expect 0 "$KJIT" test cases/one.out
says out '^1 passed, 0 failed$'
echo more >>cases/one.out
expect 4 "$KJIT" test cases
says out '^2 passed, 1 failed$' '^-more$'
touch cases/one.err
expect 4 "$KJIT" test cases/one.err
says out 'an error was expected'
touch cases/two.k
expect 2 "$KJIT" test cases/two.k
expect 2 "$KJIT" test cases -j 0
printf '@cuda.jit\ndef k(x):\n    x[0] = 1\n' >cases/bare.k
: >cases/bare.out
expect 4 "$KJIT" test cases/bare.out
says out 'put an @example'

# What kjit did not write stays as it is, and a program in C is no expectation.
mkdir own
cp cases/one.k own/one.k
printf '#include <kjit.h>\nint main(void)\n{\n    return 0;\n}\n' >own/one.c
printf '#include <cuda.h>\n' >own/one.cu
printf 'a program\0of mine\n' >own/one.out
printf 'notes\n' >own/one.ir
printf 'my tree\n' >own/one.ast
for file in own/*; do cp "$file" "$file.before"; done
expect 4 "$KJIT" test own --update
says err 'own/one\.c: left alone: it is not what kjit wrote; empty it' 'own/one\.cu: left alone'
says out 'own/one\.out: not updated: it is not what kjit wrote; empty it'
says out 'own/one\.ir: not updated' 'own/one\.ast: not updated' '^0 passed, 3 failed$'
for file in own/*.before; do holds cmp "$file" "${file%.before}"; done
rm own/one.ast own/one.ir own/one.out
expect 2 "$KJIT" test own
silent err 'left alone'
expect 2 "$KJIT" test own/one.c --update
touch own/one.ir
expect 0 "$KJIT" test own/one.k --update
says out '^1 passed, 0 failed$'
holds cmp own/one.c own/one.c.before

# What kjit wrote is rewritten, in every ending, also where its first line is lost.
for ending in tokens ast ir cu c out; do : >own/one.$ending; done
expect 0 "$KJIT" test own --update
for ending in tokens ast ir cu c out; do
    sed -e '$s/$/ more/' own/one.$ending >own/changed && mv own/changed own/one.$ending
done
expect 4 "$KJIT" test own
expect 0 "$KJIT" test own --update
says out '^6 passed, 0 failed$'
expect 0 "$KJIT" test own

# Kernels that are not in the cache are compiled by one call of the C compiler, whatever names they
# share; those that cannot be compiled together one by one.
mkdir together
cat >compiler <<'SH'
#!/bin/sh
echo "$*" >>"$CALLS"
cat >"$CALLS.c"
if [ -n "$ALONE" ] && grep -q 'kjit\$' "$CALLS.c"; then exit 1; fi
exec cc "$@" <"$CALLS.c"
SH
chmod +x compiler
for number in 1 2 3; do
    cat >together/$number.k <<K
@cuda.jit(device=True)
def scaled(x):
    return x * $number

@example(x=full(1, 10, dtype=int32), grid=1, block=1)
@cuda.jit
def of_each(x):
    x[cuda.threadIdx.x] = scaled(x[cuda.threadIdx.x])

@example(x=full(1, 10, dtype=int32), grid=1, block=1)
@cuda.jit
def of_one(x):
    x[0] = scaled(x[0]) + 1
K
    printf 'x  int32[1]  min %d  max %d  sum %d  [%d]\n' \
        ${number}0 ${number}0 ${number}0 ${number}0 ${number}1 ${number}1 ${number}1 ${number}1 |
        sed -e '1i == of_each ==' -e '1a == of_one ==' >together/$number.out
done
printf 'x = np.array([3, 1])\nx = x + x\nassert x[0] == 6\nprint(x)\n' >together/program.py
sed -i '1i import numpy as np' together/program.py
echo '[6 2]' >together/program.out
compiled()
{
    export CALLS="$PWD/$1" ALONE=$2
    : >"$CALLS"
    expect 0 env KJIT_CC="$PWD/compiler -O0" KJIT_CACHE="$PWD/$1.cache" "$KJIT" test -j 1 together \
        together/program.py
    says out '^4 passed, 0 failed$'
}
compiled joined
holds test "$(wc -l <joined)" -eq 2 # those of the program have other options
compiled joined
holds test "$(wc -l <joined)" -eq 0
compiled alone 1
holds grep -q kernels.so alone
holds test "$(grep -c '/kernel.so' alone)" -ge 7
