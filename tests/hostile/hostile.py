#!/usr/bin/env python3
"""Gives the command what it should not be given, and a few odd things that it should take.

    hostile.py [--kjit build/kjit] [WORD ...]

Whatever comes, kjit answers in time, with one message and the exit status that belongs to it; it
never crashes. WORDs choose the cases whose name contains one. All files are made here, in a folder
that is removed afterwards. Prints the failures, then `N passed, N failed`; exits 1 if one failed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # this folder holds what is committed, nothing else

from arrays import npy_cases
from case import COMMAND, DONE, FAILED, PROGRAM
from commands import command_cases
from machine import machine_cases
from programs import source_cases

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 600  # what takes so long, however busy the machine, hangs

# What no message may say: a mistake of kjit's own, or what a sanitizer found.
OWN_MISTAKE = re.compile(
    r"ERROR: \w+Sanitizer|runtime error:|mistake in kjit|internal error|core dumped", re.I
)


def stored(path):
    """The float64 elements of a .npy file that kjit wrote, row-major."""
    content = path.read_bytes()
    head = 10 + struct.unpack("<H", content[8:10])[0]
    data = content[head:]
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def environment_of(case, cache):
    """The caller's, but for a cache of our own and malloc as it is without AddressSanitizer."""
    result = {"ASAN_OPTIONS": "allocator_may_return_null=1", **os.environ}
    result.update(KJIT_CACHE=str(cache), LC_ALL="C")
    for name, value in case.environment.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def complaint(case, done, folder):
    """None, or what is wrong with the answer."""
    said = done.stderr.decode("utf-8", "replace")
    short = said.strip()[:400] or "nothing said"
    if done.returncode < 0 or done.returncode > 127:
        return f"died with {done.returncode}: {short}"
    if done.returncode not in case.status:
        wanted = " or ".join(map(str, sorted(case.status)))
        return f"exit status {done.returncode}, not {wanted}: {short}"
    if OWN_MISTAKE.search(said):
        return f"blames itself: {short}"
    if len(said) > 100_000:
        return f"says {len(said)} bytes"
    if not re.search(case.says, said):
        return f"does not say {case.says!r}: {short}"
    if done.returncode == PROGRAM and not re.search(r": error: |^kjit", said, re.M):
        return f"no error in it: {short}"
    if done.returncode in (COMMAND, FAILED) and len(re.findall(r"^kjit", said, re.M)) != 1:
        return f"not one message: {short}"
    if done.returncode == DONE and case.wrote is not None:
        got = stored(folder / "out.npy")
        if got[: len(case.wrote)] != case.wrote:
            return f"wrote {got[:8]}, not {case.wrote}"
    return None


def run(case, kjit, cache, folder):
    """None, or what went wrong."""
    for name, content in case.files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    if case.before:
        case.before(folder)
    stdout = open(case.stdout, "wb") if case.stdout else subprocess.DEVNULL
    try:
        done = subprocess.run(
            [kjit, *case.arguments],
            cwd=folder,
            env=environment_of(case, cache),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {SECONDS} s"
    finally:
        if case.stdout:
            stdout.close()
    return complaint(case, done, folder)


def attempt(case, kjit, cache, folder):
    """As run(), in a folder of the case's own."""
    folder.mkdir()
    try:
        return run(case, kjit, cache, folder)
    except (OSError, RuntimeError, ValueError) as wrong:
        return f"could not be tried: {wrong}"
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description="give kjit what it should not be given")
    parser.add_argument("--kjit", default=str(ROOT / "build" / "kjit"))
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    kjit = shutil.which(os.path.abspath(options.kjit))
    if not kjit:
        sys.exit(f"{options.kjit} is not there: build it first")

    passed = failed = 0
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as pool:
        cache = pathlib.Path(top) / "cache"
        cases = [*npy_cases(), *command_cases(), *source_cases(), *machine_cases(kjit)]
        chosen = [
            case
            for case in cases
            if not options.words or any(word in case.name for word in options.words)
        ]
        folders = [pathlib.Path(top) / str(number) for number in range(len(chosen))]
        failures = pool.map(
            lambda case, folder: attempt(case, kjit, cache, folder), chosen, folders
        )
        for case, failure in zip(chosen, failures):
            passed += failure is None
            failed += failure is not None
            if failure:
                print(f"failed: {case.name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
