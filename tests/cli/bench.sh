# `kjit bench`: what a launch does, how long it takes, and which of two files' kernels differ. No
# time is judged here, only that there is one.
cat >two.k <<'K'
SCALE = 2


@example(x=ones(1000, dtype=float32), y=zeros(1000, dtype=float32), grid=8, block=128)
@cuda.jit
def scaled(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = SCALE * x[i] + y[i]


@cuda.jit
def unused(x):
    x[0] = 1


@example(n=5, out=zeros(1))
@cuda.jit
def recursive(n, out):
    out[0] = down(n)


def down(n):
    return 0 if n <= 0 else down(n - 1) + 1
K

# What launches do is known without any, and is the same each time.
expect 0 "$KJIT" bench two.k --count --device cpu
cat >wanted <<'W'
scaled
  launch  [8, 1, 1] blocks of [128, 1, 1] threads
  float16 operations       0
  float32 operations       0
  float64 operations       2000
  bytes loaded             8000
  bytes stored             4000
  bytes by atomics         0
  bytes to move at least   12000
recursive
  launch  [1, 1, 1] blocks of [256, 1, 1] threads, chosen: for all there is to do, in whole blocks
  work    not known: what recursive does cannot be counted: it calls a function that calls itself
W
cp out got
holds diff wanted got
expect 0 "$KJIT" bench two.k --count --device cpu
says err '^kjit: 1 kernel without an @example passed over$'
expect 0 "$KJIT" bench two.k:scaled --count --device cpu 'x=ones(10)' 'y=zeros(10)' --grid 1x32
says out '^  launch  \[1, 1, 1\] blocks of \[32, 1, 1\] threads$' '^  float64 operations +20$' \
    '^  bytes to move at least +240$'
expect 0 "$KJIT" bench two.k:scaled --count --json --device cpu
says out '"peaks": null' '"float64_ops": 2000' '"counted_blocks": 8' '"bench": 2'
# A name that is no UTF-8 does not take the kernel out of what is.
odd=$(printf 'two\377.k')
cp two.k "$odd"
expect 0 "$KJIT" bench "$odd:scaled" --count --json --device cpu
says out '"file": "two\?\.k"' '"kernel": "scaled"'

# The tutorial's kernels, by hand: two operations for each of 250 x 210 x 180 products.
expect 0 "$KJIT" bench "$ROOT/examples/matmul.k" --count
says out '^  float32 operations +18900000$' '^  bytes loaded +75600000$' \
    '^  bytes to move at least +541200$'
expect 0 "$KJIT" bench "$ROOT/examples/hist.k" --count
counted=$(awk '/by atomics/ { print $4 / 4 }' out)
"$KJIT" run "$ROOT/examples/hist.k" --device cpu --json >hist.json
says hist.json "\"sum\": $counted,"

# Over several ranks: a row for each number of them.
expect 0 "$KJIT" bench two.k:scaled --devices cpu:1,2,5 --seconds 0
says out '^scaled$' '^  launch  \[8, 1, 1\] blocks of \[128, 1, 1\] threads$' \
    '^    ranks +time +speed-up +efficiency$' '^        1 +[0-9.]+ [mu]?s +1\.00 +1\.000$' \
    '^        2 +[0-9.]+ [mu]?s +[0-9.]+ +[0-9.]+$' '^        5 +[0-9.]+ [mu]?s +[0-9.]+ +[0-9.]+$'
expect 0 "$KJIT" bench "$ROOT/tests/golden/many/stencil_shares_rows.k" --devices cpu:2 \
    --swap u,v --seconds 0 --split u=0
says out '^        2 +[0-9.]+ [mu]?s +1\.00 +1\.000$'
for wrong in 1,x 0 cpu: cpu:2, 65 all; do
    expect 2 "$KJIT" bench two.k:scaled --devices $wrong
    says err "^kjit: --devices $wrong: it takes how many GPUs to time on, as in 1,2,4.* 64 at most"
done
expect 2 "$KJIT" bench two.k:scaled --swap x,y
says err '^kjit: --swap goes with --devices: it is for launches that are split$'
expect 2 "$KJIT" bench two.k:scaled --copy x
says err '^kjit: --copy goes with --devices'
expect 2 "$KJIT" bench two.k:scaled --devices cpu:2 --json
says err '^kjit: --devices prints a table, and makes no sense with --json$'
expect 2 "$KJIT" bench --compare old.json new.json --devices cpu:2
says err '^kjit: --devices prints a table, and makes no sense with --compare$'
expect 2 "$KJIT" bench two.k:scaled --devices cpu:2 --device cuda
says err '^kjit: --devices says which devices, and makes no sense with --device$'
expect 2 "$KJIT" bench two.k:scaled --devices cpu:2 --swap x,z
says err "^kjit: --swap x,z: scaled has no array 'z'\$"

# Times.
quick='--device cpu --seconds 0 --samples 10'
expect 0 "$PACED" bench two.k:scaled $quick
says out ', x86-64, [0-9]+ threads?' '^at best, as measured: copies [0-9.]+ [kMGT]?B/s, float32 ' \
    '^scaled\(float32\[::1\], float32\[::1\]\)$' '^  cold    .* of 10 launches$' \
    '^  warm    .* of (10 launches|10 times [0-9]+ launches)$' \
    '^  work    2 kFLOP float64, 8 kB loaded, 4 kB stored, 12 kB to move at least$' \
    '^  cold .*FLOP/s, .*B/s, .* % of the roof \((memory|float64)(, unreliable)?\)$'
# By the tests' clock, on a machine that does nothing else (tests/paced/paced.h).
expect 0 "$PACED" bench two.k:scaled $quick --json
cp out old.json
says out '"samples_ms": \[' '"model": "' '"compiler": "' '"clock_mhz": ' '"shape": \[' \
    '"copy_gbs": [0-9]'
holds python3 - <<'P'
import json
kernel = json.load(open("old.json"))["kernels"][0]
assert kernel["kernel"] == "scaled" and kernel["arguments"][0]["shape"] == [1000]
for which in "cold", "warm":
    samples = sorted(kernel[which]["samples_ms"])
    low, high = kernel[which]["interval_ms"]
    rounds = sorted(kernel[which]["rounds_ms"])
    assert len(samples) == 10 and samples[0] == kernel[which]["least_ms"] and len(rounds) == 9
    assert (low, high) == (rounds[1], rounds[7]), (low, high, rounds)
    assert kernel[which]["median_ms"] == rounds[4]
P

# Which differ: the same samples do not, and what is made to differ does, by how much.
expect 0 "$KJIT" bench --compare old.json old.json
says out '^scaled, cold: .* \+0\.0 %, no difference \(p = 1\)$' \
    '^2 measurements compared: 0 slower, 0 faster$'
change() # FACTOR
{
    python3 -c "
import json
root = json.load(open('old.json'))
warm = root['kernels'][0]['warm']
warm['rounds_ms'] = [1 + 0.0005 * i for i in range(9)]
warm['median_ms'] = 1.002
json.dump(root, open('base.json', 'w'))
warm['rounds_ms'] = [$1 * each for each in warm['rounds_ms']]
warm['median_ms'] = $1 * 1.002
root['device']['driver'] = 'CUDA 99.0'
extra = dict(root['kernels'][0], kernel='another')
root['kernels'].append(extra)
json.dump(root, open('new.json', 'w'))"
}
change 1.5
expect 4 "$KJIT" bench --compare base.json new.json
says out '^scaled, warm: 1\.002 ms before, 1\.503 ms now: \+50\.0 %, slower \(p = 4\.1e-05\)$' \
    '^scaled, cold: .*no difference' '^another: only in new\.json$' \
    '^driver: null before, "CUDA 99\.0" now$' '^2 measurements compared: 1 slower, 0 faster$'
expect 0 "$KJIT" bench --compare new.json base.json
says out '^scaled, warm: .* -33\.3 %, faster' '^another: only in new\.json$'
change 1.015
expect 0 "$KJIT" bench --compare base.json new.json
says out '^scaled, warm: .* \+1\.5 %, no difference'
expect 4 "$KJIT" bench --compare base.json new.json --least 1
says out '^scaled, warm: .* \+1\.5 %, slower'
# All of one are slower than all of the other, by not quite twice what either's intervals are wide.
change 1.009
expect 0 "$KJIT" bench --compare base.json new.json --least 0.5
says out '^scaled, warm: .* \+0\.9 %, no difference \(p = 4\.1e-05\)$'

# While others have the processor times tell nothing: they are taken again, and where that does not
# help, it is said, in all words, and there is no verdict.
cat >busy.k <<'K'
wait = 0
until = 1000


@example(took=zeros(2), waited=zeros(1), grid=1, block=1)
@cuda.jit
def busy(took, waited):
    waited[0] = wait if took[1] < until else 0
    took[0] = 3
K
busy='busy.k --device cpu --seconds 0 --samples 10'
expect 0 "$PACED" bench $busy --json
cp out calm.json
says out '"disturbed": null' '"tries": 1,' '"unreliable": false' '"median_ms": 3\.0,'
silent out '"disturbed": "'
expect 0 "$PACED" bench $busy --json -D wait=1
cp out disturbed.json
waited='its threads waited for a processor 25 % of the time'
says out "\"disturbed\": \"$waited\"" '"tries": 3,' '"median_ms": 4\.0,'
expect 0 "$PACED" bench $busy -D wait=1
says out "^          disturbed: $waited; measured 3 times$"
holds test "$(grep -c '^          disturbed: ' out)" = 2
# What ends in time leaves valid ones.
expect 0 "$PACED" bench $busy --json -D wait=1 -D until=8
cp out later.json
says out '"tries": 2,' '"tries": 1,' '"median_ms": 3\.0,'
silent out '"disturbed": "' '"median_ms": 4'
for pair in 'calm disturbed before=now' 'disturbed calm before=before' 'disturbed disturbed x'; do
    set -- $pair
    expect 0 "$KJIT" bench --compare $1.json $2.json
    says out '^2 measurements compared: 0 slower, 0 faster, 2 without a verdict$' \
        "^busy, warm: [34] ms before, [34] ms now: no verdict \(disturbed (before|now): $waited\)$"
    silent out '%,|p = '
done
expect 0 "$KJIT" bench --compare calm.json later.json
says out '^2 measurements compared: 0 slower, 0 faster$'
# One that was not disturbed is judged beside others.
python3 -c "
import json
calm, busy = (json.load(open(name + '.json')) for name in ('calm', 'disturbed'))
busy['kernels'][0]['cold']['disturbed'] = None
json.dump(busy, open('half.json', 'w'))"
expect 4 "$KJIT" bench --compare calm.json half.json
says out '^busy, cold: 3 ms before, 4 ms now: \+33\.3 %, slower' '^busy, warm: .* no verdict ' \
    '^2 measurements compared: 1 slower, 0 faster, 1 without a verdict$'
expect 0 "$PACED" run $(set -- $busy; echo $1) --device cpu --time 5 -D wait=1
says out "^these times are disturbed: $waited; measured 3 times$"
expect 0 "$PACED" run busy.k --device cpu --time 5 -D wait=1 --json
says out "\"disturbed\": \"$waited\""
expect 0 "$PACED" run busy.k --device cpu --time 5
silent out 'disturbed'
# Caches that are full make nothing slower: something else did, of which the machine does not tell.
cat >beyond.k <<'K'
until = 42 # launches: those of one measurement


# Two launches wake the device. Of a measurement four are of the first round's warm ones and four of
# its cold ones, then each round has two of either.
@example(took=zeros(2), grid=1, block=1)
@cuda.jit
def beyond(took):
    n = (took[1] - 2) % 40
    warm = n < 4 or (n >= 8 and (n - 8) % 4 < 2)
    took[0] = 5 if warm and took[1] < until else 3
K
beyond='beyond.k --device cpu --seconds 0 --samples 10'
expect 0 "$PACED" bench $beyond
says out '^  cold    3 ms, ' '^  warm    3 ms, '
silent out 'disturbed'
expect 0 "$PACED" bench $beyond -D until=1000
says out '^  cold    3 ms, ' '^  warm    5 ms, '
says out '^ +disturbed: launches with warm .* longer than with cold ones; measured 3 times$'
holds test "$(grep -c '^ *disturbed: ' out)" = 2

# Files that are none of it.
expect 3 "$KJIT" bench --compare nowhere.json old.json
says err '^kjit: nowhere\.json: No such file'
head -c 400 old.json >half.json
expect 3 "$KJIT" bench --compare old.json half.json
says err '^kjit: half\.json:[0-9]+:[0-9]+: this is no JSON, or damaged: '
echo '{"kernels": 3}' >other.json
expect 3 "$KJIT" bench --compare other.json old.json
says err '^kjit: other\.json is JSON, but not what kjit bench writes'
echo '{"bench": 3, "kernels": []}' >later.json
expect 3 "$KJIT" bench --compare later.json old.json
says err 'later\.json was written by another version of kjit bench'
"$KJIT" bench two.k:scaled --count --json --device cpu >counts.json
expect 3 "$KJIT" bench --compare counts.json old.json
says err 'counts\.json is damaged, or has kernels without times; .*>RUN\.json'
for ms in -1 0 1e308; do
    python3 -c "
import json
root = json.load(open('old.json'))
root['kernels'][0]['warm']['samples_ms'][3] = $ms
json.dump(root, open('damaged.json', 'w'))"
    expect 3 "$KJIT" bench --compare damaged.json old.json
    says err 'damaged\.json is damaged'
done
# A path is what it leads to: ./two.k is two.k, and of another folder if there is but one such.
for path in ./two.k .//two.k elsewhere/two.k /tmp/a/two.k; do
    sed "s|\"file\": \"two.k\"|\"file\": \"$path\"|" old.json >moved.json
    expect 0 "$KJIT" bench --compare old.json moved.json
    says out '^2 measurements compared: 0 slower, 0 faster$'
done
says out '^scaled: of two\.k before, of /tmp/a/two\.k now$'
sed 's|"file": "two.k"|"file": "three.k"|' old.json >moved.json
expect 3 "$KJIT" bench --compare old.json moved.json
says out '^scaled: only in old\.json$' '^scaled: only in moved\.json$'
says err '^kjit: no kernel of old\.json is in moved\.json, .*: nothing was compared$'
python3 -c "
import json
root = json.load(open('old.json'))
kernel = root['kernels'][0]
root['kernels'] = [dict(kernel, file='a/two.k'), dict(kernel, file='b/two.k')]
json.dump(root, open('several.json', 'w'))
kernel.update(grid=[4, 1, 1], tuned=True, configuration='n=4')
root['kernels'] = [kernel]
json.dump(root, open('shaped.json', 'w'))"
expect 3 "$KJIT" bench --compare old.json several.json
expect 3 "$KJIT" bench --compare several.json old.json
expect 0 "$KJIT" bench --compare several.json several.json
says out '^4 measurements compared'
# Launches of another shape or configuration are told of.
expect 0 "$KJIT" bench --compare old.json shaped.json
says out '^scaled: grid \[8, 1, 1\] before, \[4, 1, 1\] now$' \
    '^scaled: configuration null before, "n=4" now$'
sed 's/"kernel": "scaled"/"kernel": 7/' old.json >number.json
expect 3 "$KJIT" bench --compare old.json number.json
says err 'number\.json is damaged'

# A kernel that leaves its arrays ends the command, with a message.
printf '@cuda.jit\ndef f(x):\n    if x[1 << 40] > 0:\n        x[0] = 1\n' >far.k
expect 3 "$KJIT" bench far.k --count --device cpu 'x=ones(4)' --grid 1x1
says err '^kjit: the kernel f crashed \(out-of-bounds access\?\); run it with --debug'
expect 0 "$PACED" bench two.k:scaled --debug -D SCALE=3 $quick --grid 8x128
says out '^  cold    '

# What makes no sense.
expect 2 "$KJIT" bench
says err 'which FILE\?'
expect 2 "$KJIT" bench --compare old.json
says err '--compare takes two files'
expect 2 "$KJIT" bench --compare old.json old.json old.json
says err "'old\.json' is a third"
expect 2 "$KJIT" bench two.k --device check
says err "the device 'check' looks for mistakes"
expect 2 "$KJIT" bench two.k --device cpu x=1
says err 'NAME=VALUE goes with one kernel'
expect 2 "$KJIT" bench two.k:unused --device cpu
says err 'unused needs x'
expect 2 "$KJIT" bench two.k --seconds many
says err '--seconds many: it takes a number'
expect 2 "$KJIT" bench two.k --samples 0
for option in '--seconds 1' '--samples 9' --count --json --no-wisdom '--device cpu' \
    '--passes none' '--grid 1x1' '--forall 9' '--shared 9' --debug --fastmath '-D SCALE=3'; do
    expect 2 "$KJIT" bench --compare old.json old.json $option
    says err "^kjit: ${option%% *} makes no sense with --compare"
done
for option in '--seconds 1' '--samples 9'; do
    expect 2 "$KJIT" bench two.k --count $option
    says err "^kjit: ${option%% *} makes no sense with --count"
done
expect 2 "$KJIT" bench two.k --least 3
says err '^kjit: --least goes with --compare'
expect 2 "$KJIT" bench two.k:scaled --grid 99999999999x4
says err "at most 4294967295; not '99999999999x4'"
expect 2 "$KJIT" bench two.k:
says err "^kjit: 'two\.k:' names no kernel behind its colon: leave .*, or say two\.k:NAME$"
expect 3 "$KJIT" bench nowhere.k --device cpu
printf '@cuda.jit\ndef f(x):\n    x[0] = 1\n' >bare.k
expect 2 "$KJIT" bench bare.k --device cpu
says err 'f needs x'
silent out 'at best' # nothing is measured for it
printf '@cuda.jit\ndef f(x):\n    x[0] = 1\n\n@cuda.jit\ndef g(x):\n    x[0] = 1\n' >bares.k
expect 2 "$KJIT" bench bares.k --device cpu --count
says err 'there is nothing to time'
expect 1 "$KJIT" bench two.k:scaled --device cpu 'x=ones(10)' y=3 --grid 1x1

# A GPU that only pretends, whose kernels take a tick of a millisecond each.
gpu()
{
    env KJIT_DRIVER="$ROOT/$BUILD/tests/fake/libcuda.so.1" \
        KJIT_NVRTC="$ROOT/$BUILD/tests/fake/libnvrtc.so.13" \
        KJIT_NVML="$ROOT/$BUILD/tests/fake/libnvidia-ml.so.1" KJIT_CACHE_SIZE=0 "$@"
}
expect 0 gpu "$KJIT" bench two.k:scaled --seconds 0
says out '^Pretended GPU 0, sm_90, CUDA 13\.0, 132 multiprocessors, 62\.91 MB of L2$' \
    '^  cold    1 ms, 1 ms to 1 ms of ' '^  cold    2 MFLOP/s, 12 MB/s, ' \
    '^  clock   1980 MHz before, 1980 MHz after, 41 C, 350 W$'
expect 0 gpu FAKE_NVML_REASONS=24 "$PACED" bench two.k:scaled --seconds 0
says out '^  clock   .*; held down: power cap, heat$'
expect 0 gpu "$PACED" bench two.k:scaled --seconds 0 --json
says out '"driver": "CUDA 13\.0"' '"driver_release": "580\.00"' '"compiler": "NVRTC 13\.0"' \
    '"throttled": false' '"milliwatts": 350500' '"sensors": null'
expect 0 gpu KJIT_NVML=/nowhere/libnvidia-ml.so.1 "$PACED" bench two.k:scaled --seconds 0 --json
says out '"clock_mhz": null' \
    '"sensors": "NVML cannot be loaded: /nowhere/libnvidia-ml\.so\.1, which'
expect 0 gpu KJIT_NVML="$ROOT/$BUILD/tests/fake/libcuda.so.1" "$PACED" bench two.k:scaled \
    --seconds 0 --json
says out '"sensors": "the library of that name is no NVML"'
expect 0 gpu FAKE_NVML_FAIL=nvmlInit:9 "$PACED" bench two.k:scaled --seconds 0 --json
says out '"sensors": "NVML does not start: nvmlInit gives 9"'
expect 3 gpu FAKE_CUDA_FAIL=cuEventElapsedTime:3:999 "$KJIT" bench two.k:scaled --seconds 0
says err 'CUDA_ERROR_UNKNOWN'
