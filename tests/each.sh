#!/bin/sh
# each.sh NAME RUNNER FILE...: runs `RUNNER FILE` for each file, as many at once as there are
# processors, shows what they print in the order of the files, adds up their lines
# `N passed, N failed[, N skipped]`, and ends in one for all under == NAME ==.
name=$1 runner=$2
shift 2
passed=0 failed=0 skipped=0 number=0
export LOGS=$(mktemp -d) || exit 3
trap 'rm -rf "$LOGS"' EXIT

for file; do
    number=$((number + 1))
    printf '%s\0%s\0' $number "$file"
done | xargs -0 -n 2 -P "$(nproc)" \
    sh -c '"$0" "$2" >"$LOGS/$1" 2>&1; echo $? >"$LOGS/$1.status"' "$runner"

number=0
for file; do
    number=$((number + 1))
    grep -v -e '^== .* ==$' -e '^[0-9]* passed, [0-9]* failed' "$LOGS/$number"
    set -- $(awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 }
                  END { print p + 0, f + 0, s + 0 }' "$LOGS/$number")
    if [ "$(cat "$LOGS/$number.status" 2>/dev/null)" != 0 ] && [ "$2" -eq 0 ]; then
        echo "failed: $runner $file"
        set -- "$1" 1 "$3"
    fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
done
echo "== $name =="
[ $skipped -eq 0 ] || skips=", $skipped skipped"
echo "$passed passed, $failed failed$skips"
[ $failed -eq 0 ]
