"""Compares what `kjit check` finds with the marks in kernels.

    tests/check/marks.py [--kjit build/kjit] [--clean | --races] [FILE...]

A line that ends with `# <- RULE, RULE` has to be named by a finding of each of these rules, and a
finding may name no line without a mark of its rule; `RULE?` may be named. A mark belongs to the
kernel at which its section of the file ends: a kernel, and the device functions above it. Kernels
whose names end with _repaired have no marks, and nothing may be found in them. What was found is
read in the goldens beside a FILE, which `kjit test` compares with what is found now.

With --clean, kernels are checked now, and may have no findings: examples, the standard library.
With --races, too, but only races count: of kernels whose results are compared, which may have none
without a mark. Those that are not compared have names that end with _without_a_barrier.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MARK = re.compile(r"#\s*<-\s*(.*)$")
SECTION = re.compile(r"== (\w+) ==$")
FOUND = re.compile(r"(std:)?[^ :]+:(\d+):\d+: (?:advice, )?(?!note)([a-z-]+): (.*)")
CALLED = re.compile(r"[^ :]+:(\d+):\d+: note: called here")
THREAD = re.compile(r"[^ :]+:(\d+):\d+: note: (?:another )?thread ")


def marks_of(path):
    """For each kernel {(line, rule): whether it must be named}."""
    kernels, marks, is_kernel = {}, {}, False
    current = None
    for number, line in enumerate(open(path), 1):
        if line.startswith("@"):
            if current is not None:
                current, marks = None, {}
            if line.startswith("@example"):
                is_kernel = True
        elif line.startswith("def ") and is_kernel:
            current = line[4:line.index("(")]
            kernels[current] = marks
            is_kernel = False
        found = MARK.search(line)
        for rule in found.group(1).split(",") if found else ():
            rule = rule.strip()
            marks[(number, rule.rstrip("?"))] = not rule.endswith("?")
    return kernels


def has_no_kernels(path):
    return not re.search(r"^@(cuda\.jit|kernel)\b(?!\(.*device=True)", open(path).read(), re.M)


def findings_of(kjit, path, options):
    done = subprocess.run([kjit, "check", "--json", *options, path], capture_output=True,
                          text=True, timeout=600)
    if done.returncode == 2 and "nothing to check" in done.stderr:
        return [], None
    if done.returncode not in (0, 4):
        return None, f"{path}: exit status {done.returncode}: {done.stderr.strip()}"
    # Kernels may print.
    return json.loads(done.stdout[done.stdout.rindex('{\n  "kernels"'):])["kernels"], None


def findings_told(path):
    """What the goldens beside a file hold, as `kjit check --json` would give it."""
    kernels = {name: [] for name in marks_of(path)}
    goldens = [f"{path[:-2]}.{kind}" for kind in ("check", "nan.check", "advise.check")]
    for golden in filter(os.path.exists, goldens):
        for line in open(golden):
            section, found, called, thread = (pattern.match(line) for pattern in
                                              (SECTION, FOUND, CALLED, THREAD))
            if section:
                findings = kernels[section[1]]
            elif found:
                findings.append({"rule": found[3], "message": found[4].strip(), "other": None,
                                 "at": None if found[1] else {"line": int(found[2])}})
            elif called and not findings[-1]["at"]:  # what is found in the library
                findings[-1]["at"] = {"line": int(called[1])}
            elif thread and findings[-1]["at"] and int(thread[1]) != findings[-1]["at"]["line"]:
                findings[-1]["other"] = {"line": int(thread[1])}
    return [{"kernel": name, "findings": findings} for name, findings in kernels.items()]


def findings_one_by_one(kjit, path, options):
    """Of those kernels that can be launched."""
    found = [findings_of(kjit, f"{path}:{kernel}", options) for kernel in marks_of(path)]
    return [kernel for kernels, failure in found if not failure for kernel in kernels], None


def places_of(finding):
    return [place["line"] for place in (finding["at"], finding["other"]) if place]


def complaints(kjit, path, clean, races):
    """What is missed, and what is found that should not be."""
    # Which races there are does not depend on the order of threads.
    options = ["--orders", "1"] if races else []
    if clean and has_no_kernels(path):
        return []
    if clean or races:
        checked, failure = findings_of(kjit, path, options)
    else:
        checked, failure = findings_told(path), None
    if failure and races:
        checked, failure = findings_one_by_one(kjit, path, options)
    if failure:
        return [failure]
    wanted = {} if clean else marks_of(path)
    out = []
    for kernel in checked:
        name = kernel["kernel"]
        marks = wanted.get(name, {})
        if races:  # of a file's kernels and functions, which share their lines
            marks = {mark: False for marks in wanted.values() for mark in marks}
        missed = {mark for mark, must in marks.items() if must}
        if races and name.endswith("_without_a_barrier"):
            continue
        for finding in kernel["findings"]:
            if races and finding["rule"] != "race":
                continue
            named = {(line, finding["rule"]) for line in places_of(finding)}
            missed -= named
            if not named or any(place not in marks for place in named):
                lines = ", ".join(map(str, places_of(finding)))
                out.append(f"{path}:{name}: not expected: {finding['rule']} at line {lines}: "
                           f"{finding['message']}")
        for line, rule in sorted(missed):
            out.append(f"{path}:{name}: missed: {rule} at line {line}")
    if not clean and not races:
        out += [f"{path}:{name}: has no mark" for name, marks in wanted.items()
                if not marks and not name.endswith("_repaired")]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kjit", default="build/kjit")
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--races", action="store_true")
    parser.add_argument("paths", nargs="*", metavar="FILE")
    options = parser.parse_args()
    kjit = os.path.abspath(options.kjit)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        told = [line for lines in pool.map(lambda path: complaints(kjit, path, options.clean,
                                                                   options.races), options.paths)
                for line in lines]
    for line in told:
        print(line)
    print(f"{len(options.paths)} files, {len(told)} complaints")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
