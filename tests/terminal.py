#!/usr/bin/env python3
"""Runs a command on a terminal of its own, and says what that showed.

    terminal.py [--until REGEX --then ACTION]... [--columns N] [--separate] COMMAND...

When the terminal has got what REGEX matches, behind what was there at the action before, ACTION is
done: SIGINT and the like is sent to the command and what it started; stop does the same with
SIGTSTP, waits until it has stopped, and lets it go on; touch:FILE makes a file. Waits as long as it
takes, 600 s at the most. With --separate the standard output goes to the file `stdout` instead.

What came is left in the file `raw`; what a user sees at the end, of all that was ever on the screen
and is not gone, in `screen`. Exits as the command does, 128 and more if a signal ended it.
"""
import argparse
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SECONDS = 600


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--until", action="append", default=[])
    parser.add_argument("--then", action="append", default=[])
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--separate", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def start(asked):
    process, terminal = pty.fork()
    if process == 0:
        for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP):
            signal.signal(each, signal.SIG_DFL)  # shells have jobs in the background ignore some
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, asked.columns, 0, 0))
        if asked.separate:
            os.dup2(os.open("stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.execvp(asked.command[0], asked.command)
    return process, terminal


def act(action, process):
    if action == "stop":
        os.killpg(process, signal.SIGTSTP)
        stopped, status = os.waitpid(process, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            sys.exit(f"terminal.py: it did not stop: {status}")
        os.killpg(process, signal.SIGCONT)
    elif action.startswith("touch:"):
        pathlib.Path(action[6:]).touch()
    else:
        os.killpg(process, getattr(signal, action))


def read_all(asked, process, terminal):
    """Everything the terminal gets, the actions done meanwhile."""
    got, begin, todo = b"", 0, list(zip(asked.until, asked.then))
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            return got
        if not more:
            return got
        got += more
        if todo and re.search(todo[0][0].encode(), got[begin:]):
            begin = len(got)
            act(todo.pop(0)[1], process)
    os.killpg(process, signal.SIGKILL)
    sys.exit(f"terminal.py: it took longer than {SECONDS} s: {got!r}")


def screen(got):
    """The lines as they are seen in the end: carriage returns and erasing to the end of the line."""
    lines, column = [""], 0
    text = got.decode(errors="replace")
    for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", text, re.DOTALL):
        if part == "\r":
            column = 0
        elif part == "\n":
            lines.append("")
            column = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        elif not part.startswith("\x1b["):
            lines[-1] = lines[-1][:column].ljust(column) + part + lines[-1][column + 1 :]
            column += 1
    return "\n".join(lines)


def main():
    asked = parse()
    process, terminal = start(asked)
    got = read_all(asked, process, terminal)
    pathlib.Path("raw").write_bytes(got)
    pathlib.Path("screen").write_text(screen(got))
    _, status = os.waitpid(process, 0)
    sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


if __name__ == "__main__":
    main()
