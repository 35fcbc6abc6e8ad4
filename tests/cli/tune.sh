# `kjit tune`: what is found, what goes wrong on the way, and what stays when it is ended. Launches
# take as long as kernels say in `took`, else all the same (tests/paced/paced.h): nothing here is a
# matter of how fast the machine is.
export OMP_NUM_THREADS=1
real=$KJIT
KJIT=$PACED
cat >mm.k <<'K'
"""A matrix product whose loops run in tiles."""
tile = 8
depth = 1


@tune(tile=[1, 4, 16], depth=[1, 2, 4], block="tile", problem="c.shape[0]",
      restrict="tile * depth <= 16")
@example(a=normal((64, 64), seed=1, dtype=float32), b=normal((64, 64), seed=2, dtype=float32),
         c=zeros((64, 64), dtype=float32))
@cuda.jit
def mm(a, b, c):
    i = cuda.grid(1)
    if i < c.shape[0]:
        for j in range(c.shape[1]):
            s = float32(0)
            for k in range(0, a.shape[1], depth):
                for d in range(depth):
                    s += a[i, k + d] * b[k + d, j]
            c[i, j] = s
K
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom --csv mm.csv --t4 mm.json --plot mm.svg \
    --report mm.html
says out '^mm: 7 of 7 configurations, least time \(of 9, 2 excluded by restrict\)$' \
    '^\* .* [mun]s .* tile=[0-9]+, depth=[0-9]$' \
    '^untuned: .*s, .*s to .*s; (the best (is|takes) [^ ]* times as (fast|long)|no difference .*)$'
says err '^7 of 7: tile=16, depth=1: '
says mm.mm.tune.jsonl '^\{"record":"key","version":1,' '"record":"untuned"'
# The untuned kernel is measured with the others, and once more beside the winners.
holds test "$(grep -c '"record":"untuned"' mm.mm.tune.jsonl)" = 2
holds sh -c 'tail -1 mm.mm.tune.jsonl | grep -q "\"record\":\"untuned\""'
says mm.csv '^tile,depth,objective,outcome,ms,'
says mm.json '"schema_version": "1.0.0"' '"invalidity": "correct"'
says mm.svg '<svg'
holds test "$(wc -l <mm.csv)" = 8
holds test "$(grep -c '"record":"result"' mm.mm.tune.jsonl)" = 7

# By the machine's clock there are times, too, whatever they are.
expect 0 "$real" tune mm.k --device cpu --no-wisdom -q --log real.jsonl
says out '^mm: 7 of 7 ' '^untuned: ' \
    '^(\* .* [mun]s .* tile=[0-9]+, depth=[0-9]|no winner is named: .*)$'

# A space is as large as its restrictions leave it.
python3 - >vast.k <<'P'
names = [f"p{i}" for i in range(9)]
print(*(f"{name} = 1" for name in names), sep="\n")
print("@tune(" + ", ".join(f"{name}={list(range(1, 17))}" for name in names),
      'block=4, problem="x.size", restrict="p0 * p1 == 2 and %s == 1")'
      % " == 1 and ".join(names[2:]), sep=", ")
print("@example(x=ones(8, dtype=float32))\n@cuda.jit\ndef vast(x):\n    i = cuda.grid(1)")
print("    if i < x.size:\n        x[i] += 0 * (" + " + ".join(names) + ")")
P
expect 0 "$KJIT" tune vast.k --device cpu --no-wisdom --budget 1
says out '^vast: 1 of 2 .*, least time \(of 68719476736, 68719476734 excluded by restrict\)$'

# Advice can be followed.
printf '@tune(block_x=[32, 64])\n%s\n' '@cuda.jit
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1' >block.k
expect 1 "$KJIT" tune block.k --device cpu 'x=ones(100)'
says err "nothing called 'block_x' to tune: .*; did you mean 'block_size_x'\?$"
sed -i s/block_x=/block_size_x=/ block.k
expect 2 "$KJIT" tune block.k --device cpu 'x=ones(100)' --no-wisdom
says err 'nothing says the grid of k$' '^note: say problem="x.size" in @tune above it'
expect 0 "$KJIT" tune block.k --device cpu 'x=ones(100)' --no-wisdom -T problem=x.size
says out '^k: 2 of 2 configurations'
expect 2 "$KJIT" tune mm.k --device cpu -T 'block_size_x=[8]'
says err 'block= says how large blocks are.*: say block=block_size_x, or leave block= out'
expect 2 "$KJIT" tune block.k --device cpu 'x=ones(100)' --grid 2x64 -T 'block_size_x=[8]'
says err "^kjit: --grid says how large blocks are, .* 'block_size_x', .*: leave --grid out, or"
for name in brute_force:exhaustive random_sample:random bayes_opt:model \
    genetic_algorithm:genetic; do
    expect 2 "$KJIT" tune mm.k --strategy "${name%:*}"
    says err "did you mean '${name#*:}'"
done
sed 's/"tile \* depth <= 16"/lambda p: p/' mm.k >lambda.k
expect 1 "$KJIT" tune lambda.k --device cpu
says err '^lambda\.k:7:16: error: @tune takes no lambda: write the expression itself'
sed 's/problem=/problem_size=/' mm.k >size.k
expect 1 "$KJIT" tune size.k --device cpu
says err "did you mean 'problem'"
sed 's/tile \* depth <= 16/16 % (depth - 1) == 0/' mm.k >zero.k
expect 1 "$KJIT" tune zero.k --device cpu
says err '^zero\.k:7:[0-9]+: error: ' 'note: that is for tile=1, depth=1'

# Grid, block and shared of the @example follow a configuration's constants, as with -D, in tune
# and where its wisdom is taken; a log knows what they were.
cat >follow.k <<'K'
threads = 64
blocks = -(-77 // threads)


@tune(threads=[32, 64, 128])
@example(x=arange(77, dtype=float32), y=zeros(77, dtype=float32), took=zeros(1),
         grid=blocks, block=(threads, 1), shared=threads * 4)
@cuda.jit
def follow(x, y, took):
    s = cuda.shared.array(0, float32)
    i = cuda.grid(1)
    if i < x.size:
        s[cuda.threadIdx.x] = x[i]
        y[i] = 2 * s[cuda.threadIdx.x]
    if i == 0:
        took[0] = threads
K
expect 0 "$KJIT" tune follow.k --device cpu -q --no-verify
says out '^follow: 3 of 3 configurations' '^\* 32 ms .* threads=32$'
silent err 'nothing reads'
expect 0 "$KJIT" run follow.k --device cpu --remarks
says out '^y  float32\[77\] .* sum 5852 '
says err 'wisdom: threads=32 '
sed 's/threads/block_size_x/g; /^@tune/d; s/took\[0\] = .*/took[0] = 1/' follow.k >auto.k
expect 0 "$KJIT" tune auto.k --device cpu --no-wisdom -q -T 'block_size_x=[32, 64, 128]'
says out '^follow: 3 of 3 configurations' '^[* ] .* block_size_x=32$'
silent out WRONG
sed -i 's/grid=blocks/grid=-(-90 \/\/ block_size_x)/' auto.k
expect 0 "$KJIT" tune auto.k --device cpu --no-wisdom -q -T 'block_size_x=[32, 64, 128]'
says err 'is of another run \(digest\)'
# A grid that cannot be computed is an error, unless @tune says what the grid is to cover.
sed 's/-90/-nosuch/' auto.k >wrong.k
for command in 'run wrong.k' "tune wrong.k --no-wisdom -T block_size_x=[32,64]"; do
    expect 1 "$KJIT" $command --device cpu
    says err "^wrong\.k:6:[0-9]+: error: there is no value 'nosuch'"
    silent err 'nothing says'
done
expect 0 "$KJIT" tune wrong.k --device cpu --no-wisdom -q -T 'block_size_x=[32, 64]' \
    -T problem=x.size
says out '^follow: 2 of 2 configurations'

# A size of the block that is no constant is, untuned, the @example's: with the first of the list so
# many blocks would not come to all elements, and what does would be called wrong.
cat >covers.k <<'K'
@tune(block_size_x=[32, 64, 128, 256])
@example(grid=8, block=128, x=arange(1000, dtype=float32), out=zeros(1000, dtype=float32))
@cuda.jit
def twice(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = 2 * x[i]
K
expect 0 "$KJIT" tune covers.k --device cpu --no-wisdom -q
says out '^[* ] .* block_size_x=128$' '^[* ] .* block_size_x=256$'
says out '^2 WRONG: .* out\[256\] is 0, untuned 512;'
expect 0 "$KJIT" run covers.k:twice --device cpu
says out ' sum 999000 '
expect 0 "$KJIT" tune covers.k --device cpu --no-wisdom -q -T problem=x.size
says out '^twice: 4 of 4 configurations'
silent out WRONG

# What no constant is called, and nothing asks for, is a slip; what only sizes ask for is none.
cat >plain.k <<'K'
@tune(threads=[32, 64], block="threads", problem="x.shape[0]")
@example(x=ones(1000, dtype=float32))
@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] *= 2
K
expect 0 "$KJIT" tune plain.k --device cpu --no-wisdom -q
says out '^twice: 2 of 2 configurations'
expect 2 "$KJIT" tune plain.k --device cpu --no-wisdom -q -T 'thread=[1, 2]'
says err "nothing called 'thread' to tune: plain\.k has no such constant.*did you mean 'threads'"
sed 's/problem=/problm=/; s/"x.shape\[0\]"/["x.shape[0]"]/' plain.k >slip.k
expect 1 "$KJIT" run slip.k --device cpu
says err "^slip\.k:1:[0-9]+: error: @tune has no 'problm'.*did you mean 'problem'\?"
# A file that is no log stays what it is.
cp plain.k kept.k
expect 3 "$KJIT" tune plain.k --device cpu --no-wisdom -q --log kept.k
says err "^kjit: kept\.k is there, and no log of 'kjit tune'"
silent out .
holds cmp plain.k kept.k
# Outcomes that were judged otherwise are another run's.
expect 0 "$KJIT" tune plain.k --device cpu --no-wisdom -q --tolerance 0.5
says err 'is of another run \(tolerance\): kept as plain\.twice\.tune\.jsonl\.1$'

# What is printed does not end up in a pipe or a log that took the place of a closed stream.
expect 3 sh -c "'$KJIT' tune plain.k --device cpu --no-wisdom -q --log closed.jsonl <&- >&-"
says err 'cannot write to the standard output'
holds sh -c '! grep -v "^{.*}$" closed.jsonl'

# The same command measures nothing again; a kernel that was edited is another.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom --json
says err '^kjit: mm.mm.tune.jsonl: 7 of 7 configurations are measured already$'
says out '"evaluated": 7' '"kernel": "mm"' '"interrupted": false'
holds test "$(grep -c '"record":"result"' mm.mm.tune.jsonl)" = 7
sed -i 's/float32(0)/float32(0.0)/' mm.k
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q -T 'tile=[4]' -T 'depth=[1]'
says err 'mm.mm.tune.jsonl is of another run \(digest\): kept as mm.mm.tune.jsonl.1$'
says out '^mm: 1 of 1 configurations'
holds test "$(grep -c '"record":"result"' mm.mm.tune.jsonl.1)" = 7
# So is one whose blocks follow otherwise.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q -T 'tile=[4]' -T 'depth=[1]' -T 'block=8'
says err 'is of another run \(digest\): kept as mm.mm.tune.jsonl.2$'
# So is one with other extents; @tune's values, and comments, may change.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log other.jsonl -T 'depth=[1]' \
    -T 'tile=[4]'
sed 's/tile=\[1, 4, 16\]/tile=[1, 4, 8, 16]/; s/^@cuda.jit/# It sums.\n&/' mm.k >other.k
expect 0 "$KJIT" tune other.k --device cpu --no-wisdom -q --log other.jsonl -T 'depth=[1]'
says err '^kjit: other.jsonl: 1 of 4 configurations are measured already$'
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q -T 'tile=[4]' -T 'depth=[1]' \
    'a=ones((32, 32), dtype=float32)' b=a 'c=zeros((32, 32), dtype=float32)'
says err 'is of another run \(arguments\): kept as mm.mm.tune.jsonl.3$'
# What was put aside and is of this run is gone on with.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q -T 'tile=[4]' -T 'depth=[1]' -T 'block=8'
says err 'is of another run \(arguments\): kept as mm.mm.tune.jsonl.4$' \
    '^kjit: mm.mm.tune.jsonl.3 is of this run: it is mm.mm.tune.jsonl again$' \
    '1 of 1 configurations are measured already'
# What of the environment changes times makes another run, and the log names it.
for setting in KJIT_PASSES=none OMP_NUM_THREADS=2 'KJIT_CC=cc -O1'; do
    cp plain.k env.k
    rm -f env.twice.*
    expect 0 env -u OMP_WAIT_POLICY "$KJIT" tune env.k --device cpu --no-wisdom -q
    expect 0 env "$setting" "$KJIT" tune env.k --device cpu --no-wisdom -q
    says err "is of another run \(${setting%%=*}\): kept as env\.twice\.tune\.jsonl\.1$"
    silent err 'measured already'
done
# A slip is noticed before the log is put aside.
expect 3 "$KJIT" tune mm.k --device cpu --no-wisdom -q --reference c=typo.npy
says err '^kjit: --reference c=typo\.npy: it cannot be read: No such file'
holds test ! -e mm.mm.tune.jsonl.5

# ---- configurations that go wrong --------------------------------------------------------------
# (Mode 3 hangs by the tests' clock, mode 5 indeed.)
cat >bad.k <<'K'
mode = 0
width = 2


@tune(mode=[0, 1, 2, 3, 4], width=[4, 8], block="width", problem="out.shape[0]")
@example(x=arange(64, dtype=float32), out=zeros(64, dtype=float32), took=zeros(1))
@cuda.jit
def bad(x, out, took):
    i = cuda.grid(1)
    if mode == 1:
        out[i] = x[i] + 1
    elif mode == 2:
        out[i + 1000000000] = x[i]
    elif mode == 3:
        out[i] = x[i]
        if i == 0:
            took[0] = math.inf
    elif mode == 5:
        j = 0
        while j >= 0:
            j = (j + 1) % 1000
            out[i] = j
    elif mode == 4:
        out[i] = x[i] * "a"
    elif i < out.shape[0]:
        out[i] += x[i] * 2
K
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom --timeout 600 \
    -T 'restrict="mode != 3 or width == 8"'
says out '^\* .* mode=0, width=[48]$' '^2 WRONG: .* mode=1, width=4: out\[0\] is 1, untuned 0; ' \
    '^2 do not compile; mode=4, width=4: bad.k:[0-9]+:[0-9]+: error: ' \
    '^2 crashed; mode=2, width=4: it ended the process: ' \
    '^1 did not end in time; mode=3, width=8: it still ran after 600 s \(--timeout\)$'
says err 'mode=1, width=8: wrong: ' 'mode=3, width=8: timeout: '
# But if it is what the others are to be compared with, there is no beginning.
expect 3 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log crash.jsonl -D mode=2 -T 'mode=[0, 1]'
# with the address sanitizer its last words are others than the signal
says err "^kjit: the kernel with the source's own constants cannot be launched: ."
silent out .
# One that ends the process while others are compiled beside it: it is told from them.
cat >deadly.sh <<'S'
#!/bin/sh
case "$*" in
*"-x c -"*) text=$(mktemp) && cat >"$text"
    grep -q 12345 "$text" && kill -9 $PPID
    cc "$@" <"$text"
    status=$?
    rm -f "$text"
    exit $status ;;
esac
exec cc "$@"
S
chmod +x deadly.sh
cat >one.k <<'K'
mode = 3


@tune(mode=[0, 1, 12345, 2], block=4, problem="out.shape[0]")
@example(out=zeros(64, dtype=float32))
@cuda.jit
def one(out):
    out[cuda.grid(1)] = 12345 if mode == 12345 else 1
K
expect 0 env KJIT_CC="$PWD/deadly.sh" KJIT_CACHE_SIZE=0 "$KJIT" tune one.k --device cpu --no-wisdom
says out '^1 crashed; mode=12345: compiling it ended the process: signal 9' '^\* .* mode=[012]$'
says one.one.tune.jsonl '"mode":2.*"outcome":"(ok|slow)"|"outcome":"(ok|slow)".*"mode":2'

# The reason of all of them is said once, and in the compiler's own words.
expect 3 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log option.jsonl -T 'mode=[0, 1]' \
    -T 'options=["--nosuch"]'
says out '^no configuration works$' \
    "^4 do not compile; all of them: the C compiler .* with the compiler option '--nosuch'$"

# What another than the untuned kernel says is right.
expect 0 "$KJIT" run bad.k --device cpu -q -D mode=1 --grid 16x4 --save out=ramp.npy
expect 0 "$KJIT" run bad.k --device cpu -q -D mode=1 --grid 9x7 --save out=short.npy \
    'x=zeros(63, dtype=float32)' 'out=zeros(63, dtype=float32)'
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log ramp.jsonl \
    --reference out=ramp.npy -T 'mode=[0, 1]'
says out '^\* .* mode=1, width=[48]$' \
    '^2 WRONG: .* mode=0, width=4: out\[0\] is 0, in the reference 1; 63 of 64 elements differ' \
    '^untuned: out\[0\] is 0, in the reference 1; '
# Then the untuned kernel need not even run.
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log ramp.jsonl -D mode=2 \
    --reference out=ramp.npy -T 'mode=[1]'
says out '^\* .* mode=1, width=[48]$' '^untuned: '
expect 3 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log ramp.jsonl -D mode=2 -T 'mode=[1]'
expect 2 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log short.jsonl --reference out=short.npy
says err 'the file has float32\(63\), and the kernel writes float32\(64\)'
expect 2 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log short.jsonl --reference y=short.npy
says err "writes no array called 'y'"
expect 3 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log none.jsonl -T 'mode=[1, 4]'
says out '^no configuration works$'

# ---- ended on the way --------------------------------------------------------------------------
comes() # COMMAND...: waits until it succeeds, two minutes at the most
{
    for _ in $(seq 1200); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}
begun() # log, results: waits until it has so many
{
    comes sh -c '[ "$(grep -c "\"record\":\"result\"" "$0")" -ge "$1" ]' "$1" "$2" 2>/dev/null
}
gone() # process: it has ended, though its status may be unread
{
    ! grep '^State:' "/proc/$1/status" 2>/dev/null | grep -qv Z
}
endless='mode=[0, 1, 5]'
"$KJIT" tune bad.k --device cpu --no-wisdom --log killed.jsonl -T "$endless" >out 2>err &
tuner=$!
holds begun killed.jsonl 4
child=$(cat /proc/$tuner/task/$tuner/children)
kill -9 $tuner
wait $tuner 2>/dev/null
# The child went with it, though its kernel does not end.
holds test -n "$child"
for process in $child; do
    holds comes gone $process
done
printf '{"record":"result","config":{"mode":3,"wid' >>killed.jsonl
hanging='mode=[0, 1, 3]'
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom --log killed.jsonl -T "$hanging" --timeout 200
says err 'killed.jsonl: its last line was cut off and is dropped' \
    'killed.jsonl: 4 of 6 configurations are measured already'
says out '^bad: 6 of 6 configurations' '^2 did not end in time'
holds test "$(grep -c '"record":"result"' killed.jsonl)" = 6
holds test "$(grep -c '"mode":3,"wid$' killed.jsonl)" = 0

# What had less time than it has now is measured again, what had more is not.
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log killed.jsonl \
    -T "$hanging" --timeout 100
says err '6 of 6 configurations are measured already'
silent err 'measured again'
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log killed.jsonl \
    -T "$hanging" --timeout 300
says err '4 of 6 configurations are measured already' \
    'killed.jsonl: 2 timed out in less than --timeout: they are measured again'
says out 'it still ran after 300 s'
holds test "$(grep -c '"timeout":300.0' killed.jsonl)" = 2

# A log is one run's at a time.
"$KJIT" tune bad.k --device cpu --no-wisdom --log both.jsonl -T "$endless" >out 2>err &
tuner=$!
holds begun both.jsonl 4
expect 3 "$KJIT" tune bad.k --device cpu --no-wisdom --log both.jsonl -T "$endless"
says err 'both.jsonl is being written by another run'
# Ctrl-C: what there is is shown and kept.
kill -INT $tuner
wait $tuner
holds test $? = 3
"$KJIT" tune bad.k --device cpu --no-wisdom --log stopped.jsonl -T "$endless" \
    >interrupted 2>interrupted.err &
tuner=$!
holds begun stopped.jsonl 4
kill -INT $tuner
wait $tuner
holds test $? = 3
says interrupted '^bad: 4 of 6 configurations' '^\* .* mode=0'
says interrupted.err 'interrupted; what was measured is kept in stopped.jsonl'

# What is measured in cannot be started any more.
cp bad.k gone.k
"$KJIT" tune gone.k --device cpu --no-wisdom -T "$endless" >gone 2>gone.err &
tuner=$!
holds begun gone.bad.tune.jsonl 4
rm gone.k
kill -9 $(cat /proc/$tuner/task/$tuner/children)
wait $tuner
holds test $? = 3
says gone '^\* .* mode=0'
says gone.err 'it cannot go on: .*gone.k.*; what was measured is kept in gone.bad.tune.jsonl'

# ---- searching less than all, and playing back -------------------------------------------------
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log part.jsonl --budget 50% --seed 3
says out '^mm: 3 of 7 configurations'
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log part.jsonl --budget 4 \
    --strategy genetic
says out '^mm: 4 of 7 configurations'
# Of what is told on the way nothing is left out, and nothing is from before.
before=$(grep -c '"record":"result"' part.jsonl)
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom --log part.jsonl
holds test "$(grep -c '^[0-7] of 7: tile=' err)" = $((7 - before))
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log time.jsonl --budget 1h
says out '^mm: 7 of 7 configurations'
cp time.jsonl before.jsonl
expect 0 "$KJIT" tune --replay time.jsonl --strategy greedy --budget 5 --report replay.html
says out '^mm: 5 of 7 configurations'
expect 0 "$KJIT" tune --replay time.jsonl --strategy all --budget 40% --repeat 5
says out '^strategy +evaluated +median' '^model +2 of 7 .* of 5(;|$)' \
    '^genetic +2 of 7 .* of 5(;|$)'
holds cmp time.jsonl before.jsonl
expect 2 "$KJIT" tune --replay time.jsonl --strategy all
says err '^kjit: --strategy all compares them .*: it goes with --replay FILE --repeat N$'
expect 2 "$KJIT" tune mm.k --device cpu --strategy all
says err '^kjit: --strategy all .* it goes with --replay FILE --repeat N$'
expect 2 "$KJIT" tune --replay time.jsonl --budget 5s
says err 'makes no sense with --replay'
for option in '-T tile=[4]' '-D tile=4' '--grid 4x4' '--shared 64' --debug --fastmath \
    '--device cpu' '--passes none' --cold '--reference c=c.npy' '--tolerance 0' --no-verify \
    '--log other.jsonl' '--timeout 5'; do
    expect 2 "$KJIT" tune --replay time.jsonl $option
    says err "^kjit: ${option%% *} makes no sense with --replay"
    silent out .
done
for option in '--csv o.csv' '--t4 o.json' '--report o.html' '--plot o.svg' --json; do
    expect 2 "$KJIT" tune --replay time.jsonl --repeat 3 $option
    says err "^kjit: ${option%% *} makes no sense with --repeat"
    silent out .
done
holds sh -c '! ls o.*'
sed '/"result"/ { s/"outcome":"ok"/"outcome":"slow"/; s/"ms":[^,}]*/"ms":1e9/ }' time.jsonl \
    >slow.jsonl
expect 3 "$KJIT" tune --replay slow.jsonl --strategy random --repeat 3
says err 'slow\.jsonl: all configurations that work, [0-9]+, were given up early, .*no best'
silent out .
expect 0 "$KJIT" tune --replay slow.jsonl
says out "^the source's own constants are the fastest"
sed -E '/"result"/ s/"outcome":"(ok|slow)"/"outcome":"timeout","timeout":1/' time.jsonl >late.jsonl
expect 3 "$KJIT" tune --replay late.jsonl
says out 'no configuration works'
expect 3 "$KJIT" tune --replay mm.csv
says err 'mm.csv: this is no log of'
expect 3 "$KJIT" tune --replay nowhere.jsonl
expect 3 "$KJIT" tune --replay time.jsonl --objective energy
says out '^of none of these there is a value of energy$'
expect 3 "$KJIT" tune --replay time.jsonl --objective energy --repeat 3
says err 'time.jsonl has no configuration that worked and has a value of energy$'
# Nothing is written into the log of a newer one.
sed '1s/"version":1/"version":2/' time.jsonl >newer.jsonl
cp newer.jsonl before.jsonl
for log in --replay '--log'; do
    target=mm.k
    [ $log = --log ] || target=
    expect 3 "$KJIT" tune $target --no-wisdom -q $log newer.jsonl
    says err 'newer.jsonl: this log was written by a newer kjit'
done
holds cmp newer.jsonl before.jsonl
# Times that cannot be are damage, and never the best.
for ms in -1 0 1e308 '"4"' null; do
    sed "0,/\"result\"/ { /\"result\"/ s/\"ms\":[^,}]*/\"ms\":$ms/ }" time.jsonl >damaged.jsonl
    expect 0 "$KJIT" tune --replay damaged.jsonl
    says err '^kjit: damaged\.jsonl: 1 damaged line passed over$'
    says out '^mm: 6 of 6 configurations'
done
# Results of another space than the last one are told of.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log spaces.jsonl -T 'tile=[1, 4]'
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log spaces.jsonl -T 'tile=[4]' \
    -T 'unroll=[1, 2]'
expect 0 "$KJIT" tune --replay spaces.jsonl
says err '^kjit: 6 of 12 results are of another space, .*: they are not played$'
says out '^mm: 6 of 6 configurations'
# Searches that come upon nothing that works say so; one that came to what was given up found that.
grep -v '"outcome":"ok"' killed.jsonl >few.jsonl
grep -m1 '"outcome":"ok".*"mode":0\|"mode":0.*"outcome":"ok"' killed.jsonl >>few.jsonl
expect 0 "$KJIT" tune --replay few.jsonl --strategy random --budget 1 --repeat 20
says out '^random +1 of [0-9]+ .*none.* found nothing that works$'
silent out 'inf|nan'
python3 - <<'P'
import json
records = [json.loads(line) for line in open("time.jsonl")]
results = [each for each in records if each["record"] == "result"]
for number, each in enumerate(results):
    each.update(outcome="slow" if number else "ok", ms=1.0 + number)
with open("given-up.jsonl", "w") as out:
    for each in records:
        out.write(json.dumps(each) + "\n")
P
expect 0 "$KJIT" tune --replay given-up.jsonl --strategy random --budget 2 --repeat 20
silent out 'none'

# What rounds otherwise, and what is another number.
cat >round.k <<'K'
more = 0.0


@tune(more=[0.0, 0.0001, 1.0], block=8, problem="y.shape[0]")
@example(y=zeros(64, dtype=float32))
@cuda.jit
def rounds(y):
    i = cuda.grid(1)
    if i < y.shape[0]:
        y[i] = 1 + more
K
for more in 0.0001 1.0; do
    expect 3 "$KJIT" tune round.k --device cpu --no-wisdom --log round.jsonl -T "more=[$more]"
    [ $more = 1.0 ] || says out '\(sums in another order round otherwise: --tolerance R allows '
    [ $more = 0.0001 ] || says out 'up to 1 \(--tolerance R allows more\)$'
done

# Large arrays are compared in parts: one wrong element is found in each, also the very last.
cat >part.k <<'K'
at = -1


@tune(at=[-1, 0, 300000, 600000, 1048580], block=256, problem="y.shape[0]")
@example(x=ones(1048581, dtype=float32), y=zeros(1048581, dtype=float32))
@cuda.jit
def part(x, y):
    i = cuda.grid(1)
    if i < y.shape[0]:
        y[i] = x[i] + (1 if i == at else 0)
K
expect 0 "$KJIT" tune part.k --device cpu --no-wisdom -q --log part.jsonl
says out '^4 WRONG: '
for element in 0 300000 600000 1048580; do
    says part.jsonl "y\[$element\] is 2, untuned 1; 1 of 1048581 elements differ"
done

# What is slower than the source's own constants is no gain for launches.
cat >slower.k <<'K'
work = 1


@tune(work=[1, 2000, 60000], block=8, problem="y.shape[0]")
@example(x=ones(512, dtype=float32), y=zeros(512, dtype=float32), took=zeros(1))
@cuda.jit
def slower(x, y, took):
    i = cuda.grid(1)
    if i < y.shape[0]:
        y[i] = math.sqrt(x[i])
    if i == 0:
        took[0] = 0.01 * work
K
expect 0 "$KJIT" tune slower.k --device cpu -q --log worse.jsonl -T 'work=[2000, 60000]'
says out '^untuned: .*; the best takes [^ ]* times as long$'
says err "^kjit: not noted for launches: the source's own constants are faster$"
holds test ! -e slower.wisdom
# But launches do not go on taking what was found to be slower than these.
expect 0 "$KJIT" tune slower.k --device cpu -q --log own.jsonl -D work=4000 -T 'work=[1]'
says err '^kjit: the best is noted in slower\.wisdom'
says out '; the best is [0-9.]+ times as fast$'
sed -i 's/dict(work=1)/dict(work=4000)/' slower.wisdom
cp slower.wisdom slow.wisdom
expect 0 "$KJIT" run slower.k --device cpu --remarks
says err '^kjit: wisdom: work=4000 '
expect 0 "$KJIT" tune slower.k --device cpu --log worse.jsonl -T 'work=[2000]'
says err "^kjit: not noted for launches: the source's own constants are faster$" \
    '^kjit: launches go on taking work=4000 \(slower\.wisdom:3, .*which this run has not measured'
holds cmp slow.wisdom slower.wisdom
expect 0 "$KJIT" tune slower.k --device cpu --no-wisdom --log worse.jsonl -T 'work=[2000, 4000]'
holds cmp slow.wisdom slower.wisdom
expect 0 "$KJIT" tune slower.k --device cpu --log worse.jsonl -T 'work=[2000, 4000]'
says err "^kjit: the source's own constants are faster$" \
    '^kjit: launches took work=4000 \(slower\.wisdom:3, tuned on this device for these extents' \
    '^kjit: they are noted in slower\.wisdom, where launches find it$'
holds sh -c 'grep -c "^tuned(" slower.wisdom | grep -qx 1'
expect 0 "$KJIT" run slower.k --device cpu --remarks
says err '^kjit: wisdom: work=1 .*for these extents'
# also where it is another size's record that they would take, which stays
sed 's/work=4000/work=2000/; s/512/500/g' slow.wisdom >slower.wisdom
expect 0 "$KJIT" tune slower.k --device cpu --log worse.jsonl -T 'work=[2000, 4000]'
says err '^kjit: launches took work=2000 \(slower\.wisdom:3, .*for the nearest extents' \
    '^kjit: they are noted in slower\.wisdom'
says slower.wisdom 'work=2000.*extents=\(500, 500, 1\)' 'work=1\).*extents=\(512, 512, 1\)'
expect 0 "$KJIT" tune slower.k --device cpu --log worse.jsonl -T 'work=[2000, 4000]'
says err "^kjit: not noted for launches: the source's own constants are faster$"
silent err 'launches (took|go on)'
rm slower.wisdom
# The source's own constants are the winner where nothing is better, and nothing is noted.
expect 0 "$KJIT" tune slower.k --device cpu --log best.jsonl --csv best.csv --json
says err '^kjit: not noted for launches: the source.s own constants are the best$'
says out '"than_untuned": "same"' '"own": true' '"work": 1$'
holds test ! -e slower.wisdom
# They were not measured twice: their figures are those of the untuned kernel beside the others.
holds python3 - <<'P'
import csv, json
records = [json.loads(line) for line in open("best.jsonl")]
last = [each["ms"] for each in records if each["record"] == "untuned"][-1]
row = next(each for each in csv.DictReader(open("best.csv")) if each["work"] == "1")
assert float(row["ms"]) == float(row["objective"]) == last, (row, last)
P
# What was given up beside the fastest is measured again without it; if all were, it is said so.
expect 0 "$KJIT" tune slower.k --device cpu --no-wisdom -q --log wide.jsonl
says out '^2 given up early, being clearly slower than the best until then'
grep -v '"record":"result".*"outcome":"ok"\|"outcome":"ok".*"record":"result"' wide.jsonl \
    >given.jsonl
expect 0 "$KJIT" tune --replay given.jsonl
says out "^the source's own constants are the fastest: nothing else was timed to the end$"
expect 0 "$KJIT" tune slower.k --device cpu --no-wisdom -q --log wide.jsonl -T 'work=[2000, 60000]'
says err 'wide.jsonl: 2 were given up beside faster ones.*: they are measured again$'
says out '^\* .* work=2000$'

# Nor is what a search for the worst finds.
expect 0 "$KJIT" tune slower.k --device cpu -q --log most.jsonl --maximize
says out '^slower: 3 of 3 configurations, most time$'
says err '^kjit: not noted for launches: --maximize asked for the most of what .* want little of$'
expect 0 "$KJIT" tune slower.k --device cpu -q --log most.jsonl --objective gflops --minimize
says err '^kjit: not noted for launches: --minimize asked for the least of what .* want much of$'
holds test ! -e slower.wisdom
# However that is put.
expect 0 "$KJIT" tune slower.k --device cpu -q --log most.jsonl --objective gbs+1 --minimize
says err '^kjit: not noted for launches: --minimize asked for the least of what .* want much of$'
expect 0 "$KJIT" tune slower.k --device cpu -q --log most.jsonl \
    --objective '1 / (time * gbs - time)' --maximize
says err '^kjit: not noted for launches: (its launches take longer|the source.s own constants)'
holds test ! -e slower.wisdom
for objective in -time 1/time 'gflops * 1'; do
    expect 0 "$KJIT" tune slower.k --device cpu -q --log most.jsonl --objective="$objective"
    says out "^slower: 3 of 3 configurations, most " '^\* .* work=1$'
done
expect 2 "$KJIT" tune slower.k --device cpu --objective 'time * gflops'
says err 'does not follow from what it is made of: say --minimize or --maximize$'
expect 2 "$KJIT" tune slower.k --device cpu --maximize --minimize
says err '^kjit: --maximize and --minimize contradict each other'

# ---- objectives --------------------------------------------------------------------------------
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log sum.jsonl --objective '(time + 1) ** 2'
says out 'least \(time \+ 1\) \*\* 2 '
expect 2 "$KJIT" tune mm.k --device cpu --objective 'time *'
says err "ends too early"
expect 2 "$KJIT" tune mm.k --device cpu --objective tiem
says err "there is no 'tiem' to measure"

# What an earlier run did not look at is measured again.
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log sum.jsonl --objective gflops
says err 'sum.jsonl: 7 lack what --objective asks for: they are measured again'
says out '^\* [0-9.]+ GFLOP/s '
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log sum.jsonl --objective compile
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log compile.jsonl --objective compile
says out '^\* [0-9.]+ ms to compile ' '^untuned: [0-9.]+ ms to compile, [0-9.]+ [mun]s a launch; '
# What the device does not tell is said before anything is measured.
for objective in registers 'time * spills' occupancy energy; do
    expect 3 "$KJIT" tune mm.k --device cpu --no-wisdom --log never.jsonl --objective "$objective"
    says err "^kjit: --objective '.*': .* \(device cpu\) does not tell "
    holds test ! -e never.jsonl
done
expect 3 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log sum.jsonl \
    --objective 'time / (time - time)' --minimize
says out '^of none of these there is a value of time / \(time - time\)$'

# ---- files to write ---------------------------------------------------------------------------
# A disk that is full (a limit does for one) leaves what an earlier run wrote; links stay links.
for option in csv t4 report plot; do
    ending=$(echo $option | sed 's/t4/json/; s/report/html/; s/plot/svg/')
    expect 0 "$KJIT" tune --replay time.jsonl --budget 2 --$option whole.$ending
    cp whole.$ending kept
    expect 3 sh -c 'exec prlimit --fsize=256 "$0" "$@" >/dev/null' "$KJIT" tune \
        --replay time.jsonl --$option whole.$ending
    says err "^kjit: --$option: cannot write 'whole\.$ending': File too large$"
    holds cmp kept whole.$ending
    ln -s whole.$ending link.$ending
    expect 0 "$KJIT" tune --replay time.jsonl --$option link.$ending
    holds test -L link.$ending
    holds sh -c "! cmp -s kept whole.$ending"
done
holds sh -c '! ls | grep tmp'
expect 0 "$KJIT" tune --replay time.jsonl --csv /dev/stdout
says out '^mm: 7 of 7 configurations' ',objective,outcome,ms,'
expect 0 "$KJIT" tune --replay time.jsonl --csv whole.csv
holds sh -c '"$0" tune --replay time.jsonl --csv /dev/stdout -q | cat >piped' "$KJIT"
says piped '^mm: 7 of 7 configurations' ',objective,outcome,ms,'
holds sh -c 'grep -v "^mm\|^[ *]\|^untuned\|^[0-9]* \|^$" piped | cmp - whole.csv'

# Values are what they are, for other programs too: a string is no text of a program, 3.0 not 3.
cat >kinds.k <<'K'
name = "a"
f = 1.0


@tune(name=["a", "it's", 'b"c'], f=[3.0, 3, 123456789.123], options=[None, "-O1"], block=32,
      problem="x.size", restrict="name == 'a' or f == 3")
@example(x=ones(64, dtype=float32))
@cuda.jit
def kinds(x):
    x[cuda.grid(1)] = f if name == "a" else f + 1
K
expect 0 "$KJIT" tune kinds.k --device cpu --no-wisdom -q --no-verify --csv kinds.csv \
    --t4 kinds.json --objective 'time * time'
says out 'f=3\.0, ' 'f=3, ' 'f=123456789\.123, '
holds python3 - <<'P'
import csv, json
rows = list(csv.DictReader(open("kinds.csv", newline="")))
assert {row["name"] for row in rows} == {"a", "it's", 'b"c'}
assert {row["f"] for row in rows} == {"3.0", "3", "123456789.123"}
assert {row["options"] for row in rows} == {"None", "-O1"}
results = json.load(open("kinds.json"))["results"]
assert {each["configuration"]["name"] for each in results} == {"a", "it's", 'b"c'}
assert {each["configuration"]["options"] for each in results} == {None, "-O1"}
for each, row in zip(results, rows):
    assert each["timestamp"]
    assert each["invalidity"] == ("correct" if row["outcome"] == "ok" else "timeout")
    value = {m["name"]: m["value"] for m in each["measurements"]}
    assert abs(value["time * time"] - value["time"] ** 2) <= 1e-9 * value["time * time"]
    assert value["time"] == float(row["ms"]) or abs(value["time"] / float(row["ms"]) - 1) < 1e-9
P
# What was measured again has the figures of that everywhere, and the search's beside them.
holds python3 - <<'P'
import csv, json
records = [json.loads(line) for line in open("kinds.kinds.tune.jsonl")]
again = [each for each in records if each["record"] == "again"]
results = [each for each in records if each["record"] == "result"]
rows = list(csv.DictReader(open("kinds.csv", newline="")))
assert again and len(rows) == len(results)
for each, row in zip(results, rows):
    last = [a for a in again if str(a["config"]) == str(each["config"])]
    assert float(row["ms"]) == (last[-1] if last else each)["ms"], (row, last, each)
    assert row["search_ms"] == "" or float(row["search_ms"]) == each["ms"]
    assert bool(row["search_ms"]) == bool(last)
P
# What crashed or came to no end has its moment, too.
expect 0 "$KJIT" tune bad.k --device cpu --no-wisdom -q --log moments.jsonl -T 'mode=[0, 2]' \
    --t4 moments.json
holds test "$(grep -c '"timestamp"' moments.json)" = 4

# On a terminal, configurations that are too wide go on below.
sed 's/\btile\b/length_of_a_tile_along_rows/g; s/\bdepth\b/steps_of_the_inner_loop/g' time.jsonl \
    >long.jsonl
cat >look.py <<'P'
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 40, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        read = os.read(terminal, 4096)
    except OSError:
        read = b""
    if not read:
        break
    text += read
print(text.decode().replace("\r", ""), end="")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
P
expect 0 python3 look.py 80 "$KJIT" tune --replay long.jsonl
says out '^ +steps_of_the_inner_loop=[124]$'
holds sh -c '! grep "^[ *] .*steps_of" out | grep -q length_of'
holds sh -c '! grep -E "^.{80}" out'
expect 0 "$KJIT" tune --replay long.jsonl
says out '^\* .* length_of_a_tile_along_rows=[0-9]+, steps_of_the_inner_loop=[124]$'

# They are looked at before the search, and what is not kjit's stays as it is.
cp mm.k own.k
for option in --csv --t4 --report --plot --log; do
    file=nowhere/out.svg
    expect 3 "$KJIT" tune own.k --device cpu --no-wisdom -q $option $file
    says err "^kjit: $option nowhere/out.svg: it cannot be written: .*; make the folder first"
    mkdir -p folder.svg
    expect 3 "$KJIT" tune own.k --device cpu --no-wisdom -q $option folder.svg
    says err 'that is a folder'
    cp own.k own.svg
    expect 3 "$KJIT" tune own.k --device cpu --no-wisdom -q $option own.svg
    says err 'is there, and no '
    holds cmp own.k own.svg
    expect 2 "$KJIT" tune own.k --device cpu --no-wisdom -q $option ''
done
holds test ! -e own.mm.tune.jsonl
# A log is read as well: nothing that never ends.
mkfifo pipe.jsonl
for log in /dev/full /dev/zero pipe.jsonl; do
    expect 3 timeout 600 "$KJIT" tune own.k --device cpu --no-wisdom -q --log $log
    says err "^kjit: --log $log: that is no regular file"
done
mv pipe.jsonl own.mm.tune.jsonl
expect 3 timeout 600 "$KJIT" tune own.k --device cpu --no-wisdom -q
says err '^kjit: own\.mm\.tune\.jsonl is no regular file'
rm own.mm.tune.jsonl
expect 3 timeout 600 "$KJIT" tune --replay /dev/zero
says err "^kjit: /dev/zero: this is no log of 'kjit tune', but a device$"
expect 2 "$KJIT" tune own.k --device cpu --no-wisdom -q --csv both --t4 ./both
says err '^kjit: --t4 ./both: --csv writes the same file$'
for again in 1 2; do
    expect 0 "$KJIT" tune own.k --device cpu --no-wisdom -q --csv own.csv --t4 own.json \
        --plot plot.svg --report own.html
done
expect 0 "$KJIT" tune own.k --device cpu --no-wisdom -q --csv /dev/stdout --t4 /dev/null
says out '^tile,depth,objective,'
mkdir own.wisdom
expect 3 "$KJIT" tune own.k --device cpu -q --log wise.jsonl
says err 'own.wisdom.*folder.*--no-wisdom'
silent out .

# ---- command lines and spaces that make no sense -----------------------------------------------
cat >plain.k <<'K'
size = 4


@example(x=zeros(64, dtype=float32))
@cuda.jit
def plain(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = i
K
expect 2 "$KJIT" tune plain.k --device cpu
says err 'nothing to tune: plain has no @tune with values to try, .* nor does -T give any, as '
expect 2 "$KJIT" tune plain.k --device cpu --no-wisdom -T 'threads=[4, 8]' -T block=thread
says err "<block>:1:1: error: there is no value 'thread': "
expect 0 "$KJIT" tune plain.k --device cpu --no-wisdom -q -T 'size=[4, 8]' -T block=size \
    -T 'problem=x.shape[0]'
says out '^plain: 2 of 2 configurations'
expect 0 "$KJIT" tune plain.k --device cpu --no-wisdom -q -T 'size=[4, 8]' --grid 2x32 \
    --log grid.jsonl
says err "warning: nothing reads the parameter 'size'"
expect 2 "$KJIT" tune plain.k --device cpu -T 'size=[4, 8]' -T block=size -T 'problem=x.shape[0]' \
    -T 'restrict=["size > 100", "size < 100"]'
says err '^kjit: none of 2 configurations is allowed:$' \
    '^    of 2: size > 100 does not hold \(restrict as given\)$' '^note: give the parameters other'
expect 2 "$KJIT" tune plain.k --device cpu -T 'size=[4, 8, 2048, 4096]' -T block=size \
    -T 'problem=x.shape[0]' -T 'restrict=size > 8'
says err '^    of 2: size > 8 does not hold' \
    '^    of 1: the block is 2048 in x, and cpu allows 1024'
expect 2 "$KJIT" tune plain.k --device cpu -T 'size=[]'
expect 2 "$KJIT" tune plain.k --device cpu -T size
expect 2 "$KJIT" tune plain.k --device cpu -T 'size=["a"]' -T block=size -T 'problem=x.shape[0]'
says err "<size>:1:2: error: 'size' is a number in the module, and this is a string"
expect 2 "$KJIT" tune plain.k --device cpu -T 'unroll=[1, 0]'
says err "<unroll>:1:5: error: 'unroll' cannot be 0: it takes a whole number from 1, which"
expect 2 "$KJIT" tune plain.k --device cpu -T 'passes=["-tails"]'
says err "<passes>:1:2: error: there is no pass '-tails'" 'note: there are .*tiles'
expect 2 "$KJIT" tune plain.k --device cpu -T 'sise=[1, 2]' -T block=size -T 'problem=x.shape[0]'
says err 'sise'
expect 2 "$KJIT" tune plain.k --device cpu -T 'size=[4]' --strategy modle
says err "did you mean 'model'"
expect 2 "$KJIT" tune plain.k --device cpu --budget 0
says err '--budget 0: it takes a count'
expect 2 "$KJIT" tune plain.k --device check -T 'size=[4]' -T block=size -T 'problem=x.shape[0]'
says err 'the checking device'
for time in 0 -1 soon; do
    expect 2 "$KJIT" tune plain.k --device cpu --timeout=$time
    says err "^kjit: --timeout $time: .*it takes a number"
done
expect 2 "$KJIT" tune mm.k --device cpu --objective 2
says err 'it asks for nothing that is measured'
expect 2 "$KJIT" tune mm.k --device cpu --reference c=c.npy --no-verify
says err '--reference says what is right, and --no-verify looks at nothing'
sed 's/@tune(/@tune(no=[1], /' mm.k >no.k
expect 1 "$KJIT" tune no.k --device cpu
says err "nothing called 'no' to tune"
expect 2 "$KJIT" tune plain.k --plot a.png
expect 2 "$KJIT" tune
expect 3 "$KJIT" tune nowhere.k
cp plain.k "$(printf 'odd\377.k')"
expect 2 "$KJIT" tune "$(printf 'odd\377.k')" --device cpu
says err "are UTF-8, and the file's name is not: rename it"
expect 1 "$KJIT" tune bad.k --device cpu -q --log compile.jsonl -D mode=4
says err 'bad.k:[0-9]+:[0-9]+: error: '
expect 3 "$KJIT" tune mm.k --device cpu --log nowhere/log.jsonl
says err 'nowhere/log.jsonl: it cannot be written'

# ---- a GPU that only pretends ------------------------------------------------------------------
gpu()
{
    env KJIT_DRIVER="$ROOT/$BUILD/tests/fake/libcuda.so.1" \
        KJIT_NVRTC="$ROOT/$BUILD/tests/fake/libnvrtc.so.13" KJIT_CACHE_SIZE=0 "$@"
}
expect 0 gpu "$KJIT" tune mm.k --device cuda --no-wisdom --log gpu.jsonl --csv gpu.csv
says out '^mm: 7 of 7 configurations'
says gpu.jsonl '"device":"Pretended GPU 0"' '"registers":'
# What held the clock down is told.
expect 0 gpu KJIT_NVML="$ROOT/$BUILD/tests/fake/libnvidia-ml.so.1" FAKE_NVML_REASONS=24 "$KJIT" \
    tune mm.k --device cuda --no-wisdom -q --log held.jsonl
says out '^the clock was held down meanwhile: power cap, heat$'
expect 0 "$KJIT" tune mm.k --device cpu --no-wisdom -q --log registers.jsonl -T 'tile=[4]' \
    -T 'max_registers=[32, 64]'
says err '^kjit: warning: max_registers is of a GPU: on the processor all its values'
# Values of unroll= are told apart where there is a loop for them.
cat >loops.k <<'K'
@cuda.jit
def without(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = 2 * x[i]


@cuda.jit
def steps(x, y):
    i = cuda.grid(1)
    total = 0.0
    for j in range(i, x.size):
        if x[j] > 2:
            break
        total += x[j]
    y[i] = total
K
for kernel in without steps; do
    expect 0 "$KJIT" tune loops.k:$kernel --device cpu --no-wisdom -q --log $kernel.jsonl \
        --grid 1x32 -T 'unroll=[1, 4]' 'x=ones(32)' 'y=zeros(32)'
    [ $kernel = steps ] ||
        says err '^kjit: warning: unroll finds no loop of without here: all its values'
done
silent err 'unroll finds'
expect 0 gpu "$KJIT" tune loops.k:without --device cuda --no-wisdom -q --log none.jsonl \
    --grid 1x32 -T 'unroll=[1, 4]' 'x=ones(32)' 'y=zeros(32)'
says err 'unroll finds no loop of without here'
expect 0 gpu "$KJIT" tune loops.k:steps --device cuda --no-wisdom -q --log some.jsonl \
    --grid 1x32 -T 'unroll=[1, 4]' 'x=ones(32)' 'y=zeros(32)'
silent err 'unroll finds'
# How far it was when; what does not start is told of, though others wait for it meanwhile.
expect 0 gpu "$KJIT" tune mm.k --device cuda --no-wisdom -q --json --log gpu.jsonl.new
says out '"timeline": ' '"opened": [0-9]' '"ready": [0-9]' '"winners": [0-9]'
expect 3 gpu FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1:999 "$KJIT" tune mm.k --device cuda \
    --no-wisdom --log unstarted.jsonl
says err 'starting the GPU \(cuDevicePrimaryCtxRetain\) failed: CUDA_ERROR_UNKNOWN'
silent out .
# Launches that break the device cost their configurations, and no others.
expect 3 gpu FAKE_CUDA_FAIL=cuLaunchKernel:3:719 "$KJIT" tune mm.k --device cuda --no-wisdom \
    --log broken.jsonl
says out '^7 cannot be launched; ' '^untuned: .*CUDA_ERROR_LAUNCH_FAILED'
silent broken.jsonl '"outcome":"crash"|"leaves"'
# The device goes in the middle of it: what was measured is kept, but for what it went with.
cp "$ROOT/$BUILD/tests/fake/libcuda.so.1" gpu.so
numbers=$(seq -s, 500)
env KJIT_DRIVER="$PWD/gpu.so" KJIT_NVRTC="$ROOT/$BUILD/tests/fake/libnvrtc.so.13" \
    KJIT_CACHE_SIZE=0 FAKE_CUDA_FAIL=cuLaunchKernel:3:719 "$KJIT" tune plain.k --device cuda \
    --no-wisdom -q -T "size=[$numbers]" -T block=size -T 'problem=x.shape[0]' --log lost.jsonl \
    >lost 2>lost.err &
tuner=$!
holds begun lost.jsonl 2
rm gpu.so
wait $tuner
holds test $? = 3
says lost.err 'it cannot go on: .*; what was measured is kept in lost\.jsonl'
holds sh -c 'tail -1 lost.jsonl | grep -q "\"record\":\"void\""'
kept=$(grep -c '"record":"result"' lost.jsonl)
expect 0 gpu "$KJIT" tune plain.k --device cuda --no-wisdom -q -T "size=[$numbers]" -T block=size \
    -T 'problem=x.shape[0]' --log lost.jsonl --budget "$kept" --strategy exhaustive
says err "lost.jsonl: $((kept - 1)) of [0-9]+ configurations are measured already" \
    'lost.jsonl: 1 were lost with the device: they are measured again'

# What was timed while others had the processor neither wins nor is given up. It is measured again,
# and where that does not help no winner is named, anywhere, and nothing noted.
cat >busy.k <<'K'
size = 1
from_size = 99
until = 1000


@tune(size=[1, 2, 4], block="size", problem="x.shape[0]")
@example(x=arange(8, dtype=float32), out=zeros(8, dtype=float32), took=zeros(2), waited=zeros(1))
@cuda.jit
def busy(x, out, took, waited):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = 2 * x[i]
    if i == 0: # by the tests' clock: tests/paced/paced.h
        waited[0] = 70 if size >= from_size and took[1] < until else 0
        took[0] = 4 - 0.75 * size
K
expect 0 "$PACED" tune busy.k --device cpu --no-verify --csv busy.csv -D from_size=2 -D until=12
says out '^\* 1 ms .* size=4$' '^  2\.5 ms .* size=2$' 'the best is 3\.25 times as fast$'
silent out 'disturbed|given up|could not be timed'
says busy.wisdom 'size=4'
rm -f busy.wisdom *.tune.jsonl
expect 0 "$PACED" tune busy.k --device cpu --no-verify --csv busy.csv --t4 busy.json \
    --plot busy.svg --report busy.html -D from_size=4
says out '^  3\.25 ms .* size=1$' \
    '^1 could not be timed; size=4: its threads waited for a processor ' \
    '^no winner is named: its threads waited for a processor [0-9]+ % of the time, '
says err '^3 of 3: size=4: disturbed: its threads waited ' \
    '^kjit: no winner is named, and nothing noted: its threads waited '
silent out '^\*|given up'
says busy.csv '^4,,disturbed,7[0-9.]+,' '^1,3\.25,ok,3\.25,'
says busy.html '"best":null' '"undecided":"its threads waited'
says busy.svg '<svg'
holds test ! -e busy.wisdom
expect 0 "$PACED" tune busy.k --device cpu --no-verify -q --json -D from_size=4
says err ': 2 of 3 configurations are measured already$' \
    ': 1 were disturbed by other programs: they are measured again$'
says out '"undecided": "its threads waited' '"best": null'
# The log says the same when it is played.
expect 0 "$PACED" tune --replay busy.busy.tune.jsonl
says out '^1 could not be timed; size=4: ' '^no winner is named: its threads waited '
says err '^kjit: no winner is named, .*; kjit tune --log measures again what could not be timed$'
silent out '^\*'
# Nor where the untuned kernel cannot be timed, which they are compared with.
expect 0 "$PACED" tune busy.k --device cpu --no-verify -q -D from_size=1 -D size=1 --log own.jsonl \
    -T 'size=[2, 4]'
says out '^no winner is named: ' '^untuned: its threads waited '
