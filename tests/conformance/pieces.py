#!/usr/bin/env python3
"""That every piece of the preludes that a GPU may come to is in a kernel that `make test-gpu` runs.

    pieces.py [--kjit build/kjit]

Emits the CUDA C of the examples, the programs, the standard library's tests and the tables of values, and
looks for each piece of codegen/prelude/ that CUDA C can have, at one of its types at least. Needs no
GPU. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/conformance"))
import check as values  # noqa: E402
import pairs  # noqa: E402

FILES = ["prelude.cu", "atomics.cu", "both.c", "complex.c", "half.c", "exact.c", "libdevice.cu"]
SIGNED, UNSIGNED = ["i8", "i16", "i32", "i64"], ["u8", "u16", "u32", "u64"]
CLASSES = {"signed": SIGNED, "unsigned": UNSIGNED, "int": SIGNED + UNSIGNED, "float": ["f32", "f64"],
           "complex": ["c64", "c128"]}

# What no kernel of the set comes to: of deterministic sums what processors alone do, and constants that
# other pieces hold; the truth of a complex number, which is compared with 0; several elements of shared
# memory at once, which passes make for launches of their own measuring; copies that are not waited for,
# parts of numbers for tensor cores and roots of unrolled loops, which passes make, too, as all of
# tensor.cu and groups.cu: tests/gpu/products.py and the goldens of passes run them.
ELSEWHERE = {"exact_merge", "EXACT_FLAGS", "complex_true", "wide_copy2", "wide_copy4", "wide_copy8",
             "wide_copy16", "wide_copy32", "wide_copy64", "wide_load2", "async_copy4", "async_copy8",
             "async_copy16", "async_commit", "async_wait", "tf32_split", "bf16_split", "straight_sqrt",
             "straight_one_by"}


def pieces():
    """What each piece is called in a text, at any of its types, without what CUDA has built in."""
    found = []
    for name in FILES:
        rows = subprocess.run(["awk", "-f", "base/each.awk", "-f", "codegen/prelude/pieces.awk",
                               f"codegen/prelude/{name}"], text=True, capture_output=True, cwd=ROOT, check=True).stdout
        for piece, types in re.findall(r'^PIECE\("(\w+)", "([^"]*)", "[^"]*", "", ', rows, re.M):
            suffixes = [suffix for word in types.split() for suffix in CLASSES.get(word, [word])]
            found.append((f"{name}: {piece} {types}",
                          {piece if suffix == "-" else f"{piece}_{suffix}" for suffix in suffixes}))
    return found


def emitted(kjit, *words):
    done = subprocess.run([kjit, "build", *words, "--emit", "cuda"], capture_output=True, text=True,
                          cwd=values.VALUES)
    return done.stdout


def from_text(kjit, path, text, signature):
    path.write_text(text)
    return kjit, str(path), "--sig", signature


def texts(kjit, folder):
    """What to build: files of kernels with examples, and the kernels of the tables by their types."""
    for pattern in ("examples/*.k", "tests/programs/*.k", "tests/golden/*/*.k"):
        for path in sorted(ROOT.glob(pattern)):
            if b"@example" in path.read_bytes():
                yield kjit, str(path)
                yield kjit, str(path), "--facts=launch", "--passes=all"
    for number, t in enumerate(map(pairs.Integers, pairs.TYPES)):
        yield from_text(kjit, folder / f"pairs{number}.k", pairs.program(t, list(pairs.pairs_of(t))[::7]),
                        f"pairs({', '.join([t.name + '[::1]'] * 3)}, {t.name}[:, ::1])")
    inputs = values.load(values.VALUES / "inputs.npz")
    for kernel in values.kernels([]):
        types = [f"{inputs[name].dtype}[::1]" if name in inputs else f"{kernel.answers[name].dtype}[:, ::1]"
                 for name in kernel.parameters]
        yield kjit, f"{kernel.family}.k:{kernel.name}", "--sig", f"{kernel.name}({', '.join(types)})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=ROOT / "build/kjit")
    kjit = os.path.abspath(parser.parse_args().kjit)
    wanted, used = pieces(), set()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for text in pool.map(lambda words: emitted(*words), texts(kjit, pathlib.Path(folder))):
            used |= set(re.findall(r"\w+", text))
    unused = [title for title, names in wanted if not names & used and title.split()[1] not in ELSEWHERE]
    for title in unused:
        print(f"{title}: no kernel of `make test-gpu` uses it")
    print(f"{len(wanted) - len(unused)} passed, {len(unused)} failed")
    return bool(unused)


if __name__ == "__main__":
    sys.exit(main())
