#!/bin/sh
# unit.sh PROGRAM...: runs cmocka programs, shows the output of those that fail, and ends in a line
# `N passed, N failed`, with `, N skipped` where tests were. They find a locale whose decimal point
# is a comma.
if [ $# -ne 1 ]; then
    locales=$(mktemp -d) || exit 3
    trap 'rm -rf "$locales"' EXIT
    localedef -i de_DE -f UTF-8 "$locales/de_DE.UTF-8" 2>/dev/null && export LOCPATH="$locales"
    tests/each.sh 'unit tests' "$0" "$@"
    exit
fi

log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
# What the caller has set for runs of kjit is not meant for these, but for what names a tool.
unset $(env | sed -n 's/^\(KJIT_[A-Z_]*\)=.*/\1/p' | grep -vxE 'KJIT_(CC|DRIVER|NVML|NVRTC)')
CMOCKA_MESSAGE_OUTPUT=STDOUT timeout -v -s ABRT 1800 "$1" >"$log" 2>&1 # else it hangs
status=$? program=$1
set -- $(awk '/^\[       OK \]/ { ok++ } /^\[  FAILED  \] [0-9]+ test/ { next }
              /^\[  FAILED  \] .*: / { next } /^\[  FAILED  \]/ { bad[$4]++ }
              /^\[  SKIPPED \] [0-9]+ test/ { next } /^\[  SKIPPED \]/ { skip[$4]++ }
              END { for (b in bad) nb++; for (s in skip) ns++
                    print ok + 0, nb + 0, ns + 0 }' "$log")
# A program that died says so by its status alone.
[ $status -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
if [ "$2" -gt 0 ]; then
    echo "$program: $2 failed (exit status $status)"
    grep -v -e '^\[ RUN ' -e '^\[       OK' "$log"
fi
echo "$1 passed, $2 failed, $3 skipped"
[ "$2" -eq 0 ]
