#!/usr/bin/env python3
"""Holds the types of NumPy's functions in kernels to ufunc.tsv, which numba-cuda filled.

    ufuncs.py [--kjit build/kjit]

For each function one kernel with a variable for each pair of types that numba takes, whose types
`--emit ir` shows; and one for each pair it refuses. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default=str(ROOT / "build/kjit"))
    options = parser.parse_args()
    types, table = read_table()
    jobs = [(options.kjit, types, name, rows) for name, rows in table.items()]
    total = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for count, wrong in pool.map(check, jobs):
            total += count
            failed += len(wrong)
            for line in wrong[:10]:
                print("FAILED", line)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
