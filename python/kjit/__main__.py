"""python -m kjit SCRIPT ARGUMENTS...: runs a script whose `from numba import cuda` finds kjit.

    python -m kjit -m MODULE ARGUMENTS...    a module in place of a script
    python -m kjit -c TEXT ARGUMENTS...      a text
    python -m kjit --help                    this text

KJIT_DEVICE=cpu, check, cuda or cuda:1 says where kernels run; under `check` what the checker found is
reported at the end. The exit status is the script's own, or 4 if that is 0 and the checker found a defect.
"""
import os
import runpy
import sys

from kjit.numba import standing
from kjit.checked import tell_at_exit


def usage(message):
    sys.stderr.write(f"kjit: {message}\n{__doc__}")
    return 2


def run_text(text):
    """As python -c; the sources of its functions can be read as those of all texts that are compiled."""
    main = type(sys)("__main__")
    sys.modules["__main__"] = main
    exec(compile(text, "<string>", "exec"), main.__dict__)


def run(words):
    if words[0] == "-m":
        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        run_text(words[1])
    else:
        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")


def show_own_frames(error):
    """The traceback that will be printed begins in the script, not in what runs it."""
    before, own = sys.excepthook, error.__traceback__
    while own and any(own.tb_frame.f_globals is names for names in (globals(), vars(runpy), vars(standing))):
        own = own.tb_next
    sys.excepthook = lambda kind, value, trace: before(kind, value.with_traceback(own), own)


def run_to_end(words):
    """Raises what is to be Python's affair."""
    try:
        run(words)
    except SystemExit:
        raise
    except BaseException as error:
        show_own_frames(error)
        raise
    return 0


def main():
    words = sys.argv[1:]
    if words and words[0] in ("-h", "--help"):
        sys.stdout.write(__doc__)
        return 0
    if not words or (words[0] in ("-m", "-c") and len(words) < 2):
        return usage("which script is to be run?")
    if words[0] not in ("-m", "-c") and not os.path.exists(words[0]):
        if words[0].startswith("-"):
            return usage(f"there is no option {words[0]!r}")
        sys.stderr.write(f"kjit: there is no file {words[0]!r}\n")
        return 3
    standing.install()
    tell_at_exit(words[1] if words[0] == "-m" else words[0])
    return run_to_end(words)


if __name__ == "__main__":
    sys.exit(main())
