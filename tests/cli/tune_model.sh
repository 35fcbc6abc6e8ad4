# The model-based search over recorded spaces: how near to the best it comes with a quarter of the
# evaluations, in the median of 30 seeds.

# near FILE SEED MOST: the median is MOST times the best at most.
near()
{
    expect 0 "$KJIT" tune --replay "$ROOT/tests/tune/$1" --strategy model --budget 25% \
        --repeat 30 --seed "$2"
    mv out played
    holds awk -v most="$3" \
        '$1 == "model" { median = $5 } END { exit !(median && median <= most) }' played
}

for seed in 1 31 61; do
    near tiled_h200.jsonl $seed 1.05
    near tiled_h200_later.jsonl $seed 1.05
    near tiled_titan_x.jsonl $seed 1.05
    near naive_h200.jsonl $seed 1.005
done

# Of a processor nothing is expected of a launch's shape: the searches are others.
sed 's/"sm_90"/"x86-64"/' "$ROOT/tests/tune/tiled_h200.jsonl" >cpu.jsonl
expect 0 "$KJIT" tune --replay cpu.jsonl --strategy model --budget 25% --repeat 30
says out 'model *5 of 21'
mv out cpu
expect 0 "$KJIT" tune --replay "$ROOT/tests/tune/tiled_h200.jsonl" --strategy model --budget 25% \
    --repeat 30
mv out gpu
holds sh -c '! cmp -s cpu gpu'

# On a GPU the first one measured is the one that its shape speaks for, whatever the seed.
cat >twice.k <<'K'
size = 128


@tune(size=[1, 32, 128, 1024], block="size", problem="x.shape[0]")
@example(x=zeros(1_000_000, dtype=float32))
@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] *= 2
K
for seed in 1 2 3; do
    expect 0 env KJIT_DRIVER="$ROOT/$BUILD/tests/fake/libcuda.so.1" \
        KJIT_NVRTC="$ROOT/$BUILD/tests/fake/libnvrtc.so.13" KJIT_CACHE_SIZE=0 \
        "$KJIT" tune twice.k --device cuda --no-wisdom --log $seed.jsonl --strategy model \
        --budget 1 --seed $seed -q
    says $seed.jsonl '"record": ?"result".*"size": ?128|"size": ?128.*"record": ?"result"'
done
