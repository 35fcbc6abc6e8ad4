#!/bin/sh
# cli.sh SCRIPT...: runs scripts that test the command through these functions, each in a fresh
# folder, with the command as $KJIT, as $PACED one whose clocks tests set (tests/paced/paced.h), and
# as $QUEUED one whose compilations wait for others (tests/queued.sh).
[ $# -eq 1 ] || exec tests/each.sh command "$0" "$@"
export KJIT=${KJIT:-$PWD/build/kjit} PACED=${PACED:-$PWD/build/tests/paced/kjit} ROOT=$PWD
export QUEUED=${QUEUED:-$PWD/build/tests/queued/kjit}
export KERNELS=${KERNELS:-$PWD/build/kernels} # KJIT_CACHE for what other tests compile, too
export PYTHON=${PYTHON:-/usr/bin/python3}
command -v "$PYTHON" >/dev/null || PYTHON=python3
passed=0 failed=0 skipped=0
case $TMPDIR in *[[:space:]]*) unset TMPDIR ;; esac # KJIT_CC is words, and so are make's lists
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
# What the caller has set for runs of kjit is not meant for these, but for what names a tool.
unset $(env | sed -n 's/^\(KJIT_[A-Z_]*\)=.*/\1/p' | grep -vxE 'KJIT_(CC|DRIVER|NVML|NVRTC)')
export XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8
# Most look at values and messages; at its best the C compiler takes four times as long.
export KJIT_CC=${KJIT_CC:-cc -O0}

# expect STATUS COMMAND...: it exits so; what it printed is in the files out and err.
expect()
{
    wanted=$1
    shift
    what="$*"
    "$@" >out 2>err </dev/null
    status=$?
    if [ $status -eq "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$script: exit status $status, not $wanted: $what"
        cat out err
    fi
}

# says FILE PATTERN...: the file has a line that matches each extended regular expression.
says()
{
    file=$1
    shift
    for pattern; do
        if grep -Eq -e "$pattern" "$file"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$script: no '$pattern' in what it printed: $what"
            cat "$file"
        fi
    done
}

# silent FILE PATTERN: no line of the file matches the extended regular expression.
silent()
{
    if grep -Eq -e "$2" "$1"; then
        failed=$((failed + 1))
        echo "$script: '$2' in what it printed: $what"
        cat "$1"
    else
        passed=$((passed + 1))
    fi
}

# holds COMMAND...: it succeeds.
holds()
{
    expect 0 "$@"
}

# skips COUNT WHY: so many tests cannot be made on this machine.
skips()
{
    skipped=$((skipped + $1))
    echo "$script: $1 skipped: $2"
}

script=$(realpath "$1")
mkdir -p "$work/here"
cd "$work/here" || exit 3
. "$script"
cd "$ROOT" || exit 3
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
