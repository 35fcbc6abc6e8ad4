# Programs with a host's part, expressions and tracebacks give the same under the checker, which
# finds nothing in them.
export KJIT_CACHE=$KERNELS KJIT_CC="${KJIT_CC:-cc -O0}"
expect 0 "$ROOT/tests/queued.sh" "$QUEUED" \
    "$PYTHON" "$ROOT/tests/programs/host/check.py" --kjit "$KJIT" --device check
says out ' 0 failed'
