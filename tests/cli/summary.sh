# What is said of large arrays, which threads go through side by side, against NumPy: of every
# dtype,
# with NaN among them, in rows that lie apart, and the same to the last digit on one processor.
cat >arrays.py <<'P'
import numpy as np

rng = np.random.default_rng(1)
count = 3 * 65536 * 8 + 12345  # parts for several threads, and some left over
for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
    about = np.iinfo(name)
    np.save(name, rng.integers(about.min, about.max, count, dtype=name, endpoint=True))
for name in "float16 float32 float64".split():
    numbers = rng.normal(size=count).astype(name)
    numbers[5::70001] = np.nan
    np.save(name, numbers)
small = np.full(count, np.nan, np.float16)
small[-3:] = [6e-8, -2e-5, 3]  # two of them subnormal
np.save("small", small)
np.save("lines", rng.normal(size=(1000, 700)))
np.save("complex128", rng.normal(size=count) + 1j)
P
cat >touch.k <<'K'
@example(int8=load("int8.npy"), int16=load("int16.npy"), int32=load("int32.npy"),
         int64=load("int64.npy"), uint8=load("uint8.npy"), uint16=load("uint16.npy"),
         uint32=load("uint32.npy"), uint64=load("uint64.npy"), float16=load("float16.npy"),
         float32=load("float32.npy"), float64=load("float64.npy"), small=load("small.npy"),
         complex128=load("complex128.npy"), lines=load("lines.npy").T[3:, ::2], grid=1, block=1)
@cuda.jit
def touch(int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64,
          small, complex128, lines):
    int8[0] = int8[0]
    int16[0] = int16[0]
    int32[0] = int32[0]
    int64[0] = int64[0]
    uint8[0] = uint8[0]
    uint16[0] = uint16[0]
    uint32[0] = uint32[0]
    uint64[0] = uint64[0]
    float16[0] = float16[0]
    float32[0] = float32[0]
    float64[0] = float64[0]
    small[0] = small[0]
    complex128[0] = complex128[0]
    lines[0, 0] = lines[0, 0]
K
cat >compare.py <<'P'
import json
import sys

import numpy as np

for told in json.load(open("all.json"))["written"]:
    name = told["name"]
    array = np.load(name + ".npy")
    if name == "lines":
        array = array.T[3:, ::2]
    wide = array if array.dtype.kind == "c" else array.astype(np.float64)
    whole = array.dtype.kind in "iu"
    some = array[~np.isnan(array)]
    if name == "complex128":
        assert np.allclose(told["sum"], [wide.sum().real, wide.sum().imag], rtol=1e-12), told
        continue
    assert told.get("nans", 0) == np.isnan(wide).sum(), told
    assert told["min"] == some.min() and told["max"] == some.max(), told
    if whole and isinstance(told["sum"], int):
        assert told["sum"] == int(array.sum()), (told, array.sum())
    elif whole:  # of uint64, too large for JSON's integers
        assert np.isclose(told["sum"], wide.sum(), rtol=1e-12), told
    elif np.isnan(wide).any():
        assert told["sum"] is None or np.isnan(float(told["sum"])), told
    else:
        assert np.isclose(told["sum"], wide.sum(), rtol=1e-12), told
P
holds "$PYTHON" arrays.py
expect 0 "$KJIT" run touch.k --device cpu --json
cp out all.json
holds "$PYTHON" compare.py
expect 0 taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" \
    "$KJIT" run touch.k --device cpu --json
"$PYTHON" -c 'import json; print(json.load(open("all.json"))["written"])' >all.txt
cp out one.json
"$PYTHON" -c 'import json; print(json.load(open("one.json"))["written"])' >one.txt
holds cmp all.txt one.txt
