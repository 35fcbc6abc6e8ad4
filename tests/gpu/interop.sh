#!/bin/sh
# kjit beside other CUDA code on a GPU: plain CUDA runtime code, PyTorch, MPI ranks, all devices at
# once. BUILD is the folder with libkjit.so, PYTHON a Python that has PyTorch. What this machine has
# not is skipped.
cd "$(dirname "$0")/../.." || exit 3
build=$(realpath "${BUILD:-build}") passed=0 failed=0
work=$(mktemp -d /tmp/kjit-interop.XXXXXX) || exit 3
trap 'rm -rf "$work"' EXIT
flags="-Iinclude -L$build"
embed=examples/embed

# check NAME COMMAND...: it succeeds.
check()
{
    name=$1
    shift
    if timeout 300 "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        [ ! -s "$work/log" ] || echo "$name: $(tail -1 "$work/log")"
    else
        failed=$((failed + 1))
        echo "interop.sh: $name failed: $*"
        cat "$work/log"
    fi
}

# skip COUNT WHY
skip()
{
    echo "$1 skipped: $2"
}

if ! "$build/kjit" doctor 2>&1 | grep -q '^found.*cuda:0'; then
    skip 8 'there is no GPU'
    echo '0 passed, 0 failed'
    exit 0
fi

check 'building devices.c' ${CC:-cc} $embed/devices.c $flags "-Wl,-rpath,$build" -lkjit -lpthread \
    -o "$work/devices"
check 'all devices' "$work/devices"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ "$nvcc" ]; then
    check 'building cuda_runtime.cu' "$nvcc" $embed/cuda_runtime.cu $flags -Xlinker "-rpath,$build" \
        -lkjit "-L$(dirname "$nvcc")/../lib64/stubs" -lcuda -o "$work/cuda_runtime"
    check 'CUDA runtime code' "$work/cuda_runtime"
else
    skip 2 'there is no nvcc'
fi

if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    check 'building mpi.c' mpicc $embed/mpi.c $flags "-Wl,-rpath,$build" -lkjit -lm -o "$work/mpi"
    for ranks in 2 4; do
        check "$ranks ranks" mpirun --oversubscribe -n $ranks "$work/mpi"
    done
else
    skip 3 'mpicc and mpirun are not installed'
fi

# tests_of NAME COMMAND...: it prints `N passed, N failed`, and what it skipped.
tests_of()
{
    name=$1
    shift
    timeout 300 "$@" >"$work/log" 2>&1
    grep -q '^[0-9]* passed' "$work/log" || failed=$((failed + 1))
    ! grep -q ' [1-9][0-9]* failed$' "$work/log" || broken=1
    sed "s/^/$name: /; s/^$name: \([0-9]* \(passed\|skipped\)\)/\1/" "$work/log"
}

broken=
tests_of PyTorch "${PYTHON:-python3}" -B tests/gpu/torch_interop.py "$build/libkjit.so"
tests_of 'Python package' env PYTHONPATH="$build/python" KJIT_DEVICE=cuda "${PYTHON:-python3}" -B \
    tests/python/interop.py
echo '== beside other CUDA code =='
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ ! "$broken" ]
