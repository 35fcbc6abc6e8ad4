#!/bin/sh
# What kjit measures on a GPU, shown: the sensors, what the device does at best, the examples with
# cold and warm caches, and two runs of the same kernels compared. By hand:
#     KJIT=build/kjit OUT=FOLDER tests/gpu/bench.sh
# It judges what must hold whatever the machine: a cold launch of a kernel whose data fits in the L2
# is slower than a warm one; nothing moves its least bytes from memory faster than a copy moves its
# own; equal runs do not differ.
kjit=${KJIT:-build/kjit}
out=${OUT:-$(mktemp -d)}
passed=0 failed=0

verdict() # what, 0 if it holds
{
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "does not hold: $1"
        failed=$((failed + 1))
    fi
}

cat >"$out/plain.k" <<'K'
@example(x=ones(4_000_000, dtype=float32), y=zeros(4_000_000, dtype=float32), grid=15625, block=256)
@cuda.jit
def in_cache(x, y):
    """32 MB, which an L2 of 50 MB holds."""
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@example(x=ones(100_000_000, dtype=float32), y=zeros(100_000_000, dtype=float32), grid=390625,
         block=256)
@cuda.jit
def in_memory(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@example(x=zeros(1, dtype=float32), grid=1, block=32)
@cuda.jit
def next_to_nothing(x):
    """Shorter than the events can tell."""
    if cuda.grid(1) == 0:
        x[0] = 1
K

"$kjit" doctor
for file in "$out/plain.k" examples/matmul.k examples/matmul_shared.k examples/hist.k \
    examples/transpose.k examples/reduce.k examples/convolution.k; do
    echo "==== $file"
    "$kjit" bench --device cuda "$file"
    verdict "bench $file" $?
done

for run in first second; do
    "$kjit" bench --device cuda --seconds 2 --json "$out/plain.k" >"$out/$run.json"
    verdict "the $run run" $?
    "$kjit" bench --device cuda --seconds 1 --json examples/transpose.k >"$out/$run.transpose.json"
    verdict "the $run run of the transposes" $?
done
for what in '' .transpose; do
    "$kjit" bench --compare "$out/first$what.json" "$out/second$what.json"
    verdict "equal runs$what do not differ" $?
done

python3 - "$out/first.json" <<'P'
import json
import sys

root = json.load(open(sys.argv[1]))
print(json.dumps(root["device"], indent=1), root["peaks"])
kernels = {kernel["kernel"]: kernel for kernel in root["kernels"]}
wrong = []
if root["device"]["sensors"]:
    wrong.append("no sensors: " + root["device"]["sensors"])
inside, outside = kernels["in_cache"], kernels["in_memory"]
if not inside["cold"]["median_ms"] > 1.1 * inside["warm"]["median_ms"]:
    wrong.append("emptied caches make no difference")
if not outside["cold"]["roof"] < 1.05:
    wrong.append("a copy is faster than the fastest copy")
if not outside["cold"]["roof"] > 0.7:
    wrong.append("a copy is nowhere near the fastest copy")
if not kernels["next_to_nothing"]["warm"]["launches_per_sample"] > 4:
    wrong.append("a short launch is timed alone")
for kernel in kernels.values():
    for which in "cold", "warm":
        low, high = kernel[which]["interval_ms"]
        print(kernel["kernel"], which, kernel[which]["median_ms"], low, high, "samples",
              len(kernel[which]["samples_ms"]), "of", kernel[which]["launches_per_sample"])
    print("  before", kernel["before"], "after", kernel["after"])
for line in wrong:
    print(line)
sys.exit(bool(wrong))
P
verdict 'what the figures must be' $?
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
