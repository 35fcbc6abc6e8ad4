# Arrays of records in programs: what is for numbers refuses them, and says so.
run="$KJIT run --device cpu"
refused() { # EXPRESSION MESSAGE
    cat >refused.py <<K
import numpy as np
pair = np.dtype([("x", np.float32), ("n", np.int32)])
packed = np.dtype([("x", np.uint8), ("y", np.float64)])
a = np.zeros(3, pair)
b = np.zeros(3, packed)
print($1)
K
    expect 1 $run refused.py
    says err "$2"
}
numbers='^TypeError: this is for numbers, not for records: name a field of theirs, a\["x"\]'
for text in 'a + 1' 'a == 1' 'a[0] < 1' 'np.nonzero(a)' 'np.cumsum(a)' \
    'a.sum()' 'int(a[0])' 'float(a[0])' 'bool(a[0])' 'a.astype(float)' \
    'np.concatenate([a, a])'; do
    refused "$text" "$numbers"
done
refused 'a == b' '^NotImplementedError: records are compared with those of the same fields'
refused 'np.sort(np.zeros(2, [("x", "f4", 2)]))' \
    '^NotImplementedError: records are sorted by fields of one element, in one row'
field='a field is written \("x", np\.float32\) or \("x", np\.float32, shape\), in a list of such'
refused 'np.dtype([("x",)])' "^TypeError: $field"
refused 'np.dtype([["x", 1]])' "^TypeError: $field"
refused 'np.dtype([("x", 3)])' "^TypeError: a dtype is needed here, like np.float32, not 'int'"
refused 'np.zeros(3, 4)' '^TypeError: a dtype .* not a number; a shape of several axes is a tuple'
refused 'np.dtype([("x", "q9")])' "^ValueError: this is no dtype's name that kernels have"
refused 'np.dtype([("x", "f4"), ("x", "f4")])' "^ValueError: a record has each field's name once"
refused 'np.dtype([])' '^ValueError: a record has at least one field'
refused 'np.dtype("f4", aling=True)' \
    "^TypeError: 'aling' is an invalid keyword argument for dtype()"
refused 'np.dtype([("p", packed)], align=True)' \
    "^NotImplementedError: with align=True a field's records are a dtype made with align=True, too"
refused 'np.array(np.zeros(3), pair)' "$numbers"
refused 'np.array(a, [("x", "f4")])' '^TypeError: records become those of another dtype only'
refused 'np.array(a, [("x", "f4", 2), ("n", "i4")])' \
    '^TypeError: records become those of another'
# What lies at no multiple of its size is copied before kernels read it, wherever they run.
cat >copied.py <<'K'
import numpy as np
b = np.zeros(3, [("x", np.uint8), ("y", np.float64)])
b["y"] = 1.5
print(b["y"].copy() * 2, b["y"] * 2)
K
for device in cpu check; do
    expect 0 "$KJIT" run copied.py --device $device
    says out '^\[3\. 3\. 3\.\] \[3\. 3\. 3\.\]$'
done
