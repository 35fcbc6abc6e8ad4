"""Random kernels of threads that have a small matrix each, in arrays of three axes and of one: matrices that are written
out, that loops go through whole or in part, that are stored to under conditions, and elements of other threads'."""
import random

from draw import Program


def program(seed, options="", without=()):
    drawn = random.Random(seed)
    pick = lambda *things: drawn.choice(things)
    n, kind = pick(1, 31, 32, 33, 64, 100, 257, 1000), pick("float32", "float64", "int32", "int64")
    rows, columns = pick((3, 3), (4, 4), (2, 5), (9, 1), (1, 16), (8, 8), (5, 7))
    flat, size = pick(True, True, False), rows * columns
    shape = str(n * size + pick(0, 0, 5)) if flat else f"({n}, {rows}, {columns})"
    lines, depth = ["m = cuda.grid(1)", f"if m < {pick('n', 'n', 't.size', 'n - 1')}:"], 1

    def put(text, more=0):
        lines.append("    " * (depth + more) + text)

    def data(number, extents):
        return f"randint(-5, 6, {extents}, seed={seed + number}, dtype=int32).astype({kind})"

    def at(array, i, j):
        if not flat:
            return f"{array}[m, {i}, {j}]"
        return f"{array}[{pick(f'm * {size} + {i} * {columns}', f'{i} * {columns} + m * {size}')} + {j}]"

    if pick(False, False, True):
        put("if t[m] > 0:")
        depth += 1
    form = pick("out", "loops", "triangle", "some")
    if form == "out":
        for i in range(rows):
            for j in range(columns):
                if drawn.random() < 0.9:
                    put(f"{at('out', i, j)} = {at('a', (i + 1) % rows, j)} * {at('b', i, (j + 1) % columns)} - {at('a', i, j)}")
    else:
        end = f"min(i + 1, {columns})" if form == "triangle" and pick(True, False) else str(columns)
        put(f"for i in range({rows}):")
        put(f"for j in range({end}):", 1)
        if form == "loops":
            put(f"{at('out', 'i', 'j')} {pick('=', '+=')} {at('a', 'i', 'j')} + {at('b', 0, 'j')}", 2)
        elif form == "triangle":
            put(f"s = {at('a', 'i', 'j')}", 2)
            put(f"for k in range({pick('j', columns)}):", 2)
            put(f"s -= {at('a', 'i', 'k')} * {at('b', 0, 'k')}", 3)
            put(f"{at('out', 'i', 'j')} = s", 2)
        else:
            put(f"if {at('a', 'i', 'j')} > 0:", 2)
            put(f"{at('out', 'i', 'j')} = {at('a', 'i', 'j')}", 3)
        if pick(True, False):
            put(f"{at('a', 0, 0)} = {at('out', 0, 0)}")
    if pick(False, False, False, True):
        put(f"{at('out', rows - 1, columns - 1)} = b[{'0' if flat else '0, 0, 0'}]")
    params = {"a": data(0, shape), "b": data(1, shape), "out": data(2, shape), "t": data(3, n), "n": f"int64({n})"}
    words = ", ".join(word for word in (options, "fma=False") if word)
    text = ["from numba import cuda", "", "", "@example(", *[f"    {name}={value}," for name, value in params.items()],
            f"    grid={-(-n // 64)}, block=64)", f"@cuda.jit({words})", f"def k({', '.join(params)}):",
            *["    " + line for line in lines]]
    return Program("\n".join(text) + "\n", ["a", "out"])
