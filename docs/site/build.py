#!/usr/bin/env python3
"""Builds the site of docs/ by mkdocs: build.py --kjit KJIT --out FOLDER; it is in FOLDER/html.

README.md is its first page, and include/kjit.h, whose comments are the reference, another one. The
pictures of docs/gallery.md are drawn by the commands that stand below them.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=ROOT / "build/kjit", type=pathlib.Path)
    parser.add_argument("--out", default=ROOT / "build/site", type=pathlib.Path)
    return parser.parse_args()


def commands(text):
    """The commands of a page: indented lines that begin with kjit."""
    return re.findall(r"^    (kjit .*)$", text, re.MULTILINE)


def link_pages(text):
    """`docs/NAME.md` becomes a link to that page."""
    return re.sub(r"`docs/([a-z-]+)\.md`", r"[\1](\1.md)", text)


def comment_text(comment):
    """What a C comment says, without what makes it one."""
    lines = re.sub(r"^/\*+ ?|\*/$", "", comment.strip()).split("\n")
    return "\n".join(re.sub(r"^\s*\*\* ?|^   ", "", line).rstrip() for line in lines).strip()


def reference(header):
    """The header as a page: its sections are headings, its comments text, the rest code."""
    name = header.name
    body = header.read_text().split("#define KJIT_H\n")[-1]
    first = re.search(r"/\*.*?\*/", header.read_text(), re.DOTALL).group()
    out = [f"# {name}", "```text\n" + comment_text(first) + "\n```"]
    for part in re.split(r"^(/\*.*?\*/)$", body, flags=re.DOTALL | re.MULTILINE):
        section = re.fullmatch(r"/\* -+ (.*?) -+ \*/", part.strip())
        if section:
            out.append(f"## {section[1]}")
        elif part.strip().startswith("/*"):
            out.append("```text\n" + comment_text(part) + "\n```")
        elif part.strip():
            out.append("```c\n" + part.strip("\n") + "\n```")
    return "\n\n".join(out) + "\n"


def draw(kjit, pages):
    """The pictures of the gallery."""
    (pages / "pictures").mkdir(exist_ok=True)
    for command in commands((ROOT / "docs/gallery.md").read_text()):
        words = [str(ROOT / w) if w.startswith("examples/") else w for w in shlex.split(command)[1:]]
        subprocess.run([kjit, *words, "--device", "cpu", "-q"], cwd=pages, check=True,
                       stdout=subprocess.DEVNULL)


def main():
    asked = parse()
    pages = asked.out.resolve() / "docs"
    if not shutil.which("mkdocs"):
        sys.exit("mkdocs is not installed: make packages KINDS=site")
    shutil.rmtree(asked.out, ignore_errors=True)
    pages.mkdir(parents=True)
    for page in (ROOT / "docs").glob("*.md"):
        (pages / page.name).write_text(link_pages(page.read_text()))
    (pages / "index.md").write_text(link_pages((ROOT / "README.md").read_text()))
    (pages / "api.md").write_text(reference(ROOT / "include/kjit.h"))
    draw(asked.kjit.resolve(), pages)
    shutil.copy(ROOT / "docs/site/mkdocs.yml", asked.out)
    shutil.copy(ROOT / "docs/site/site.css", pages)
    subprocess.run(["mkdocs", "build", "-q", "-f", asked.out.resolve() / "mkdocs.yml"], check=True)


if __name__ == "__main__":
    main()
