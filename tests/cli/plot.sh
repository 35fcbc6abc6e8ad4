# Pictures: what --plot draws into files, looked at pixel by pixel, and on a terminal.
cat >field.k <<'K'
from numba import cuda, float64, uint8


@example(ramp=zeros((8, 256)), curve=zeros(300), other=zeros(300),
         image=zeros((16, 16, 3), dtype=uint8), grid=(16, 1), block=(16, 8))
@cuda.jit
def field(ramp, curve, other, image):
    column, row = cuda.grid(2)
    ramp[row, column] = column
    if row == 0 and column < 250:
        curve[column] = 10.0 ** (column / 50)
        other[column] = column - 100
    if column < 16:
        image[row, column, 0] = 255
        image[row + 8, column, 2] = 255


@example(now=ones((8, 8)), later=zeros((8, 8)), grid=(1, 1), block=(8, 8))
@cuda.jit
def double(now, later):
    column, row = cuda.grid(2)
    later[row, column] = 2 * now[row, column]
K
# pixels FILE.png: a module that reads it.
cat >pixels.py <<'P'
import itertools, struct, zlib


def read(path):
    """Rows of (red, green, blue): of what cairo writes, 8 bits a channel and no interlacing."""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        part = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", part[:10])
        packed += part if kind == b"IDAT" else b""
        at += 12 + length
    assert depth == 8 and color in (2, 6)
    size, raw = (3 if color == 2 else 4), zlib.decompress(packed)
    stride, rows, before = width * size, [], bytearray(width * size)
    for y in range(height):
        start = y * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        if kind == 2 and not any(line):  # as above
            rows.append(rows[-1])
            continue
        if kind == 1:
            for part in range(size):
                line[part::size] = [v & 255 for v in itertools.accumulate(line[part::size])]
        elif kind == 2:
            line = bytearray([(v + above) & 255 for v, above in zip(line, before)])
        ahead, slanted = bytearray(size) + line, bytearray(size) + before
        for i, above in enumerate(before) if kind > 2 else ():
            a, c = ahead[i], slanted[i]  # to the left, and above that
            if kind == 4:                # the one of the three that is nearest to a + above - c
                to_a, to_above, to_c = abs(above - c), abs(a - c), abs(a + above - 2 * c)
                guess = c if to_c < to_a and to_c < to_above else a if to_a <= to_above else above
            else:
                guess = (a + above) // 2
            ahead[i + size] = (line[i] + guess) & 255
        line = ahead[size:]
        rows.append(list(zip(line[::size], line[1::size], line[2::size])))
        before = line
    return rows


def lightness(color):
    """L* of CIELAB."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in
              (part / 255 for part in color)]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def colorful(rows, least=20):
    """The pixels that are neither white nor grey, as a set."""
    return {p for p in set().union(*rows) if max(p) - min(p) > least}
P

# Colours go from dark to light in even steps; a map about 0 has white in its middle.
for map in viridis cividis gray; do
    expect 0 "$KJIT" run field.k:field --device cpu -q --plot ramp=$map.png --plot-map $map
    holds "$PYTHON" -c "
import pixels
rows = pixels.read('$map.png')
middle = max(rows, key=lambda row: sum(p != (255, 255, 255) for p in row[:1000]))
run = [p for p in middle if p != (255, 255, 255)]
light = [pixels.lightness(p) for p in run[60:-60]]
light = light[:light.index(max(light)) + 1]
steps = [b - a for a, b in zip(light[::40], light[40::40])]
assert len(steps) > 10, len(steps)
assert min(steps) > 0 and max(steps) < 3 * sum(steps) / len(steps), steps"
done
expect 0 "$KJIT" run field.k:field --device cpu -q --plot ramp=ramp.svg --plot-map coolwarm
says ramp.svg '<svg'

# An image has its own colours, and no colour bar; one beside another array has both.
expect 0 "$KJIT" run field.k:field --device cpu -q --plot image=image.png
holds "$PYTHON" -c "
import pixels
found = pixels.colorful(pixels.read('image.png'), 250)
assert found == {(255, 0, 0), (0, 0, 255)}, found"
expect 0 "$KJIT" run field.k:field --device cpu -q --plot image,ramp=both.png
holds "$PYTHON" -c "
import pixels
found = pixels.colorful(pixels.read('both.png'), 50)
assert {(255, 0, 0), (0, 0, 255)} < found and len(found) > 100, len(found)"
# Two curves have two colours, one of 200 elements and less is bars.
expect 0 "$KJIT" run field.k:field --device cpu -q --plot curve,other=curves.png
holds "$PYTHON" -c "
import pixels
found = pixels.colorful(pixels.read('curves.png'))
assert (0, 0x72, 0xb2) in found and (0xd5, 0x5e, 0) in found"
# On logarithmic axes an exponential is straight: a third up where it is a third along.
expect 0 "$KJIT" run field.k:field --device cpu -q --plot curve=log.png --plot-log y \
    --plot-axes 'time in s,power'
holds "$PYTHON" -c "
import pixels
rows = pixels.read('log.png')
points = {}
for y, row in enumerate(rows):
    for x, p in enumerate(row):
        if p[2] - p[0] > 100:
            points.setdefault(x, []).append(y)
xs = sorted(points)
def at(part):
    here = points[xs[int(part * (len(xs) - 1))]]
    return sum(here) / len(here)
bent = at(0.5) - (at(0) + at(1)) / 2
assert abs(bent) < 4, (bent, at(0), at(1))"
expect 0 "$KJIT" run field.k:field --device cpu -q --plot ramp=l.svg --plot curve=x.svg \
    --plot-log xc

# Nothing but what is white: no number that an axis could be made of.
for values in 'curve=full(300, nan)' 'curve=full(300, -1.0)' 'ramp=full((8, 256), inf)'; do
    expect 0 "$KJIT" run field.k:field --device cpu -q --grid 1,1x1,1 "$values" \
        --plot "${values%%=*}"=empty.svg --plot-log yc
    expect 0 "$KJIT" run field.k:field --device cpu -q --grid 1,1x1,1 "$values" \
        --plot "${values%%=*}"=empty.svg
done

# The steps of launches, in a row; what stands in the parameter's place after each.
expect 0 "$KJIT" run field.k:double --device cpu -q --repeat 300 --swap now,later \
    --plot later=row.png --plot-steps 3 --plot-log c
holds "$PYTHON" -c "
import pixels
found = pixels.colorful(pixels.read('row.png'))
assert len(found) > 3, len(found)"
cat >heat.py <<'K'
import numpy as np

u = np.zeros(50)
u[0] = 1


def run(steps):
    v = np.zeros((4, 4))
    for step in range(steps):
        v[step % 4, 0] = step
    return v


for step in range(500):
    u[1:-1] = u[1:-1] + 0.4 * (u[2:] - 2 * u[1:-1] + u[:-2])
w = run(10)
K
expect 0 "$KJIT" run --device cpu heat.py --plot u=steps.svg --plot-steps 4
expect 0 "$KJIT" run --device cpu heat.py --plot v=local.svg --plot-steps 2 # while run() has it
expect 0 "$KJIT" run --device cpu heat.py --plot w,u=ends.svg
expect 3 "$KJIT" run --device cpu heat.py --plot v_=none.svg --plot-steps 2
says err '^kjit: --plot v_: no step had an array that can be drawn$'

# Movies, where there is ffmpeg, and a row of steps where there is none.
mkdir -p without
ln -sf "$(command -v cc)" without/cc
for tool in as ld; do ln -sf "$(command -v $tool)" without/$tool; done
expect 0 env PATH="$PWD/without" "$KJIT" run --device cpu heat.py --plot u=heat.gif
says err '^kjit: there is no ffmpeg, .*: heat.png has a row of steps instead$'
holds sh -c 'test ! -e heat.gif && head -c 4 heat.png | grep -q PNG'
if command -v ffmpeg >/dev/null; then
    expect 0 "$KJIT" run --device cpu heat.py --plot u=heat.gif
    holds sh -c 'head -c 4 heat.gif | grep -q GIF8'
    expect 0 "$KJIT" run field.k:double --device cpu -q --repeat 20 --swap now,later \
        --plot later=heat.mp4
    holds sh -c 'head -c 12 heat.mp4 | grep -q ftyp'
else
    skips 4 'there is no ffmpeg: make packages KINDS=site installs it'
fi
# One that fails leaves what was there.
mkdir -p broken
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >broken/ffmpeg
chmod +x broken/ffmpeg
echo before >kept.gif
expect 3 env PATH="$PWD/broken:$PATH" "$KJIT" run --device cpu heat.py --plot u=kept.gif
says err '^kjit: --plot: ffmpeg could not make kept.gif$'
says kept.gif '^before$'
printf '#!/bin/sh\nexit 1\n' >broken/ffmpeg
expect 3 env PATH="$PWD/broken:$PATH" "$KJIT" run --device cpu heat.py --plot u=kept.gif
says kept.gif '^before$'

# What makes no sense.
expect 2 "$KJIT" run field.k:field --device cpu --plot curve=out.gif
says err '^kjit: --plot curve: one launch has one step: --repeat N makes N of them'
expect 2 "$KJIT" run field.k:double --device cpu --repeat 3 --plot now,later=out.gif
says err '^kjit: --plot now,later: the steps of one array are drawn, not of several$'
expect 2 "$KJIT" run field.k:field --device cpu --plot curve=out.pdf
says err "^kjit: --plot writes .svg, .png, .gif and .mp4 files, not 'out.pdf'$"
expect 2 "$KJIT" run field.k:field --device cpu --plot curve,=out.svg
expect 2 "$KJIT" run field.k:field --device cpu --plot curve,nothing=out.svg
says err "there is no array or number called 'nothing'"
expect 2 "$KJIT" run field.k:field --device cpu --plot-log y
says err 'what is to be drawn\?'
expect 2 "$KJIT" run field.k:field --device cpu --plot curve --plot-log z
says err "^kjit: --plot-log wants x, y, c"
expect 2 "$KJIT" run field.k:field --device cpu --plot curve --plot-map jet
says err "^kjit: --plot-map wants viridis, cividis, gray or coolwarm, not 'jet'$"
expect 2 "$KJIT" run field.k:field --device cpu --plot curve --plot-axes time
says err '^kjit: --plot-axes wants two names'
cat >cube.k <<'K'
@example(x=zeros((2, 2, 5)), grid=1, block=1)
@cuda.jit
def cube(x):
    x[0, 0, 0] = 1
K
expect 2 "$KJIT" run cube.k --device cpu --plot x
says err '^kjit: --plot x: only arrays of one or two dimensions, or images'

# On a terminal with colours two pixels a character; on others nothing.
unset NO_COLOR
expect 0 env TERM=xterm-256color COLORTERM=truecolor "$PYTHON" -B "$ROOT/tests/terminal.py" \
    "$KJIT" run --device cpu field.k:double
says raw '38;2;[0-9]+;[0-9]+;[0-9]+m' '▀'
holds "$PYTHON" -c "
lines = open('screen').read().splitlines()
tiles = [line for line in lines if set(line) == {'▀'}]
assert len(tiles) == 4 * 4 and len(tiles[0]) == 8 * 4, (len(tiles), len(tiles[0]))"
expect 0 env TERM=xterm-256color COLORTERM= "$PYTHON" -B "$ROOT/tests/terminal.py" \
    "$KJIT" run --device cpu field.k:field
says raw '38;5;[0-9]+m'
expect 0 env TERM=xterm-256color COLORTERM= "$PYTHON" -B "$ROOT/tests/terminal.py" \
    "$KJIT" run --device cpu std:stencil:laplace 'x=eye(8)' # what a function gives, likewise
says raw '38;5;[0-9]+m' '▀'
for set in NO_COLOR=1 TERM=xterm TERM=dumb; do
    expect 0 env TERM=xterm-256color COLORTERM= $set "$PYTHON" -B "$ROOT/tests/terminal.py" \
        "$KJIT" run --device cpu field.k:double
    silent raw '▀'
done
expect 0 env TERM=xterm-256color COLORTERM=truecolor "$KJIT" run --device cpu field.k:double
silent out '▀'
