# sys.stdout and sys.stderr that a program replaces, as redirect_stdout() does.
import io
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout


class Tee:
    def __init__(self, *files):
        self.files = files
        self.lines = 0

    def write(self, text):
        self.lines += text.count("\n")
        for file in self.files:
            file.write(text)

    def flush(self):
        pass


kept = io.StringIO()
with redirect_stdout(kept) as target:
    print("a", 1)
    sys.stdout.write("b\n")
    with redirect_stdout(io.StringIO()) as inner:
        print("c")
    print("d", file=sys.__stdout__)
    print("e", file=None)
print(repr(kept.getvalue()), repr(inner.getvalue()), target is kept)

log = io.StringIO()
sys.stdout = tee = Tee(sys.stdout, log)
print("twice", flush=True)
print("x", "y", sep="\n")
sys.stdout = sys.__stdout__
print(tee.lines, repr(log.getvalue()))

sys.stderr = sys.stdout
print("an error", file=sys.stderr)
sys.stderr.write("another\n")
sys.stderr = sys.__stderr__
with redirect_stderr(io.StringIO()) as errors:
    print("hidden", file=sys.stderr)
    try:
        [][1]
    except IndexError:
        traceback.print_exc()
print(errors.getvalue().splitlines()[0], errors.getvalue().splitlines()[-1])
try:
    with redirect_stdout(io.StringIO()) as lost:
        print("before")
        1 / 0
except ZeroDivisionError as e:
    print(e, repr(lost.getvalue()))
