#!/bin/sh
# What becomes of kernels in NVRTC's hands, for several generations of GPUs. No GPU is needed, but
# NVRTC is: where there is none it is fetched as a Python wheel into build/, and without Python or a
# network the tests count as skipped.
cd "$(dirname "$0")/.." || exit 3
export kjit=${KJIT:-build/kjit}
python=${PYTHON:-python3}
passed=0 failed=0
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT

has_nvrtc()
{
    "$kjit" doctor | grep -q '^found.*NVRTC'
}

if ! has_nvrtc; then
    "$python" -m venv build/venv >"$log" 2>&1 &&
        build/venv/bin/pip install -q nvidia-cuda-nvrtc >"$log" 2>&1 || tail -3 "$log"
    library=$(find build/venv -name 'libnvrtc.so*' 2>/dev/null | head -1)
    [ -z "$library" ] || export KJIT_NVRTC="$PWD/$library"
fi
if ! has_nvrtc; then
    printf '%s\n' '== NVRTC ==' '0 passed, 0 failed, 100 skipped'
    exit
fi

# count: adds the last line of the log to what has been counted, and shows the others.
count()
{
    grep -v ' passed, ' "$log"
    set -- $(tail -1 "$log" | tr -d ,)
    passed=$((passed + ${1:-0})) failed=$((failed + ${3:-1}))
}

# holds WHAT COMMAND...: it succeeds.
holds()
{
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what"
    fi
}

# What is asked of no generation that there is names the last one that NVRTC knows.
newest=$("$kjit" build examples/hist.k --emit cubin --arch sm_199 2>&1 |
    grep -o 'sm_[0-9]*' | tail -1)

# Programs whose kernels are all compiled, with generations and with what `kjit build` is told.
programs()
{
    for program in $(grep -l '^@example' examples/*.k); do
        echo "$program" sm_75,sm_80,sm_90,"$newest" none
    done
    # Products of matrices, which tensor cores get where they do the same, or by name: every form,
    # where rows begin at multiples of 16 bytes and where they do not.
    for arch in sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
        echo tests/golden/opt/tensor.k $arch launch
        echo tests/golden/opt/tensor_by_name.k $arch launch
        echo tests/golden/opt/tensor_groups.k $arch launch
    done
}

programs | xargs -n 3 -P "$(nproc)" sh -c '
    folder=$(mktemp -d)
    if "$kjit" build "$0" --emit cubin --arch $1 --facts $2 -o "$folder" >"$folder/log" 2>&1; then
        echo good
    else
        echo "$0 for $1: $(cat "$folder/log")"
    fi
    rm -rf "$folder"' >"$log"
grep -vx good "$log"
passed=$((passed + $(grep -cx good "$log")))
failed=$((failed + $(programs | wc -l) - $(grep -cx good "$log")))

# The small programs and the standard library, for the oldest generation and the newest: those that
# use what only newer ones have say so themselves. What sm_90 has of its own, optimised kernels use.
for folder in programs stdlib; do
    "$python" -B tests/$folder/check.py --kjit "$kjit" --build sm_75,"$newest" >"$log"
    count
done
# The kernels of `make bench-gpu`, and what stands beside them there.
"$python" -B bench/kernels/check.py --kjit "$(dirname "$kjit")/libkjit.so" --build sm_90 >"$log"
count
# fastmath on a GPU: what each operation of the kernel becomes.
"$kjit" build tests/programs/fastmath.k:quick --emit ptx --arch sm_90 -o "$log"
for instruction in cos.approx sin.approx ex2.approx lg2.approx tanh.approx div.approx; do
    holds "fastmath makes no $instruction" grep -q "$instruction" "$log"
done
holds "fastmath computes in double precision" sh -c '! grep -q "\.f64" "$0"' "$log"
# cuda.selp chooses without a branch.
"$kjit" build tests/programs/selections.k:without_branches --emit ptx --arch sm_90 -o "$log"
holds "cuda.selp makes a branch" sh -c '
    [ $(grep -c "\<selp" "$0") -ge 4 ] && ! grep -q "\<bra" "$0"' "$log"
# A comparison with a zero is no minimum, which takes -0.0 for less than 0.0.
"$kjit" build tests/golden/ir/zeros_that_bound.k --emit ptx --arch sm_90 -o "$log"
holds "a comparison with a zero becomes a minimum" sh -c '
    grep -q "\<setp" "$0" && ! grep -qE "\<(min|max)\." "$0"' "$log"
"$kjit" build tests/golden/ir/zeros_of_integers.k:k --emit ptx --arch sm_90 -o "$log"
holds "a comparison with an integer becomes a minimum" sh -c '
    [ "$(grep -cE "\<(min|max)\." "$0")" = 4 ]' "$log"

# What is cut to 8 bits is no neg.s16.
"$kjit" build tests/golden/ir/signs_of_8_bits.k --emit ptx --arch sm_90 -o "$log"
holds "a sign of 8 bits is that of a neg.s16" sh -c '
    grep -q "cvt\.\|shr\." "$0" && ! grep -q "neg\.s16" "$0"' "$log"
# What a kernel writes is not read through the cache of what is only read.
for where in choice leaves sets stores sums views; do
    "$kjit" build "tests/golden/passes/mingled_$where.ir" --passes effects --emit ptx \
        --arch sm_90 -o "$log"
    holds "loads that meet in mingled_$where.ir see what was stored" sh -c '
        grep -q "ld\.global\.f32" "$0" && ! grep -q "ld\.global\.nc\.f32" "$0"' "$log"
done
# Comparisons that ptxas takes the wrong way round.
"$python" -B tests/sass.py --kjit "$kjit" >"$log"
count
echo "== NVRTC =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
