"""python -m kjit SCRIPT ARGUMENTS...: runs a script whose `from numba import cuda` finds kjit.

    python -m kjit -m MODULE ARGUMENTS...    a module in place of a script
    python -m kjit -c TEXT ARGUMENTS...      a text
"""
import linecache
import os
import runpy
import sys

from kjit import standing


def usage():
    sys.stderr.write("kjit: which script is to be run?\n" + __doc__)
    return 2


def run_text(text):
    """As python -c, but so that the sources of its functions can be read."""
    linecache.cache["<string>"] = len(text), None, text.splitlines(keepends=True), "<string>"
    main = type(sys)("__main__")
    sys.modules["__main__"] = main
    exec(compile(text, "<string>", "exec"), main.__dict__)


def main():
    words = sys.argv[1:]
    if not words or (words[0] in ("-m", "-c") and len(words) < 2):
        return usage()
    standing.install()
    standing.remember_sources()
    if words[0] == "-m":
        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        run_text(words[1])
    else:
        if not os.path.exists(words[0]):
            sys.stderr.write(f"kjit: there is no file {words[0]!r}\n")
            return 3
        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
