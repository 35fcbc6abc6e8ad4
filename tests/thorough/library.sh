# Nothing is found in the standard library's examples.
export KJIT_CACHE=$KERNELS
python=/usr/bin/python3
[ -x "$python" ] || python=python3
expect 0 "$python" "$ROOT/tests/check/marks.py" --clean "$KJIT" "$ROOT"/stdlib/*.k
says out ' 0 complaints'
