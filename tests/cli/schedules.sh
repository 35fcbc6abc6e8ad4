# Schedules by file, above a kernel, in a capture, and as something to tune.
cat >twice.k <<'K'
@example(x=arange(3000, dtype=float32), y=zeros(3000, dtype=float32), grid=12, block=256)
@cuda.jit
def twice(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = x[i] * 2


@example(x=ones(10, dtype=float32), y=zeros(10, dtype=float32), grid=1, block=10)
@schedule("for cuda; bind lanes y; for cpu; loops x tile 5")
@cuda.jit
def other(x, y):
    y[cuda.grid(1)] = x[cuda.grid(1)]
K

# What is printed can be given back, and says what is done.
expect 0 "$KJIT" build twice.k:twice --emit schedule --arch=cpu -o chosen
says chosen '^loops x tile [0-9]+$'
expect 0 "$KJIT" run twice.k:twice --device cpu --json
cp out plain
printf 'loops x tile 7 # of seven\n' >seven
expect 0 "$KJIT" run twice.k:twice --device cpu --schedule seven --json
sed '/"counters"/,$d' plain >by_passes
sed '/"counters"/,$d' out >by_schedule
holds cmp by_passes by_schedule
expect 0 "$KJIT" build twice.k:twice --emit c --facts=launch --schedule seven
says out '\* 7'
expect 0 "$KJIT" build twice.k:twice --emit schedule --schedule seven --arch=cpu
says out '^loops x tile 7$'
: >empty
expect 0 "$KJIT" build twice.k:twice --emit schedule --schedule empty
holds test "$(cat out)" = '# nothing is moved: the kernel runs as it is written'
cp out nothing
expect 0 "$KJIT" run twice.k:twice --device cpu --passes all --schedule nothing
expect 0 "$KJIT" run twice.k:twice --device cpu --passes all --schedule empty

# Remarks say what else there was, what each was estimated to cost, and what forbids more.
sed 's/3000/1 << 20/g; s/grid=12/grid=4096/' twice.k >more.k
expect 0 "$KJIT" build more.k:twice --remarks --arch sm_90
says err '^twice: schedules as they are estimated on sm_90$'
says err '^ +[0-9.]+ us by its [a-z0-9]+ +taken: bind lanes x; block 256; jam x'
says err '^ +[0-9.]+ us by its [a-z0-9]+ +as it is written$'
expect 0 "$KJIT" build more.k:twice --remarks --arch cpu
holds [ "$(grep -c estimated err)" = 0 ]
cat >drawn.k <<'K'
@example(x=zeros(64, dtype=int32), n=zeros(1, dtype=int32), grid=1, block=64)
@cuda.jit
def drawn(x, n):
    at = cuda.atomic.add(n, 0, 1)
    x[at] = at
K
expect 0 "$KJIT" build drawn.k --remarks --arch sm_90
says err 'us by its [a-z0-9]+ +taken: as it is written$'
says err 'a thread cannot do the work of two: [a-z]'
silent err '<schedule>|jam x 2'
says err 'drawn.k:4:10: note: it is this that forbids it'

# What is wrong with it is said by its line, and nothing runs.
printf '\nloops x tile 7\njam x 4\n' >wrong
expect 1 "$KJIT" run twice.k:twice --device cpu --schedule wrong
says err 'wrong:3:1: error: this is of the pass .coarsen., which does not run on the processor' \
    "here: write 'for cuda' above it if it is for GPUs$"
expect 3 "$KJIT" run twice.k:twice --device cpu --schedule nowhere
says err '^kjit: cannot read nowhere: No such file or directory$'
holds test "$(wc -l <err)" = 1
expect 3 "$KJIT" build twice.k:twice --emit cuda --schedule nowhere
says err '^kjit: cannot read nowhere: No such file or directory$'

# The part above a kernel is for its device; a file goes before it, but for kernels that it does
# not name.
expect 0 "$KJIT" build twice.k:other --emit schedule --arch=cpu
says out '^loops x tile 5$'
printf 'kernel twice; loops x tile 9; kernel nobody; nonsense\n' >named
expect 1 "$KJIT" build twice.k:other --emit schedule --arch=cpu --schedule named
says err "there is no directive 'nonsense'"
printf 'kernel twice; loops x tile 9; kernel nobody; loops x tile 8\n' >named
expect 0 "$KJIT" build twice.k:other --emit schedule --arch=cpu --schedule named
says out '^loops x tile 5$'
expect 0 "$KJIT" build twice.k:twice --emit schedule --arch=cpu --schedule named
says out '^loops x tile 9$'

# Tiles of three would lie across the ends of rows.
cat >channels.k <<'K'
@example(x=arange(9600).reshape(300, 32), c=arange(300), y=zeros(9600, dtype=int64), w=32,
         grid=38, block=256)
@cuda.jit
def channels(x, c, w, y):
    i = cuda.grid(1)
    if i < y.shape[0]:
        y[i] = x[i // w, i % w] - c[i // w]
K
expect 0 "$KJIT" run channels.k --device cpu --passes none --save y=plain.npy
echo 'jam x 3' >three
expect 0 "$KJIT" run channels.k --device cpu --passes all --schedule three --save y=three.npy
holds cmp plain.npy three.npy

# A loop by the grid's stride goes along x alone.
cat >strided.k <<'K'
@example(x=arange(100), y=zeros(100, dtype=int64), grid=2, block=32)
@cuda.jit
def strided(x, y):
    for k in range(cuda.grid(1), y.shape[0], cuda.gridsize(1)):
        y[k] = x[k] * 2
K
printf 'bind lanes x y; jam y 2\n' >along_y
expect 0 "$KJIT" build strided.k --facts launch --emit cuda --schedule along_y

# Threads that go along a row each run side by side: elements of 2 bytes are not transposed.
cat >rows.k <<'K'
@example(a=ones((37, 21), dtype=int16), sums=zeros(37, dtype=float32), grid=1, block=37)
@cuda.jit
def rows(a, sums):
    i = cuda.grid(1)
    total = float32(0)
    for k in range(a.shape[1]):
        total += a[i, k]
    sums[i] = total
K
expect 0 "$KJIT" build rows.k --emit schedule --arch=cpu
says out '^jam rows x 16$'
printf 'jam rows x 4\n' >four
sed -i s/int16/float32/ rows.k
expect 0 "$KJIT" build rows.k --emit schedule --arch=cpu
says out '^loops x tile 16$'
expect 0 "$KJIT" run rows.k --device cpu --schedule four
says out 'sum 777'
expect 0 "$KJIT" build rows.k --emit schedule --arch=cpu --schedule four
says out '^jam rows x 4$'
for wrong in 'y 4' 'x 65' 'x 1'; do
    printf 'jam rows %s\n' "$wrong" >wrong
    expect 1 "$KJIT" run rows.k --device cpu --schedule wrong
    says err 'cannot be carried out: it takes 2 to 64 threads along the one axis that there is$'
done

# A capture keeps it, in one line.
expect 0 env KJIT_CAPTURE="$PWD/captured" "$KJIT" run twice.k:twice --device cpu \
    --schedule seven
holds grep -rq '^schedule = loops x tile 7' captured
expect 0 "$KJIT" run captured/twice-*

# None to search where passes do nothing.
cat >nothing.k <<'K'
@example(x=zeros(1, dtype=int64), grid=1, block=1)
@cuda.jit(opt=False)
def nothing(x):
    x[0] = 1
K
expect 2 "$KJIT" tune nothing.k --schedules --device cpu
says err 'passes do nothing to nothing'
expect 2 "$KJIT" tune twice.k:twice -T 'schedule=[3]' --device cpu
says err "'schedule' cannot be 3: it takes a schedule"
