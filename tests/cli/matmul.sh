# matmul=, by decorator and by --matmul: where products go to tensor cores by name, what of a loop
# keeps them from it, which is an error, and that replays and wisdom know of it.
cat >products.k <<'K'
from numba import cuda, float32
@example(a=ones((70, 40), dtype=float32), b=ones((40, 66), dtype=float32),
         c=zeros((70, 66), dtype=float32), grid=(5, 5), block=(16, 16))
@cuda.jit
def plain(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total
@example(a=ones((70, 40), dtype=float32), b=ones((40, 66), dtype=float32),
         c=zeros((70, 66), dtype=float32), grid=(5, 5), block=(16, 16))
@cuda.jit(matmul="tf32")
def by_twos(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(0, a.shape[1], 2):
            total += a[i, k] * b[k, j]
        c[i, j] = total
@example(a=ones((70, 40)), b=ones((40, 66)), c=zeros((70, 66)), grid=(5, 5), block=(16, 16))
@cuda.jit(matmul="bf16x9")
def of_float64(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total
@example(x=ones(100, dtype=float32), grid=1, block=128)
@cuda.jit(matmul="f16")
def no_product(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
@example(a=ones((70, 40), dtype=float32), b=ones((40, 66), dtype=float32),
         c=zeros((70, 66), dtype=float32), grid=(5, 5), block=(16, 16))
@cuda.jit(matmul="tf32", max_registers=64)
def with_bounds(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total
@example(x=ones(100, dtype=float32), grid=1, block=128)
@cuda.jit
def something_else(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
K
gpu="build --emit cuda --facts launch --arch sm_80"
expect 0 "$KJIT" $gpu products.k:plain
silent out 'mma\.sync'
expect 0 "$KJIT" $gpu products.k:plain --fastmath
silent out 'mma\.sync'
expect 0 "$KJIT" $gpu products.k:plain --matmul tf32x3 --remarks
says err 'products.k:9:9: remark: tensor cores multiply: .* by three mma.m16n8k8 of tf32; .* 2\^-20'
for name in tf32 tf32x3 f16 bf16 bf16x9; do
    expect 0 "$KJIT" $gpu products.k:plain --matmul $name
    says out 'mma\.sync' "tile_product_$name<"
    expect 0 "$KJIT" run products.k:plain --device cpu --passes tensor --matmul $name
    says out '^c .* min 40  max 40 '
done
# Four warps together, where a GPU has that: of float32 where one factor lies along k.
hopper="build --emit cuda --facts launch --arch sm_90"
sed 's/70/520/g; s/66/520/g; s/grid=(5, 5)/grid=(33, 33)/' products.k >large.k
for name in tf32 tf32x3 f16 bf16; do
    expect 0 "$KJIT" $hopper large.k:plain --matmul $name --remarks
    says out 'wgmma\.mma_async' "tile_product_${name}_group<"
    says err ' by [a-z ]*wgmma of '
done
# How elements come: as boxes where rows of both begin at multiples of 16 bytes.
expect 0 "$KJIT" $hopper large.k:plain --matmul tf32 --remarks
says err 'b comes as boxes that one thread asks for \(TMA\); a comes as boxes'
sed 's/520/521/g' large.k >odd.k
expect 0 "$KJIT" $hopper odd.k:plain --matmul tf32 --remarks
says err 'b comes .*, since its rows are not known to begin at .*; a comes 16 bytes at once'
expect 0 "$KJIT" $hopper large.k:plain --matmul bf16x9 --remarks
says err 'it may take longer than the plain loop'
silent out 'wgmma'
sed 's/a\[i, k\]/a[k, i]/; s/a.shape\[1\]/a.shape[0]/' large.k >turned.k
expect 0 "$KJIT" $hopper turned.k:plain --matmul tf32
silent out 'wgmma'
expect 0 "$KJIT" $hopper turned.k:plain --matmul f16
says out 'wgmma'
# Where a GPU has none, and where nothing is optimised, the program is the same.
expect 0 "$KJIT" build --emit cuda --facts launch --arch sm_75 products.k:plain --matmul tf32 \
    --remarks
silent out 'mma\.sync'
says err 'matmul changes nothing'
expect 0 "$KJIT" run products.k:plain --device cpu --matmul tf32

# What a loop does not allow.
expect 1 "$KJIT" $gpu products.k:by_twos
says err 'products.k:19:9: error: tensor cores cannot multiply here, as matmul="tf32" asks' \
    'it does not count by ones'
expect 1 "$KJIT" $gpu products.k:of_float64
says err 'products.k:28:9: error: .* its sums are neither float32 nor of 16 bits'
expect 1 "$KJIT" $gpu products.k:no_product
says err 'products.k:33:5: error: .* it is for a loop that adds up products'
expect 1 "$KJIT" $gpu products.k:with_bounds
says err 'error: .* the kernel says what blocks or registers it is to have'
expect 1 "$KJIT" run products.k:by_twos --device cpu --passes tensor
says err 'products.k:19:9: error: tensor cores cannot multiply'
: >empty.schedule
expect 1 "$KJIT" $gpu products.k:plain --matmul tf32 --schedule empty.schedule
says err "products.k:9:9: error: .* the schedule given has no 'bind tensor'"
echo 'bind tensor k tile 64x64' >bind.schedule
expect 0 "$KJIT" $gpu products.k:plain --matmul tf32 --schedule bind.schedule
expect 1 "$KJIT" $gpu products.k:plain --schedule bind.schedule
says err 'bind.schedule:1:1: error: .* float32 and 16 bits go to tensor cores by name'
# Said of all kernels it is no error of those that do not multiply.
expect 0 "$KJIT" $gpu products.k:something_else --matmul tf32 --remarks
says err 'remark: matmul changes nothing here'
expect 1 "$KJIT" $gpu products.k:by_twos --matmul tf32x3
says err 'as matmul="tf32x3" asks'

# Names.
expect 2 "$KJIT" run products.k:plain --device cpu --matmul tf16
says err 'matmul is "tf16": it takes "tf32", "tf32x3", "f16", "bf16" or "bf16x9"'
sed 's/matmul="tf32"/matmul="tf23"/' products.k >wrong.k
expect 1 "$KJIT" $gpu wrong.k:by_twos
says err 'wrong.k:14:18: error: matmul takes "tf32", "tf32x3", "f16", "bf16" or "bf16x9"'
sed 's/matmul="tf32"/matmul=32/' products.k >wrong.k
expect 1 "$KJIT" $gpu wrong.k:by_twos
says err 'error: matmul takes'

# The error is measured, beside that of the plain loop.
expect 0 "$KJIT" run products.k:plain --device cpu --passes tensor --matmul tf32 --remarks \
    'a=normal((70, 40), seed=1, dtype=float32)' 'b=normal((40, 66), seed=2, dtype=float32)'
says err '^plain: c is off sums in float64 by at most [0-9.e-]+, in the root mean square 0\.'
says err 'without tensor cores by [0-9.]+e-0[67], [0-9.]+e-0[67]$'
expect 0 "$KJIT" run products.k:plain --device cpu --remarks --matmul tf32
silent err 'off sums'
expect 0 "$KJIT" run products.k:plain --device cpu --passes tensor --matmul plain --remarks
silent err 'tensor cores multiply'
mkdir tested
sed -n '1,11p' products.k | sed 's/cuda.jit$/cuda.jit(matmul="tf32x3")/' >tested/products.k
: >tested/products.out
expect 0 "$KJIT" test --device cpu --update tested
expect 0 env KJIT_PASSES=tensor "$KJIT" test --device cpu tested
says out '^plain: c is off sums in float64 by at most 0, .* without tensor cores by 0, 0$'

# As text, and captured.
expect 0 "$KJIT" build products.k:by_twos --emit ir
says out '^kernel by_twos.* matmul\(tf32\)$'
expect 0 env KJIT_CAPTURE="$PWD/captured" "$KJIT" run products.k:plain --device cpu \
    --passes tensor --matmul bf16
launch=$(find captured -name launch.txt | head -1)
says "$launch" '^matmul = bf16$'
expect 0 "$KJIT" run "$(dirname "$launch")" --device cpu --remarks
says err 'by wgmma of bfloat16'
