#!/bin/sh
# format.sh FILE... [--width FILE...]: one test a file: it is as clang-format would have it, and no
# line has more than 100 characters, which clang-format does not see to in comments. Behind --width
# files that no tool lays out: only the latter.
command -v clang-format >/dev/null || {
    echo "clang-format is not installed: make packages" >&2
    exit 3
}
wrong=$(mktemp) && said=$(mktemp) || exit 3
trap 'rm -f "$wrong" "$said"' EXIT

files() { printf '%s\n' "$@" | grep -vx -e --width; }
formatted() { printf '%s\n' "$@" | sed '/^--width$/,$d'; }

# FILE: WHAT for each that is not as it should be. Some files a process: to start one takes longer
# than to look at a file.
formatted "$@" | xargs -r -n 40 -P "$(nproc)" clang-format --dry-run -Werror >"$said" 2>&1
status=$?
sed -n 's/^\(.*\):[0-9]*:[0-9]*: error: .*/\1: not formatted; run make format/p' "$said" |
    sort -u >"$wrong"
if [ $status -ne 0 ] && ! [ -s "$wrong" ]; then
    cat "$said"
    echo "clang-format has failed with status $status"
    exit 3
fi
files "$@" | LC_ALL=C.UTF-8 xargs grep -HnE '^.{101}' |
    sed 's/^\([^:]*\):\([0-9]*\):.*/\1: more than 100 columns in line \2/' >>"$wrong"
cat "$wrong"
count=$(files "$@" | wc -l) failed=$(cut -d: -f1 "$wrong" | sort -u | wc -l)
echo "== format =="
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
