#!/usr/bin/env python3
"""The site of docs/: site.py --kjit KJIT --site FOLDER

Every link of a page leads to a page and a place in it; no page fetches anything from elsewhere; the
search finds things; and what the pages for beginners show is run as they show it. Prints a line for
what is wrong and then `N passed, N failed`.
"""
import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
RUN = ["tutorial.md", "from-numba.md", "from-cuda.md", "from-opencl.md"]


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and its places."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.add(attrs.get("id"))
        self.places.add(attrs.get("name"))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag in ("img", "script", "iframe") and attrs.get("src"):
            self.loads.append(attrs["src"])
        if tag == "link" and attrs.get("href") and attrs.get("rel") != "canonical":
            self.loads.append(attrs["href"])


def check_page(path, pages):
    page, wrong = pages[path], []
    for link in page.links + page.loads:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            if link in page.loads:
                wrong.append(f"loads {link}")
            continue
        there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not there.exists():
            wrong.append(f"no page {link}")
        elif parts.fragment and there in pages and (
                urllib.parse.unquote(parts.fragment) not in pages[there].places):
            wrong.append(f"no place {link}")
    return wrong


def check_search(site):
    found = json.loads((site / "search/search_index.json").read_text())["docs"]
    return [f"the search has nothing of {word}" for word in ("histogram", "KJIT_CALL", "roofline")
            if not any(word in each["text"] for each in found)]


def check_spelling():
    """By codespell; `hge` is an instruction of half floats."""
    if not shutil.which("codespell"):
        return ["codespell is not installed: make packages KINDS=site"]
    done = subprocess.run(["codespell", "-L", "hge", "docs", "README.md", "CONTRIBUTING.md"],
                          cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines()


def run_page(kjit, page):
    """Files that stand in the page, by their first line, and then its commands in turn."""
    text, wrong = (ROOT / "docs" / page).read_text(), []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", pathlib.Path(folder) / "examples")
        for body in re.findall(r"^```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            name = re.match(r"(?:#|//) (\S+)\n", body)
            if name:
                (pathlib.Path(folder) / name[1]).write_text(body)
        env = os.environ | {"PATH": f"{kjit.parent}:{os.environ['PATH']}", "HOME": folder,
                            "LD_LIBRARY_PATH": str(kjit.parent)}
        flags = f"-I{ROOT}/include -L{kjit.parent} -lkjit"
        for line in re.findall(r"^    (\S.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL),
                               re.MULTILINE):
            line = line.replace("$(pkg-config --cflags --libs kjit)", flags)
            done = subprocess.run(line, shell=True, cwd=folder, env=env, capture_output=True,
                                  text=True, timeout=600)
            undecided = line.startswith("kjit tune") and "no winner is named" in done.stderr
            if done.returncode and not undecided:
                wrong.append(f"{line}: {done.returncode}: {done.stdout}{done.stderr}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", type=pathlib.Path, required=True)
    parser.add_argument("--site", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    site = asked.site.resolve()
    pages = {path: Page(path) for path in site.glob("*.html") if path.name != "404.html"}
    checks = [(path.name, check_page(path, pages)) for path in sorted(pages)]
    checks.append(("search", check_search(site)))
    checks.append(("spelling", check_spelling()))
    checks += [(page, run_page(asked.kjit.resolve(), page)) for page in RUN]
    failed = sum(bool(wrong) for _, wrong in checks)
    for name, wrong in checks:
        for each in wrong:
            print(f"{name}: {each}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
