# On a terminal a line says what takes long, and is gone before anything else is printed. All of
# these wait until the line is there, however fast or slow the machine is.
unset NO_COLOR
export TERM=xterm
terminal()
{
    "$PYTHON" -B "$ROOT/tests/terminal.py" "$@"
}

# gone_but PATTERN: the line is gone, and all that is left are lines of that pattern.
cut='; the last one was interrupted'
interrupted="kjit: interrupted|no findings in 1 kernel($cut)?|0 passed, 0 failed"
gone_but()
{
    holds sh -c '! grep -vxE "$1" screen' - "$1"
}

cat >life.k <<'K'
from numba import cuda, int64
@example(state=zeros(8, dtype=int64), grid=8, block=1)
@cuda.jit
def life(state):
    if cuda.blockIdx.x == 5:
        while cuda.atomic.add(state, 0, 0) == 0:
            cuda.atomic.add(state, 1, 1)
    state[2] = 1
K
cat >short.k <<'K'
from numba import cuda, int64
@example(state=zeros(8, dtype=int64), grid=8, block=1)
@cuda.jit
def short(state):
    state[cuda.blockIdx.x] = 1
K
# A compiler that waits for a file.
cat >slow_cc <<'K'
#!/bin/sh
while [ ! -e "$GO" ]; do sleep 0.02; done
exec cc "$@"
K
chmod +x slow_cc
# slow OPTION... COMMAND...: on a terminal, with that compiler, and nothing compiled before.
export GO=$PWD/go
slow()
{
    rm -rf go cold
    KJIT_CC=$PWD/slow_cc KJIT_CACHE=$PWD/cold terminal "$@"
}
# The same, which shows nothing: there is something to show as the compiler takes half a second.
cat >dull_cc <<'K'
#!/bin/sh
sleep 0.5
exec cc "$@"
K
chmod +x dull_cc
dull()
{
    rm -rf cold
    KJIT_CC=$PWD/dull_cc KJIT_CACHE=$PWD/cold terminal "$@"
}

# Endless loops, in every command that launches; nothing is left of the line. It comes after a
# second; for the rest of these earlier.
expect 130 terminal --until 'running life: [0-7] of 8 blocks, 1 s' --then SIGINT \
    "$KJIT" run --device cpu life.k
gone_but "$interrupted"
export OMP_NUM_THREADS=1 # an endless loop keeps as many processors busy
expect 130 terminal --until 'of 8 blocks, [0-9]+ s, about [0-9]+ s left' --then SIGINT \
    "$KJIT" run --device cpu life.k
gone_but "$interrupted"
export KJIT_PROGRESS=0.01
expect 130 terminal --until 'running life: [5-7] of 8 blocks, [0-9]+ s' --then SIGINT \
    "$KJIT" check life.k
gone_but "$interrupted"
expect 130 terminal --until 'running life: [0-7] of 8' --then SIGINT \
    "$PACED" bench --device cpu life.k
gone_but "$interrupted"
: >life.out
expect 130 terminal --until 'testing life.k: 0 of 1 programs, [0-9]+ s' --then SIGINT \
    "$KJIT" test life.k
gone_but "$interrupted"
expect 143 terminal --until 'running life' --then SIGTERM "$KJIT" run --device cpu life.k
silent screen .
# What crashes says so on a line of its own.
expect 3 terminal --until 'running life' --then SIGSEGV "$KJIT" run --device cpu life.k
says screen '^kjit: the kernel life crashed'
# Stopped, it leaves the terminal clean, and goes on.
expect 130 terminal --until 'running life' --then stop \
    --until 'running life' --then SIGINT "$KJIT" run --device cpu life.k
says raw 'running life[^r]*.\[K.*running life'
gone_but "$interrupted"

# Compilations, and the output behind them: as without the line.
holds slow --until 'compiling short [.]{3} [0-9]+ s' --then touch:go \
    "$KJIT" run --device cpu short.k
mv screen with
holds env KJIT_PROGRESS=0 "$PYTHON" -B "$ROOT/tests/terminal.py" "$KJIT" run --device cpu short.k
holds cmp screen with
for way in "run --device cpu" check "build --emit so -o x.so" \
    "bench --device cpu --count"; do
    # shellcheck disable=SC2086 # words
    holds slow --until 'compiling short' --then touch:go "$KJIT" $way short.k
    silent screen 'compiling'
done
# JSON and what is saved are what they are.
holds slow --separate --until 'compiling short' --then touch:go \
    "$KJIT" run --device cpu --json short.k
holds "$PYTHON" -m json.tool stdout
silent stdout 'compiling'

# A kernel that prints: its lines stay whole, and are the only ones.
cat >talks.k <<'K'
from numba import cuda, int64
@example(state=zeros(8, dtype=int64), grid=1, block=1)
@cuda.jit
def talks(state):
    while cuda.atomic.add(state, 0, 0) == 0:
        if cuda.atomic.add(state, 1, 1) % 5000000 == 0:
            print("still here")
K
expect 130 terminal --until 'running talks[\s\S]*still here' \
    --then SIGINT "$KJIT" run --device cpu talks.k
silent screen 'running'
says screen '^still here$'

# Narrow terminals, and names that are no text.
expect 130 terminal --columns 20 --until 'running life: ' --then SIGINT \
    "$KJIT" run --device cpu life.k
says raw '\[Krunning life: [0-9] of '
silent raw 'of 8'
odd=$(printf 'od\033[2Jd\302\233é')
cp life.k "$odd.k"
: >"$odd.out"
expect 130 terminal --until 'testing od' --then SIGINT "$KJIT" test "$odd.k"
says raw 'testing od\\x1b\[2Jd\\xc2\\x9bé.k'

# Nothing of it: where the standard error is no terminal, or one that cannot erase; where a user
# asks for quiet, or has JSON on the terminal; where KJIT_PROGRESS says so.
holds dull sh -c '"$@" 2>errors' - "$KJIT" run --device cpu short.k
silent screen 'short [.]|\[K'
silent errors .
holds dull "$KJIT" run --device cpu --quiet short.k
silent raw .
holds dull "$KJIT" run --device cpu --json short.k
silent raw 'compiling|\[K'
holds dull env TERM=dumb "$KJIT" run --device cpu short.k
silent raw 'compiling|\[K'
holds dull env KJIT_PROGRESS=0 "$KJIT" run --device cpu short.k
silent raw 'compiling|\[K'
holds dull env KJIT_PROGRESS=1e9 "$KJIT" run --device cpu short.k
silent raw 'compiling|\[K'
expect 2 env KJIT_PROGRESS=soon "$KJIT" run --device cpu short.k
says err '^kjit: KJIT_PROGRESS=soon: it is a number of seconds'

# By the clock that tests set: days go by in a launch, and not before.
cat >days.k <<'K'
from numba import cuda
@example(took=zeros(2), grid=1, block=1)
@cuda.jit
def days(took):
    took[0] = float("inf") if took[1] > 0 else 1
K
expect 130 env KJIT_PROGRESS=80000 "$PYTHON" -B "$ROOT/tests/terminal.py" \
    --until 'timing days.* [0-9]{4,} min' --then SIGINT "$PACED" run --device cpu --time 5 days.k
