#!/usr/bin/env python3
"""The picture of the house: which folder includes which, as a Mermaid graph.

    picture.py [--write]

Prints the graph that the includes of today make, or with --write puts it into docs/architecture.md,
between the lines ```mermaid and ```. An arrow leads from a folder to one that includes it; one that
follows from others is left out, so that what is drawn are the layers.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/architecture.md"
TOPS = ("base", "lexer", "parser", "ir", "codegen", "runtime", "include", "stdlib", "cli")
INCLUDE = re.compile(r'^ *# *include *"([^"]+)/[^"/]+"', re.MULTILINE)
BLOCK = re.compile(r"(?<=^```mermaid\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def sources():
    """By folder, the files in it, those of folders inside not counted."""
    folders = {}
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.*")):
            if path.is_file():
                folders.setdefault(str(path.parent.relative_to(ROOT)), []).append(path)
    return folders


def includes():
    """By folder, the other folders that its files include."""
    folders = sources()
    direct = {folder: set() for folder in folders}
    for folder, files in folders.items():
        for path in files:
            if path.suffix in (".c", ".h", ".y", ".re"):
                direct[folder] |= set(INCLUDE.findall(path.read_text())) & folders.keys() - {folder}
    # The lexer has the codes of tokens from the grammar, which is the one arrow that leads back.
    direct.get("lexer", set()).discard("parser")
    return direct


def reached(direct, start):
    found, todo = set(), list(direct[start])
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo.extend(direct[at])
    return found


def reduced(direct):
    """Without the includes that follow from others."""
    return {folder: {to for to in tos
                     if not any(to in reached(direct, other) for other in tos - {to})}
            for folder, tos in direct.items()}


def picture():
    edges = reduced(includes())
    name = {folder: folder.replace("/", "_") for folder in edges}
    lines = ["graph LR"]
    for top in TOPS:
        inside = [folder for folder in sorted(edges) if folder.split("/")[0] == top]
        if len(inside) > 1:
            lines.append(f"    subgraph {top}/")
            lines += [f"        {name[folder]}[{folder}]" for folder in inside]
            lines.append("    end")
        else:
            lines += [f"    {name[folder]}[{folder}]" for folder in inside]
    lines += [f"    {name[to]} --> {name[folder]}"
              for folder in sorted(edges) for to in sorted(edges[folder])]
    return "\n".join(lines) + "\n"


def is_current():
    drawn = BLOCK.search(PAGE.read_text())
    return bool(drawn) and drawn.group() == picture()


def main():
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(BLOCK.sub(lambda _: picture(), PAGE.read_text(), count=1))
    elif not sys.argv[1:]:
        print(picture(), end="")
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main()
