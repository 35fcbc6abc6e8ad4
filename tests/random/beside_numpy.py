#!/usr/bin/env python3
"""Random programs of arrays (arrays.py), run by kjit and by NumPy: what they print must be the same.

A seed makes the same program everywhere. One that differs is named, with the first line that does,
and its text is left in build/random. --damaged N also runs N spoilt copies of each: whatever comes
of them is a message, or a result, but no crash.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import arrays                                                           # noqa: E402

DRAWING = threading.Lock()


def run(options, path):
    done = subprocess.run([options.kjit, "run", "--device", options.device, str(path)],
                          capture_output=True, timeout=600, env=options.environment)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode(
        "utf-8", "replace")


def first_difference(got, wanted):
    got, wanted = got.splitlines(), wanted.splitlines()
    for number, (line, right) in enumerate(zip(got, wanted)):
        if line != right:
            return number, line, right
    shorter = min(len(got), len(wanted))
    return shorter, *("\n".join(text[shorter:shorter + 1]) for text in (got, wanted))


def line_of(text, number):
    """The statement whose value is line `number` of what is printed."""
    body = text.split("\n\n\n", 2)[2].splitlines()
    shown = [at for at, line in enumerate(body) if line.startswith("show(")]
    return body[shown[number] - 1] if number < len(shown) else ""


def compare(options, seed):
    if options.only_damaged:
        with DRAWING:
            text, _ = arrays.program(seed)
        return spoilt(options, seed, text)
    with DRAWING:   # it sets what is printed and warned of for the whole process
        text, wanted = arrays.program(seed)
    path = options.folder / f"arrays{seed}.py"
    path.write_text(text)
    status, out, err = run(options, path)
    if status == 0 and out == wanted:
        path.unlink()
        return spoilt(options, seed, text)
    number, got, right = first_difference(out, wanted)
    last = err.strip().splitlines()[-1:] or [""]
    return (f"{seed}: {line_of(text, number)}\n    kjit:  {got[:200]}{last[0] if not got else ''}\n"
            f"    numpy: {right[:200]}\n    {path}")


def spoil(r, text):
    """A copy with something taken out, doubled or put in another place."""
    head, _, body = text.rpartition("\n\n\n")
    for _ in range(r.randint(1, 3)):
        at, size = r.randrange(len(body) + 1), r.choice([1, 1, 2, 5, 20])
        way = r.random()
        if way < 0.4:
            body = body[:at] + body[at + size:]
        elif way < 0.6:
            body = body[:at] + body[at:at + size] + body[at:]
        elif way < 0.8:
            to = r.randrange(len(body) + 1)
            body = body[:at] + body[to:to + size] + body[at:]
        else:
            body = body[:at] + r.choice("()[]:,.=+-*/%01 \n'\"v") + body[at:]
    return head + "\n\n\n" + body


def spoilt(options, seed, text):
    r = random.Random(f"spoilt {seed}")
    for copy in range(options.damaged):
        path = options.folder / f"arrays{seed}.{copy}.py"
        path.write_text(spoil(r, text))
        status, _, err = run(options, path)
        explained = status in (0, 1, 3) and "internal" not in err and (status == 0 or err.strip())
        if not explained:
            return f"{seed}, damaged: exit status {status}\n    {err[-300:]}\n    {path}"
        path.unlink()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--damaged", type=int, default=0, help="spoilt copies of each program")
    parser.add_argument("--only-damaged", action="store_true", help="compare nothing with NumPy")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep-cache", help="a folder for compiled kernels, instead of a new one")
    options = parser.parse_args()
    options.kjit = os.path.abspath(options.kjit)
    options.folder = pathlib.Path("build/random")
    options.folder.mkdir(parents=True, exist_ok=True)
    terminal = sys.stdout           # arrays.program() has another in its place meanwhile
    with tempfile.TemporaryDirectory() as cache:
        options.environment = {"KJIT_CACHE": options.keep_cache or cache, **os.environ}
        with ThreadPoolExecutor(options.jobs) as pool:
            seeds = range(options.first, options.first + options.count)
            failed = 0
            for said in pool.map(lambda seed: compare(options, seed), seeds):
                if said:
                    failed += 1
                    print(said, file=terminal, flush=True)
    print(f"{options.count - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
