#!/bin/sh
# fuzz.sh PROGRAM...: fuzzers, all at once, from the programs in tests/ and examples/, or from the
# IR there: the same inputs each time, so that every machine gives the same verdict, or with
# FUZZ_SECONDS others for as long. An input that takes a minute hangs. Programs of the host run
# without a C compiler, unless KJIT_CC names one.
passed=0 failed=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# A crash leaves its input beside the fuzzer, to be looked at.
fuzz() # program, folder to work in
{
    mkdir -p "$2/seeds"
    case $1 in # as many inputs as take ten to twenty seconds
        *_ir) ending=ir inputs=8000 ;;
        *_program) ending=py inputs=3000 ;;
        *_parser) ending=k inputs=10000 ;;
        *) ending=k inputs=600 ;;
    esac
    folders='tests examples stdlib'
    if [ $ending = py ]; then
        folders=tests/programs/host
        for list in errors random; do
            awk -v to="$2/seeds/$list" '/^----$/ { n++; next } { print >to n }' \
                tests/programs/host/$list.txt
        done
        awk -v to="$2/seeds/expression" '/^[^#]/ {
                print "import math\nimport numpy as np\nprint(" $0 ")" >to NR; close(to NR)
            }' tests/programs/host/expressions.txt
        export KJIT_CC="${KJIT_CC:-false}"
    fi
    for program in $(find $folders -name "*.$ending" 2>/dev/null); do
        cp "$program" "$2/seeds/$(echo "$program" | tr / _)"
    done
    limit="-seed=1 -runs=$(($(ls "$2/seeds" | wc -l) + inputs))"
    [ -z "$FUZZ_SECONDS" ] || limit=-max_total_time=$FUZZ_SECONDS
    "$1" $limit -timeout=60 -rss_limit_mb=2048 -max_len=4096 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix="$1-" "$2/seeds" >"$2/log" 2>&1
    echo $? >"$2/status"
}

for fuzzer; do
    fuzz "$fuzzer" "$work/$(basename "$fuzzer")" &
done
wait
for fuzzer; do
    folder=$work/$(basename "$fuzzer")
    if [ "$(cat "$folder/status")" = 0 ]; then
        grep -E 'number_of_executed_units' "$folder/log"
        passed=$((passed + 1))
    else
        tail -60 "$folder/log"
        failed=$((failed + 1))
    fi
done
echo "== fuzz =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
