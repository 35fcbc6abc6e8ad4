#!/usr/bin/env python3
"""Holds the tables of docs/ to the tests they name.

    docs.py [FILE ...]

A table whose last column is headed `test` promises that each of its rows is tested. The column
names one or more tests, each in backquotes:

    programs/AREA:KERNEL        a kernel of tests/programs/AREA.k
    host/NAME                   tests/programs/host/NAME.py, recorded in NAME.out
    golden/FOLDER/NAME          NAME.k of tests/golden/FOLDER, with an expected output beside it
    conformance/NAME            tests/conformance: a table NAME.tsv, values/NAME.k, or NAME.py
    unit/NAME[:FUNCTION]        tests/unit/NAME.c, and a test function there
    cli/NAME, hostile/NAME      tests/cli/NAME.sh; the cases of tests/hostile/NAME.py
    gpu/NAME[:FUNCTION]         tests/gpu/NAME.c
    examples/NAME               examples/NAME.k
    python/NAME:FUNCTION        tests/python/NAME.py, and a test there
    file/NAME                   a program of its own, tests/NAME

docs/architecture.md names files and folders that are there, has a row for each folder that holds
sources, and a picture of what includes what as it is.

Prints a line for each row that is wrong and then `N passed, N failed`; exits 1 if one failed.
"""
import pathlib
import re
import sys

import picture

ROOT = pathlib.Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"


def has_text(path, pattern):
    return path.exists() and re.search(pattern, path.read_text(), re.MULTILINE)


def c_test(folder, rest):
    name, _, function = rest.partition(":")
    return has_text(TESTS / folder / f"{name}.c", rf"\b{function}\(" if function else "")


def program(rest):
    area, _, kernel = rest.partition(":")
    return kernel and has_text(TESTS / f"programs/{area}.k", rf"^def {kernel}\(")


def golden(rest):
    path = TESTS / "golden" / rest
    found = list(path.parent.glob(path.name + ".*"))
    return path.with_suffix(".k") in found and len(found) > 1


def conformance(rest):
    folder = TESTS / "conformance"
    return any((folder / f"{rest}.{end}").exists() for end in ("tsv", "k", "py"))


def python_test(rest):
    name, _, function = rest.partition(":")
    return function and has_text(TESTS / f"python/{name}.py", rf"^def {function}\(")


KINDS = {
    "programs": program,
    "host": lambda rest: (TESTS / f"programs/host/{rest}.out").exists(),
    "golden": golden,
    "conformance": conformance,
    "unit": lambda rest: c_test("unit", rest),
    "gpu": lambda rest: c_test("gpu", rest),
    "cli": lambda rest: (TESTS / f"cli/{rest}.sh").exists(),
    "hostile": lambda rest: (TESTS / f"hostile/{rest}.py").exists(),
    "python": python_test,
    "file": lambda rest: (TESTS / rest).is_file(),
    "examples": lambda rest: (ROOT / f"examples/{rest}.k").exists(),
}


def exists(test):
    kind, _, rest = test.partition("/")
    return kind in KINDS and rest and bool(KINDS[kind](rest))


def cells_of(line):
    """A row's cells; a bar that is escaped stands for itself."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def rows_of(path):
    """Line number and cells of each row of the tables that name tests."""
    promised, header = False, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.startswith("|"):
            promised, header = False, False
        elif not header:
            header, promised = True, cells_of(line)[-1:] == ["test"]
        elif promised and not re.fullmatch(r"[|\s:-]+", line):
            yield number, cells_of(line)


def map_complaints(path):
    text = path.read_text()
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_.]*)`", text))
    rows = set(re.findall(r"^\| `([a-z_/]+/)` \|", text, re.MULTILINE))
    return ([f"there is no {name}" for name in sorted(named) if not (ROOT / name).exists()] +
            [f"no row for {folder}/" for folder in sorted(picture.sources())
             if f"{folder}/" not in rows] +
            ([] if picture.is_current() else ["the picture is of other includes: make picture"]))


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((ROOT / "docs").glob("*.md"))
    passed = failed = 0
    for path in files:
        for number, cells in rows_of(path):
            tests = re.findall(r"`([^`]+)`", cells[-1])
            wrong = [f"there is no test {test}" for test in tests if not exists(test)]
            if not tests:
                wrong = ["no test"]
            passed += not wrong
            failed += bool(wrong)
            for complaint in wrong:
                print(f"{path.name}:{number}: {cells[0]}: {complaint}")
    if not sys.argv[1:]:
        complaints = map_complaints(ROOT / "docs/architecture.md")
        for complaint in complaints:
            print(f"architecture.md: {complaint}")
        passed, failed = passed + (not complaints), failed + bool(complaints)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
