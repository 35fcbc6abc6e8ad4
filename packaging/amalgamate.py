"""Writes the library as one C file and its header, for those who keep it among their own sources.

    amalgamate.py BUILD OUTPUT FILE.c...        writes OUTPUT/kjit.c and OUTPUT/kjit.h

Each FILE.c stands in kjit.c in turn, with what it includes in place of the includes: a header where
it is first included, a table (.def, .inc) each time. Names that a file keeps to itself (static
functions, types, constants of enum) and that another file has too get the file's name behind them;
its macros end with it. Headers of the C library are included first of all.
"""
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Headers of other libraries that stand in kjit.c: nothing of theirs is linked.
FOREIGN = ("xxhash.h", "zip.h", "zipconf.h", "dlpack/dlpack.h")
SYSTEM = pathlib.Path("/usr/include")

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//(?:\\\n|[^\n])*)
  | (?P<directive>^[ \t]*\#(?:/\*.*?\*/|\\\n|[^\n])*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<space>\s+)
  | (?P<other>->|\.\.\.|.)""", re.VERBOSE | re.DOTALL | re.MULTILINE)
# What Lemon makes has what it does not use.
UNUSED = """#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
"""
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
DEFINE = re.compile(r"\s*#\s*define\s+(\w+)")
# What a header begins with that is read once.
ONCE = "#pragma once"
GUARD = re.compile(rf"\A(?:\s|/\*.*?\*/)*(?:{ONCE}\b|#ifndef (\w+)\s*\n\s*#define \1\b)", re.DOTALL)
LINE = re.compile(r"\s*#\s*line\b")
TYPE = re.compile(r"^(?:typedef )?(?:struct|union|enum) (\w+)\s*{", re.MULTILINE)
EXTERN = re.compile(r"^extern [^;(]*?\b(\w+)(?:\[[^;]*)?;", re.MULTILINE)
SYNONYM = re.compile(r"^typedef (?!struct|union|enum)[^;{(]*?\b(\w+);", re.MULTILINE)
FORWARD = re.compile(r"^typedef (?:struct|union|enum) (\w+) \1;", re.MULTILINE)
TYPES = {"struct", "union", "enum"}


def tokens_of(text):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)]


class Source:
    """A file, its tokens and the names that it declares outside of functions."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.tokens = tokens_of(self.text)
        self.guarded = bool(GUARD.match(self.text))
        self.macros = {m[1] for kind, text in self.tokens if kind == "directive" and (m := DEFINE.match(text))}
        self.names = set(declared_names(self.tokens))
        self.declared = self.names | self.macros | set(EXTERN.findall(self.text))
        self.own = set(TYPE.findall(self.text)) | set(SYNONYM.findall(self.text)) | set(constants(self.tokens))
        self.forward = set(FORWARD.findall(self.text))


def body_of(words, at):
    """What opens at words[at] == '{': "enum", "struct" or ""."""
    back = at - 1
    while back >= 0 and words[back] not in (";", "}", "{", ")", "=", ","):
        if words[back] in TYPES:
            return "enum" if words[back] == "enum" else "struct"
        back -= 1
    return ""


def declared_names(tokens):
    """Names of functions, variables, types, tags and constants that stand outside of functions."""
    words = [text for kind, text in tokens if kind in ("name", "other", "number", "string")]
    named = [kind == "name" for kind, text in tokens if kind in ("name", "other", "number", "string")]
    braces, round_, extern = [], 0, False
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        before = words[at - 1] if at else ""
        if word == "{":
            braces.append(body_of(words, at))
        elif word == "}" and braces:
            braces.pop()
        elif word in "()" and not braces:
            round_ += 1 if word == "(" else -1
        if not braces:
            extern = word == "extern" or extern and word != ";"
        if not named[at] or extern:
            continue
        outside = not braces and not round_
        if outside and before in TYPES and following in ("{", ";"):
            yield word
        elif (outside and following in ("(", "=", ";", "[", ",") and word[0] != "_"
              and before not in TYPES and before != "=" and words[at + 3:at + 5] != [")", "("]):
            yield word  # but the type in front of `(name)(...)`, which no macro of that name replaces
        elif braces == ["enum"] and before in ("{", ","):
            yield word
        elif not braces and round_ == 1 and before == "*" and following == ")" and words[at - 2] == "(":
            yield word  # of a pointer to a function


def constants(tokens):
    """Names of constants in enum."""
    words = [text for kind, text in tokens if kind in ("name", "other", "number", "string")]
    inside = False
    for at, word in enumerate(words[:-1]):
        if word == "{" and body_of(words, at) == "enum":
            inside = True
        elif word == "}":
            inside = False
        if inside and word in ("{", ",") and re.match(r"[A-Za-z]", words[at + 1]):
            yield words[at + 1]


def renamed(tokens, names):
    """The tokens with other names for those in `names`, but for those of members."""
    words = [i for i, (kind, text) in enumerate(tokens) if kind not in ("space", "comment", "directive")]
    out, braces = [text for _, text in tokens], []
    texts = [tokens[i][1] for i in words]
    for at, i in enumerate(words):
        kind, text = tokens[i]
        if text == "{":
            braces.append(body_of(texts, at))
        elif text == "}" and braces:
            braces.pop()
        elif kind == "name" and text in names:
            before = texts[at - 1] if at else ""
            after = texts[at + 1] if at + 1 < len(texts) else ""
            member = before in (".", "->") or braces[-1:] == ["struct"] and after in (";", ",", "[", ":", ")")
            if not member:
                out[i] = names[text]
    for i, (kind, text) in enumerate(tokens):
        if kind == "directive" and not INCLUDE.match(text):
            out[i] = "".join(
                names.get(part, part) if kind == "name" else part for kind, part in tokens_of_line(text))
    return [(kind, new) for (kind, _), new in zip(tokens, out)]


def tokens_of_line(directive):
    """A directive's own tokens: its # is none of the line's beginning."""
    head = directive.index("#") + 1
    return [("other", directive[:head]), *tokens_of(directive[head:])]


class Amalgamation:
    def __init__(self, build, files):
        self.places = [ROOT, build, ROOT / "include"]
        self.known = {}
        self.files = [self.source(pathlib.Path(file)) for file in files]
        self.names, self.reached, self.others = set(), {}, {}
        self.done, self.system, self.out = {(ROOT / "include/kjit.h").resolve()}, [], []

    def source(self, path):
        path = path.resolve()
        if path not in self.known:
            self.known[path] = Source(path)
        return self.known[path]

    def find(self, quote, name, beside):
        if quote == "<":
            return self.source(SYSTEM / name) if name in FOREIGN else None
        for place in [*self.places, beside]:
            if (place / name).exists():
                return self.source(place / name)
        if name in FOREIGN:
            return self.source(SYSTEM / name)
        raise SystemExit(f"amalgamate: there is no {name}, which a file in {beside} includes")

    def included(self, source, seen):
        """All that a file includes, itself left out."""
        for kind, text in source.tokens:
            if kind == "directive" and (match := INCLUDE.match(text)):
                found = self.find(match[1], match[2], source.path.parent)
                if found and found.path not in seen:
                    seen.add(found.path)
                    self.included(found, seen)
        return seen

    def other_names(self):
        """For each file, those that are included too, the names that it needs others for."""
        for file in self.files:
            self.reached[file.path] = self.included(file, set())
        headers = set().union(*self.reached.values())
        for path in headers:
            self.reached[path] = self.included(self.known[path], {path})
        files_with = collections.Counter(name for file in self.files for name in file.declared)
        headers_with = collections.Counter(name for path in headers for name in self.known[path].own)
        for path in [*headers, *(file.path for file in self.files)]:
            file, reached = self.known[path], self.reached[path]
            names = {name: self.longer(name, header) for header in reached
                     for name in self.known[header].own
                     if headers_with[name] > 1 and not self.told_before(name, header)}
            if path not in headers:
                own = set(file.names)
                for header in reached:
                    if self.known[header].guarded:
                        own -= self.known[header].declared
                others = self.of_the_system().union(
                    *(self.known[header].declared for header in headers - reached))
                names.update({name: self.longer(name, path) for name in own
                              if files_with[name] > 1 or name in others})
            self.others[path] = names

    def told_before(self, name, path):
        """A header that this one includes has `typedef struct NAME NAME;`, and others go by that."""
        return any(name in self.known[header].forward for header in self.reached[path])

    def longer(self, name, path):
        stem = re.sub(r"\W", "_", self.title(self.known[path]).rsplit(".", 1)[0])
        return f"{name}__{stem}"

    def of_the_system(self):
        """Names that the headers of the C library have."""
        if not self.names:
            headers = {match[2] for source in self.known.values() if source.path.is_relative_to(ROOT)
                       for kind, text in source.tokens if kind == "directive" and (match := INCLUDE.match(text)) and self.plain(match[2])
                       and not self.find(match[1], match[2], source.path.parent)}
            text = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}>\n" for name in sorted(headers))
            made = subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-E", "-P", "-"], input=text, text=True,
                                  capture_output=True, check=True)
            self.names = set(re.findall(r"[A-Za-z_]\w*", made.stdout))
        return self.names

    def put(self, source, names):
        if source.guarded:
            if source.path in self.done:
                return
            self.done.add(source.path)
            names = self.others[source.path]
        tokens = renamed(source.tokens, names)
        for kind, text in tokens:
            match = INCLUDE.match(text) if kind == "directive" else None
            if not match:
                if kind != "directive" or not (LINE.match(text) or text == ONCE):
                    self.out.append(text)
                continue
            found = self.find(match[1], match[2], source.path.parent)
            if found:
                self.put(found, names)
                self.out.append("\n")
            elif source.path.is_relative_to(SYSTEM) or not self.plain(match[2]):
                self.out.append(f"#pragma GCC visibility push(default)\n{text}\n#pragma GCC visibility pop")
                if match[2] == "complex.h":  # a second time it defines nothing
                    self.complex = True
                    self.out.append("\n#undef complex\n#define complex _Complex\n#undef I\n#define I _Complex_I")
            elif match[2] not in self.system:
                self.system.append(match[2])

    def plain(self, header):
        """A header that is included whatever the machine: first of all."""
        return not header.startswith("sanitizer/") and header not in ("cpuid.h", "complex.h")

    def write(self, output):
        self.other_names()
        for file in self.files:
            self.out.append(f"\n/* ---- {self.title(file)} ---- */\n")
            self.complex = False
            made = not (ROOT / self.title(file)).exists()
            if made:
                self.out.append(UNUSED)
            self.put(file, self.others[file.path])
            if made:
                self.out.append("\n#pragma GCC diagnostic pop\n")
            for macro in sorted(file.macros | ({"complex", "I"} if self.complex else set())):
                self.out.append(f"\n#undef {macro}")
        head = ["/* kjit, all of its library in one file: made by `make amalgamation`, not to be edited.\n"
                "** Compile it with -O2 and link with -ldl -lpthread -lm. The licence follows.\n**\n",
                *(f"** {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines()), "*/\n",
                "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"]
        head += [f"#include <{name}>\n" for name in self.system]
        head += ['#include "kjit.h"\n', "#pragma GCC visibility push(hidden)\n"]
        output.mkdir(parents=True, exist_ok=True)
        (output / "kjit.c").write_text("".join(head) + "".join(self.out) + "\n#pragma GCC visibility pop\n")
        (output / "kjit.h").write_text((ROOT / "include/kjit.h").read_text())

    def title(self, file):
        for place in self.places[1], ROOT:
            if file.path.is_relative_to(place.resolve()):
                return str(file.path.relative_to(place.resolve()))
        return file.path.name


def main():
    build, output, *files = sys.argv[1:]
    Amalgamation(pathlib.Path(build), files).write(pathlib.Path(output))


if __name__ == "__main__":
    main()
