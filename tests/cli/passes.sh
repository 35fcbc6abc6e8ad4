# What the optimising passes do to the kernels of tests/golden/opt shows in no result: on the
# processor each kernel leaves the same bits with all passes and with none. Which products and sums
# become one step is the C compiler's choice, here none.
cat >cc.sh <<'S'
#!/bin/sh
exec cc "$@" -ffp-contract=off
S
chmod +x cc.sh

# What is compared must be certain, here and of tests/programs: no kernel races, but one where all
# write the same.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
expect 0 "$python" "$ROOT/tests/check/marks.py" --races "$KJIT" \
    "$ROOT"/tests/golden/opt/*.k "$ROOT"/tests/programs/*.k
says out ' 0 complaints'

for file in "$ROOT"/tests/golden/opt/*.k; do
    for kernel in $("$KJIT" build --emit ir "$file" | sed -n 's/^kernel \([^(]*\)(.*/\1/p'); do
        case $kernel in # a race: anything may come out
            *_without_a_barrier) continue ;;
        esac
        for passes in none all; do
            expect 0 env KJIT_CC="$PWD/cc.sh" KJIT_PASSES=$passes timeout 300 "$KJIT" run \
                --device cpu --json "$file:$kernel"
            sed '/"counters"/,$d' out >"$kernel.$passes"
        done
        holds grep -q '"written"' "$kernel.all"
        holds cmp "$kernel.none" "$kernel.all"
        case $file in # what runs on the processor unless told otherwise makes other loops
            */tiles*) ;;
            *) continue ;;
        esac
        expect 0 env KJIT_CC="$PWD/cc.sh" timeout 300 "$KJIT" run --device cpu --json \
            "$file:$kernel"
        sed '/"counters"/,$d' out >"$kernel.default"
        holds cmp "$kernel.none" "$kernel.default"
    done
done

# Extents and scalars are constants for hot launches alone.
cat >hot.k <<'K'
@example(x=zeros(77, dtype=float32), n=5, f=float32(0.5), grid=2, block=64)
@cuda.jit
def k(x, n, f):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = n * f
K
expect 0 "$KJIT" build hot.k --emit ir --facts=hot --after=constants
says out 'lt\(i, 77\)'
says out '5'
expect 0 "$KJIT" build hot.k --emit ir --facts=launch --after=constants
says out 'lt\(i, extent\(x, 0\)\)'
expect 0 "$KJIT" build hot.k --emit ir --facts=hot --passes=-constants
says out 'extent\(x, 0\)'

# So are the strides that follow from them.
cat >rows.k <<'K'
@example(x=zeros((5, 77), dtype=float32), grid=1, block=(77, 5))
@cuda.jit
def k(x):
    i, j = cuda.grid(2)
    x[j, i] = i
K
expect 0 "$KJIT" build rows.k --emit cuda --facts=hot
says out '\* 77'
expect 0 "$KJIT" build rows.k --emit cuda --facts=launch
says out '\* x_1'

# Remarks on a launch speak of what runs: few threads are enough for the processor.
cat >few.k <<'K'
@example(x=ones(640, dtype=float32), y=zeros(640, dtype=float32), grid=10, block=64)
@cuda.jit
def k(x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i]
K
expect 0 "$KJIT" run few.k -q --device cpu --passes=all --remarks
says err 'each thread does the work of 4'
expect 0 "$KJIT" build few.k --emit cuda --facts=launch --remarks
silent err 'each thread does the work'
