"""What the checker found in this process's launches on the device `check`, and telling it at exit.

The text and the order are those of `kjit run --device check`.
"""
import atexit
import contextlib
import os
import sys
from collections import namedtuple

from kjit import _core
from kjit.errors import Error

DEFECT = 4  # the exit status where there was one, and the script's own would be 0

# Block and thread are None where they are not known.
Place = namedtuple("Place", "file line column end_line end_column what block thread")

_watched: list = []  # contexts; kept when cuda.close() forgets them, as their findings are still to be reported
_process = None  # that tells at exit
_name = ""  # of what runs
_decides = os.environ.get("KJIT_DEVICE") == "check"  # a defect shows in the exit status


def tell_at_exit(name=None):
    """Once for a process: multiprocessing's forked ones forget the exit handlers of their parents."""
    global _process, _name, _decides
    _decides = _decides or name is not None
    if _process != os.getpid():
        _process = os.getpid()
        _name = name or (getattr(sys, "argv", None) or [""])[0] or "this process"
        atexit.unregister(tell)
        atexit.register(tell)


def watch(context):
    if context.device == "check":
        _watched.append(context)
        tell_at_exit()


def _order(finding):
    def place(at):
        return (at.file or "", at.line, at.column) if at else ("", 0, 0)

    return finding.advice, place(finding.at), finding.rule, place(finding.other)


def findings():
    """What the checker found in the launches so far, in the order of the source: Findings, whose `text` is what the
    command prints."""
    from kjit.shown import Finding, Findings
    found = []
    for context in _watched:
        with contextlib.suppress(Error):  # of a launch that was not waited for
            context.synchronize()
        for *facts, at, other, text in context.findings():
            found.append(Finding(*facts, Place(*at), other and Place(*other), text))
    return Findings(sorted(found, key=_order))


def have_defect(found):
    return any(not finding.advice for finding in found)


def flush():
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def tell():
    if not _watched or sys.stderr is None:
        return
    found = findings()
    flush()
    sys.stderr.write("".join(finding.text for finding in found))
    count = f"{len(found)} finding{'s' * (len(found) != 1)}" if found else "no findings"
    sys.stderr.write(f"{count} in {_name}\n")
    if have_defect(found) and _decides:
        _core.end_with(DEFECT)  # an interpreter that is ending has no other way to change it
