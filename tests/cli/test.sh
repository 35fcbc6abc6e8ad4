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
