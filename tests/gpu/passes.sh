#!/bin/sh
# The optimising passes on a GPU: random naive kernels with and without them, and what
# compute-sanitizer says of the optimised examples, measured kernels and random kernels. KJIT names
# the command, beside which lies the library that random kernels are run by, LIBKJIT the library,
# PYTHON a Python with NumPy; COUNT random kernels from FIRST on. Works in the repository, and where
# its folders lie beside the command.
cd "$(dirname "$0")/.." || exit 3
root=$(dirname "$(find . .. -maxdepth 1 -name examples | head -1)")
kjit=$(realpath "${KJIT:-$root/build/kjit}") lib=$(realpath "${LIBKJIT:-$root/build/libkjit.so}")
python=${PYTHON:-python3} first=${FIRST:-1} count=${COUNT:-200} jobs=${JOBS:-8}
passed=0 failed=0
work=$(mktemp -d /tmp/kjit-passes.XXXXXX) || exit 3
trap 'rm -rf "$work"' EXIT

if ! "$kjit" doctor 2>&1 | grep -q '^found.*cuda:0'; then
    echo '1 skipped: there is no GPU'
    echo '0 passed, 0 failed'
    exit 0
fi

# Kernels in these ways must agree, and under the tools nothing may be said of them.
random() # words for compare.py...
{
    "$python" -B random/compare.py --kjit "$kjit" --generators naive --no-nvrtc --first "$first" \
        --jobs "$jobs" --keep "$work" "$@" && passed=$((passed + 1)) || failed=$((failed + 1))
}
random --count "$count" --ways 'cuda no passes,cuda,cuda all passes'

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -z "$sanitizer" ]; then
    echo '1 skipped: there is no compute-sanitizer'
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
fi

# A line `TOOL PROGRAM` each, or `TOOL -` for the measured kernels: the tool has nothing to say.
# shellcheck disable=SC2016
sanitize='
    log=$work/$1.$(basename "$2").log
    case $2 in
        -) set -- "$1" measured "$python" -B "$root/bench/kernels/check.py" --kjit "$lib" --device cuda ;;
        *) set -- "$1" "$2" "$kjit" run "$2" -q --device cuda ;;
    esac
    tool=$1 what=$2
    shift 2
    # What the driver is asked about plain memory, and answers with an error, is no fault.
    [ "$tool" = racecheck ] || set -- --report-api-errors no "$@"
    if KJIT_CACHE_SIZE=0 timeout 200 "$sanitizer" --tool "$tool" --target-processes all \
        --error-exitcode 9 "$@" >"$log" 2>&1; then
        echo good
    else
        echo "FAILED $tool of $what" >&2
        grep -v "^=========     " "$log" | head -12 >&2
    fi'
export sanitizer work kjit lib root python

random --count $((count / 2)) --ways cuda --tool memcheck
random --count $((count / 2)) --ways cuda --tool racecheck
for tool in memcheck racecheck; do
    echo "$tool -"
    for file in "$root"/examples/*.k; do
        for kernel in $(awk '/^@example/ { wanted = 1 }
                             wanted && /^def / { sub(/^def /, ""); sub(/\(.*/, ""); print; wanted = 0 }' \
            "$file"); do
            echo "$tool $file:$kernel"
        done
    done
done >"$work/list"
good=$(xargs -P "$jobs" -L 1 sh -c "$sanitize" sh <"$work/list" | grep -c good)
passed=$((passed + good)) failed=$((failed + $(wc -l <"$work/list") - good))
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
