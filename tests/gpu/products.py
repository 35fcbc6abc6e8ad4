#!/usr/bin/env python3
"""Products by tensor cores: those of float64 bit by bit, against kernels that call fma in order; those
of bytes against NumPy; those that a name asks for against their error bounds.

    products.py [--kjit build/kjit] [--device cuda] [--first SEED] [--count N]

Each seed draws a kernel, its sizes and what its arrays hold: numbers, with infinities, NaN, numbers
near 0, zeros of either sign and sums that cancel among them. One of float64 runs as it is, and once
more with each sum written as a call of fma and without passes. Every element has to have the same
bits, but for what a NaN's bits are. On a GPU whose tensor cores kjit knows, each kernel has to say that
it used them. With --device cpu --passes all the processor does what tensor cores do. Ends in
`N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

HEAD = "from numba import cuda\nimport math\n\n@cuda.jit\ndef kernel({}):\n"
TWO = "    i, j = cuda.grid(2)\n    if i < c.shape[0] and j < c.shape[1]:\n"
FAMILIES = {}


def family(function):
    FAMILIES[function.__name__] = function
    return function


def add(text, fused):
    """`total += a * b` of two texts, or by fma."""
    name, left, right = text
    return f"{name} = cuda.fma({left}, {right}, {name})" if fused else f"{name} += {left} * {right}"


def two_axes(params, shapes, depth, left, right, begin="0.0", end="total", turned=False, where=""):
    """A kernel of c[i, j], the shapes of its arrays, and the grid's threads."""
    def text(fused):
        guard = TWO.replace("c.shape[1]:", f"c.shape[1]{where}:")
        guard = guard.replace("i, j =", "j, i =") if turned else guard
        return (HEAD.format(params) + guard + f"        total = {begin}\n        for k in range({depth}):\n"
                f"            {add(('total', left, right), fused)}\n        c[i, j] = {end}\n")
    rows, columns = shapes["c"]
    return text, shapes, ((columns, rows, 1) if turned else (rows, columns, 1)), (16, 16, 1), {}


@family
def plain(n, d, m, _):
    return two_axes("a, b, c", {"a": (n, d), "b": (d, m), "c": (n, m)}, "a.shape[1]", "a[i, k]", "b[k, j]")


@family
def turned(n, d, m, _):
    return two_axes("a, b, c", {"a": (n, d), "b": (d, m), "c": (n, m)}, "a.shape[1]", "a[i, k]", "b[k, j]",
                    turned=True)


@family
def right_transposed(n, d, m, _):
    return two_axes("a, b, c", {"a": (n, d), "b": (m, d), "c": (n, m)}, "a.shape[1]", "a[i, k]", "b[j, k]")


@family
def left_transposed(n, d, m, _):
    return two_axes("a, b, c", {"a": (d, n), "b": (d, m), "c": (n, m)}, "a.shape[0]", "a[k, i]", "b[k, j]")


@family
def by_itself(n, d, _, __):
    return two_axes("a, c", {"a": (n, d), "c": (n, n)}, "a.shape[1]", "a[i, k]", "a[j, k]")


def part_of_a_square(where, turned=False):
    """A family of the elements that a condition on both indices leaves."""
    def make(n, d, m, _):
        return two_axes("a, b, c", {"a": (n, d), "b": (m, d), "c": (n, m)}, "a.shape[1]", "a[i, k]", "b[j, k]",
                        turned=turned, where=f" and {where}")
    return make


FAMILIES.update(lower=part_of_a_square("j <= i"), strictly_lower=part_of_a_square("j < i", True),
                upper=part_of_a_square("i <= j + 40", True), strictly_upper=part_of_a_square("j - 70 > i"))


@family
def layer(n, d, m, _):
    return two_axes("a, b, bias, c", {"a": (n, d), "b": (d, m), "bias": (m,), "c": (n, m)}, "a.shape[1]",
                    "(a[i, k] * 1.5)", "b[k, j]", "bias[j]", "max(total, 0.0) + c[i, j]")


@family
def in_memory(n, d, m, _):
    def text(fused):
        return (HEAD.format("a, b, c") + TWO + "        for k in range(b.shape[0]):\n"
                f"            {add(('c[i, j]', 'a[i, k]', 'b[k, j]'), fused)}\n")
    return text, {"a": (n, d), "b": (d, m), "c": (n, m)}, (n, m, 1), (16, 16, 1), {}


@family
def flat_layers(n, d, m, s):
    def text(fused):
        term = add(("total", "a[(n * rows + y) * depth + k]", "b[(n * depth + k) * cols + x]"), fused)
        return (HEAD.format("a, b, c, rows, depth, cols") + "    x, y, n = cuda.grid(3)\n"
                "    if x >= cols or y >= rows:\n        return\n    total = 0.0\n    for k in range(depth):\n"
                f"        {term}\n    c[(n * rows + y) * cols + x] = total\n")
    return (text, {"a": (s * n * d,), "b": (s * d * m,), "c": (s * n * m,)}, (m, n, s), (16, 16, 1),
            {"rows": n, "depth": d, "cols": m})


@family
def convolution(n, d, m, s):
    n, channels, high, wide, rows = max(n, 1), d % 6 + 1, d % 3 + 1, d % 4 + 1, d % 2 + 1

    def text(fused):
        term = add(("total", "x[n, h, i + k, j + l]", "w[f, h, k, l]"), fused)
        return (HEAD.format("x, w, c") + "    j, i, z = cuda.grid(3)\n"
                "    n = z // w.shape[0]\n    f = z % w.shape[0]\n"
                "    if n < c.shape[0] and i < c.shape[2] and j < c.shape[3]:\n        total = 0.0\n"
                "        for h in range(w.shape[1]):\n            for k in range(w.shape[2]):\n"
                f"                for l in range(w.shape[3]):\n                    {term}\n"
                "        c[n, f, i, j] = total\n")
    return (text, {"x": (s, channels, rows + high - 1, m + wide - 1), "w": (n, channels, high, wide),
                   "c": (s, n, rows, m)}, (m, rows, s * n), (16, 2, 1), {})


@family
def pixels(n, d, m, s):
    """Pixels of a picture are one axis of the grid."""
    channels, side, rows, columns = d % 6 + 1, d % 3 + 1, n % 7 + 1, m + d % 2

    def text(fused):
        term = add(("total", "x[h, i + k, j + l]", "w[f, h, k, l]"), fused)
        return (HEAD.format("x, w, c") + "    t, f = cuda.grid(2)\n    i = t // c.shape[2]\n    j = t % c.shape[2]\n"
                "    if i < c.shape[1] and f < c.shape[0]:\n        total = 0.0\n"
                "        for h in range(w.shape[1]):\n            for k in range(w.shape[2]):\n"
                f"                for l in range(w.shape[3]):\n                    {term}\n        c[f, i, j] = total\n")
    return (text, {"x": (channels, rows + side - 1, columns + side - 1), "w": (n, channels, side, side),
                   "c": (n, rows, columns)}, (rows * columns - s + 1, n, 1), (16, 16, 1), {})


# How a condition stands around what is added, within two loops that count k and l.
BORDERS = [("", "", "                    if 0 <= y < x.shape[2] and z >= 0 and z < x.shape[3]:\n                        {}\n"),
           ("                if 0 <= y < x.shape[2]:\n    ", "    ",
            "                        if not (z < 0 or z >= x.shape[3]):\n                            {}\n"),
           ("                if y < 0 or y >= x.shape[2]:\n                    continue\n", "",
            "                    if z < 0 or x.shape[3] <= z:\n                        continue\n"
            "                    {}\n")]


@family
def bordered(n, d, m, s):
    """Pictures are taken to be 0 beyond their borders."""
    n, channels, high, wide, rows = max(n, 1), d % 6 + 1, d % 3 + 1, d % 4 + 1, d % 5 + 1
    front, inner, adding = BORDERS[(d + m) % 3]

    def text(fused):
        term = add(("total", "x[n, h, y, z]", "w[f, h, k, l]"), fused)
        return (HEAD.format("x, w, c") + "    j, i, t = cuda.grid(3)\n"
                "    n = t // w.shape[0]\n    f = t % w.shape[0]\n"
                "    if n < c.shape[0] and i < c.shape[2] and j < c.shape[3]:\n        total = 0.0\n"
                "        for h in range(w.shape[1]):\n            for k in range(w.shape[2]):\n"
                f"                y = i + k - {high // 2}\n{front}"
                "                for l in range(w.shape[3]):\n"
                f"{inner}                    z = j - {wide // 2} + l\n{adding.format(term)}"
                "        c[n, f, i, j] = total\n")
    return (text, {"x": (s, channels, rows + d % 2, max(m - d % 3, 0)), "w": (n, channels, high, wide),
                   "c": (s, n, rows, m)}, (m, rows, s * n), (16, 2, 1), {})


def under(condition, params="a, b, c", end="total"):
    """A family whose products are added under a condition."""
    def make(n, d, m, _):
        def text(fused):
            return (HEAD.format(params) + TWO + "        total = 0.0\n        for k in range(a.shape[1]):\n"
                    f"            if {condition}:\n                {add(('total', 'a[i, k]', 'b[k, j]'), fused)}\n"
                    f"        c[i, j] = {end}\n")
        return text, {"a": (n, d), "b": (d, m), "c": (n, m)}, (n, m, 1), (16, 16, 1), {}
    return make


FAMILIES.update(of_rows=under("k != i"), of_columns=under("2 * k >= j", end="c[i, j] - total"),
                of_both=under("k + i > 20 and k < j + 30"), of_neither=under("k % 3 != 1"))


@family
def taken_apart(n, d, m, s):
    n, m = max(n, 2 ** 16 // 128 + 4), max(m, 128)  # of 2 ** 16 threads at least, whatever s is

    def text(fused):
        return (HEAD.format("a, b, c") + "    t = cuda.grid(1)\n    i = t // c.shape[1]\n    j = t % c.shape[1]\n"
                "    if i < c.shape[0]:\n        total = 0.0\n        for k in range(a.shape[1]):\n"
                f"            {add(('total', 'a[i, k]', 'b[k, j]'), fused)}\n        c[i, j] = total\n")
    return text, {"a": (n, d), "b": (d, m), "c": (n, m)}, (n * m - s * 100, 1, 1), (64, 1, 1), {}


@family
def strides(n, d, m, s):
    n, d, m = max(n, 128), max(d, 128), max(m, 128)

    def text(fused):
        return (HEAD.format("a, b, c") + "    x, y = cuda.grid(2)\n    across, down = cuda.gridsize(2)\n"
                "    for j in range(x, c.shape[1], across):\n        for i in range(y, c.shape[0], down):\n"
                "            c[i, j] = 0\n            for k in range(a.shape[1]):\n"
                f"                {add(('c[i, j]', 'a[i, k]', 'b[k, j]'), fused)}\n")
    return text, {"a": (n, d), "b": (d, m), "c": (n, m)}, (s * 20, s * 7, 1), (16, 8, 1), {}


@family
def strides_taken_apart(n, d, m, s):
    n, m = max(n, 128), max(m, 128)

    def text(fused):
        return (HEAD.format("a, b, c") + f"    for t in range(cuda.grid(1), c.size - {s * 50}, cuda.gridsize(1)):\n"
                "        i, j = t // c.shape[1], t % c.shape[1]\n        for k in range(a.shape[1]):\n"
                f"            {add(('c[i, j]', 'a[i, k]', 'b[k, j]'), fused)}\n")
    return text, {"a": (n, d), "b": (d, m), "c": (n, m)}, (s * 100, 1, 1), (64, 1, 1), {}


@family
def row_each(n, d, m, _):
    n, d, m = max(n, 128), max(d, 128), max(m, 128)

    def text(fused):
        return (HEAD.format("a, b, c") + "    i = cuda.grid(1)\n    if i < c.shape[0]:\n"
                "        for j in range(c.shape[1]):\n            total = 0.0\n"
                "            for k in range(a.shape[1]):\n"
                f"                {add(('total', 'a[i, k]', 'b[j, k]'), fused)}\n            c[i, j] = total\n")
    return text, {"a": (n, d), "b": (m, d), "c": (n, m)}, (n, 1, 1), (64, 1, 1), {}


def numbers(rng, shape, special):
    """Numbers of one magnitude, or of many, some of them special."""
    x = rng.standard_normal(shape)
    if special >= 1:
        x = np.round(x * 4) / 4  # sums that cancel to zero
    if special >= 2:
        x *= 10.0 ** rng.integers(-3, 4, shape)
    kinds = [0.0, -0.0, 5e-324, -1e-310, 1e-200, -1e200, np.inf, -np.inf, np.nan]
    chosen = kinds[:6] if special == 3 else kinds if special == 4 else []
    for value in chosen:
        few = 0.2 if value == 0 else 0.02 if np.isfinite(value) else 0.0005
        x[rng.random(shape) < few] = value
    return x


def run(options, folder, name, text, values, launch, passes):
    """What the kernel leaves in c, and its remarks."""
    file, out = folder / f"{name}.k", folder / f"{name}.npy"
    file.write_text(text)
    (gx, gy, gz), (bx, by, bz) = launch
    command = [options.kjit, "run", f"{file}:kernel", "--device", options.device, "--remarks", "-q",
               "--grid", f"{gx},{gy},{gz}x{bx},{by},{bz}", "--save", f"c={out}", *passes, *values]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return np.load(out), done.stdout + done.stderr


# ---- bytes, and products by name -----------------------------------------------------------------

NARROW = ("    i, j = cuda.grid(2)\n    if i < c.shape[0] and j < c.shape[1]:\n        total = {}\n"
          "        for k in range({}):\n            total {}= {} * {}\n        c[i, j] = total\n")
LAYOUTS = {"plain": (("n", "d"), ("d", "m"), "a.shape[1]", "a[i, k]", "b[k, j]"),
           "right": (("n", "d"), ("m", "d"), "a.shape[1]", "a[i, k]", "b[j, k]"),
           "left": (("d", "n"), ("d", "m"), "a.shape[0]", "a[k, i]", "b[k, j]"),
           "both": (("d", "n"), ("m", "d"), "a.shape[0]", "a[k, i]", "b[j, k]")}


def draw_narrow(draw):
    """A layout, sizes, and a sign. Rows of many bytes come as boxes."""
    sizes = {"n": draw.choice([draw.randint(1, 150), 64, 128]), "m": draw.choice([draw.randint(1, 150), 64, 128]),
             "d": draw.choice([draw.randint(0, 40), draw.randint(1, 300), 64, 128])}
    if draw.random() < 0.3:
        sizes = {axis: 8 * draw.randint(8, 60) for axis in sizes}
    return draw.choice(sorted(LAYOUTS)), sizes, draw.choice("++-")


def as_view(draw, file, array):
    """An array as an argument: the file, or a part of a larger one's rows, which may lie anywhere."""
    front, behind = draw.choice([(0, 0), (0, 0), (0, 8), (8, 8), (16, 24), (0, 3), (1, 2)])
    if front + behind == 0:
        np.save(file, array)
        return str(file)
    large = np.full((len(array) + 2, array.shape[1] + front + behind), 77, array.dtype)
    large[1:-1, front:front + array.shape[1]] = array
    np.save(file, large)
    return f'load("{file}")[1:{len(array) + 1}, {front}:{front + array.shape[1]}]'


def run_narrow(options, folder, layout, sizes, values, begin, sign, wrap, passes, dtype, seed=None):
    """What such a kernel leaves in c, and its remarks; `wrap` is what factors are wrapped in."""
    draw = random.Random(seed)
    left, right, depth, a, b = LAYOUTS[layout]
    text = HEAD.format("a, b, c").replace("cuda\n", "cuda, float32\n", 1)
    text += NARROW.format(begin, depth, sign, wrap.format(a), wrap.format(b))
    given = []
    for name, array in values.items():
        given.append(f"{name}={as_view(draw, folder / f'{name}_in.npy', array)}")
    np.save(folder / "c_in.npy", np.zeros((sizes["n"], sizes["m"]), dtype))
    given.append(f"c={folder / 'c'}_in.npy")
    grid = [max(-(-sizes[axis] // 16), 1) for axis in "nm"] + [1]
    return run(options, folder, "narrow", text, given, (grid, (16, 16, 1)), passes)


def shapes_of(layout, sizes):
    return [tuple(sizes[axis] for axis in axes) for axes in LAYOUTS[layout][:2]]


def as_matrices(layout, a, b):
    return (a.T if layout in ("left", "both") else a), (b.T if layout in ("right", "both") else b)


def check_bytes(options, draw, rng):
    """Exact, whatever the signs."""
    layout, sizes, sign = draw_narrow(draw)
    kinds = draw.choice([("int8", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("uint8", "uint8")])
    kept = "int32" if "int8" in kinds and draw.random() < 0.3 else "int64"
    made = {name: rng.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, shape).astype(kind)
            for name, kind, shape in zip("ab", kinds, shapes_of(layout, sizes))}
    if draw.random() < 0.3:
        for array in made.values():
            array[...] = draw.choice([np.iinfo(array.dtype).min, np.iinfo(array.dtype).max])
    a, b = as_matrices(layout, *(array.astype(np.int64) for array in made.values()))
    wanted = (7 + a @ b * (1 if sign == "+" else -1)).astype(kept)
    with tempfile.TemporaryDirectory() as folder:
        found, remarks = run_narrow(options, pathlib.Path(folder), layout, sizes, made, "7", sign, "{}",
                                    options.passes, kept, draw.random())
    what = f"bytes {kinds} {layout} {sizes}"
    if options.tensor and min(sizes["n"], sizes["m"]) >= 64 and "tensor cores multiply" not in remarks:
        return f"{what}: no tensor cores:\n{remarks}"
    return f"{what}: {int((found != wanted).sum())} are wrong" if (found != wanted).any() else None


# Of n products, in terms of the sum of their magnitudes: docs/accuracy.md.
BOUNDS = {"tf32": lambda n: 3 * 2.0 ** -11 + n * 2.0 ** -23, "tf32x3": lambda n: 2.0 ** -19 + n * 2.0 ** -27,
          "f16": lambda n: 2.0 ** -10 + n * 2.0 ** -23, "bf16": lambda n: 2.0 ** -7 + n * 2.0 ** -23,
          "bf16x9": lambda n: 2.0 ** -20 + n * 2.0 ** -28}


def spread(rng, shape, kind, along):
    """Numbers of one magnitude; of many; or of which half cancel the other half, along an axis."""
    x = rng.standard_normal(shape)
    if kind == "graded":
        x *= 10.0 ** rng.uniform(-2, 2, shape)
    if kind == "cancelling":
        x = np.moveaxis(x, along, 0)
        half = len(x) // 2
        x[half:2 * half] = x[:half]
        x = np.moveaxis(x, 0, along)
    return x


def check_named(options, draw, rng):
    """Within its bound, NaN and infinities where the plain loop has them; by tf32x3 at most twice the
    plain loop's error."""
    layout, sizes, sign = draw_narrow(draw)
    name, kind = draw.choice(sorted(BOUNDS)), draw.choice(["random", "graded", "cancelling"])
    if name == "tf32x3":
        sizes["d"] = max(sizes["d"], 32)
    half = name == "f16" and draw.random() < 0.5
    first, second = shapes_of(layout, sizes)
    a_along, b_along = int(layout in ("plain", "right")), int(layout in ("right", "both"))
    made = {"a": spread(rng, first, kind, a_along), "b": spread(rng, second, kind, b_along)}
    if kind == "cancelling" and sizes["d"] > 1:
        turned = np.moveaxis(made["b"], b_along, 0)
        turned[len(turned) // 2:] *= -1
    made = {key: value.astype(np.float16 if half else np.float32) for key, value in made.items()}
    if draw.random() < 0.2:
        for array in made.values():
            for value in (np.inf, -np.inf, np.nan):
                array[rng.random(array.shape) < 0.003] = value
    with tempfile.TemporaryDirectory() as folder:
        ask = (options, pathlib.Path(folder), layout, sizes, made, "float32(0)", sign, "float32({})")
        seed = draw.random()
        found, remarks = run_narrow(*ask, [*options.passes, "--matmul", name], np.float32, seed)
        plain, _ = run_narrow(*ask, ["--passes", "none"], np.float32, seed)
    what = f"{name} {kind} {layout} {sizes}"
    if options.tensor and sizes["n"] and "tensor cores multiply" not in remarks:
        return f"{what}: no tensor cores:\n{remarks}"
    a, b = as_matrices(layout, *(array.astype(np.float64) for array in made.values()))
    finite = np.isfinite(plain)
    if (np.isfinite(found) != finite).any() or (np.isnan(found) != np.isnan(plain)).any():
        return f"{what}: NaN or infinities differ"
    with np.errstate(invalid="ignore"):
        true, size = a @ b * (1 if sign == "+" else -1), np.abs(a) @ np.abs(b)
        error, own = np.abs(found - true)[finite], np.abs(plain - true)[finite]
    if (error > BOUNDS[name](sizes["d"]) * size[finite] + 2.0 ** -126).any() and options.tensor:
        return f"{what}: beyond the bound, by {np.max(error / size[finite])}"
    if name == "tf32x3" and error.size and error.max() > 2 * own.max():
        return f"{what}: an error of {error.max()}, and {own.max()} without tensor cores"
    return None


# ---- float64 -------------------------------------------------------------------------------------

def check(options, seed):
    """None, or what is wrong."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    other = {1: check_bytes, 2: check_named}.get(seed % 3)
    if other:
        try:
            wrong = other(options, draw, rng)
        except RuntimeError as error:
            wrong = str(error)
        return f"seed {seed}, {wrong}" if wrong else None
    name = draw.choice(sorted(FAMILIES))
    sizes = [draw.choice([draw.randint(64, 300), draw.choice([64, 127, 128, 129, 256])]) for _ in range(3)]
    few = draw.random() < 0.25  # for which threads may multiply
    if few:
        sizes[0], sizes[2] = (draw.choice([0, 1, 2, 16, draw.randint(3, 63), draw.randint(64, 128)]) for _ in "nm")
    sizes[1] = draw.choice([draw.randint(0, 40), draw.randint(1, 300), draw.choice([15, 16, 17, 32, 48])])
    make, shapes, threads, block, scalars = FAMILIES[name](*sizes, draw.randint(1, 4))
    launch = [max(-(-t // b), 1) for t, b in zip(threads, block)], block
    special = draw.randint(0, 4)
    with tempfile.TemporaryDirectory() as folder:
        folder, values = pathlib.Path(folder), []
        for array, shape in shapes.items():
            np.save(folder / f"{array}_in.npy", numbers(rng, shape, special))
            values.append(f"{array}={folder / array}_in.npy")
        values += [f"{scalar}={value}" for scalar, value in scalars.items()]
        try:
            found, remarks = run(options, folder, "product", make(False), values, launch, options.passes)
            wanted, _ = run(options, folder, "fused", make(True), values, launch, ["--passes", "none"])
        except RuntimeError as error:
            return f"seed {seed}, {name} {sizes}: {error}"
    if options.tensor and not few and "tensor cores multiply" not in remarks:
        return f"seed {seed}, {name} {sizes}: no tensor cores:\n{remarks}"
    wrong = (found.view(np.int64) != wanted.view(np.int64)) & ~(np.isnan(found) & np.isnan(wanted))
    if not wrong.any():
        return None
    at = tuple(int(i[0]) for i in wrong.nonzero())
    return (f"seed {seed}, {name} {sizes}, special {special}: {int(wrong.sum())} of {wrong.size} differ, "
            f"the first at {at}: {found[at]!r}, not {wanted[at]!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--passes", default="", help="for the processor: all")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=min(8, len(os.sched_getaffinity(0))))
    options = parser.parse_args()
    doctor = subprocess.run([options.kjit, "doctor"], capture_output=True, text=True, check=False)
    options.tensor = options.passes == "all" or (options.device.startswith("cuda") and "sm_90" in doctor.stdout)
    options.passes = ["--passes", options.passes] if options.passes else []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wrong = [w for w in pool.map(lambda seed: check(options, seed),
                                     range(options.first, options.first + options.count)) if w]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{options.count - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
