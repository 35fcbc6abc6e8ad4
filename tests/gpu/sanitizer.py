#!/usr/bin/env python3
"""What compute-sanitizer says of the kernels that the checker's tests are made of.

    sanitizer.py --kjit build/kjit [--jobs N] [--twins] [PROGRAM ...]

Runs the kernels of tests/golden/defects on the GPU under that tool of compute-sanitizer that looks
for what their marks name (TOOLS), but for those that would not end; --twins also the repaired ones,
under the tools of their pairs. Writes a line for each: file, kernel, rule, tool, and how often it
complained, `-` if it did not, `hung` if the kernel did not end, `failed` if the launch failed
without a word of the tool. The last lines sum that up. This is the comparison of docs/checking.md,
not a test: no tool has to find what another one does.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "check"))

import marks  # noqa: E402

TOOLS = {"race": "racecheck", "unwritten": "initcheck", "divergent-barrier": "synccheck",
         "absent-lanes": "synccheck", "out-of-bounds": "memcheck", "misaligned": "memcheck"}
SECONDS = 20
SUMMARY = re.compile(r"(?:ERROR SUMMARY: |RACECHECK SUMMARY: )(\d+)")


def sanitizer_path():
    beside = pathlib.Path("/usr/local/cuda/bin/compute-sanitizer")
    return shutil.which("compute-sanitizer") or (str(beside) if beside.exists() else None)


def said(sanitizer, kjit, tool, program, kernel):
    """How often the tool complained, or what else became of the run."""
    command = [sanitizer, "--tool", tool, kjit, "run", f"{program}:{kernel}", "--device", "cuda",
               "--passes", "none", "-q"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    found = SUMMARY.search(done.stdout + done.stderr)
    if found and int(found.group(1)):
        return found.group(1)
    return "-" if done.returncode == 0 else "failed"


def asked_of(programs, twins):
    """(program, kernel, rule, tool) of each run."""
    for program in programs:
        kernels = marks.marks_of(program)
        for kernel, marked in kernels.items():
            pair = kernels.get(kernel.removesuffix("_repaired"), marked)
            rules = {rule for (_, rule), must in pair.items() if must}
            if "deadlock" in rules or (pair is not marked and not twins):
                continue
            for rule in sorted(rules & TOOLS.keys()):
                yield program, kernel, rule if pair is marked else "repaired", TOOLS[rule]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--twins", action="store_true")
    parser.add_argument("programs", nargs="*",
                        default=sorted(map(str, HERE.parent.glob("golden/defects/*.k"))))
    options = parser.parse_args()
    sanitizer = sanitizer_path()
    if not sanitizer:
        sys.exit("sanitizer.py: compute-sanitizer is not here: install CUDA's toolkit")

    asked = list(asked_of(options.programs, options.twins))
    with ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda one: said(sanitizer, options.kjit, one[3], *one[:2]), asked)
        sums = collections.defaultdict(collections.Counter)
        for (program, kernel, rule, tool), answer in zip(asked, answers):
            print(pathlib.Path(program).name, kernel, rule, tool, answer, sep="\t", flush=True)
            sums[rule, tool]["told" if answer.isdigit() else answer] += 1
    for (rule, tool), counts in sorted(sums.items()):
        print(rule, tool, *(f"{what} {count}" for what, count in sorted(counts.items())), sep="\t")


if __name__ == "__main__":
    main()
