#!/bin/sh
# The goldens, judged without `kjit test`: the ending of the file beside a program says what to run
# and compare. Arguments: the expectations to look at. KJIT and DEVICE say with what and where;
# UPDATE=1 rewrites.
cd "$(dirname "$0")/.." || exit 3
kjit=$(realpath "${KJIT:-build/kjit}")
passed=0 failed=0
got=$(mktemp) && part=$(mktemp) || exit 3
trap 'rm -f "$got" "$part"' EXIT

# What `kjit run` prints, kernel by kernel where an expectation has headings.
run_kernels() # source, expectation
{
    kernels=$(sed -n 's/^== \(.*\) ==$/\1/p' "$2")
    [ -n "$kernels" ] || { "$kjit" run "$1" --device "${DEVICE:-cpu}"; return; }
    for kernel in $kernels; do
        echo "== $kernel =="
        "$kjit" run "$1:$kernel" --device "${DEVICE:-cpu}" || return
    done
}

judge() # expectation
{
    folder=$(dirname "$1") want=$(basename "$1") expected=0
    src=${want%.*}.k stage=${want##*.}
    cd "$folder" || exit 3
    case $stage in
        err) expected=1; "$kjit" build "$src" --emit ir >/dev/null ;;
        out) run_kernels "$src" "$want" ;;
        cu)  "$kjit" build "$src" --emit cuda ;;
        *)   "$kjit" build "$src" --emit "$stage" ;;
    esac >"$got" 2>"$part" </dev/null
    status=$?
    cat "$part" >>"$got"
    if [ $status -ne $expected ]; then
        echo "$1: exit status $status"; cat "$got"; return 1
    elif [ -n "${UPDATE:-}" ]; then
        cp "$got" "$want"
    else
        diff -u --label "$1" --label 'what it is now' "$want" "$got"
    fi
}

[ $# -gt 0 ] || set -- $(find tests/golden examples -name '*.tokens' -o -name '*.ast' \
    -o -name '*.ir' -o -name '*.cu' -o -name '*.c' -o -name '*.err' -o -name '*.out' | sort)
for want; do
    [ -e "${want%.*}.k" ] || continue
    if (judge "$want"); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "== golden =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
