#!/bin/sh
# Programs of arrays beside other ways to write them, on this machine: 1000 steps of heat on 4096 x
# 4096 float32 by expressions in kjit, by a kernel in kjit, by CuPy and by NumPy (fewer steps, on one
# core); ten lines from start to output; a launch of nothing from host code and from C.
#
#     bench/program/measure.sh [DEVICE]     PYTHON: one with NumPy, and CuPy on a GPU
cd "$(dirname "$0")/../.." || exit 3
kjit=${KJIT:-build/kjit} python=${PYTHON:-python3} device=${1:-auto}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=1
steps=1000 others=20
[ "$device" != cpu ] || steps=60
say() # what, command...
{
    printf '%-44s' "$1"
    shift
    "$@" 2>&1 | tail -1
}
say 'heat, kjit, expressions' "$kjit" run --device "$device" bench/program/heat.py STEPS=$steps
say 'heat, kjit, a kernel' "$kjit" run --device "$device" bench/program/by_hand.py STEPS=$steps
say 'heat, kjit, expressions, again' "$kjit" run --device "$device" bench/program/heat.py STEPS=$steps
say 'heat, kjit, a kernel, again' "$kjit" run --device "$device" bench/program/by_hand.py STEPS=$steps
sed "s/^STEPS = .*/STEPS = $others/" bench/program/heat.py >"$work/by_numpy.py"
say 'heat, NumPy, one core' "$python" "$work/by_numpy.py"
if [ "$device" != cpu ] && "$python" -c 'import cupy' 2>/dev/null; then
    sed 's/numpy as np/cupy as np/' bench/program/heat.py >"$work/by_cupy.py"
    say 'heat, CuPy' "$python" "$work/by_cupy.py"
fi
"$kjit" run --device "$device" bench/program/ten_lines.py >/dev/null
say 'ten lines, from start to end, 10 times, s' "$python" -c "
import subprocess, time
took = []
for _ in range(10):
    begin = time.perf_counter()
    subprocess.run(['$kjit', 'run', '--device', '$device', 'bench/program/ten_lines.py'],
                   stdout=subprocess.DEVNULL)
    took.append(time.perf_counter() - begin)
print('median %.4f, least %.4f' % (sorted(took)[5], min(took)))"
say 'nothing, launched from host code' "$kjit" run --device "$device" bench/program/launches.py
if cc -O2 -Iinclude bench/program/launches.c -Lbuild -lkjit "-Wl,-rpath,$PWD/build" \
    -o "$work/launches" 2>/dev/null; then
    say 'nothing, launched by the C library' "$work/launches" "$device"
fi
