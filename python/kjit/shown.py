"""What the compiler and the checker say, as objects that notebooks draw: the source with what is said of its lines.

Texts are linecache's, as tracebacks have them: files, cells of notebooks, what exec() was given.
"""
import html
import linecache
import re
from collections import namedtuple

CONTEXT = 2  # lines before and behind those that something is said of
SAID = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): remark: (?P<text>.*)$", re.M)
STYLE = {"line": "color:#888;text-align:right;padding:0 1em 0 0", "source": "font-family:monospace;white-space:pre",
         "said": "padding-left:2em"}

Remark = namedtuple("Remark", "file line column text")


def cell(kind, text):
    return f'<td style="{STYLE[kind]};text-align:{"right" if kind == "line" else "left"}">{text}</td>'


def marked(text, begin, end):
    """A line of source as HTML, marked between two columns."""
    begin, end = min(begin, len(text)), min(max(end, begin), len(text))
    parts = text[:begin], text[begin:end], text[end:]
    before, inside, behind = map(html.escape, parts)
    return f"{before}<mark>{inside}</mark>{behind}" if inside else before + behind


def table(file, said, spans=None):
    """Lines of a file beside what is said of them: {line: [texts]}; `spans` are {line: (first column, end)} to be marked."""
    wanted = sorted({line + off for line in said for off in range(-CONTEXT, CONTEXT + 1)} & set(
        range(1, len(linecache.getlines(file)) + 1)) | set(said))
    rows, last = [], None
    for line in wanted:
        if last is not None and line > last + 1:
            rows.append(f"<tr>{cell('line', '&#8942;')}<td></td><td></td></tr>")
        source = linecache.getline(file, line).rstrip("\n")
        text = marked(source, *spans[line]) if spans and line in spans else html.escape(source)
        notes = "<br>".join(map(html.escape, said.get(line, ())))
        rows.append(f"<tr>{cell('line', line)}{cell('source', text)}{cell('said', notes)}</tr>")
        last = line
    return f"<p><b>{html.escape(file)}</b></p><table>{''.join(rows)}</table>"


class Remarks(list):
    """The remarks on a kernel, in the order of the source; a notebook draws the source with them."""

    def __init__(self, text):
        super().__init__(sorted(Remark(it["file"], int(it["line"]), int(it["column"]), it["text"])
                                for it in SAID.finditer(text)))
        self.text = text

    def __str__(self):
        return self.text

    def _repr_html_(self):
        said = {}
        for it in self:
            said.setdefault(it.file, {}).setdefault(it.line, []).append(it.text)
        return "".join(table(file, lines) for file, lines in said.items()) or "<p>no remarks</p>"


class Finding(namedtuple("Finding", "rule advice kernel message note element times at other text")):
    """What the checker found. `other` is None where there is one place alone."""
    __slots__ = ()

    def _repr_html_(self):
        kind = "advice" if self.advice else "defect"
        head = f"<p><b>{kind}: {html.escape(self.rule or '')}</b> in <code>{html.escape(self.kernel or '')}</code>: " \
               f"{html.escape(self.message or '')}</p>"
        return head + "".join(place_table(at) for at in (self.at, self.other) if at and at.file)


def place_table(at):
    """The lines around a place of a finding, and which thread was there."""
    said = at.what or ""
    if at.thread is not None:
        said += f" by thread {at.thread} of block {at.block}"
    end = at.end_column - 1 if at.end_line == at.line else 10**6
    return table(at.file, {at.line: [said]}, {at.line: (at.column - 1, end)})


class Facts(list):
    """What became of a kernel for each list of types: dicts, which a notebook draws as a table."""

    def _repr_html_(self):
        if not self:
            return "<p>not compiled yet</p>"
        names = [name for name in self[0] if name != "call"]
        head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in ("call", *names))
        rows = "".join("<tr>" + "".join(f"<td>{html.escape('' if it[name] is None else str(it[name]))}</td>"
                                        for name in ("call", *names)) + "</tr>" for it in self)
        return f"<table><tr>{head}</tr>{rows}</table>"


class Findings(list):
    """Several, which a notebook draws below one another."""

    def _repr_html_(self):
        return "".join(it._repr_html_() for it in self) or "<p>no findings</p>"


def signature_of(names):
    """inspect.signature() of a kernel of a .k file, whose arguments are given by position."""
    import inspect
    return inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names])
