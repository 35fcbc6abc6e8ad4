# What runs random kernels (tests/random/compare.py): whatever one of them does, the others count.
cat >wild.py <<'P'
"""Kernels each of which goes wrong in its own way; that of seed 6 does not."""
from draw import Program

BODIES = {2: "while True:\n        out[0] += 1", 3: "out[10 ** 14] = 1", 4: "out[0] = nothing",
          5: "out[1] = 1 if OPTIONS else 2", 6: "out[0] = 8"}


def program(seed, options="", without=()):
    body = BODIES[seed].replace("OPTIONS", str(bool(options)))
    return Program(f"@example(out=zeros(3, dtype=int32), grid=1, block=1)\n@cuda.jit({options})\n"
                   f"def k(out):\n    {body}\n", ["out"])
P
compare()
{
    env PYTHONPATH="$PWD" "$@" "$PYTHON" -B "$ROOT/tests/random/compare.py" --kjit "$KJIT" \
        --no-nvrtc --jobs 1 --keep kept $words
}
words='--generators wild --first 2 --count 1 --seconds 2 --ways quick'
expect 1 compare
says out '^FAILED wild seed 2: .*: no end' '^0 passed, 1 failed$'
words="$words --minutes 0"
expect 1 compare
says out '^0 passed, 0 failed$'

words='--generators wild --first 3 --count 4 --row abc123 --ways quick,unoptimised'
expect 1 compare
says out '^FAILED wild seed 3: quick: signal 11' \
    "^FAILED wild seed 4: quick: .*'nothing'" \
    '^FAILED wild seed 5: unoptimised: out\[1\] is .*1.*, not .*2.*; 1 of 3 differ' \
    '^\| abc123 \| wild \| 3 to 6 \| quick, unoptimised \| .* \| 1 passed, 3 failed, [0-9]+ s \|$' \
    '^1 passed, 3 failed$'
silent out 'seed 6:'
holds grep -q 'out\[10' kept/w3.k

# On a GPU: one that breaks is opened again by another process.
fakes=$ROOT/$BUILD/tests/fake
words='--first 1 --count 3 --generators generate,naive --ways cuda'
gpu()
{
    compare KJIT_DRIVER="$fakes/libcuda.so.1" KJIT_NVRTC="$fakes/libnvrtc.so.13" "$@"
}
expect 0 gpu
says out '^6 passed, 0 failed$'
expect 1 gpu FAKE_CUDA_FAIL=cuLaunchKernel:4:700
says out '^FAILED naive seed 2: cuda: .*reached outside of its arrays' '^5 passed, 1 failed$'

# Under compute-sanitizer, here one that complains of the third launch and when it ends.
mkdir bin
cat >bin/compute-sanitizer <<'S'
#!/bin/sh
while [ "$1" != "$PYTHON" ]; do shift; done
echo '========= COMPUTE-SANITIZER'
"$@" | while read -r line; do
    echo "$line"
    case $line in *'"begin"'*) n=$((n + 1)) ;; *) continue ;; esac
    [ $n -ne 3 ] || echo '========= Invalid __global__ read'
done
echo "========= ERROR SUMMARY: $ERRORS errors"
S
chmod +x bin/compute-sanitizer
words="$words --seconds 20 --tool memcheck"
real=$("$PYTHON" -c 'import sys; print(sys.executable)')
expect 1 gpu PATH="$PWD/bin:$PATH" PYTHON="$real" ERRORS=0
says out '^FAILED generate seed 2: .*Invalid __global__ read' '^5 passed, 1 failed$'
expect 1 gpu PATH="$PWD/bin:$PATH" PYTHON="$real" ERRORS=2
says out '^FAILED, of a seed unknown: .*ERROR SUMMARY: 2 errors' '^4 passed, 2 failed$'
