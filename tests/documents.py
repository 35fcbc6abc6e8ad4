#!/usr/bin/env python3
"""The Python of documents, as one program each: `documents.py KJIT DEVICE DOCUMENT...`.

A document is a text of a notebook, cells behind `In [3]:` and what they gave behind `Out[3]:`, or one
whose listings have numbered lines. Cells are taken in their order and as they are, but `%timeit X`
is X, other magics are left out, and of a cell's last expression its repr() is printed, as notebooks
do. What the document shows must be printed, but for what it tells of times, addresses, devices,
random draws, races, and arrays that `%timeit` changed some thousand times.
"""
import ast
import re
import subprocess
import sys
import tempfile

CELL = re.compile(r"^(In|Out)[ \xa0]?\[(\d+|[ \xa0])\]:", re.MULTILINE)
LISTING = re.compile(r"^ *1(?=\S).*(?:\n *\d+.*|\n(?=\n *\d+))*", re.MULTILINE)
SHOWN = re.compile(r"^#?\w+=\S")    # what f"{x=}" prints looks like an assignment
MARK = "==== cell"


def without_magics(line):
    plain = re.sub(r"^(\s*)%timeit (-[a-z]+ ?[0-9]* )*", r"\1", line)
    return re.sub(r"^(\s*)[%!].*", r"\1pass", plain)


def parses(lines):
    try:
        ast.parse("\n".join(map(without_magics, lines)))
    except SyntaxError:
        return False
    return True


def code_of(text):
    """The most lines at its beginning that are Python, and the lines behind them."""
    lines = text.splitlines()
    count = max(n for n in range(len(lines) + 1) if parses(lines[:n]))
    while count and (not lines[count - 1].strip() or SHOWN.match(lines[count - 1])):
        count -= 1
    return lines[:count], "\n".join(["", *lines[count:]]).split("\n\n")[0]


class Cell:
    def __init__(self, code, printed="", value=None):
        self.code, self.printed, self.value = code, printed, value

    def program(self):
        """Its lines without magics, the last expression printed where the document shows it."""
        lines = [without_magics(line) for line in self.code]
        statements = ast.parse("\n".join(lines)).body
        if self.value is not None and statements and isinstance(statements[-1], ast.Expr):
            last = statements[-1]
            value = ast.unparse(last.value)
            lines[last.lineno - 1:last.end_lineno] = [f"print(repr({value}))"]
        return "\n".join(lines)


def cells_of_notebook(text):
    parts = CELL.split(text)[1:]
    cells = []
    for kind, _, body in zip(parts[::3], parts[1::3], parts[2::3]):
        if kind == "In":
            cells.append(Cell(*code_of(body)))
        else:
            cells[-1].value = body.strip("\n").split("\n\n")[0]
    return [cell for cell in cells if cell.code]


def cells_of_listings(text):
    cells = []
    for found in LISTING.finditer(text):
        lines = found[0].splitlines()
        code = [re.sub(f"^ *{number}", "", line) for number, line in enumerate(
            (line for line in lines if line.strip()), 1)]
        behind = re.match(r"\s*(?:[^\n]+\n\n)?[^\n]*:\n\n\$ [^\n]*\n((?:[^\n]+\n?)*)",
                          text[found.end():])
        cells.append(Cell(code, behind[1] if behind else ""))
    return cells


def names_in(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


class Doubt:
    """What a document's figures hang on that another run need not repeat."""

    def __init__(self, absent):
        self.absent = set(absent)               # names of what kjit does not know
        self.random, self.timed = set(), set()  # names that hold draws, or what was called so often

    def of(self, cell):
        text = "\n".join(cell.code)
        tree = ast.parse("\n".join(map(without_magics, cell.code)))
        for line in ast.walk(tree):
            if isinstance(line, ast.Assign):
                self.assigned(line)
        for line in cell.code:
            if line.lstrip().startswith("%timeit"):
                for call in ast.walk(ast.parse(without_magics(line).strip())):
                    if isinstance(call, ast.Call):
                        self.timed |= set().union(*map(names_in, call.args + call.keywords))
        names = names_in(tree)
        for why, holds in (("a race", "# Race" in text), ("the device", "detect()" in text),
                           ("what kjit has not", names & self.absent),
                           ("random draws", names & self.random),
                           ("what was timed", names & self.timed)):
            if holds:
                return why
        return None

    def assigned(self, line):
        used = names_in(line.value)
        calls = {node.attr for node in ast.walk(line.value) if isinstance(node, ast.Attribute)}
        for target in set().union(*map(names_in, line.targets)):
            for held, holds in ((self.random, "random" in calls or used & self.random),
                                (self.timed, used & self.timed), (self.absent, used & self.absent)):
                (held.add if holds else held.discard)(target)


def plain(text):
    """Without what versions of NumPy print differently: spaces, and the shape of what is cut short."""
    return re.sub(r"\s+", "", re.sub(r"shape=\([^)]*\), *", "", text))


def differences(cells, printed, absent):
    doubt, same, left_out = Doubt(absent), 0, []
    for number, (cell, got) in enumerate(zip(cells, printed)):
        why = doubt.of(cell)
        wanted = f"{cell.printed}\n{cell.value or ''}"
        for line in wanted.splitlines():
            if not line.strip() or "±" in line:
                continue
            if plain(line) in plain(got):
                same += 1
            elif why or " at 0x" in line:
                left_out.append(f"{line.strip()[:60]}  ({why or 'an address'})")
            else:
                yield f"cell {number + 1}: not printed: {line}\n  but {got.strip()[:300]}"
    print(f"  {len(cells)} cells, {same} lines as in the document, {len(left_out)} left out")
    for line in left_out:
        print(f"    {line}")


def run(kjit, device, document):
    text = open(document, encoding="utf-8").read()
    cells = cells_of_notebook(text) if CELL.search(text) else cells_of_listings(text)
    if not any("cuda.jit" in line for cell in cells for line in cell.code):
        print(f"  {document}: no kernels")
        return 0
    program = "".join(f"{cell.program()}\nprint({MARK!r})\n" for cell in cells)
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([kjit, "run", "--device", device, file.name], text=True,
                              capture_output=True, timeout=600)
    sys.stderr.write(done.stderr)
    absent = re.findall(r"statements that only use '(\w+)'", done.stderr)
    printed = done.stdout.split(f"{MARK}\n")
    failed = 0
    if done.returncode or len(printed) != len(cells) + 1:
        print(f"FAIL: {document}: exit status {done.returncode}, stopped in cell {len(printed)}")
        failed = 1
    for difference in differences(cells, printed, absent):
        print(f"FAIL: {document}: {difference}")
        failed += 1
    return failed


def main():
    kjit, device, *documents = sys.argv[1:]
    failed = sum(run(kjit, device, document) != 0 for document in documents)
    print(f"{len(documents) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
