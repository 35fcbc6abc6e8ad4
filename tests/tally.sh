#!/bin/sh
# tally.sh COMMAND...: runs commands and adds up the lines `N passed, N failed` in what they print.
# A command that fails without having counted a failure counts as one. Two run at once, so that
# where one comes to its last test, which keeps one processor busy, another has more; what they run
# in turn, one by one. It shows what they print in their order, behind each how long it took, and
# how long processors worked for it: the latter hardly depends on what else the machine does.
together=${TALLY_TOGETHER:-2}
LOGS=$(mktemp -d) || exit 3
export TALLY_TOGETHER=1 LOGS
trap 'rm -rf "$LOGS"' EXIT

# `times` tells, in its second line, of the command alone, as the shell has run nothing else.
each='
echo "-- begun: $2"
begin=$(date +%s)
{ sh -c "$2"; echo $? >"$LOGS/$1.status"; } >"$LOGS/$1" 2>&1
times >"$LOGS/$1.times"
echo "$(($(date +%s) - begin))" >"$LOGS/$1.seconds"
echo "done $1"'

# show NUMBER COMMAND: what it printed; adds what it counted to the file counts.
show()
{
    cat "$LOGS/$1"
    command=$2 worked=$(tail -n 1 "$LOGS/$1.times" | tr ms '  ' |
        awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
    took=$(cat "$LOGS/$1.seconds") status=$(cat "$LOGS/$1.status")
    # A tally of its own replaces what it has added up.
    set -- $(awk '/^== together ==/ { p = f = s = 0 }
                  /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 }
                  /^[0-9]+ skipped:/ { s += $1 }
                  END { print p + 0, f + 0, s + 0 }' "$LOGS/$1")
    if [ "$status" != 0 ] && [ "$2" -eq 0 ]; then
        echo "failed: $command"
        set -- "$1" 1 "$3"
    fi
    echo "-- $took s, $worked s of processors: $command"
    echo "$@" >>"$LOGS/counts"
}

number=0
for command; do
    number=$((number + 1))
    printf '%s\0%s\0' $number "$command"
done | xargs -0 -n 2 -P "$together" sh -c "$each" tally | {
    next=1
    while read -r word text; do
        case $word in done) ;; *) echo "$word $text" ;; esac
        while [ -e "$LOGS/$next.seconds" ]; do
            show $next "$1"
            next=$((next + 1))
            shift
        done
    done
}
# What has not come to its end has failed.
set -- $# $(awk '{ n++; p += $1; f += $2; s += $3 } END { print n + 0, p + 0, f + 0, s + 0 }' \
    "$LOGS/counts" 2>/dev/null)
passed=${3:-0} failed=$((${4:-0} + $1 - ${2:-0})) skipped=${5:-0}
echo "== together =="
[ $skipped -eq 0 ] || echo "$skipped skipped: they need what this machine has not"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
