#!/bin/sh
# Every example's and test program's CUDA C, compiled by NVRTC for each generation of GPUs. No GPU
# is needed, but NVRTC is: where there is none it is fetched as a Python wheel into build/, and
# without Python or a network the tests count as skipped.
cd "$(dirname "$0")/.." || exit 3
kjit=${KJIT:-build/kjit}
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 3
products=$(mktemp -d) || exit 3
trap 'rm -rf "$log" "$products"' EXIT

has_nvrtc()
{
    "$kjit" doctor | grep -q '^found.*NVRTC'
}

if ! has_nvrtc; then
    ${PYTHON:-python3} -m venv build/venv >"$log" 2>&1 &&
        build/venv/bin/pip install -q nvidia-cuda-nvrtc >"$log" 2>&1 || tail -3 "$log"
    library=$(find build/venv -name 'libnvrtc.so*' 2>/dev/null | head -1)
    [ -z "$library" ] || export KJIT_NVRTC="$PWD/$library"
fi

# What is asked of no generation that there is names the last one that NVRTC knows.
newest=$("$kjit" build examples/hist.k --emit cubin --arch sm_999 2>&1 |
    grep -o 'sm_[0-9]*' | tail -1)

for program in $(grep -l '^@example' examples/*.k); do
    for arch in sm_75 sm_80 sm_90 "$newest"; do
        if ! has_nvrtc; then
            skipped=$((skipped + 1))
        elif "$kjit" build "$program" --emit cubin --arch $arch >"$log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$program for $arch:"
            cat "$log"
        fi
    done
done

# Products of matrices, which tensor cores get where they do the same, or by name: every form, where
# rows begin at multiples of 16 bytes and where they do not.
for program in tensor tensor_by_name; do
    for arch in sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
        if ! has_nvrtc; then
            skipped=$((skipped + 1))
        elif "$kjit" build tests/golden/opt/$program.k --emit cubin --facts launch --arch $arch \
            -o "$products" >"$log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "tests/golden/opt/$program.k for $arch:"
            cat "$log"
        fi
    done
done

# The small programs and the standard library: those that use what only newer generations have say
# so themselves.
for arch in sm_75 sm_90 "$newest"; do
    if ! has_nvrtc; then
        skipped=$((skipped + 1))
        continue
    fi
    for folder in programs stdlib; do
        ${PYTHON:-python3} -B tests/$folder/check.py --kjit "$kjit" --build $arch >"$log"
        grep -v ' passed, ' "$log"
        set -- $(tail -1 "$log" | tr -d ,)
        passed=$((passed + ${1:-0})) failed=$((failed + ${3:-1}))
    done
done
# The kernels of `make bench-gpu`, and what stands beside them there.
if has_nvrtc; then
    ${PYTHON:-python3} -B bench/kernels/check.py --kjit "$(dirname "$kjit")/libkjit.so" \
        --build sm_90 >"$log"
    grep -v ' passed, ' "$log"
    set -- $(tail -1 "$log" | tr -d ,)
    passed=$((passed + ${1:-0})) failed=$((failed + ${3:-1}))
fi
# fastmath on a GPU: what each operation of the kernel becomes.
if has_nvrtc; then
    "$kjit" build tests/programs/fastmath.k:quick --emit ptx --arch sm_90 -o "$log"
    for instruction in cos.approx sin.approx ex2.approx lg2.approx tanh.approx div.approx; do
        if grep -q "$instruction" "$log" && ! grep -q '\.f64' "$log"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "fastmath makes no $instruction alone"
        fi
    done
fi
# cuda.selp chooses without a branch.
if has_nvrtc; then
    "$kjit" build tests/programs/selections.k:without_branches --emit ptx --arch sm_90 -o "$log"
    if [ "$(grep -c '\<selp' "$log")" -ge 4 ] && ! grep -q '\<bra' "$log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "cuda.selp makes a branch"
    fi
fi
# Comparisons that ptxas takes the wrong way round.
if has_nvrtc; then
    ${PYTHON:-python3} -B tests/sass.py --kjit "$kjit" >"$log"
    grep -v ' passed, ' "$log"
    set -- $(tail -1 "$log" | tr -d ,)
    passed=$((passed + ${1:-0})) failed=$((failed + ${3:-1}))
fi
echo "== NVRTC =="
if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
