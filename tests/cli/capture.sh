# Launches that are captured, and replayed. Sums are of whole numbers, exact in any order.
cat >sums.k <<'K'
from helper import more
STEP = 2
@cuda.jit
def sums(x, y, total, seen):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = more(x[i])
        cuda.atomic.add(total, 0, y[i])
        seen[i] += STEP
K
cat >helper.k <<'K'
@cuda.jit(device=True)
def more(x):
    return x + 1
K
run="$KJIT run sums.k --device cpu -D STEP=3 x=arange(1000,dtype=float32) \
    y=zeros(1000,dtype=float32) total=zeros(1,dtype=float32) seen=zeros(1000,dtype=int32)"
expect 0 env KJIT_CAPTURE=cap $run
says err '^kjit: captured 1 launch in cap$'
expect 0 env KJIT_CAPTURE=cap $run
holds test ! -s err
rm sums.k helper.k
one=$(echo cap/sums-*)
holds test -f "$one/launch.txt"
holds test -f "$one/helper.k"

for path in "$one" "$one/" "$one/launch.txt"; do
    expect 0 "$KJIT" run "$path"
    says out '^seen  int32\[1000\]  min 3  max 3' 'the same as captured on cpu \('
done
expect 0 "$KJIT" run "$one" -q
holds test ! -s out
expect 0 "$KJIT" run "$one" --time 3 --grid 8x125
says out '^the same as captured on cpu' 'median .* of 3 launches'
expect 0 "$KJIT" run "$one" 'x=zeros(1000, dtype=float32)'
says out '^not compared: x is not what was captured$'
expect 4 "$KJIT" run "$one" -D STEP=4
says out '^not the same as captured on cpu \(' \
    '^    seen  1000 of 1000 elements, \[0\] first: 4, captured 3; by 1 at most$'
expect 4 "$KJIT" run "$one" -D STEP=4 --json
says out '"within_tolerance": false' '"beyond_tolerance": 1000'
expect 0 "$KJIT" run "$one" --json
says out '"same": true' '"changed": null'

# A captured launch is a test.
expect 0 "$KJIT" test cap
says out '^1 passed, 0 failed$'
sed -i 's/^STEP = 3/STEP = 5/' "$one/launch.txt"
expect 4 "$KJIT" test "$one/launch.txt"
says out '^cap/sums-.*/launch\.txt:$' '^not the same as captured' '^    seen  1000 of 1000' \
    '^0 passed, 1 failed$'
sed -i 's/^STEP = 5/STEP = 3/' "$one/launch.txt"

# Rounding is told, and forgiven; more is not.
sed -i 's/x + 1/x + float32(1.0000002)/' "$one/helper.k"
expect 0 "$KJIT" run "$one"
says out '^edited since it was captured: helper\.k$' '^but for rounding the same as' \
    '^    y  [0-9]+ of 1000 elements, \[0\] first: 1\.000000[12]'
expect 4 "$KJIT" run "$one" --tolerance 0
sed -i 's/1.0000002/1.01/' "$one/helper.k"
expect 4 "$KJIT" run "$one"
expect 0 "$KJIT" run "$one" --tolerance 0.1
expect 2 "$KJIT" run "$one" --tolerance lots
says err 'takes a number of at least 0'

# What is wrong is said once, and where.
expect 2 "$KJIT" run cap
says err '^kjit: cap holds captured launches; name one:$' '^    cap/sums-'
expect 3 "$KJIT" run .
says err 'no captured launch: there is no launch\.txt in it'
echo damaged >"$one/seen.npy"
expect 3 "$KJIT" run "$one"
says err 'seen\.npy: this is no \.npy file'
rm "$one/seen.npy"
expect 3 "$KJIT" run "$one"
says err 'there is no file .*seen\.npy'
rm "$one/helper.k"
expect 3 "$KJIT" run "$one"
says err "there is no file .*helper\.k'"
head -c 300 "$one/launch.txt" >"$one/cut"
mv "$one/cut" "$one/launch.txt"
expect 3 "$KJIT" run "$one"
says err 'launch\.txt'
touch plain
expect 2 env KJIT_CAPTURE=plain "$KJIT" run std:histogram --device cpu
says err "launches cannot be captured in 'plain'" '^note: KJIT_CAPTURE names it'
expect 0 env KJIT_CAPTURE=small KJIT_CAPTURE_SIZE=10 "$KJIT" run std:histogram --device cpu
says err '^kjit: a launch was not captured: small/not-captured\.txt says why$'
says small/not-captured.txt 'histogram.*KJIT_CAPTURE_SIZE'
expect 0 env KJIT_CAPTURE=small "$KJIT" doctor --json
says out '"captures"' 'small, 0 launches, 0\.0 of 1024 MiB; not-captured\.txt in it names others'

# Many at once: each launch is there once, and whole.
cat >many.k <<'K'
@cuda.jit
def many(a, b):
    i = cuda.grid(1)
    a[i] = b[i]
K
for i in 1 2 3 4 5 6; do
    (for n in 1 2 3 4; do
        KJIT_CAPTURE=many "$KJIT" run many.k --device cpu --grid "1x$n" -q "a=zeros(9)" \
            "b=arange(9.)" 2>/dev/null
    done) &
done
wait
holds test "$(ls many | grep -c '^many-')" -eq 4
holds test "$(ls many | grep -c '^tmp-')" -eq 0
for one in many/many-*; do
    expect 0 "$KJIT" run "$one"
    says out '^the same as captured'
done

# Killed at any moment: what is there is whole, and the rest goes.
for delay in 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
    KJIT_CAPTURE=killed "$KJIT" run many.k --device cpu --grid 1x8 -q a='zeros(3000000)' \
        b='arange(3000000.)' 2>/dev/null &
    child=$!
    sleep $delay
    kill -9 $child 2>/dev/null
    wait $child 2>/dev/null
    for one in killed/many-*; do
        [ -e "$one" ] || continue
        expect 0 "$KJIT" run "$one"
        says out '^the same as captured'
        rm -r "$one"
    done
done
expect 0 env KJIT_CAPTURE=killed "$KJIT" run many.k --device cpu --grid 1x8 \
    'a=zeros(8)' 'b=arange(8.)'
holds test "$(ls killed | grep -c '^tmp-')" -eq 0

# What the kernel was loaded with comes along: tuned ones, too, run again as they ran. By the tests'
# clock (tests/paced/paced.h) the source's own constant takes longer, so that what is tuned is
# always what launches take.
cat >tuned.k <<'K'
size = 32
work = 40
@tune(size=[32], work=[1], block="size", problem="x.shape[0]")
@example(x=ones(1000, dtype=float32), took=zeros(1))
@cuda.jit
def tuned(x, took):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] += 1
    if i == 0:
        took[0] = work
K
expect 0 "$PACED" tune tuned.k --device cpu -q -T 'unroll=[5]' \
    -T 'options=["-O1 \"-DA=a b\""]' -T 'passes=["-tiles,restrict"]'
holds grep -q 'work=1' tuned.wisdom
expect 0 env KJIT_CAPTURE=tunes "$KJIT" run tuned.k --device cpu -q
expect 0 env KJIT_CAPTURE=tunes "$KJIT" run tuned.k --device cpu -q --no-wisdom --grid 32x32
holds test "$(ls -d tunes/tuned-* | wc -l)" = 2
tuned=$(dirname "$(grep -l '^unroll' tunes/tuned-*/launch.txt)")
says "$tuned/launch.txt" '^unroll = 5$' '^options = "-O1" "-DA=a b"$' '^passes = -tiles,restrict$'
holds test "$(grep -l '^options' tunes/tuned-*/launch.txt | wc -l)" = 1
expect 0 "$KJIT" run "$tuned"
says out 'the same as captured'
expect 0 env KJIT_CAPTURE=again "$KJIT" run "$tuned" -q
says again/tuned-*/launch.txt '^unroll = 5$' '^options = "-O1" "-DA=a b"$' \
    '^passes = -tiles,restrict$'
expect 0 "$KJIT" test "$tuned"
sed 's/^unroll = 5/unroll = 99/' "$tuned/launch.txt" >launch.txt
cp launch.txt "$tuned/launch.txt"
expect 2 "$KJIT" run "$tuned"
says err 'unroll is 99: it takes 1 to 64'

# Its time is taken by bench; tune wants the kernel's own file.
plain=$(dirname "$(grep -L '^unroll' tunes/tuned-*/launch.txt)")
expect 0 "$PACED" bench "$plain" --device cpu --seconds 0.01
says out '^tuned\(' '\[32, 1, 1\] blocks of \[32, 1, 1\] threads$' '^  warm '
expect 0 "$PACED" bench "$plain" --device cpu --seconds 0.01 --grid 8x125 --json
says out '"file": "tunes/tuned-.*/tuned\.k"' '"kernel": "tuned"'
expect 2 "$KJIT" bench tunes
says err 'tunes holds captured launches; name one:'
expect 2 "$KJIT" tune "$plain"
says err "captured launches are not tuned; 'kjit run' launches them again, and 'kjit bench' times"
