#!/usr/bin/env python3
"""Random kernels as IR text: what is printed and read again prints the same, and the same code comes
of it (tests/unit/test_ir_text.c, which is given them).

    texts.py [--tester build/tests/unit/test_ir_text] [--first SEED] [--count N] [--keep FOLDER]

Each seed makes a kernel by generate.py and one by naive.py. Ends in `N passed, N failed`, of groups
of EACH seeds; the kernels of those that fail stay in FOLDER.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile

import generate
import naive

EACH = 25
SECONDS = 600


def try_seeds(tester, seeds, keep):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in seeds:
            for maker in (generate, naive):
                path = pathlib.Path(folder) / f"{maker.__name__}_{seed}.k"
                path.write_text(maker.program(seed).text)
                paths.append(str(path))
        done = subprocess.run([tester, *paths], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode == 0:
            return True
        print(f"seeds {seeds[0]} to {seeds[-1]}:", (done.stderr + done.stdout)[-2000:], sep="\n")
        shutil.copytree(folder, keep, dirs_exist_ok=True)
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tester", default="build/tests/unit/test_ir_text")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", default="build/random/texts")
    args = parser.parse_args()
    seeds = list(range(args.first, args.first + args.count))
    verdicts = [try_seeds(args.tester, seeds[at:at + EACH], args.keep) for at in range(0, len(seeds), EACH)]
    print("== texts ==")
    print(f"{sum(verdicts)} passed, {len(verdicts) - sum(verdicts)} failed")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
