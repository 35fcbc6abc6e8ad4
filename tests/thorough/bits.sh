# What the optimising passes do to the kernels of tests/golden/opt shows in no result: on the
# processor each kernel leaves the same bits with all passes and with none. Which products and sums
# become one step is the C compiler's choice, here none; how well it optimises is another test's
# matter. The same text is compiled once, and eight texts by one call (tests/queued.sh).
export KJIT_CACHE="$PWD/kernels" KJIT_CC="$PWD/cc.sh -O0"
cat >cc.sh <<'S'
#!/bin/sh
exec cc "$@" -ffp-contract=off
S
chmod +x cc.sh

# The kernels that are certain, each with which passes it runs.
for file in "$ROOT"/tests/golden/opt/*.k; do
    for kernel in $("$KJIT" build --emit ir "$file" | sed -n 's/^kernel `\{0,1\}\([^(`]*\)`\{0,1\}(.*/\1/p'); do
        case $kernel in # races, and atomics whose results depend on which thread comes first
            *_without_a_barrier | *_in_any_order) continue ;;
        esac
        case $file in # what runs on the processor unless told otherwise makes other loops
            */tiles*) others=default ;;
            *) others= ;;
        esac
        for passes in none all $others; do
            echo "$file:$kernel $kernel $passes"
        done
    done
done >runs

# run KJIT FILE:KERNEL PASSES
run()
{
    set -- $3 timeout 600 "$1" run --device cpu --json "$2"
    [ $1 = default ] || set -- "$@" --passes $1
    shift
    "$@" </dev/null
}

export QUEUE="$PWD/queue"
while read -r path kernel passes; do
    run "$QUEUED" "$path" $passes >/dev/null 2>&1
done <runs
"$QUEUED"
unset QUEUE
while read -r path kernel passes; do
    expect 0 run "$KJIT" "$path" $passes
    sed '/"counters"/,$d' out >"$kernel.$passes"
    [ $passes = none ] && continue
    holds grep -q '"written"' "$kernel.$passes"
    holds cmp "$kernel.none" "$kernel.$passes"
done <runs
