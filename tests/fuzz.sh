#!/bin/sh
# fuzz.sh PROGRAM...: each fuzzer for FUZZ_SECONDS, from the programs in tests/ and examples/.
passed=0 failed=0
seeds=$(mktemp -d) || exit 3
trap 'rm -rf "$seeds"' EXIT
for program in $(find tests examples stdlib -name '*.k' 2>/dev/null); do
    cp "$program" "$seeds/$(echo "$program" | tr / _)"
done

for fuzzer; do
    # A crash leaves its input beside the fuzzer, to be looked at.
    if "$fuzzer" -max_total_time="${FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=2048 \
        -max_len=4096 -verbosity=0 -print_final_stats=1 -artifact_prefix="$fuzzer-" \
        "$seeds" >"$seeds.log" 2>&1; then
        grep -E 'number_of_executed_units' "$seeds.log"
        passed=$((passed + 1))
    else
        tail -60 "$seeds.log"
        failed=$((failed + 1))
    fi
    rm -f "$seeds.log"
done
echo "== fuzz =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
