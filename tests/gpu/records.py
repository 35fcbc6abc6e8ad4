#!/usr/bin/env python3
"""Records whose fields lie anywhere, in local, shared and global memory: copied whole and by field,
every size at every offset, against what NumPy says.

    records.py [--kjit build/kjit] [--device cuda]

Makes a kernel for each layout. Every thread copies records into an array of its own, one of them to
a place that it computes, and on from there to its row of shared memory and to global memory; then it
stores into fields of all three, and what every field of every record holds goes into an array of
the field's type. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

THREADS, SLOTS = 32, 4
SCALARS = [("a", np.int64), ("b", np.int16), ("c", np.float64), ("d", np.uint32), ("e", np.uint8),
           ("f", np.float32), ("g", np.uint64), ("h", np.uint16), ("i", np.int32), ("j", np.int8)]
INNER = np.dtype([("h0", np.int8), ("h1", np.uint16)])
NESTED = [("f2", np.int64), ("f0", np.int64), ("f1", np.int32), ("inner", INNER)]


def layouts():
    """Fields in front of which more and more bytes lie, so that all of them come to lie anywhere."""
    yield "nested", NESTED
    yield "turned", [("inner", INNER), ("f1", np.int32), ("f0", np.int64), ("f2", np.float64)]
    yield "arrays", [("x", np.int8), ("y", np.int64, (3,)), ("z", np.uint16, (2,)), ("w", np.float32)]
    for gap in range(8):
        front = [("gap", np.uint8, (gap,))] if gap else []
        yield f"behind{gap}", front + SCALARS[gap:] + SCALARS[:gap]


def dtype_text(fields):
    kinds = {name: "INNER" if kind is INNER else f"np.{kind.__name__}" for name, kind, *_ in fields}
    return "[" + ", ".join(f'("{name}", {kinds[name]}{f", {shape[0]}" if shape else ""})'
                           for name, _, *shape in fields) + "]"


def leaves(fields, before=""):
    """Each number of a record: how it is written, its type, and how NumPy finds it."""
    for name, kind, *shape in fields:
        if kind is INNER:
            yield from ((f"{before}{name}.{part}", of.type, (name, part)) for part, (of, _) in INNER.fields.items())
        elif shape:
            yield from ((f"{before}{name}[{i}]", kind, (name, i)) for i in range(shape[0][0]))
        else:
            yield f"{before}{name}", kind, (name,)


def program(fields):
    """A kernel, and the names of what it writes."""
    numbers = list(leaves(fields))
    kinds = sorted({kind.__name__ for _, kind, _ in numbers})
    arrays = [f"seen_{kind}=zeros(({THREADS}, {3 * SLOTS * len(numbers)}), dtype={kind})" for kind in kinds]
    lines = ["import numpy as np", "from numba import cuda, " + ", ".join(kinds),
             f"INNER = np.dtype({dtype_text([(n, of.type) for n, (of, _) in INNER.fields.items()])})",
             f"RECORD = np.dtype({dtype_text(fields)})", "", "",
             f'@example(x=load("x.npy"), out=zeros(({THREADS}, {SLOTS}), dtype=RECORD), {", ".join(arrays)}, '
             f"grid=1, block={THREADS})", "@cuda.jit",
             f"def k(x, out, {', '.join('seen_' + kind for kind in kinds)}):", "    t = cuda.grid(1)",
             f"    own = cuda.local.array({SLOTS}, RECORD)",
             f"    tile = cuda.shared.array(({THREADS}, {SLOTS}), RECORD)", f"    for i in range({SLOTS}):",
             f"        own[i] = x[(t + i) % {SLOTS}]", f"    own[t % {SLOTS}] = x[{SLOTS - 1}]",
             f"    for i in range({SLOTS}):", "        tile[t, i] = own[i]", "        out[t, i] = tile[t, i]",
             f"    own[(t + 1) % {SLOTS}] = out[t, 0]"]
    for number, (field, kind, _) in enumerate(numbers):
        slot = number % SLOTS
        lines += [f"    own[{slot}].{field} = {kind.__name__}(t + {number})",
                  f"    tile[t, (t + {slot}) % {SLOTS}].{field} = {kind.__name__}(t + {number})",
                  f"    out[t, {slot}].{field} = own[(t + 2) % {SLOTS}].{field}"]
    for number, (field, kind, _) in enumerate(numbers):
        for place, record in enumerate(("own[i]", "tile[t, i]", "out[t, i]")):
            at = SLOTS * (3 * number + place)
            lines += [f"    for i in range({SLOTS}):",
                      f"        seen_{kind.__name__}[t, {at} + i] = {record}.{field}"]
    return "\n".join(lines) + "\n", ["out"] + ["seen_" + kind for kind in kinds]


def at(record, path, value=None):
    """What lies in a record, or what is to lie there."""
    for step in path[:-1]:
        record = record[step]
    if value is not None:
        record[path[-1]] = value
    return record[path[-1]]


def expected(fields, x):
    numbers, dtype = list(leaves(fields)), np.dtype(fields)
    out = np.zeros((THREADS, SLOTS), dtype)
    seen = {kind.__name__: np.zeros((THREADS, 3 * SLOTS * len(numbers)), kind) for _, kind, _ in numbers}
    for t in range(THREADS):
        own = np.array([x[(t + i) % SLOTS] for i in range(SLOTS)], dtype)
        own[t % SLOTS] = x[SLOTS - 1]
        tile = own.copy()
        out[t] = tile
        own[(t + 1) % SLOTS] = out[t, 0]
        for number, (_, kind, path) in enumerate(numbers):
            slot = number % SLOTS
            at(own[slot:slot + 1][0], path, kind(t + number))
            at(tile[(t + slot) % SLOTS], path, kind(t + number))
            at(out[t, slot], path, at(own[(t + 2) % SLOTS], path))
        for number, (_, kind, path) in enumerate(numbers):
            for place, records in enumerate((own, tile, out[t])):
                for i in range(SLOTS):
                    seen[kind.__name__][t, SLOTS * (3 * number + place) + i] = at(records[i], path)
    return {"out": out, **{"seen_" + kind: values for kind, values in seen.items()}}


def numbers_for(fields):
    """Records of which no two bytes that lie near each other are alike."""
    size = np.dtype(fields).itemsize * SLOTS
    return (np.arange(size) * 37 % 251 % 120 + 1).astype(np.uint8).view(np.dtype(fields))


def judge(kjit, device, name, fields, folder):
    folder = folder / name
    folder.mkdir()
    text, arrays = program(fields)
    (folder / "records.k").write_text(text)
    x = numbers_for(fields)
    np.save(folder / "x.npy", x)
    words = [word for array in arrays for word in ("--save", f"{array}={array}.npy")]
    done = subprocess.run([kjit, "run", "records.k", "-q", "--device", device, *words], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode:
        return f"{name}: exit status {done.returncode}\n{done.stderr}{text}"
    for array, want in expected(fields, x).items():
        got = np.load(folder / f"{array}.npy")
        if got.tobytes() != want.tobytes():
            where = "" if array == "out" else f" first at {tuple(map(int, np.argwhere(got != want)[0]))}"
            return f"{name}: {array} differs{where}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    kjit = os.path.abspath(options.kjit)
    if options.device == "cuda" and "cuda:0" not in subprocess.run([kjit, "doctor"], capture_output=True,
                                                                   text=True).stdout:
        print("1 skipped: there is no GPU\n0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda case: judge(kjit, options.device, *case, pathlib.Path(name)), layouts()))
    failed = [result for result in results if result]
    print("\n".join(failed), end="\n" if failed else "")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
