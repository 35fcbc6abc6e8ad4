# `kjit check`: what it prints, in each of its forms, and the status it ends with.
cat >count.k <<'K'
@example(out=zeros(1, dtype=int32), grid=1, block=64)
@cuda.jit
def count(out):
    out[0] += 1


@example(out=zeros(1, dtype=int32), grid=1, block=64)
@cuda.jit
def count_right(out):
    cuda.atomic.add(out, 0, 1)


@cuda.jit
def scaled(x, by):
    i = cuda.grid(1)
    x[i] = x[i] // by
K

expect 4 "$KJIT" check count.k
says out '^== count ==$' '^count\.k:4:5: race: .*out\[0\]' '^    4 \|     out\[0\] \+= 1$' \
    '^      \|     \^~' \
    '^count\.k:4:5: note: thread \([0-9]+, 0, 0\) of block \(0, 0, 0\) writes out\[0\] here$' \
    '^count\.k:4:5: note: thread \([0-9]+, 0, 0\) of block \(0, 0, 0\) reads out\[0\] here$' \
    '^[0-9]+ findings? in 1 of 2 kernels; 1 kernel without an @example passed over$'
holds test "$(grep -c count_right out)" = 0
expect 0 "$KJIT" check count.k:count_right
says out '^no findings in 1 kernel$'
expect 4 "$KJIT" check --quiet count.k:count
holds test "$(grep -c -e findings -e == out)" = 0

# The same findings whenever it is run, and however many orders there are told once.
"$KJIT" check count.k >first
"$KJIT" check count.k >second
holds cmp first second
expect 4 "$KJIT" check count.k:count --orders 1 --seed 7
expect 4 "$KJIT" check count.k:count --orders 9
holds test "$(grep -c ': race:' out)" -le 2

# Values, and what is launched.
expect 2 "$KJIT" check count.k:scaled
says err 'scaled needs x, by'
expect 4 "$KJIT" check count.k:scaled 'x=arange(8, dtype=int32)' by=0 --grid 1x8
says out 'count\.k:16:12: zero-division: 0 is divided by zero'
expect 4 "$KJIT" check count.k:scaled 'x=empty(8, dtype=int32)' by=2 --grid 1x9
says out 'unwritten: x\[0\] is read' 'out-of-bounds: index 8 is out of range for axis 0 of size 8'
expect 0 "$KJIT" check count.k:scaled 'x=arange(8, dtype=int32)' by=2 --grid 1x8
expect 2 "$KJIT" check count.k by=3
says err 'NAME=VALUE goes with one kernel'
expect 2 "$KJIT" check count.k:scaled count.k:count by=3
says err 'there are 2 FILEs'
expect 2 "$KJIT" check
says err 'which FILE'
expect 2 "$KJIT" check count.k --orders 0
expect 3 "$KJIT" check nowhere.k
says err 'nowhere\.k'
expect 2 "$KJIT" check count.k:nothing
says err "no kernel 'nothing'"
echo 'def wrong(:' >wrong.k
expect 1 "$KJIT" check wrong.k

# Several files; one of them without kernels.
echo 'def half(x): return x / 2' >half.k
expect 4 "$KJIT" check half.k count.k
expect 2 "$KJIT" check half.k
says err 'nothing to check'

# For programs.
expect 4 "$KJIT" check count.k --json --sarif count.sarif
says out '"rule": "race"' '"element": "out\[0\]"' '"line": 4' '"kernel": "count_right"' \
    '"passed_over": 1' '"interrupted": false'
says count.sarif '"version": "2\.1\.0"' '"ruleId": "race"' '"uri": "count\.k"' '"startLine": 4' \
    '"level": "error"'
expect 0 "$KJIT" check count.k:count_right --json
says out '"findings": \[\]'
expect 3 "$KJIT" check count.k --sarif nowhere/count.sarif
says err 'cannot write .nowhere/count\.sarif'

# As a device of kjit run: its results, and the findings beside them.
expect 4 "$KJIT" run count.k:count --device check
says out '^out  int32\[1\]'
says err 'count\.k:4:5: race:' '^[0-9]+ findings? in 1 kernel$'
expect 0 "$KJIT" run count.k:count_right --device check
says out 'sum 64'
says err '^no findings in 1 kernel$'

# Without a C compiler.
expect 3 env KJIT_CC=no-such-compiler KJIT_CACHE_SIZE=0 "$KJIT" check count.k
says err 'needs a C compiler' 'set KJIT_CC'

export KJIT_CACHE=$KERNELS
# What the marks in the kernels say; nothing in the examples.
expect 0 "$PYTHON" "$ROOT/tests/check/marks.py" --kjit "$KJIT" "$ROOT"/tests/golden/defects/*.k
says out ' 0 complaints'
expect 0 "$PYTHON" "$ROOT/tests/check/marks.py" --kjit "$KJIT" --clean "$ROOT"/examples/*.k
says out ' 0 complaints'
# Kernels that test_cover launches so, and whose results it compares, give no element to two
# threads.
for grid in 1x1 2x8 16x1 1x16; do
    expect 0 "$KJIT" check "$ROOT/tests/unit/cover_alone.k" --grid $grid
done

# --update fills in what was found, and a later change shows.
touch count.check
expect 0 "$KJIT" test --update count.k
says count.check '^count\.k:4:5: race'
expect 0 "$KJIT" test count.k
sed -i 's/out\[0\] += 1/out[0] -= 1/' count.k
expect 4 "$KJIT" test count.k

# Several files: those that cannot be checked, or have nothing to check, keep none of the others.
cat >plain.k <<'E'
@cuda.jit
def plain(out):
    out[0] = 1
E
cat >racing.k <<'E'
@example(out=zeros(1, dtype=int32), grid=1, block=8)
@cuda.jit
def racing(out):
    out[0] += 1
E
expect 4 "$KJIT" check plain.k racing.k
says out '1 finding in 1 kernel; 1 kernel without an @example passed over'
expect 3 "$KJIT" check nowhere.k racing.k
says err 'nowhere.k'
says out '^racing.k:4:5: race: '
