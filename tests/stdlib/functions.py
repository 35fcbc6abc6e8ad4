"""The functions of the standard library, which launch what is to be launched, against NumPy and, where
it is there, SciPy."""
import numpy as np

CALLS = []


class Call:
    """A call of std:FUNCTION with these arrays and expressions; what it gives, one array or several.
    Those that are `checked` run under the checker, too, which is to find nothing."""

    def __init__(self, function, values, expected, tolerance=0.0, note="", checked=False):
        self.kernel, self.values, self.tolerance = function, values, tolerance
        self.expected = expected if isinstance(expected, tuple) else (expected,)
        self.several = isinstance(expected, tuple)
        self.note, self.checked = note, checked
        CALLS.append(self)

    def name(self):
        return f"{self.kernel} {self.note}".rstrip()


class Raises:
    """A call that is an error, with this message."""

    def __init__(self, function, values, message):
        self.kernel, self.values, self.message, self.checked = function, values, message, False
        CALLS.append(self)

    def name(self):
        return f"{self.kernel} raises {self.message}"


def random(seed=1):
    return np.random.default_rng(seed)


def numbers(shape, dtype, seed=1):
    """Normal ones, or integers over the whole range."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return random(seed).integers(info.min, info.max, shape, dtype, endpoint=True)
    if dtype.kind == "b":
        return random(seed).integers(0, 2, shape).astype(bool)
    x = random(seed).normal(size=shape)
    if dtype.kind == "c":
        x = x + 1j * random(seed + 1).normal(size=shape)
    return x.astype(dtype)


# ---- fft --------------------------------------------------------------------------------------


def transform(name, x, checked=False, note="", **options):
    values = {"x": x, **{key: repr(value) for key, value in options.items()}}
    narrow = x.dtype in (np.float32, np.complex64)
    wide = x.astype(complex if x.dtype.kind == "c" else float) # versions of NumPy differ for others
    expected = getattr(np.fft, name)(wide, **options)
    if narrow:
        expected = expected.astype(np.float32 if expected.dtype.kind == "f" else np.complex64)
    text = " ".join(f"{key}={value}" for key, value in options.items())
    size = np.sqrt(np.abs(expected.astype(complex) ** 2).mean()) if expected.size else 1.0
    Call(f"fft:{name}", values, expected, (4e-6 if narrow else 4e-14) * max(size, 1e-30),
         f"{x.dtype}{list(x.shape)} {text} {note}", checked)


def transforms():
    for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 25, 31, 32, 33, 49, 60, 61, 63, 64, 65, 67,
              121, 127, 128, 129, 210, 256, 257, 360, 1000, 1021, 1023, 1024, 1025, 4096]:
        for dtype in [np.complex64, np.complex128]:
            transform("fft", numbers(n, dtype), checked=n in (7, 60, 67))
        transform("ifft", numbers(n, np.complex128))
        transform("rfft", numbers(n, np.float64), checked=n in (63, 64))
        if n > 1:
            transform("irfft", numbers(n, np.complex128), checked=n in (33,))
    for n in [2, 3, 63, 64, 67, 134]:
        transform("irfft", numbers(n // 2 + 1, np.complex64), n=n, checked=n == 63)
        transform("rfft", numbers(n, np.float32))
    for shape, axis in [((3, 60), 1), ((60, 3), 0), ((2, 64, 5), 1), ((4, 67, 3), -2), ((300, 8), 1)]:
        for name in ["fft", "ifft", "irfft"]:
            transform(name, numbers(shape, np.complex128), axis=axis, checked=shape == (2, 64, 5))
        transform("rfft", numbers(shape, np.float64), axis=axis)
    for dtype in [np.bool_, np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float32]:
        transform("fft", numbers(30, dtype))
        transform("rfft", numbers((2, 30), dtype))
    x = numbers((4, 6), np.complex128)
    for norm in ["backward", "ortho", "forward"]:
        for name in ["fft", "ifft", "fft2", "ifft2", "irfft"]:
            transform(name, x, norm=norm)
    for n in [1, 3, 8, 20]:
        for name in ["fft", "ifft", "irfft"]:
            transform(name, x, n=n, axis=0)
        transform("rfft", x.real, n=n)
    transform("fft2", numbers((2, 12, 20), np.complex64), checked=True)
    transform("fftn", numbers((3, 4, 5), np.complex128), checked=True)
    transform("ifftn", numbers((3, 4, 5), np.complex128), axes=(0, 2))
    transform("fft", numbers((8, 10), np.complex128).T[::-1], note="by strides")
    transform("fft", np.zeros((0, 5)))
    transform("rfft", np.zeros((5, 0)), n=4)
    Raises("fft:fft", {"x": np.zeros(0)}, "ValueError: Invalid number of FFT data points (0) specified.")
    Raises("fft:fft", {"x": np.zeros(3), "axis": "1"}, "ValueError: axis 1 is out of bounds")
    Raises("fft:fft", {"x": np.zeros(3), "norm": "'odd'"}, "ValueError: Invalid norm value odd")
    Raises("fft:rfft", {"x": np.zeros(3, complex)}, "TypeError: rfft takes real numbers")


# ---- compact ----------------------------------------------------------------------------------


def compacted():
    for n in [0, 1, 2047, 2048, 40_000]:
        x = random().integers(0, 3, n)
        for dtype in [np.bool_, np.int8, np.uint64, np.float32]:
            Call("compact:flatnonzero", {"x": x.astype(dtype)}, np.flatnonzero(x),
                 note=f"{np.dtype(dtype)}[{n}]", checked=n == 2048)
    Call("compact:flatnonzero", {"x": np.full(3000, 0.25)}, np.arange(3000), note="below 1")
    x = random().integers(0, 2, (50, 60))
    Call("compact:flatnonzero", {"x": x}, np.flatnonzero(x), note="of two axes")


# ---- radix ------------------------------------------------------------------------------------


def sorted_by(x, note="", checked=False):
    order = np.argsort(x, kind="stable")
    text = f"{x.dtype}[{x.size}] {note}"
    Call("radix:sort", {"x": x}, x[order], note=text, checked=checked)
    Call("radix:argsort", {"x": x}, order, note=text)
    Call("radix:sort_pairs", {"x": x, "values": np.arange(x.size) * 2.0}, (x[order], order * 2.0),
         note=text)


def wide_keys():
    """On the processor, keys that differ in many bits: spread evenly, as floats are, mostly in one
    bucket, in low bits beside the highest, and few different ones."""
    n, r = 70_000, random(3)
    low = r.integers(0, 1000, n)
    for note, x in [("even", r.integers(-(1 << 62), 1 << 62, n)), ("floats", r.normal(size=n)),
                    ("skewed", r.integers(0, 1 << 62, n) >> r.integers(0, 62, n)),
                    ("at both ends", (r.integers(0, 4, n) << 60) | low),
                    ("33 bits", r.integers(0, 1 << 33, n)), ("few", low % 3), ("same", low * 0)]:
        sorted_by(x, note, checked=note == "floats")


def passes():
    """What sorts on GPUs, which any device runs: of one tile, of two, and of more than blocks that
    run at once."""
    for dtype, beside in [(np.uint8, np.int32), (np.uint32, np.int32), (np.int64, np.int32),
                          (np.float64, np.complex128), (np.float32, np.int64), (np.int64, np.int64)]:
        for n in [1, 4096, 4097, 100_007]:
            x = numbers(n, dtype)
            order = np.argsort(x, kind="stable")
            Call("radix:_order_on_a_gpu", {"x": x, "values": np.arange(n).astype(beside)},
                 (x[order], order.astype(beside)), note=f"{x.dtype}[{n}]", checked=n == 4097)


def sorts():
    passes()
    for n in [0, 1, 2, 255, 256, 257, 16383, 16384, 16385, 40_000]:
        sorted_by(numbers(n, np.float32), checked=n == 16385)
    for dtype in [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64,
                  np.uint64, np.float16, np.float64]:
        sorted_by(numbers(3000, dtype))
    for dtype in [np.float16, np.float32, np.float64]:
        info = np.finfo(dtype)
        special = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.0, -1.0, info.max, info.min,
                   info.tiny, info.smallest_subnormal, -info.smallest_subnormal]
        sorted_by(random().choice(np.array(special, dtype), 3000), "special", checked=True)
    sorted_by(numbers(2000, np.int16)[::-3], "by strides")
    wide_keys()
    Raises("radix:sort", {"x": np.zeros((2, 2))}, "ValueError: x is to be an array of one axis")
    Raises("radix:sort_rows", {"x": np.zeros(2)}, "ValueError: x is to be an array of two axes")
    for shape in [(300, 41), (1, 9), (7, 1), (0, 3), (3, 0)]:
        rows = np.random.default_rng(5).integers(-9, 9, shape).astype(np.float32)
        order = np.argsort(rows, axis=1, kind="stable")
        Call("radix:sort_rows", {"x": rows}, np.sort(rows, axis=1), note=f"{shape}")
        Call("radix:argsort_rows", {"x": rows}, order, note=f"{shape}")
    Raises("radix:sort_pairs", {"x": np.zeros(2), "values": np.zeros(3)},
           "ValueError: values has not as many elements as x")


# ---- sparse -----------------------------------------------------------------------------------


def sparse(rows, columns, share, dtype, checked=False):
    dense = numbers((rows, columns), dtype) if np.dtype(dtype).kind in "fc" else \
        random().integers(-9, 9, (rows, columns)).astype(dtype)
    dense = np.where(random(2).random((rows, columns)) < share, dense, dtype(0))
    row, column = np.nonzero(dense)
    data = dense[row, column]
    starts = np.searchsorted(row, np.arange(rows + 1))
    width = int(np.bincount(row, minlength=1).max(initial=0))
    ell, where = np.zeros((rows, width), dtype), np.full((rows, width), -1)
    place = np.arange(row.size) - starts[row] if row.size else row
    ell[row, place], where[row, place] = data, column
    shuffled = random(3).permutation(row.size)
    note = f"{dense.dtype}{list(dense.shape)} {share}"
    tolerance = 1e-4 if dense.dtype.itemsize == 4 * (1 + (dense.dtype.kind == "c")) else 1e-12
    for x in [random(4).integers(-9, 9, columns).astype(dtype),
              random(5).integers(-9, 9, (columns, 33)).astype(dtype)]:
        wanted = dense @ x
        Call("sparse:csr_product", {"data": data, "indices": column.astype(np.int32),
                                    "starts": starts, "x": x}, wanted, tolerance,
             f"{note} {x.ndim}", checked)
        Call("sparse:ell_product", {"data": ell, "indices": where, "x": x}, wanted, tolerance,
             f"{note} {x.ndim}", checked)
        Call("sparse:coo_product", {"data": data[shuffled], "rows": row[shuffled],
                                    "columns": column[shuffled], "x": x, "count": str(rows)},
             wanted, tolerance, f"{note} {x.ndim}", checked)


def sparses():
    for rows, columns in [(1, 1), (5, 7), (64, 31), (200, 100), (300, 3)]:
        for share in [0, 0.1, 1]:
            sparse(rows, columns, share, np.float64, checked=rows == 5)
    for dtype in [np.float32, np.complex64, np.complex128, np.int32, np.int64]:
        sparse(40, 50, 0.2, dtype)
    Raises("sparse:csr_product", {"data": np.zeros(3), "indices": np.zeros(2, int),
                                  "starts": np.array([0, 3]), "x": np.zeros(2)},
           "ValueError: data and indices are to have as many elements each")
    Raises("sparse:coo_product", {"data": np.zeros(2), "rows": np.zeros(2, int),
                                  "columns": np.zeros(1, int), "x": np.zeros(3), "count": "2"},
           "ValueError: data, rows and columns")


# ---- morphology -------------------------------------------------------------------------------


def boxed(x, sizes, of, turned):
    """The least or greatest of a box around each element, as scipy.ndimage.grey_erosion and
    grey_dilation have it."""
    for axis, size in enumerate(sizes):
        before = (size - 1) // 2 if turned else size // 2
        pad = [(0, 0), (0, 0)]
        pad[axis] = (before, size - 1 - before)
        wide = np.pad(x, pad, mode="symmetric")
        x = of(np.lib.stride_tricks.sliding_window_view(wide, size, axis), -1)
    return x


def morphologies():
    def erode(x, sizes):
        return boxed(x, sizes, np.min, False)

    def dilate(x, sizes):
        return boxed(x, sizes, np.max, True)

    for shape, sizes in [((1, 1), (3, 3)), ((5, 7), (1, 1)), ((33, 64), (3, 5)), ((31, 65), (4, 2)),
                         ((3, 2), (9, 6)), ((128, 129), (7, 7))]:
        for dtype in [np.uint8, np.int32, np.float32, np.float64]:
            x = numbers(shape, dtype)
            values = {"image": x, "size": repr(sizes)}
            note = f"{x.dtype}{list(shape)} {sizes}"
            few = shape == (31, 65)
            Call("morphology:erode", values, erode(x, sizes), note=note, checked=few)
            Call("morphology:dilate", values, dilate(x, sizes), note=note, checked=few)
            Call("morphology:opened", values, dilate(erode(x, sizes), sizes), note=note)
            Call("morphology:closed", values, erode(dilate(x, sizes), sizes), note=note)
    x = numbers((20, 30), np.float64)
    x[4, 5] = np.nan
    Call("morphology:erode", {"image": x.T}, erode(x.T, (3, 3)), note="with a NaN")
    Call("morphology:dilate", {"image": np.zeros((0, 4))}, np.zeros((0, 4)), note="of nothing")
    Raises("morphology:erode", {"image": np.zeros(3)}, "ValueError: the image is to be an array")
    Raises("morphology:erode", {"image": np.zeros((3, 3)), "size": "0"}, "ValueError: size is to be")


# ---- stencil ----------------------------------------------------------------------------------

MODES = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap",
         "constant": "constant"}


def weighted(x, weights, mode, before):
    """As scipy.ndimage.correlate of floats, with `before` elements in front of each."""
    dtype = (np.zeros(1, x.dtype) * np.zeros(1, weights.dtype)).dtype
    wide = np.pad(x, [(b, n - 1 - b) for b, n in zip(before, weights.shape)], MODES[mode])
    out = np.zeros(x.shape, dtype)
    for place in np.ndindex(weights.shape):
        part = wide[tuple(slice(p, p + n) for p, n in zip(place, x.shape))]
        out += part.astype(dtype) * weights[place].astype(dtype)
    return out


def stencils():
    for shape, sizes in [((1,), (3,)), ((33,), (4,)), ((5,), (11,)), ((20, 33), (3, 5)),
                         ((4, 3), (9, 6)), ((70, 1), (1, 3)), ((5, 6, 35), (3, 2, 3))]:
        for mode, dtype in zip(MODES, [np.float64, np.float32, np.int32, np.complex128, np.uint8]):
            x, weights = numbers(shape, dtype), numbers(sizes, dtype, 2)
            values = {"x": x, "weights": weights, "mode": repr(mode)}
            note, few = f"{mode} {x.dtype}{list(shape)} {sizes}", shape == (20, 33)
            near = 2e-5 if dtype == np.float32 else 1e-12
            Call("stencil:correlate", values,
                 weighted(x, np.conj(weights), mode, [n // 2 for n in sizes]), near, note, few)
            Call("stencil:convolve", values,
                 weighted(x, np.flip(weights), mode, [(n - 1) // 2 for n in sizes]), near, note)
    # What SciPy's documentation shows.
    x = np.array([2, 8, 0, 4, 1, 9, 9, 0])
    Call("stencil:correlate", {"x": x, "weights": "[1, 3]"}, np.array([8, 26, 8, 12, 7, 28, 36, 9]))
    Call("stencil:convolve", {"x": x, "weights": "[1, 3]"}, np.array([14, 24, 4, 13, 12, 36, 27, 0]))
    x = numbers((9, 8, 7), np.float64)
    ones, zeros = np.array([1.0, -2, 1]), np.zeros((3, 3, 3))
    zeros[:, 1, 1] += ones
    zeros[1, :, 1] += ones
    zeros[1, 1, :] += ones
    Call("stencil:laplace", {"x": x}, weighted(x, zeros, "reflect", [1, 1, 1]), 1e-12)
    Call("stencil:correlate", {"x": np.array([np.nan, 1, 2]), "weights": "[0, 1, 0]"},
         np.array([np.nan, 1, 2]), note="of weights that are 0")
    Call("stencil:correlate", {"x": x[0, ::-2, ::3], "weights": np.eye(3), "mode": '"constant"',
                               "cval": "7.5"},
         weighted(np.pad(x[0, ::-2, ::3], 1, constant_values=7.5), np.eye(3), "nearest",
                  [1, 1])[1:-1, 1:-1], 1e-12, "by strides, with cval")
    steps = np.arange(-6, 7)
    bell = np.exp(-0.5 * (steps / 1.5) ** 2)
    bell /= bell.sum()
    rows = weighted(x[0], bell[:, None], "reflect", [6, 0])
    Call("stencil:gaussian", {"x": x[0], "sigma": "1.5"},
         weighted(rows, bell[None], "reflect", [0, 6]), 1e-12)
    Call("stencil:gaussian", {"x": x[0], "sigma": "(1.5, 0)"}, rows, 1e-12, "along one axis")
    Call("stencil:laplace", {"x": np.zeros((0, 4))}, np.zeros((0, 4)), note="of nothing")
    Raises("stencil:correlate", {"x": np.zeros((1, 1, 1, 1)), "weights": "[1]"},
           "ValueError: x is to be an array of one to three axes")
    Raises("stencil:correlate", {"x": np.zeros(3), "weights": "zeros((1, 1))"},
           "ValueError: weights are to have as many axes as x")
    Raises("stencil:convolve", {"x": np.zeros(3), "weights": "[1]", "mode": '"odd"'},
           "ValueError: mode is to be")
    Raises("stencil:gaussian", {"x": np.zeros(3), "sigma": "(1, 2)"}, "ValueError: sigma is to be")


# ---- segments, topk, batched --------------------------------------------------------------------

OPERATIONS = {"sum": np.add, "product": np.multiply, "min": np.minimum, "max": np.maximum}


def parts_of(x, starts):
    return [x[a:b] for a, b in zip(starts[:-1], starts[1:])]


def combined(x, starts, op):
    kind = {"sum": np.sum, "product": np.prod, "min": np.min, "max": np.max}[op]
    dtype = kind(np.zeros(1, x.dtype)).dtype
    return np.array([kind(part, dtype=dtype) if op in ("sum", "product") else kind(part)
                     for part in parts_of(x, starts)], dtype)


def scanned(x, starts, op, inclusive):
    out = np.zeros(x.size, combined(x[:1], [0, 1], op).dtype if x.size else x.dtype)
    for a, b in zip(starts[:-1], starts[1:]):
        whole = OPERATIONS[op].accumulate(x[a:b], dtype=out.dtype)
        first = np.full(min(b - a, 1), {"sum": 0, "product": 1}.get(op, 0), out.dtype)
        out[a:b] = whole if inclusive else np.concatenate([first, whole[:-1]])
    return out


def segments():
    for n, count in [(1, 1), (10, 3), (1000, 7), (5000, 300)]:
        for dtype in [np.int32, np.uint8, np.float32, np.float64]:
            x = random(n).integers(0, 5, n).astype(dtype) if count > 1 else numbers(n, dtype)
            inner = np.unique(random(count).integers(1, n, count - 1)) if n > 1 else []
            starts = np.concatenate([[0], inner, [n]]).astype(np.int64)
            some = np.concatenate([starts, [n]]) # an empty one at the end
            checked = n == 1000 and dtype is np.float32
            note = f"{x.dtype}[{n}] {count}"
            for op in ["sum", "product", "min", "max"]:
                at = starts if op in ("min", "max") else some
                with np.errstate(all="ignore"):
                    Call("segments:segmented_reduce", {"x": x, "starts": at, "op": repr(op)},
                         combined(x, at, op), 1e-5, f"{note} {op}", checked)
                    Call("segments:segmented_scan", {"x": x, "starts": at, "op": repr(op)},
                         scanned(x, at, op, True), 1e-5, f"{note} {op}", checked)
            Call("segments:segmented_scan", {"x": x, "starts": some, "inclusive": "False"},
                 scanned(x, some, "sum", False), 1e-5, f"{note} exclusive")
            keys = np.repeat(np.arange(starts.size - 1) % 3, np.diff(starts)).astype(dtype)
            runs = np.concatenate([[0], np.nonzero(np.diff(keys))[0] + 1, [n]])
            Call("segments:run_starts", {"keys": keys}, runs, note=note, checked=checked)
            Call("segments:reduce_by_key", {"keys": keys, "x": x},
                 (keys[runs[:-1]], combined(x, runs, "sum")), 1e-5, note)
            Call("segments:scan_by_key", {"keys": keys, "x": x, "op": "'max'"},
                 scanned(x, runs, "max", True), note=note)
    nan = np.array([np.nan, np.nan, 1.0, 0.0, -0.0, np.nan])
    Call("segments:run_starts", {"keys": nan}, np.array([0, 2, 3, 5, 6]), note="with NaN")
    Call("segments:segmented_reduce", {"x": nan, "starts": np.array([1, 3, 5]), "op": "'min'"},
         np.array([np.nan, 0.0]), note="with NaN")
    Call("segments:run_starts", {"keys": np.zeros(0)}, np.zeros(1, np.int64), note="of nothing")
    Call("segments:segmented_reduce", {"x": np.zeros(0), "starts": np.zeros(3, np.int64)},
         np.zeros(2), note="of nothing")
    Raises("segments:segmented_reduce", {"x": np.zeros(3), "starts": np.array([0, 9])},
           "ValueError: starts are to rise from 0 to at most x.size")
    Raises("segments:segmented_reduce", {"x": np.zeros(3), "starts": np.array([0, 1.5])},
           "TypeError: starts are to be integers")
    Raises("segments:segmented_reduce", {"x": np.zeros(3), "starts": np.array([0, 2, 1])},
           "ValueError: starts are to rise from 0 to at most x.size")
    Raises("segments:segmented_reduce",
           {"x": np.zeros(3), "starts": np.array([0, 0]), "op": "'max'"},
           "ValueError: a part without elements has no least and no greatest")
    Raises("segments:segmented_scan",
           {"x": np.zeros(3), "starts": np.array([0, 3]), "op": "'mean'"}, "ValueError: op is to be")
    Raises("segments:reduce_by_key", {"keys": np.zeros(2), "x": np.zeros(3)},
           "ValueError: keys has not as many elements as x")


def greatest():
    for n in [1, 2, 1000, 20_000]:
        for dtype in [np.int32, np.uint8, np.float32, np.float64]:
            x = numbers(n, dtype)
            order = np.argsort(-x.astype(np.float64), kind="stable")
            for k in sorted({0, 1, min(n, 10), n}):
                Call("topk:topk", {"x": x, "k": str(k)}, (x[order[:k]], order[:k]),
                     note=f"{x.dtype}[{n}] {k}", checked=n == 1000 and k == 10)
            few = random(n).integers(0, 9, n).astype(dtype)
            Call("topk:unique", {"x": few}, np.unique(few, return_counts=True),
                 note=f"{x.dtype}[{n}]", checked=n == 1000)
    x = np.array([1.0, np.nan, 3.0, np.nan, -np.inf])
    Call("topk:topk", {"x": x, "k": "3"}, (x[[1, 3, 2]], np.array([1, 3, 2])), note="with NaN")
    Call("topk:unique", {"x": x}, np.unique(x, return_counts=True), note="with NaN")
    Call("topk:unique", {"x": np.zeros((0, 2))}, (np.zeros(0), np.zeros(0, np.int64)), note="of nothing")
    Raises("topk:topk", {"x": np.zeros(3), "k": "4"}, "ValueError: k is to be from 0 to x.size")


def products():
    for a, b in [((3, 4, 5), (3, 5, 6)), ((4, 5), (3, 5, 6)), ((3, 4, 5), (5, 6)), ((1, 1), (1, 1)),
                 ((20, 33, 65), (20, 65, 40)), ((2, 0, 3), (2, 3, 4)), ((2, 3, 0), (2, 0, 4))]:
        for dtype in [np.float32, np.float64, np.int32, np.complex64]:
            x, y = numbers(a, dtype), numbers(b, dtype)
            if dtype is np.int32:
                x, y = x % 100, y % 100
            wanted = np.matmul(x, y)
            Call("batched:batched_product", {"a": x, "b": y}, wanted if wanted.ndim == 3 else wanted[None],
                 1e-4, f"{x.dtype}{list(a)}{list(b)}", a == (3, 4, 5))
    x = numbers((6, 5, 4), np.float64)
    Call("batched:batched_product", {"a": x[::2], "b": x[::-2].transpose(0, 2, 1)},
         np.matmul(x[::2], x[::-2].transpose(0, 2, 1)), 1e-12, "by strides")
    Raises("batched:batched_product", {"a": np.zeros((2, 3)), "b": np.zeros((2, 3))},
           "ValueError: a has not as many columns as b has rows")


# ---- jacobi -----------------------------------------------------------------------------------


def _turned(columns):
    """The same with the greatest element of each column positive."""
    places = np.abs(columns).argmax(axis=0)
    return columns * np.sign(columns[places, np.arange(columns.shape[1])])


def turns():
    for n in [1, 2, 5, 40]:
        noise = random(n).normal(size=(n, n)) / 50
        a = np.diag(random(n).permutation(n) + 1.0) + noise + noise.T
        values, vectors = np.linalg.eigh(a)
        Call("jacobi:eigh", {"a": a}, (values, _turned(vectors)), 1e-9, f"of {n}", checked=n == 5)
        tall = np.vstack([a, noise])
        sizes, v = np.linalg.svd(tall)[1:]
        v = _turned(v.T)
        Call("jacobi:orthogonal", {"a": tall}, (tall @ v, sizes, v), 1e-9, f"of {n}", checked=n == 5)
    Call("jacobi:eigh", {"a": np.array([[2.0, 9.0], [0.0, 1.0]])},
         (np.array([1.0, 2.0]), np.array([[0.0, 1.0], [1.0, 0.0]])), note="reads the lower half")
    Raises("jacobi:eigh", {"a": np.zeros((2, 3))},
           "numpy.linalg.LinAlgError: Last 2 dimensions of the array must be square")
    Raises("jacobi:orthogonal", {"a": np.zeros((2, 3))},
           "ValueError: the matrix has more columns than rows: turn it")


PARTS = [transforms, compacted, sorts, sparses, morphologies, stencils, segments, greatest, products,
         turns]
