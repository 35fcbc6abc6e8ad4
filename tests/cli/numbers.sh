# Numbers as they are printed: whole ones whole, others by as few digits as bring them back.
cat >same.k <<'K'
@cuda.jit
def same(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 0
K
values='(10, 110.0, 1e6, 1234567.5, 123456789.0, 1e15, 1e16, 1e-4, 1e-5, 0.1)'
i=0
for want in 10 110 1000000 1234567.5 123456789 1000000000000000 '1e\+16' 0.0001 1e-05 0.1; do
    expect 0 "$KJIT" run same.k --device cpu "v=$values" "x=full(2, v[$i])" --print x
    says out "^\[$want, $want\]\$"
    i=$((i + 1))
done
expect 0 "$KJIT" run same.k --device cpu 'x=full(2, 0.1, dtype=float32)' --print x
says out '^\[0.1, 0.1\]$'
expect 0 "$KJIT" run same.k --device cpu 'x=full(2, 1e15, dtype=float32)' --print x
says out '^\[1000000000000000, 1000000000000000\]$' 'max 1000000000000000 '
expect 0 "$KJIT" run same.k --device cpu 'x=full(1, 1e6)'
says out 'min 1000000  max 1000000  sum 1000000  \[1000000\]'
# Bars are for terminals; where several elements share one, it says which.
if command -v script >/dev/null; then
    expect 0 script -qec "'$KJIT' run same.k --device cpu 'x=arange(100)'" /dev/null
    says out '^ +97-99 +98 .*█' 'the mean of the elements in its range'
    expect 0 script -qec "'$KJIT' run same.k --device cpu 'x=arange(9)'" /dev/null
    says out '^ +8 +8 █'
fi

# fma=False: the product is rounded before the sum, so that 0.1 * 10 - 1 is 0, not 5.55e-17. The
# kernel without it is another entry of the cache.
cat >fused.k <<'K'
from numba import cuda

@cuda.jit(fma=False)
def apart(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * 10.0 - 1.0
K
expect 0 "$KJIT" run fused.k --device cpu 'x=full(64, 0.1)' 'y=zeros(64)'
says out '^y .*min 0  max 0 '
mkdir may
sed 's/fma=False//' fused.k >may/fused.k
expect 0 "$KJIT" build may/fused.k --emit c --sig 'apart(float64[::1], float64[::1])' -o may.c
expect 0 "$KJIT" build fused.k --emit c --sig 'apart(float64[::1], float64[::1])' -o fused.c
sed 's/may.fused/fused/' may.c >same.c # they differ by how they are compiled
holds cmp same.c fused.c
expect 0 "$KJIT" run may/fused.k --device cpu 'x=full(64, 0.1)' 'y=zeros(64)'
expect 0 "$KJIT" run fused.k --device cpu 'x=full(64, 0.1)' 'y=zeros(64)'
says out '^y .*min 0  max 0 '
expect 0 "$KJIT" build fused.k --emit ir --sig 'apart(float64[::1], float64[::1])'
says out '^kernel apart.* unfused'
cp out fused.ir
expect 0 "$KJIT" build fused.ir --emit ir
says out '^kernel apart.* unfused'
sig='apart(float64[::1], float64[::1])'
if "$KJIT" build fused.k --emit ptx --sig "$sig" -o fused.ptx 2>err; then
    says fused.ptx 'mul\.rn\.f64'
    silent fused.ptx 'fma\.rn'
else
    skips 2 'no NVRTC'
fi
cat >fused.py <<'K'
import numpy as np

x = np.full(5, 0.1)
print((x * 10.0 - 1.0).max())
K
expect 0 "$KJIT" run fused.py --device cpu
says out '^0\.0$'
