# The schedule that passes choose for a kernel leads to the same code once it is given back: of the
# kernels of the goldens and examples, on a GPU and on the processor.
for file in $(find "$ROOT/tests/golden" "$ROOT/examples" -name '*.k' | sort); do
    for kernel in $(sed -n 's/^def \([A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
        for stage in cuda c; do
            arch=
            [ $stage = cuda ] || arch=--arch=cpu
            "$KJIT" build "$file:$kernel" --emit schedule $arch -o chosen >/dev/null 2>&1 || continue
            [ -s chosen ] || continue
            expect 0 "$KJIT" build "$file:$kernel" --emit $stage --facts=launch -o by_passes
            expect 0 "$KJIT" build "$file:$kernel" --emit $stage --facts=launch -o by_schedule \
                --schedule chosen
            holds cmp by_passes by_schedule
        done
    done
done
