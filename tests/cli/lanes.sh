# Lanes of a warp that wait for others which do not come to the same operation with the same mask:
# they go on once these have ended, and a launch in which that cannot be ends with an error. (On a
# GPU such a kernel may not end.)
cat >lanes.k <<'K'
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def in_other_branches(out):
    """Lanes that meet at two places with one mask."""
    s = cuda.shared.array(16, int32)
    lane = cuda.laneid
    v = int32(0)
    if lane < 16:
        s[lane] = 3 * lane
        cuda.syncwarp()
    if lane >= 16:
        cuda.syncwarp()
        v = s[31 - lane]
    out[lane] = v
@example(out=zeros((2, 32), dtype=int32), grid=1, block=32)
@cuda.jit
def who_is_active(out):
    """The even lanes have more to do before they ask; the odd ones wait to ask with them."""
    lane = cuda.laneid
    if lane % 2 == 0:
        out[0, lane] = cuda.ballot_sync(0x55555555, lane > 3)
    out[1, lane] = cuda.activemask()
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def waits_for_others(out):
    """The lower half waits for all, the others for all at another operation."""
    lane = cuda.laneid
    if lane < 16:
        out[lane] = cuda.shfl_sync(0xffffffff, lane, 0)
    else:
        out[lane] = cuda.ballot_sync(0xffffffff, lane > 3)
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def goes_past(out):
    """The upper half goes past what the lower half waits at for all, to a barrier."""
    lane = cuda.laneid
    if lane < 16:
        out[lane] = cuda.shfl_sync(0xffffffff, lane, 0)
    cuda.syncthreads()
    out[lane] += 1
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def goes_past_and_comes(out):
    """Likewise, to an operation of the warp."""
    lane = cuda.laneid
    v = lane
    if lane < 16:
        v = cuda.shfl_sync(0xffffffff, lane, 0)
    out[lane] = cuda.ballot_sync(0xffffffff, v > 3)
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def goes_past_and_ends(out):
    """The upper half ends, and is waited for no longer."""
    lane = cuda.laneid
    if lane < 16:
        out[lane] = cuda.shfl_sync(0xffffffff, lane, 3)
    if lane >= 16:
        out[lane] = cuda.shfl_xor_sync(0xffff0000, lane, 1)
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def unequal_masks(out):
    """The lower half names all and the upper half itself, and later all: they never meet."""
    lane = cuda.laneid
    v = cuda.shfl_xor_sync(0xffffffff if lane < 16 else 0xffff0000, lane, 1)
    out[lane] = cuda.ballot_sync(0xffffffff, v > 3)
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def not_named(out):
    lane = cuda.laneid
    out[lane] = cuda.shfl_sync(0xffff, lane, 0)
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def not_named_on_its_way(out):
    lane = cuda.laneid
    if lane < 24:
        out[lane] = cuda.shfl_sync(0xffff, lane, 0)
    else:
        cuda.syncwarp(0xff000000)
K
for kernel in waits_for_others goes_past goes_past_and_comes unequal_masks; do
    expect 3 "$KJIT" run lanes.k:$kernel --device cpu
    says err 'waits for ever: some threads .* for the lanes that a mask names'
done
for kernel in not_named not_named_on_its_way; do
    expect 3 "$KJIT" run lanes.k:$kernel --device cpu
    says err 'whose mask does not name its lane'
done
expect 0 "$KJIT" run lanes.k:goes_past_and_ends --device cpu
says out 'int32\[32\]  min 3  max 31  sum 424  \[3, 3, 3,'
expect 0 "$KJIT" run lanes.k:in_other_branches --device cpu
says out 'int32\[32\]  min 0  max 45  sum 360  '
expect 0 "$KJIT" run lanes.k:who_is_active --device cpu
says out 'sum 22906492128  '
