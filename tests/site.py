#!/usr/bin/env python3
"""The site of docs/: site.py --kjit KJIT --site FOLDER

Every link of a page leads to a page and a place in it, and what the pages for beginners show is run
as they show it. In a browser, light and dark, no page complains, fetches anything from elsewhere,
lacks a picture or is wider than the window, and the search finds things. Prints a line for what is
wrong and then `N passed, N failed`, with `, N skipped` where there is no Chromium.
"""
import argparse
import functools
import html.parser
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import browser

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


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *unused):
        pass


def serve(site):
    """Its address; the search wants one that is not a file's."""
    server = http.server.ThreadingHTTPServer(("localhost", 0),
                                             functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_port}"


def look_at(chromium, url, home):
    wrong = []
    for dark in (False, True):
        chromium.dark(dark)
        chromium.call("Storage.clearDataForOrigin", origin=home, storageTypes="all")
        chromium.open(url)
        if chromium.run("document.body.dataset.mdColorScheme") != ("slate" if dark else "default"):
            wrong.append("is not dark" if dark else "is not light")
        wrong += chromium.complaints
        wrong += [f"asks for {each}" for each in chromium.asked
                  if not each.startswith((home, "data:"))]
        wrong += chromium.run("[...document.images].filter(each => !each.naturalWidth)"
                              ".map(each => 'no picture ' + each.src)")
        if chromium.run("document.documentElement.scrollWidth > innerWidth"):
            wrong.append("is wider than the window")
    return wrong


def search_for(chromium, home, words):
    wrong = []
    for word in words:
        chromium.open(f"{home}/index.html")
        chromium.run("document.querySelector('[data-md-component=search-query]').focus()")
        chromium.wait_for("document.querySelector('.md-search-result__meta').innerText"
                          ".startsWith('Type')")
        chromium.type(word)
        if not chromium.wait_for("document.querySelectorAll('.md-search-result__link').length"):
            wrong.append(f"the search has nothing of {word}")
    return wrong


def check_in_browser(site, pages):
    home = serve(site)
    with browser.Browser() as chromium:
        checks = [(f"{path.name} in Chromium", look_at(chromium, f"{home}/{path.name}", home))
                  for path in sorted(pages)]
        words = ["histogram", "KJIT_CALL", "roofline"]
        return checks + [("search", search_for(chromium, home, words))]


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
    skipped = 0 if browser.found() else len(pages) + 1
    checks += [] if skipped else check_in_browser(site, pages)
    checks += [(page, run_page(asked.kjit.resolve(), page)) for page in RUN]
    failed = sum(bool(wrong) for _, wrong in checks)
    for name, wrong in checks:
        for each in wrong:
            print(f"{name}: {each}")
    print(f"{len(checks) - failed} passed, {failed} failed, {skipped} skipped"
          + (": there is no chromium: make packages KINDS=browser" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
