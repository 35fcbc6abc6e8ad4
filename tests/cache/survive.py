#!/usr/bin/env python3
"""Whether the disk cache survives what can befall it.

    survive.py [--kjit build/kjit] [WORD ...]

Many processes that start cold at once, kill -9 at random moments, full disks, homes that cannot be
written or are missing, entries cut short, flipped bits, other users' files, clocks that jump: never
a wrong result, never a hang, never more than the bound. WORDs choose the cases whose name contains
one. What cannot be tried here, for want of rights or mounts, counts as skipped and says why. Prints
the failures, then `N passed, N failed`, with `, N skipped` where some were; exits 1 if one failed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # this folder holds what is committed, nothing else

import files
import places
import storms
from box import Box, Failure, Skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALONE = "KJIT_TEST_MOUNTS"


def go_alone():
    """Starts this script again where its mounts are its own, and end with it."""
    if ALONE in os.environ or not shutil.which("unshare"):
        return
    for options in (["-m"], ["-Urm"]):
        command = ["unshare", *options]
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            os.environ[ALONE] = "1"
            os.execvp("unshare", [*command, sys.executable, "-B", *sys.argv])


def remove(top):
    """Compilers whose kjit was killed may still be writing there."""
    for _ in range(100):
        shutil.rmtree(top, ignore_errors=True)
        if not os.path.exists(top):
            return
        time.sleep(0.05)


def run(case, kjit):
    """None, or what went wrong; a Skip passes."""
    folder = tempfile.gettempdir()
    spaces = len(folder.split()) > 1  # KJIT_CC, which names a compiler in it, is words
    top = tempfile.mkdtemp(prefix="kjit-survive-", dir="/tmp" if spaces else folder)
    box = Box(kjit, top)
    try:
        case(box)
    except Failure as wrong:
        return str(wrong)
    except (OSError, ValueError, KeyError) as wrong:
        return f"could not be tried: {wrong!r}"
    finally:
        box.close()
        remove(top)
    return None


def main():
    parser = argparse.ArgumentParser(description="try what can befall the disk cache")
    parser.add_argument("--kjit", default=str(ROOT / "build" / "kjit"))
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    kjit = shutil.which(os.path.abspath(options.kjit))
    if not kjit:
        sys.exit(f"{options.kjit} is not there: build it first")
    go_alone()

    passed = failed = skipped = 0
    for case in [*storms.CASES, *files.CASES, *places.CASES]:
        name = case.__name__.replace("_", " ")
        if options.words and not any(word in name for word in options.words):
            continue
        try:
            failure = run(case, kjit)
        except Skip as why:
            print(f"skipped: {name}: {why}", flush=True)
            skipped += 1
            continue
        passed += failure is None
        failed += failure is not None
        if failure:
            print(f"failed: {name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
