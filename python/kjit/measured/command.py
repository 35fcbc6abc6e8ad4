"""The command kjit, which measures: started, and what it prints read."""
import json
import os
import pathlib
import shutil
import subprocess

from kjit import device
from kjit.errors import Error, FileError


class CommandMissing(FileError):
    """There is no command kjit on this machine."""


def command():
    """The command: what KJIT_COMMAND names, that of the wheel, or the one that a shell finds."""
    beside = pathlib.Path(__file__).resolve().parents[1] / "kjit"
    found = os.environ.get("KJIT_COMMAND") or (beside if beside.is_file() else shutil.which("kjit"))
    if not found:
        raise CommandMissing("bench() and tune() start the command kjit, which is not here: install it, or name it in "
                             "KJIT_COMMAND")
    return str(found)


def value_text(value):
    """A value as NAME=VALUE has it: texts are expressions, NumPy's arrays are not."""
    from kjit.constants import text_of
    return value if isinstance(value, str) else text_of(value, "a value")


def words_of(values):
    return [f"{name}={value_text(value)}" for name, value in values.items()]


def asked(*words):
    """What the command prints as JSON; raises what it says is wrong."""
    run = subprocess.run([command(), *words, "--json", "--device", device.current().device], capture_output=True, text=True)
    if run.returncode or not run.stdout.strip():
        said = run.stderr.strip().removeprefix("kjit: ")
        raise Error(said or f"kjit {words[0]} ended with {run.returncode}")
    return json.loads(run.stdout)
