# Nothing is found in the standard library's examples.
export KJIT_CACHE=$KERNELS
expect 0 "$PYTHON" "$ROOT/tests/check/marks.py" --kjit "$KJIT" --clean \
    "$ROOT"/stdlib/*.k "$ROOT"/stdlib/*/*.k
says out ' 0 complaints'
