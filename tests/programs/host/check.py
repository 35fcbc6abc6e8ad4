#!/usr/bin/env python3
"""Programs on kjit against what CPython, NumPy and numba's simulator gave for them: record.py; and
expressions of arrays against what NumPy gave: ../rows/record.py.

    check.py --kjit build/kjit [--device cpu] [NAME...]

NAMEs choose among expressions, errors, rows, random and the programs. Prints what differs and then
`N passed, N failed`; exits 1 if something did."""
import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

here = Path(__file__).resolve().parent
PART = "----\n"
HEAD = "import math\nimport numpy as np\n"
SHOW = """import numpy as np


def show(x):
    x = np.asarray(x)
    if x.dtype == np.uint64:
        x = x.astype(np.int64)
    elif x.dtype == np.float32 or x.dtype == np.float64:
        x = x + np.float32(0)
    print(x.dtype, x.shape, x.ravel()[:16].tolist())


"""


class Kjit:
    def __init__(self, path, device):
        self.path, self.device = str(Path(path).resolve()), device

    def run(self, file, cwd=here, text=None):
        done = subprocess.run([self.path, "run", "--device", self.device, file], cwd=cwd,
                              capture_output=True, text=True, input=text, timeout=600)
        last = f"no findings in {file}\n"
        return done.returncode, done.stdout + done.stderr.removesuffix(last)


def is_error(text):
    return text.partition(":")[0].endswith("Error")


def check_raising(kjit, row):
    text, wanted = row
    status, shown = kjit.run("-", text=f"{HEAD}print(({text}))\n")
    last = shown.rstrip("\n").rpartition("\n")[2]
    name, colon, rest = last.partition(":")
    last = name.rpartition(".")[2] + colon + rest
    return None if last == wanted and status == 1 else f"{text}\n    gives {last}\n    wanted {wanted}"


def check_giving(kjit, rows):
    """One program that prints them all."""
    program = HEAD + "".join(f"print(repr(({text})).replace(chr(10), '\\\\n'))\n" for text, _ in rows)
    status, shown = kjit.run("-", text=program)
    lines = shown.splitlines()
    failures = [f"{text}\n    gives {line}\n    wanted {wanted}"
                for (text, wanted), line in zip(rows, lines) if line != wanted]
    if status or len(lines) != len(rows):
        failures.append("\n".join(lines[-8:]))
    return failures


def check_expressions(kjit, pool):
    rows = [line for line in (here / "expressions.txt").read_text().splitlines()
            if line and not line.startswith("#")]
    rows = list(zip(rows, (here / "expressions.out").read_text().splitlines(), strict=True))
    raising = [row for row in rows if is_error(row[1])]
    failures = check_giving(kjit, [row for row in rows if not is_error(row[1])])
    return failures + list(pool.map(lambda row: check_raising(kjit, row), raising)), len(rows)


def rows_raising(kjit, row):
    text, wanted = row
    status, shown = kjit.run("-", text=f"{names()}print(show({text}))\n")
    last = shown.rstrip("\n").rpartition("\n")[2]
    fine = status == 1 and is_error(last)
    return None if fine else f"{text}\n    gives {last}\n    wanted {wanted}"


def rows_giving(kjit, rows):
    program = names() + "".join(f"print(show({text}))\n" for text, _ in rows)
    status, shown = kjit.run("-", text=program)
    lines = shown.splitlines()
    failures = [f"{text}\n    gives {line}\n    wanted {wanted}"
                for (text, wanted), line in zip(rows, lines) if line != wanted]
    if status or len(lines) != len(rows):
        failures.append("\n".join(lines[-8:]))
    return failures


def names():
    return (here.parent / "rows" / "names.py").read_text()


def check_rows(kjit, pool):
    """So many rows a program that both processors have some."""
    rows = [line.split("\t") for line in
            (here.parent / "rows" / "rows.tsv").read_text().splitlines()]
    giving = [row for row in rows if row[1][0] != "!"]
    raising = [row for row in rows if row[1][0] == "!"]
    parts = [giving[at:at + 400] for at in range(0, len(giving), 400)]
    failures = [failure for part in pool.map(lambda part: rows_giving(kjit, part), parts)
                for failure in part]
    return failures + list(pool.map(lambda row: rows_raising(kjit, row), raising)), len(rows)


def check_error(kjit, row):
    program, wanted = row
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "case.py").write_text(program + 'print("end")\n')
        status, shown = kjit.run("case.py", cwd=folder)
    return None if shown == wanted and status == 1 else f"{program}--- gives\n{shown}--- wanted\n{wanted}"


def check_errors(kjit, pool):
    rows = list(zip((here / "errors.txt").read_text().split(PART),
                    (here / "errors.out").read_text().split(PART), strict=True))
    return list(pool.map(lambda row: check_error(kjit, row), rows)), len(rows)


def check_random(kjit, pool):
    """Programs of tests/random/arrays.py, recorded from NumPy: arrays.py FIRST COUNT FOLDER."""
    rows = list(zip((here / "random.txt").read_text().split(PART),
                    (here / "random.out").read_text().split(PART), strict=True))

    def compared(row):
        status, shown = kjit.run("-", text=SHOW + row[0])
        return None if shown == row[1] and status == 0 else f"{row[0]}--- gives\n{shown}"
    return list(pool.map(compared, rows)), len(rows)


def check_program(kjit, path):
    wanted = path.with_suffix(".out").read_text()
    status, shown = kjit.run(path.name)
    if shown == wanted and status == int("Traceback (most recent" in wanted):
        return None
    return f"{path.name}: exit {status}\n--- gives\n{shown}--- wanted\n{wanted}"


def check_programs(kjit, pool, names):
    paths = [path for path in sorted(here.glob("*.py"))
             if path.stem not in ("check", "record") and (not names or path.stem in names)]
    return list(pool.map(lambda path: check_program(kjit, path), paths)), len(paths)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kjit", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    kjit = Kjit(options.kjit, options.device)
    known = {"expressions", "errors", "rows", "random", *(path.stem for path in here.glob("*.py"))}
    unknown = [name for name in options.names if name not in known]
    parts = []
    with ThreadPoolExecutor(2) as pool:
        if not options.names or "expressions" in options.names:
            parts.append(check_expressions(kjit, pool))
        if not options.names or "random" in options.names:
            parts.append(check_random(kjit, pool))
        if not options.names or "errors" in options.names:
            parts.append(check_errors(kjit, pool))
        if not options.names or "rows" in options.names:
            parts.append(check_rows(kjit, pool))
        parts.append(check_programs(kjit, pool, options.names))
    parts.append(([f"{name}: there is no such program" for name in unknown], len(unknown)))
    failures = [failure for found, _ in parts for failure in found if failure]
    count = sum(number for _, number in parts)
    print("== host programs ==")
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
