#!/bin/sh
# What the examples cost on this machine, on its own inputs: median, least and most of 50 launches
# of each kernel. Arguments: programs to measure instead. DEVICE says where.
cd "$(dirname "$0")/.." || exit 3
kjit=${KJIT:-build/kjit}
[ $# -gt 0 ] || set -- examples/*.k
for program; do
    kernels=$(sed -n '/^@example/,/^def/ s/^def \([A-Za-z_0-9]*\).*/\1/p' "$program")
    for kernel in $kernels; do
        printf '%-40s ' "$(basename "$program" .k):$kernel"
        "$kjit" run "$program:$kernel" --device "${DEVICE:-auto}" -q --time 50 2>&1 | tail -1
    done
done
