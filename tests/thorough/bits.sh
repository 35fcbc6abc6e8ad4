# What the optimising passes do to the kernels of tests/golden/opt shows in no result: on the
# processor each kernel leaves the same bits with all passes and with none. Which products and sums
# become one step is the C compiler's choice, here none; how well it optimises is another test's
# matter. The same text is compiled once.
export KJIT_CACHE="$PWD/kernels"
cat >cc.sh <<'S'
#!/bin/sh
exec cc "$@" -ffp-contract=off -O0
S
chmod +x cc.sh

for file in "$ROOT"/tests/golden/opt/*.k; do
    for kernel in $("$KJIT" build --emit ir "$file" | sed -n 's/^kernel \([^(]*\)(.*/\1/p'); do
        case $kernel in # races, and atomics whose results depend on which thread comes first
            *_without_a_barrier | *_in_any_order) continue ;;
        esac
        for passes in none all; do
            expect 0 env KJIT_CC="$PWD/cc.sh" KJIT_PASSES=$passes timeout 600 "$KJIT" run \
                --device cpu --json "$file:$kernel"
            sed '/"counters"/,$d' out >"$kernel.$passes"
        done
        holds grep -q '"written"' "$kernel.all"
        holds cmp "$kernel.none" "$kernel.all"
        case $file in # what runs on the processor unless told otherwise makes other loops
            */tiles*) ;;
            *) continue ;;
        esac
        expect 0 env KJIT_CC="$PWD/cc.sh" timeout 600 "$KJIT" run --device cpu --json \
            "$file:$kernel"
        sed '/"counters"/,$d' out >"$kernel.default"
        holds cmp "$kernel.none" "$kernel.default"
    done
done
