# What is compared must be certain, of goldens, of tests/programs: no kernel races, but one where
# all write the same.
export KJIT_CACHE=$KERNELS KJIT_CC="${KJIT_CC:-cc -O0}"
expect 0 "$ROOT/tests/queued.sh" "$QUEUED" \
    "$PYTHON" "$ROOT/tests/check/marks.py" --kjit "$KJIT" --races \
    "$ROOT"/tests/golden/opt/*.k "$ROOT"/tests/programs/*.k \
    $(ls "$ROOT"/tests/golden/ir/*.out "$ROOT"/tests/golden/threads/*.out | sed 's/out$/k/')
says out ' 0 complaints'
