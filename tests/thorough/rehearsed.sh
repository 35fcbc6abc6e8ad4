# The device check where every launch is rehearsed: the same is found, the same comes out, and what
# is clean runs at once.
export KJIT_REHEARSE=always KJIT_CACHE=$KERNELS
# Loops that do not end are optimised, as in `make test-golden`.
expect 0 env -u KJIT_CC "$KJIT" test "$ROOT"/tests/golden/defects
expect 0 "$KJIT" test --device check "$ROOT"/tests/golden/threads/*.out

# How often it was so is told to programs.
rehearsals() # kernel
{
    expect 0 "$KJIT" check --json --orders 2 "$ROOT/examples/$1"
    says out '"findings": \[\]' "\"rehearsed\": $2,"
}
for kernel in increment.k vector_add.k multiply.k matmul.k matmul_shared.k \
    transpose.k:transpose_shared convolution.k:smooth_shared reduce.k:sum_sequential \
    reduce.k:sum_all; do
    rehearsals $kernel 2
done
rehearsals hist.k 0
export KJIT_REHEARSE=never
rehearsals increment.k 0
