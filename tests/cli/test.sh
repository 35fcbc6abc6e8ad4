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
