# What the command loads, and when: the C library alone until something else is needed. What the
# loader says of it is counted, not how long it takes.
cp "$ROOT/examples/hist.k" .
expect 0 readelf -d "$KJIT"
if grep -q 'lib\(asan\|tsan\|ubsan\)' out; then
    skips 28 "a sanitizer's build loads more"
else
    holds test "$(grep NEEDED out | grep -cvE "\[(libm|libc|libdl|libpthread|ld-linux.*)\.so")" = 0
    loads() # COUNT LIBRARY COMMAND...: the loader was asked for so many of such names
    {
        count=$1 library=$2
        shift 2
        rm -f loaded.*
        expect 0 env LD_DEBUG=files LD_DEBUG_OUTPUT=loaded "$@"
        holds test "$(cat loaded.* | grep "file=$library.*dynamically loaded by .*kjit" |
            grep -o "file=$library" | sort -u | wc -l)" = "$count"
    }
    loads 0 . "$KJIT" --version
    loads 0 . "$KJIT" run --help
    loads 0 . "$KJIT" build hist.k --emit ir
    loads 0 'lib\(cairo\|jansson\|zip\)' "$KJIT" run hist.k --device cpu --save counts=counts.npy
    loads 1 libjansson "$KJIT" run hist.k --device cpu --json
    loads 0 'lib\(cairo\|zip\)' "$KJIT" run hist.k --device cpu --json
    loads 1 libcairo "$KJIT" run hist.k --device cpu --plot counts=counts.svg
    loads 0 'lib\(jansson\|zip\)' "$KJIT" run hist.k --device cpu --plot counts=counts.svg
    "$PYTHON" -c 'import numpy; numpy.savez("in.npz", x=numpy.zeros(9, numpy.float32))'
    loads 1 libzip "$KJIT" run hist.k --device cpu 'samples=load("in.npz", "x")'
    # Where they are not there, that is said, and the rest works.
    mkdir none
    touch none/libcairo.so.2 none/libjansson.so.4 none/libzip.so.4 none/libzip.so.5
    export LD_LIBRARY_PATH=$PWD/none
    expect 0 "$KJIT" run hist.k --device cpu
    expect 3 "$KJIT" run hist.k --device cpu --json
    says err "kjit: to read and write JSON it needs the library libjansson.so.4.* libjansson4 has"
    expect 3 "$KJIT" run hist.k --device cpu --plot counts=other.svg
    says err "kjit: to draw it needs the library libcairo.so.2.* libcairo2 has"
    holds test ! -e other.svg
    expect 3 "$KJIT" run hist.k --device cpu 'samples=load("in.npz", "x")'
    says err "error: in.npz: reading an .npz file needs libzip"
    unset LD_LIBRARY_PATH
fi
# Stripped it is small.
holds strip -o stripped "$KJIT"
holds test "$(stat -c %s stripped)" -le 4250000
