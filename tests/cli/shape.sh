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
