# Pictures as arrays: .png by libpng, .pgm and .ppm; what a host's part, a kernel's argument and
# --save make of them, and files that are damaged.
cat >make.py <<'END'
"""Writes pictures without a library, of each kind that a .png can be."""
import struct
import zlib

def chunk(name, data):
    return (struct.pack(">I", len(data)) + name + data +
            struct.pack(">I", zlib.crc32(name + data)))

def png(name, width, height, depth, kind, rows, more=b""):
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

colors = chunk(b"PLTE", bytes(range(9)))
png("grey.png", 3, 2, 8, 0, b"\0\1\2\3\0\4\5\6", chunk(b"gAMA", struct.pack(">I", 100000)))
png("wide.png", 2, 1, 16, 0, b"\0\x01\x02\xff\xfe")
png("bits.png", 10, 1, 1, 0, b"\0\xaa\x80")
png("color.png", 2, 1, 8, 2, b"\0\1\2\3\4\5\6")
png("clear.png", 1, 1, 8, 6, b"\0\1\2\3\4")
png("palette.png", 2, 1, 8, 3, b"\0\2\1", colors)
png("some.png", 2, 1, 8, 3, b"\0\0\1", colors + chunk(b"tRNS", b"\7"))
png("huge.png", 900000, 900000, 16, 6, b"\0")
png("short.png", 20, 20, 8, 0, b"\0\1\2")
END
holds "$PYTHON" make.py
printf 'P2 # plain\n3 1\n# 9 9\n300\n1 2 300\n' >plain.pgm
printf 'P5\n2 1\n255\n\001\377' >raw.pgm
printf 'P6 1 1 65535 \001\002\003\004\005\006' >wide.ppm

cat >show.py <<'END'
for name in ["grey.png", "wide.png", "bits.png", "color.png", "clear.png", "palette.png",
             "some.png", "plain.pgm", "raw.pgm", "wide.ppm"]:
    x = load(name)
    print(name, x.dtype, x.shape, x.ravel().tolist())
END
expect 0 "$KJIT" run --device cpu show.py
mv out got
cat >wanted <<'END'
grey.png uint8 (2, 3) [1, 2, 3, 4, 5, 6]
wide.png uint16 (1, 2) [258, 65534]
bits.png uint8 (1, 10) [255, 0, 255, 0, 255, 0, 255, 0, 255, 0]
color.png uint8 (1, 2, 3) [1, 2, 3, 4, 5, 6]
clear.png uint8 (1, 1, 4) [1, 2, 3, 4]
palette.png uint8 (1, 2, 3) [6, 7, 8, 3, 4, 5]
some.png uint8 (1, 2, 4) [0, 1, 2, 7, 3, 4, 5, 255]
plain.pgm uint16 (1, 3) [1, 2, 300]
raw.pgm uint8 (1, 2) [1, 255]
wide.ppm uint16 (1, 1, 3) [258, 772, 1286]
END
holds cmp got wanted

# What is saved is read again, from arrays that lie in any order.
cat >again.py <<'END'
import numpy as np

for dtype in (np.uint8, np.uint16):
    for channels in (1, 2, 3, 4):
        x = (np.arange(20 * channels) * 701).astype(dtype).reshape(5, 4, channels)[::-1, 1:]
        x = x[:, :, 0] if channels == 1 else x
        save("x.png", x)
        assert load("x.png").dtype == dtype and np.array_equal(load("x.png"), x)
        if channels == 1 or channels == 3:
            name = "x.pgm" if channels == 1 else "x.ppm"
            save(name, x)
            assert load(name).dtype == dtype and np.array_equal(load(name), x)
    np.save("x.png", x)
    assert np.array_equal(load("x.png.npy"), x)
END
expect 0 "$KJIT" run --device cpu again.py

# As a kernel's arguments, and what it wrote as a picture.
cat >invert.k <<'END'
@cuda.jit
def invert(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[i, j] = 255 - x[i, j]
END
expect 0 "$KJIT" run --device cpu invert.k --grid 1,1x2,3 x=grey.png 'out=zeros_like(x)' \
    --save out=out.png --save x=x.pgm -q
expect 0 "$KJIT" run --device cpu invert.k --grid 1,1x2,3 x=./out.png 'out=zeros_like(x)' \
    --print out --save out=back.pgm -q
says out '^\[\[1, 2, 3\],' '^ \[4, 5, 6\]\]'
holds cmp x.pgm back.pgm

# What cannot be read or written is said.
refused() # exit status, message, program...
{
    wanted_status=$1 message=$2
    shift 2
    printf '%s\n' 'import numpy as np' "$@" >refused.py
    expect "$wanted_status" "$KJIT" run --device cpu refused.py
    says err "$message"
    holds test ! -e no.png -a ! -e no.pgm -a ! -e no.ppm
}
refused 3 'MemoryError: this needs 5\.9 TiB|larger than any memory' 'load("huge.png")'
refused 3 'short\.png: Not enough image data' 'load("short.png")'
head -c 40 grey.png >cut.png
refused 3 'cut\.png: the file ends too early' 'load("cut.png")'
cp plain.pgm no_png.png
refused 3 'no_png\.png: Not a PNG file; a file.s name says what is in it' 'load("no_png.png")'
printf 'P9' >wrong.pgm
refused 3 'wrong\.pgm: this is no \.pgm or \.ppm file' 'load("wrong.pgm")'
printf 'P5 3 x 255 ' >wrong.pgm
refused 3 'wrong\.pgm: its width, its height or its greatest value' 'load("wrong.pgm")'
printf 'P5 30000 30000 255 \001\002' >wrong.pgm
refused 3 'wrong\.pgm: it ends before its last element' 'load("wrong.pgm")'
printf 'P2 2 1 9 3 10' >wrong.pgm
refused 3 'wrong\.pgm: it ends before its last element, or has one that is none' 'load("wrong.pgm")'
refused 1 'the file says its dtype and shape itself' 'load("grey.png", dtype=np.float32)'
refused 1 'of uint8 or uint16, not of float64' 'save("no.png", np.zeros((2, 2)))'
refused 1 '\[height, width\]$' 'save("no.pgm", np.zeros((2, 2, 3), np.uint8))'
refused 1 'red, green and blue' 'save("no.ppm", np.zeros((2, 2), np.uint8))'
refused 1 'with up to 4' 'save("no.png", np.zeros((2, 2, 5), np.uint8))'
refused 1 'at least one pixel' 'save("no.png", np.zeros((2, 0), np.uint8))'
refused 3 'No such file or directory' 'load("nowhere.png")'

# It is loaded when it is needed, and what needs none does without.
expect 0 "$KJIT" run --device cpu again.py
expect 0 readelf -d "$KJIT"
if grep -q 'lib\(asan\|tsan\|ubsan\)' out; then
    skips 4 "a sanitizer's build loads more"
else
    mkdir none
    touch none/libpng16.so.16
    expect 3 env LD_LIBRARY_PATH="$PWD/none" "$KJIT" run --device cpu show.py
    says err "grey\.png: \.png files need libpng16\.so\.16.* libpng16-16 has it"
    echo 'print(load("raw.pgm"))' >raw.py
    expect 0 env LD_LIBRARY_PATH="$PWD/none" "$KJIT" run --device cpu raw.py
    says out '^\[\[  1 255\]\]'
fi
