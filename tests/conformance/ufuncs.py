#!/usr/bin/env python3
"""Holds the types of NumPy's functions in kernels to ufunc.tsv, which numba-cuda filled.

    ufuncs.py [--kjit build/kjit] [--device cuda]

For each function one kernel with a variable for each pair of types that numba takes, whose types
`--emit ir` shows; and one for each pair it refuses. With --device, that device computes each function of every pair of
types that it takes on edge values too, and is held to what the processor computes, whose results
check.py holds to NumPy's: as far apart as docs/accuracy.md allows either. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import check as values

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REFUSED_SHOWN = 3  # pairs that are refused, tried for each function


def read_table():
    """{function: {(types of the arguments): result}}"""
    lines = [line.split("\t") for line in (HERE / "ufunc.tsv").read_text().splitlines()]
    types, table = lines[0][2:], {}
    for name, first, *results in lines[1:]:
        for last, result in zip(types, results):
            table.setdefault(name, {})[(first, last) if first else (last,)] = result
    return types, table


def emit(kjit, text, types):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.k"
        path.write_text(text)
        done = subprocess.run([kjit, "build", str(path), "--emit", "ir", "--sig",
                               f"k({', '.join(types)})"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def kernel(name, cases, types):
    lines = ["import numpy as np", "", "", "@cuda.jit",
             f"def k({', '.join('a_' + each for each in types)}):"]
    for number, case in enumerate(cases):
        args = ", ".join(f"a_{each}" for each in case)
        lines += [f"    x{number} = np.{name}({args})", f"    print(x{number})"]
    return "\n".join(lines) + "\n"


def check(job):
    kjit, types, name, table = job
    taken = [case for case, result in table.items() if result != "error"]
    refused = [case for case, result in table.items() if result == "error"]
    wrong = []
    text = emit(kjit, kernel(name, taken, types), types) if taken else ""
    for number, case in enumerate(taken):
        found = re.search(rf"\bx{number}: (\([^)]*\)|\w+) =", text or "")
        result = found[1] if found else "refused"
        if result != table[case]:
            wrong.append(f"np.{name}({', '.join(case)}): {result}, numba has {table[case]}")
    step = max(1, len(refused) // REFUSED_SHOWN)
    for case in refused[::step]:
        if emit(kjit, kernel(name, [case], types), types) is not None:
            wrong.append(f"np.{name}({', '.join(case)}): numba refuses it")
    return len(taken) + len(refused[::step]), wrong


# ---- values -----------------------------------------------------------------------------------

SIDE = 8               # edge values of a type; the functions of two take all pairs of them
FLOATS = [0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, np.nan, 0.375]
COMPLEXES = [0, 1.5, -2.25, 0.5j, -1j, 0.375 + 2j, -1.25 - 0.5j, 3 - 1j]


def edges(kind, shifts):
    """Numbers of a type; counts of bits where `shifts`."""
    dtype = np.dtype(kind)
    if shifts:
        return np.arange(SIDE).astype(dtype)
    if dtype.kind == "b":
        return np.arange(SIDE) % 2 == 1
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return np.array([0, 1, 2, 7, ends.max, ends.min, ends.max // 3, ends.min // 2 + 5], dtype)
    return np.array(COMPLEXES if dtype.kind == "c" else FLOATS).astype(dtype)


def computing(name, cases, types, results):
    """A kernel that computes each case on edge values, into a row of an array of its result's type."""
    shapes, body = {}, []
    for case, result in zip(cases, results):
        args = f"a_{case[0]}[k // {SIDE}]" + (f", b_{case[1]}[k % {SIDE}]" if len(case) > 1 else "")
        places = []
        for kind in re.findall(r"\w+", result):
            places.append(f"to_{kind}[{shapes.setdefault(kind, 0)}, k]")
            shapes[kind] += 1
        body.append(f"    {', '.join(places)} = np.{name}({args})")
    given = [f'{side}_{kind}=load("{side}_{kind}.npy")' for kind in types for side in "ab"]
    made = [f"to_{kind}=zeros(({rows}, {SIDE * SIDE}), dtype={kind})" for kind, rows in shapes.items()]
    names = [each.split("=")[0] for each in given + made]
    lines = ["import numpy as np", "", "", f"@example({', '.join(given + made)}, grid=1, block={SIDE * SIDE})",
             "@cuda.jit", f"def k({', '.join(names)}):", "    k = cuda.grid(1)"]
    return "\n".join(lines + body) + "\n", list(shapes)


def results_of(kjit, device, folder, kinds):
    words = [word for kind in kinds for word in ("--save", f"to_{kind}={device}.{kind}.npy")]
    done = subprocess.run([kjit, "run", "k.k", "-q", "--device", device, *words], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode:
        raise values.Failure(f"on {device}: {done.stderr.strip()[:600]}")
    return {kind: np.load(folder / f"{device}.{kind}.npy") for kind in kinds}


def apart(name, kind):
    """How many units in the last place two devices may lie apart."""
    row = values.Row("to", 0, f"np.{name}(a[k])")
    return sum(row.ulps(np.dtype(kind), device) for device in ("cuda", "cpu"))


def compare(job):
    """The number of cases of a function, and what differs."""
    kjit, device, types, name, table = job
    cases = [case for case, result in table.items() if result != "error"]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for kind in types:
            np.save(folder / f"a_{kind}.npy", edges(kind, False))
            np.save(folder / f"b_{kind}.npy", edges(kind, "shift" in name))
        text, kinds = computing(name, cases, types, [table[case] for case in cases])
        (folder / "k.k").write_text(text)
        try:
            ours, theirs = (results_of(kjit, each, folder, kinds) for each in (device, "cpu"))
        except values.Failure as failure:
            return len(cases), [f"np.{name}: {failure}"] * len(cases)
    wrong, rows = [], dict.fromkeys(kinds, 0)
    for case in cases:
        for kind in re.findall(r"\w+", table[case]):
            got, wanted = ours[kind][rows[kind]], theirs[kind][rows[kind]]
            rows[kind] += 1
            with np.errstate(all="ignore"):
                right = values.near(got, wanted, apart(name, kind), name, device)
            if not np.all(right):
                k = int(np.argmin(right))
                wrong.append(f"np.{name}({', '.join(case)}) of edge values {k // SIDE} and {k % SIDE}: "
                             f"{got[k]!r}, the processor has {wanted[k]!r}")
                break
    return len(cases), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    parser.add_argument("--device", help="compares values there, too")
    options = parser.parse_args()
    kjit = os.path.abspath(options.kjit)
    types, table = read_table()
    jobs = [(check, (kjit, types, name, rows)) for name, rows in table.items()]
    if options.device:
        jobs += [(compare, (kjit, options.device, types, name, rows)) for name, rows in table.items()]
    total = failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for count, wrong in pool.map(lambda job: job[0](job[1]), jobs):
            total += count
            failed += len(wrong)
            for line in wrong[:10]:
                print("FAILED", line)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
