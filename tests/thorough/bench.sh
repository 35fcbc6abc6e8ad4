# `kjit bench` by the machine's own clock, with roofs that it measures: no time is judged, only that
# there is one.
cat >scaled.k <<'K'
@example(x=ones(1000, dtype=float32), y=zeros(1000, dtype=float32), grid=8, block=128)
@cuda.jit
def scaled(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = 2 * x[i] + y[i]
K
expect 0 "$KJIT" bench scaled.k --device cpu --seconds 0 --samples 10
says out ', x86-64, [0-9]+ threads?' '^at best, as measured: copies [0-9.]+ [kMGT]?B/s, float32 ' \
    '^  cold    .* of 10 launches$' '^  warm    .* of (10 launches|10 times [0-9]+ launches)$' \
    '^  cold .*FLOP/s, .*B/s, .* % of the roof \((memory|float64)(, unreliable)?\)'
