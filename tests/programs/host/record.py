#!/usr/bin/env python3
"""Records what CPython says: of each line of expressions.txt its repr or exception, into
expressions.out; of each program in errors.txt, which lines ---- part, what it prints, into
errors.out; and of each NAME.py here what it prints, into NAME.out. Programs that launch kernels run
on numba's simulator. Wants CPython 3.11, NumPy 2 and numba: `python record.py [NAME...]`."""
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

here = Path(__file__).resolve().parent
PART = "----\n"


def expression(text, names):
    try:
        return repr(eval(text, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def record_expressions():
    import math
    import numpy as np

    warnings.simplefilter("ignore")
    lines = []
    for line in (here / "expressions.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            lines.append(expression(line, {"math": math, "np": np}).replace("\n", "\\n"))
    (here / "expressions.out").write_text("\n".join(lines) + "\n")


def output(path, cwd):
    environment = dict(os.environ, NUMBA_ENABLE_CUDASIM="1", PYTHONWARNINGS="ignore")
    done = subprocess.run([sys.executable, path], cwd=cwd, env=environment, capture_output=True,
                          text=True, timeout=600)
    return done.stdout + done.stderr.replace(str(cwd) + "/", "")


def record_errors():
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for program in (here / "errors.txt").read_text().split(PART):
            Path(folder, "case.py").write_text(program + 'print("end")\n')
            shown.append(output("case.py", folder))
    (here / "errors.out").write_text(PART.join(shown))


def main():
    wanted = sys.argv[1:]
    if not wanted or "expressions" in wanted:
        record_expressions()
    if not wanted or "errors" in wanted:
        record_errors()
    for path in sorted(here.glob("*.py")):
        if path.stem not in ("check", "record") and (not wanted or path.stem in wanted):
            path.with_suffix(".out").write_text(output(path.name, here))


main()
