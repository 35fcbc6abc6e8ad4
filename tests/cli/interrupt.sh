# Ctrl-C: the command ends by the signal, and what was found until then is printed. Each of these
# waits for a sign that it is so far; the kernel that is then launched never ends by itself.
cat >work.k <<'K'
"""The first races, the second takes for ever."""
from numba import cuda, int64


@example(x=zeros(8, dtype=int64), grid=1, block=2)
@cuda.jit
def first(x):
    x[0] = cuda.threadIdx.x


@example(y=zeros(1), n=int64(1) << int64(62), grid=1, block=1)
@cuda.jit
def second(y, n):
    s = 1.0
    for i in range(n):
        s = s * 0.5 + i
    y[0] = s
K
# interrupted FILE PATTERN COMMAND...: interrupts it once the file has a line with the pattern.
interrupted()
{
    file=$1 pattern=$2
    shift 2
    what="$*"
    python3 - "$file" "$pattern" "$@" <<'P'
import os, re, signal, subprocess, sys, time
file, pattern, *command = sys.argv[1:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # these tests may run in a background that ignores it
with open("said", "w") as out, open("told", "w") as err:
    process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
    seen = lambda: os.path.exists(file) and re.search(pattern, open(file).read(), re.M)
    end = time.monotonic() + 600
    while not seen() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    print(process.wait(600), file=open("status", "w"))
P
    holds grep -qx -e -2 status
    says told '^kjit: interrupted$'
}
interrupted said '^== first ==' "$KJIT" check work.k
says said 'race: two threads of a block write x\[0\]' \
    '1 finding in 1 of 2 kernels; the last one was interrupted$'
# While it is compiled, or launched.
printf '#!/bin/sh\necho called >called\nexec cc "$@"\n' >compiler
chmod +x compiler
interrupted called called env KJIT_CC="$PWD/compiler" "$KJIT" check work.k:second --json
says said '"interrupted": true$'
interrupted said '^first\(' "$PACED" bench work.k --device cpu
says said '^first\(' '  warm '

cat >program.py <<'K'
import numpy as np
from numba import cuda
from work import second

print("before the launch", flush=True)
y = np.zeros(1)
second[1, 1](y, 1 << 62)
print("never")
K
interrupted said '^before the launch' "$KJIT" run program.py --device cpu
silent said never

# A second interrupt ends it at once; in the background, where a shell has it ignored, none does.
cat >ignored.py <<'P'
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
process = subprocess.Popen(sys.argv[1:])
process.send_signal(signal.SIGINT)
sys.exit(process.wait(600))
P
expect 4 python3 ignored.py "$KJIT" check work.k:first

# Of launches that are timed those count that were made.
expect 0 "$KJIT" run work.k:first --device cpu --time 5 --json
