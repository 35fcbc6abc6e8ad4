# The shape of a launch: a wrong one in an @example, and the one that is chosen where none is named.
for shape in grid=0 grid=-1 grid=1.5 'grid="a"' 'grid=(1, 2, 3, 4)' 'grid=()' 'grid=(2, 0)' \
             'grid=((1, 2), 3)' 'grid=1 << 40' 'grid=1, block=0' 'block=undefined'; do
    printf '@example(x=zeros(64), %s)\n@cuda.jit\ndef k(x):\n    x[0] = 1\n' "$shape" >shape.k
    expect 1 "$KJIT" run shape.k --device cpu
    says err '^shape\.k:1:[0-9]+: error: ' '\^'
    expect 0 "$KJIT" run shape.k --device cpu --grid 1x1
done
cat >axes.k <<'K'
@example(x=zeros(600), block=32)
@cuda.jit
def one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 1


@cuda.jit
def rows(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        for j in range(x.shape[1]):
            x[i, j] = 1


@cuda.jit
def two(a, x):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        x[i, j] = a[i]


@cuda.jit(device=True)
def layer():
    return cuda.blockIdx.z * cuda.blockDim.z + cuda.threadIdx.z


@cuda.jit
def three(x):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1] and layer() < x.shape[2]:
        x[i, j, layer()] = 1
K
expect 0 "$KJIT" run axes.k:one --device cpu
says out 'sum 600 ' '^--grid 19x32 was chosen'
expect 0 "$KJIT" run axes.k:one --device cpu --grid 3x256
holds sh -c '! grep chosen out'
expect 0 "$KJIT" run axes.k:rows --device cpu 'x=zeros((5, 7))'
says out 'sum 35 ' '^--grid 1x256 was chosen'
expect 0 "$KJIT" run axes.k:two --device cpu 'a=ones(50)' 'x=zeros((50, 70))'
says out 'sum 3500 ' '^--grid 4,5x16,16 was chosen'
expect 0 "$KJIT" run axes.k:three --device cpu 'x=zeros((5, 70, 9))'
says out 'sum 3150 ' '^--grid 1,9,3x8,8,4 was chosen'
expect 0 "$KJIT" run axes.k:two --device cpu 'a=ones(50)' 'x=zeros((0, 70))'

# Which axis of the arrays an axis of the grid goes along is what indices and conditions say.
cat >covers.k <<'K'
@cuda.jit
def image(src, dst):
    x, y = cuda.grid(2)
    if x < dst.shape[1] and y < dst.shape[0]:
        dst[y, x] = src[y, x] + 1


@cuda.jit
def flat_image(dst, width, height):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y = cuda.threadIdx.y + cuda.blockDim.y * cuda.blockIdx.y
    if x >= width or y >= height:
        return
    dst[y * width + x] = 1


@cuda.jit
def no_condition(dst):
    x, y = cuda.grid(2)
    dst[y, x] = 1


@cuda.jit
def volume(a):
    x, y, z = cuda.grid(3)
    if 0 < x < a.shape[2] - 1 and y < a.shape[1] and z < a.shape[0]:
        a[z, y, x] = 1


@cuda.jit
def masked(a, mask, out):
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1] and mask[y, x] > 0:
        out[y, x] = a[y, x]


@cuda.jit(device=True)
def put(a, x, y):
    a[y, x] = 4


@cuda.jit
def by_function(a):
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        put(a, x, y)


@cuda.jit
def padded(a, out):
    i = cuda.grid(1)
    out[i] = a[i] if i < a.size else -1.0


@cuda.jit
def tiles(a):
    x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    if cuda.threadIdx.x < 32 and x < a.size:
        a[x] = 1


@cuda.jit
def block_a_row(a, out):
    for j in range(cuda.threadIdx.x, a.shape[1], cuda.blockDim.x):
        cuda.atomic.add(out, cuda.blockIdx.x, a[cuda.blockIdx.x, j])


@cuda.jit
def backwards(a, out):
    i = cuda.grid(1)
    if a.shape[0] - i > 0:
        out[a.shape[0] - 1 - i] = a[i, 0]


@cuda.jit
def strided(a):
    for i in range(2 * cuda.grid(1), a.size, 2 * cuda.gridsize(1)):
        a[i] = 1


@cuda.jit
def in_a_tuple(dst):
    at = cuda.grid(2)
    if at[0] < dst.shape[1] and at[1] < dst.shape[0]:
        dst[at[1]][at[0]] = 1


@cuda.jit(device=True)
def place():
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    return x, cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y


@cuda.jit(device=True)
def put_inside(a, x, y):
    if x >= a.shape[1] or y >= a.shape[0]:
        return
    a[y, x] = 4


@cuda.jit
def all_by_functions(a):
    x, y = place()
    put_inside(a, x, y)


@cuda.jit
def of_32_bits(dst, width, height):
    x = int32(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    y = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)
    if x < width and y < int32(height):
        dst[y, x] = 1


@cuda.jit
def inner(dst):
    part = dst[1:-1, 1:-1]
    x, y = cuda.grid(2)
    if x < part.shape[1] and y < part.shape[0]:
        part[y, x] = 1


@cuda.jit
def flat_with_one_bound(dst, width):
    x, y = cuda.grid(2)
    i = y * width + x
    if x < width and i < dst.size:
        dst[i] = 1


@cuda.jit
def the_least(src, dst):
    x, y = cuda.grid(2)
    if x < min(src.shape[1], dst.shape[1]) and y < min(src.shape[0], dst.shape[0]):
        dst[y, x] = src[y, x]


@cuda.jit
def along_y(a):
    y = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if y < a.size:
        a[y] += 1


@cuda.jit
def layers(a):
    x = cuda.grid(1)
    z = cuda.blockIdx.z
    if x < a.shape[1] and z < a.shape[0]:
        a[z, x] += 1
K
covers() # kernel, the grid that is chosen, the sum of what is written, arguments...
{
    kernel=$1 grid=$2 sum=$3
    shift 3
    expect 0 "$KJIT" run "covers.k:$kernel" --device cpu "$@"
    says out "sum $sum " "^--grid $grid was chosen"
}
covers image 63,19x16,16 300000 'src=zeros((300, 1000))' 'dst=zeros((300, 1000))'
covers flat_image 63,19x16,16 300000 'dst=zeros(300000)' width=1000 height=300
covers no_condition 3,2x16,16 1536 'dst=zeros((32, 48))'
covers volume 38,3,3x8,8,4 59600 'a=zeros((10, 20, 300))'
covers masked 7,2x16,16 3000 'a=ones((30, 100))' 'mask=ones((30, 100))' 'out=zeros((30, 100))'
covers by_function 7,2x16,16 12000 'a=zeros((30, 100))'
covers padded 2x256 -312 'a=ones(100)' 'out=zeros(512)'
covers tiles 32x256 1000 'a=zeros(1000)'
covers block_a_row 100x256 30000 'a=ones((100, 300))' 'out=zeros(100)'
covers backwards 4x256 1000 'a=ones((1000, 50))' 'out=zeros(1000)'
covers strided 4x256 1000 'a=zeros(2000)'
covers in_a_tuple 7,2x16,16 3000 'dst=zeros((30, 100))'
covers all_by_functions 7,2x16,16 12000 'a=zeros((30, 100))'
covers of_32_bits 7,2x16,16 3000 'dst=zeros((30, 100))' width=100 height=30
covers inner 7,2x16,16 2744 'dst=zeros((30, 100))'
covers flat_with_one_bound 7,2x16,16 3000 'dst=zeros(3000)' width=100
covers the_least 7,2x16,16 2900 'src=ones((29, 100))' 'dst=zeros((31, 101))'
# Along an axis that a kernel does not look at there is one thread: more would do the same again.
covers along_y 1,4x1,256 1000 'a=zeros(1000)'
covers layers 4,1,30x256 30000 'a=zeros((30, 1000))'
# --forall sizes x, and the other axes are what the kernel has work for.
expect 0 "$KJIT" run covers.k:image --device cpu --forall 1000 \
    'src=zeros((300, 1000))' 'dst=zeros((300, 1000))'
says out 'sum 300000 '
# A grid that leaves elements out is told of; one that covers them, a chosen one and -q are not.
expect 0 "$KJIT" run covers.k:image --device cpu --grid 19,63x16,16 \
    'src=zeros((300, 1000))' 'dst=zeros((300, 1000))'
says out 'sum 91200 '
says err '^remark: this launch writes only part of dst; --grid 63,19x16,16 writes all of it$'
for words in '--grid 63,19x16,16' '' '--grid 19,63x16,16 -q'; do
    expect 0 "$KJIT" run covers.k:image --device cpu $words \
        'src=zeros((300, 1000))' 'dst=zeros((300, 1000))'
    holds sh -c '! grep remark err'
done
# So does the checker, where what is left out was never written.
expect 4 "$KJIT" check covers.k:image --grid 2,7x16,16 'src=zeros((30, 100))' 'dst=empty((30, 100))'
says out 'left-over: a launch of \[2, 7, 1\] blocks writes only part of dst' '\[7, 2, 1\] blocks'
expect 0 "$KJIT" check covers.k:image --grid 2,7x16,16 'src=zeros((30, 100))' 'dst=zeros((30, 100))'
expect 0 "$KJIT" check covers.k:image 'src=zeros((30, 100))' 'dst=empty((30, 100))'

# What a kernel works on in place, or writes but for its borders, it leaves as it was there, too.
cat >parts.k <<'K'
@cuda.jit
def in_place(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit
def inner(u, v):
    x, y = cuda.grid(2)
    if 0 < x < u.shape[1] - 1 and 0 < y < u.shape[0] - 1:
        v[y, x] = u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]


@cuda.jit
def returns_early(u, v, width, height):
    x, y = cuda.grid(2)
    if x == 0 or y == 0 or x >= width - 1 or y >= height - 1:
        return
    v[y, x] = u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]


@cuda.jit
def one_ahead(x, out):
    i = cuda.grid(1)
    if i < out.size - 2:
        out[i + 1] = x[i] + x[i + 2]


@cuda.jit
def borders_too(x, out):
    i = cuda.grid(1)
    if i < x.size:
        if 0 < i < x.size - 1:
            out[i] = x[i - 1] + x[i + 1]
        else:
            out[i] = x[i]


@cuda.jit
def strided(x):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] += 1


@cuda.jit
def upside_down(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[1] and j < x.shape[0]:
        out[out.shape[0] - 1 - j][i] = x[j][i]


@cuda.jit
def where_marked(x, marks):
    i = cuda.grid(1)
    if i < x.size and marks[i] > 0:
        x[i] += 1
K
leaves() # kernel, grid that is too small, array, grid that is not, what it does, arguments...
{
    kernel=$1 grid=$2 array=$3 enough=$4 does=$5
    shift 5
    expect 0 "$KJIT" run "parts.k:$kernel" --device cpu --grid "$grid" "$@"
    says err "^remark: this launch .*\<$array\>.*; --grid $enough $does\$"
    expect 0 "$KJIT" run "parts.k:$kernel" --device cpu --grid "$enough" "$@"
    silent err .
}
all='reaches all that the kernel writes'
leaves in_place 3x256 x 4x256 "$all" 'x=zeros(1000)'
leaves one_ahead 3x256 out 4x256 "$all" 'x=ones(1000)' 'out=zeros(1000)'
leaves borders_too 3x256 out 4x256 'writes all of it' 'x=ones(1000)' 'out=zeros(1000)'
leaves inner 4,7x16,16 v 7,5x16,16 "$all" 'u=ones((70, 100))' 'v=zeros((70, 100))'
leaves returns_early 4,7x16,16 v 7,5x16,16 "$all" 'u=ones((70, 100))' 'v=zeros((70, 100))' \
    width=100 height=70
leaves upside_down 7,4x16,16 out 7,5x16,16 'writes all of it' 'x=ones((70, 100))' \
    'out=zeros((70, 100))'
# A grid that reaches all but the border, which no thread writes, is large enough.
expect 0 "$KJIT" run parts.k:inner --device cpu --grid 9,9x11,8 \
    'u=ones((70, 100))' 'v=zeros((70, 100))'
silent err .
# Nothing is said where a smaller grid does the same, or data decides.
expect 0 "$KJIT" run parts.k:strided --device cpu --grid 2x32 'x=zeros(1000)'
silent err .
expect 0 "$KJIT" run parts.k:where_marked --device cpu --grid 2x32 \
    'x=zeros(1000)' 'marks=ones(1000)'
silent err .
expect 4 "$KJIT" check parts.k:one_ahead --grid 2x32 'x=ones(100)' 'out=empty(100)'
says out 'left-over: .* writes only part of out' '\[4, 1, 1\] blocks .* all that the kernel can$'
silent err .
# An array that has values is left over by intention, perhaps.
expect 0 "$KJIT" check parts.k:one_ahead --grid 2x32 'x=ones(100)' 'out=zeros(100)'
says err '^remark: this launch leaves elements of out as they were; --grid 4x32 reaches all'
holds test "$(wc -l <err)" = 1
expect 0 "$KJIT" check parts.k:one_ahead --grid 2x32 'x=ones(100)' 'out=zeros(100)' --quiet
silent err .

# In a program, too, once what no launch has written is copied to the host: several may share it.
cat >parts.py <<'P'
import numpy as np
from numba import cuda


@cuda.jit
def twice(x, out, first):
    i = cuda.grid(1) + first
    if i < x.size:
        out[i] = 2 * x[i]


x = np.arange(1000, dtype=np.float32)
shared = cuda.device_array(1000, np.float32)
twice[2, 256](x, shared, 0)
twice[2, 256](x, shared, 512)
print(shared.copy_to_host()[999])
looked_at = cuda.device_array(1000, np.float32)
twice[3, 256](x, looked_at, 0)
missed = cuda.device_array(1000, np.float32)
twice[3, 256](x, missed, 0)
print(missed.copy_to_host()[0])
P
expect 4 "$KJIT" run parts.py --device check
says out '^1998\.0$'
says err 'left-over: a launch of \[3, 1, 1\] blocks writes only part of out' \
    '^parts\.py:20:1: note: launched here$' '\[4, 1, 1\] blocks' '^1 finding in parts\.py$'
