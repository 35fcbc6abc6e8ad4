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
