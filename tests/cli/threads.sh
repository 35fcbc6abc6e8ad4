# Threads of a block that wait for one another.
cat >deadlock.k <<'K'
@example(out=zeros(32, dtype=int32), grid=1, block=32)
@cuda.jit
def deadlock(out):
    t = cuda.threadIdx.x
    if t == 0:
        cuda.syncthreads()
    else:
        cuda.syncwarp()
    out[t] = 1
K
expect 3 "$KJIT" run deadlock.k --device cpu
says err 'waits for ever'

# A block that has ended does not come to where the others wait for the grid.
cat >grid_deadlock.k <<'K'
@example(out=zeros(32, dtype=int32), grid=4, block=32)
@cuda.jit
def grid_deadlock(out):
    if cuda.blockIdx.x == 3:
        return
    cuda.cg.this_grid().sync()
    out[cuda.threadIdx.x] = 1
K
expect 3 "$KJIT" run grid_deadlock.k --device cpu
says err 'waits for ever: some blocks wait for the grid'
