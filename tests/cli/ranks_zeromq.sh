# Ranks of a launcher that is not MPI's, such as torchrun, by ZeroMQ.
PYTHON=${PYTHON:-python3}
# A port that nothing else is given as long as this runs: it is bound, and the hub, which listens
# there, may bind it, too.
"$PYTHON" - <<'P' >port &
import os, socket, time
parent = os.getppid()
held = socket.socket(socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET)
held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if held.family == socket.AF_INET6:
    held.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
held.bind(("", 0))
print(held.getsockname()[1], flush=True)
while os.getppid() == parent:
    time.sleep(0.1)
P
holder=$!
until [ -s port ] || ! kill -0 $holder; do sleep 0.05; done
launched() # RANKS OF_THIS_HOST COMMAND...: gives the status of a rank that fails
{
    ranks=$1 local=$2 status=0 waiting=
    shift 2
    for rank in $(seq 0 $((ranks - 1))); do
        RANK=$rank WORLD_SIZE=$ranks LOCAL_RANK=$rank LOCAL_WORLD_SIZE=$local \
            MASTER_ADDR=localhost MASTER_PORT=$(($(cat port) - 1)) timeout 100 "$@" &
        waiting="$waiting $!"
    done
    for process in $waiting; do
        wait "$process" || status=$?
    done
    return $status
}
cat >steps.py <<'K'
from numba import cuda
import numpy as np
import kjit
import os
import sys

@cuda.jit
def step(u, v):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = u[i - 1] + 2 * u[i + 1]

@cuda.jit
def count(u, n):
    i = cuda.grid(1)
    if i < u.shape[0]:
        cuda.atomic.add(n, u[i] % n.shape[0], 1)

u, v, n = np.arange(100000), np.zeros(100000, dtype=np.int64), np.zeros(7, dtype=np.int32)
for k in range(20):
    step[1000, 100](u, v)
    count[1000, 100](v, n)
    u, v = v, u
np.save("u.npy", u)
print(u.sum(), n, flush=True)
K
for end in 'count[1000, 100](u, n)' '[][1]' 'step[1000, 100](u, v)'; do
    printf '%s\n' "if kjit.rank == 1: $end" 'step[1000, 100](v, u)' 'print(u.sum())'
    echo ---
done | awk 'BEGIN { n = 1 } /^---$/ { n++; next } { print > ("end" n) }'
for number in 1 2 3; do
    cat steps.py "end$number" >"parts$number.py"
done
(cat steps.py && printf '%s\n' 'while True:' '    step[1000, 100](u, v)' '    u, v = v, u') \
    >endless.py
export KJIT_PASSES=none
expect 3 env KJIT_ZMQ=/nowhere.so RANK=0 WORLD_SIZE=2 MASTER_ADDR=localhost "$KJIT" run steps.py
says err '^kjit: RANK and WORLD_SIZE say that this is one of 2 ranks, .*, and ZeroMQ, .* cannot be'
if ! "$PYTHON" -c 'import ctypes; ctypes.CDLL("libzmq.so.5")' 2>/dev/null; then
    skips 30 'there is no libzmq.so.5'
    kill $holder
    return 0
fi
expect 0 "$KJIT" run steps.py --device cpu
cp out wanted
cp u.npy wanted.npy
for ranks in 2 3 7; do
    for local in 1 $ranks; do # by TCP, and within the host
        expect 0 launched $ranks "$local" "$KJIT" run steps.py --device cpu
        cp out got
        holds cmp got wanted
        holds cmp u.npy wanted.npy
    done
done
# Ranks that part ways, or fail: one message.
expect 3 launched 3 3 "$KJIT" run parts1.py --device cpu
says err '^RuntimeError: rank [0-2] (is at|has come to)'
expect 0 test "$(grep -cE '^(RuntimeError|kjit)' err)" = 1
expect 3 launched 3 1 "$KJIT" run parts2.py --device cpu
says err '^RuntimeError: rank 1: .*|^kjit: rank 1: Traceback' 'IndexError: list index out of range'
expect 3 launched 3 3 "$KJIT" run parts3.py --device cpu
says err '^RuntimeError: rank [0-2] (is at|has come to|has ended)'
# One that dies, or is stopped.
cat >noted.sh <<'N'
#!/bin/sh
echo $$ >process.$RANK
exec "$KJIT" run endless.py --device cpu
N
chmod +x noted.sh
ends() # SIGNAL LOCAL
{
    : >going
    launched 3 "$2" ./noted.sh >>going &
    until grep -q '\[' going; do
        kill -0 $! || break
        sleep 0.1
    done
    process=$(cat process.1)
    kill -"$1" "$process"
    until grep -q 'rank 1 is gone' /proc/self/fd/2; do
        kill -0 $! 2>/dev/null || break
        sleep 0.1
    done
    [ "$1" = KILL ] || kill -KILL "$process"
    wait $!
}
for signal in KILL STOP; do
    for local in 1 3; do
        expect 3 ends $signal $local
        says err '^RuntimeError: rank 1 is gone: it has died, is stopped, or cannot be reached$'
    done
done
kill $holder
