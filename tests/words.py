#!/usr/bin/env python3
"""What documents say of files, and how they spell: words.py

Links of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/*.md lead to files that exist, and to
headings of these; files that they name, `docs/ir.md`, `tests/site.py`, are there. codespell, where
it is installed, finds nothing in them, in what the command says and in the headers. Prints a line
for what is wrong and then `N passed, N failed`, with `, N skipped` without codespell.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = "bench|cli|docs|editors|examples|include|packaging|stdlib|tests"
SPELLED = ["docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "cli", "include", "editors",
           "packaging", "stdlib", "examples"]


def headings(text):
    """The names that links have for the headings, as mkdocs and code hosts make them."""
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())
            for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def link_complaints(path, text):
    prose = re.sub(r"```.*?```|^    .*?$|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        name, _, place = target.partition("#")
        there = path.parent / name if name else path
        if re.match(r"[a-z]+:", target) or there.name in ("api.md", "index.md"):
            continue  # elsewhere, or a page that docs/site makes
        if name.startswith("pictures/"):
            continue  # drawn for the site
        if not there.exists():
            yield f"there is no {target}"
        elif place and place not in headings(there.read_text()):
            yield f"there is no heading for {target}"


def file_complaints(text):
    for name in re.findall(rf"`((?:{FOLDERS})/[\w./-]*\.\w+)`", text):
        if not (ROOT / name).exists() and not re.search(r"[A-Z]{4}\w*\.\w+$", name):
            yield f"there is no file {name}"


def spelling_complaints():
    """`hge` is an instruction of half floats."""
    done = subprocess.run(["codespell", "-L", "hge,fro", *SPELLED], cwd=ROOT, capture_output=True,
                          text=True)
    return done.stdout.splitlines()


def main():
    documents = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")]
    checks = []
    for path in documents + sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text()
        checks.append((path.name, [*link_complaints(path, text), *file_complaints(text)]))
    speller = shutil.which("codespell")
    if speller:
        checks.append(("spelling", spelling_complaints()))
    for name, wrong in checks:
        for each in wrong:
            print(f"{name}: {each}")
    failed = sum(bool(wrong) for _, wrong in checks)
    print(f"{len(checks) - failed} passed, {failed} failed" + ("" if speller else ", 1 skipped"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
