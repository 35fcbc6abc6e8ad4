#!/usr/bin/env python3
"""Makes a kernel that two ways treat differently smaller, as long as they do.

    reduce.py FILE.k --outputs NAME,... --ways SAME,...,OTHER [--kjit build/kjit] [--minutes M] [-o FILE]

All ways (ways.py; "cuda -PASS" is "cuda" without a pass) but the last one must leave the same arrays, and
the last one others. Statements are taken out, in ever smaller groups, and what is left is tried: what does
not compile, or fails in some way, is no smaller kernel. "checked" among the ways keeps out kernels that read
what was never written. Writes the smallest one found, when nothing more can be taken out or after M minutes.
"""
import argparse
import ast
import copy
import os
import pathlib
import sys
import tempfile
import time
import types

import worker
from ways import WAYS, Way


def bodies(tree):
    """Every list of statements in it."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            if isinstance(getattr(node, field, None), list):
                yield node, field


def statements(tree):
    """Every statement, as the list that has it and its number there; what is deepest comes last."""
    return [(node, field, i) for node, field in bodies(tree) for i in range(len(getattr(node, field)))]


def without(tree, numbers):
    """The tree without these of its statements."""
    made = copy.deepcopy(tree)
    for node, field, i in sorted((statements(made)[n] for n in numbers), key=lambda each: -each[2]):
        del getattr(node, field)[i]
    for node, field in bodies(made):
        if field == "body" and not getattr(node, field) and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]
    return made


def flattened(tree):
    """Trees with a compound statement replaced by what it holds."""
    for n, (node, field, i) in enumerate(statements(tree)):
        if isinstance(getattr(node, field)[i], (ast.For, ast.If, ast.While, ast.With)):
            made = copy.deepcopy(tree)
            node, field, i = statements(made)[n]
            getattr(node, field)[i:i + 1] = getattr(node, field)[i].body
            yield made


class Judge:
    def __init__(self, options):
        library = pathlib.Path(options.kjit).resolve().parent / "libkjit.so"
        self.folder = tempfile.TemporaryDirectory()
        self.worker = worker.Worker(library, pathlib.Path(self.folder.name))
        self.ways = [way_called(name) for name in options.ways.split(",")]
        self.outputs, self.tried, self.end = options.outputs.split(","), {}, time.monotonic() + 60 * options.minutes

    def out_of_time(self):
        return time.monotonic() > self.end

    def differs(self, tree):
        text = ast.unparse(tree)
        if text not in self.tried:
            self.tried[text] = self.try_out(text)
        return self.tried[text]

    def try_out(self, text):
        made = types.SimpleNamespace(text=text, outputs=self.outputs)
        try:
            first = self.worker.results(made, self.ways[0])
            if any(worker.compare(first, self.worker.results(made, way), "") for way in self.ways[1:-1]):
                return False
            return bool(worker.compare(first, self.worker.results(made, self.ways[-1]), ""))
        except RuntimeError:
            return False


def way_called(name):
    return WAYS[name] if name in WAYS else Way("cuda", passes=name.removeprefix("cuda "))


def reduce(tree, judge):
    while not judge.out_of_time():
        before = ast.unparse(tree)
        size = max(len(statements(tree)) // 2, 1)
        while size and not judge.out_of_time():
            begin = len(statements(tree))
            while begin > 0 and not judge.out_of_time():
                begin = max(begin - size, 0)
                end = min(begin + size, len(statements(tree)))
                chosen = list(range(begin, end))
                made = attempt(tree, chosen)
                if made and judge.differs(made):
                    tree = made
            size //= 2
        for made in flattened(tree):
            if judge.differs(made):
                tree = made
                break
        if ast.unparse(tree) == before:
            break
    return tree


def attempt(tree, chosen):
    """Without them; None where one of them is within another."""
    try:
        return without(tree, chosen)
    except IndexError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--outputs", required=True, metavar="NAME,...")
    parser.add_argument("--ways", required=True, metavar="WAY,...")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    os.environ.setdefault("KJIT_CACHE_SIZE", "0")
    said, sys.stdout = sys.stdout, sys.stderr     # what the worker says is for another listener
    judge, tree = Judge(options), ast.parse(options.file.read_text())
    if not judge.differs(tree):
        sys.exit(f"reduce.py: {options.file}: all ways agree")
    text = ast.unparse(reduce(tree, judge)) + "\n"
    if options.output == "-":
        said.write(text)
    else:
        pathlib.Path(options.output).write_text(text)


if __name__ == "__main__":
    main()
