#!/bin/sh
# tally.sh COMMAND...: runs each command and adds up the lines `N passed, N failed` in what they
# print. A command that fails without having counted a failure counts as one. Behind each it says
# how long that took, and how long processors worked for it: the latter hardly depends on what else
# the machine does.
passed=0 failed=0 skipped=0
log=$(mktemp) && status=$(mktemp) || exit 3
trap 'rm -f "$log" "$status"' EXIT

# Sets `worked` to the seconds that processors have worked for commands until now. (In a subshell
# `times` would speak of that one.)
count_work()
{
    times >"$status"
    worked=$(tail -n 1 "$status" | tr ms '  ' | awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
}

for command; do
    begin=$(date +%s)
    count_work
    before=$worked
    { sh -c "$command" 2>&1; echo $? >"$status"; } | tee "$log"
    # A tally of its own replaces what it has added up.
    set -- $(awk '/^== together ==/ { p = f = s = 0 }
                  /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 }
                  /^[0-9]+ skipped:/ { s += $1 }
                  END { print p + 0, f + 0, s + 0 }' "$log")
    if [ "$(cat "$status")" -ne 0 ] && [ "$2" -eq 0 ]; then
        echo "failed: $command"
        set -- "$1" 1 "$3"
    fi
    count_work
    echo "-- $(($(date +%s) - begin)) s, $((worked - before)) s of processors: $command"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
done
echo "== together =="
[ $skipped -eq 0 ] || echo "$skipped skipped: they need what this machine has not"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
