# What kjit has not and Python has passes every handler: as Python would not have come there.
run="$KJIT run --device cpu"
lacks() # statement, pattern: the statement is refused amid handlers of everything
{
    cat >lacks.py <<K
import numpy as np
from numba import cuda


@cuda.jit
def typed(x):
    x.nothing = 1


class Watch:
    def __enter__(self):
        return self

    def __exit__(self, *what):
        print("left")
        return True


try:
    with Watch():
        try:
            $1
        except (OverflowError, NotImplementedError):
            print("inner")
except Exception:
    print("taken")
except:
    print("taken by all")
finally:
    print("finally")
print("went on")
K
    expect 1 $run lacks.py
    says err "$2"
    silent out 'inner|taken|left|finally|went on'
}
lacks 'range(2 ** 64)' "^OverflowError: cannot fit 'int' into an index-sized integer$"
lacks '2 ** 2 ** 70' '^MemoryError: an integer of more than 1048576 bits is too large here$'
lacks 'np.arange(3) == 2 ** 64' '^OverflowError: elements are not compared with an int'
lacks 'np.array([2 ** 64])' '^OverflowError: arrays hold integers of 64 bits'
lacks 'typed[1, 1](2 ** 64)' '^OverflowError: a kernel takes integers of 64 bits$'
lacks 'import datetime; datetime.datetime.fromisoformat("2024-02-29T10:11Z")' \
    '^NotImplementedError: datetime has no time zones here'
lacks 'np.arange(4).shape = 2, 2' '^NotImplementedError: an array.s shape is not assigned here'
lacks 'np.array(["a", 1])' '^NotImplementedError: an array of texts is made of texts'
lacks 'np.cumsum(np.array(["a"]))' '^NotImplementedError: np.cumsum\(\) is not there for arrays'
lacks 'type(np.array(["a"])[0])' '^NotImplementedError: there is no type of a text in an array'
lacks '[0] * 10 ** 12' '^MemoryError: 1 items 1000000000000 times are too many$'
lacks '"a".isprintable()' '^NotImplementedError: str.isprintable is not there'
lacks 'memoryview(3)' '^NotImplementedError: there is no memoryview in programs'
lacks '(5).numerator' "^AttributeError: 'int' object has no attribute 'numerator'$"
lacks 'b"a".title()' "^AttributeError: 'bytes' object has no attribute 'title'$"
lacks 'b"a".decode("utf-16")' "^NotImplementedError: there is no encoding 'utf-16' here: utf-8 is$"
lacks 'open("x.txt", "r+")' '^NotImplementedError: files are read or written here, not both'
lacks 'open("x.txt", "w", encoding="utf-16")' '^NotImplementedError: there is no encoding'
lacks 'globals().clear()' '^NotImplementedError: only vars\(\) of an object of a class loses names'
lacks 'Watch().__dict__ = {}' '^NotImplementedError: __dict__ is not replaced here'
lacks 'globals()["x"] = 1' '^NotImplementedError: globals\(\) and locals\(\) are read here'
lacks 'np.random.default_rng(1).zipf(2)' "object has no attribute 'zipf'"
lacks 'np.busday_count(1)' '^NotImplementedError: np.busday_count is not there'
lacks 'np.linalg.norm(np.eye(2), "nuc")' '^NotImplementedError: np.linalg.norm\(\) of a matrix'
lacks 'print("\N{DEGREE SIGN}")' "^NotImplementedError: characters have no names"
lacks 'import sys; sys.stdout = 3' '^NotImplementedError: sys.stdout takes an object'
lacks 'property(len)' '^NotImplementedError: property\(\) takes functions that def or lambda made'
lacks 'typed[1, 1](np.zeros(1))' 'nothing'
# What a program says itself is not implemented is handled as any other.
cat >own.py <<'K'
def f():
    raise NotImplementedError("later")

try:
    f()
except NotImplementedError as e:
    print("handled", e)
K
expect 0 $run own.py
says out '^handled later$'
# A handler for a module that is not there is asked where an import alone is passed over.
cat >sought.py <<'K'
try:
    import torch
    from scipy import signal
    has = True
except ImportError as e:
    has = False
    print(e.__class__.__name__, e)
import matplotlib.pyplot as plt
plt.show()
print(has)
K
expect 0 $run sought.py
says out "^ModuleNotFoundError No module named 'torch'$" '^False$'
says err 'note: .*matplotlib'
# A generator that is left where more is to run, and goes on no more.
cat >left.py <<'K'
def numbers():
    try:
        yield 1
    finally:
        print("finally")

print(next(numbers()))
K
expect 1 $run left.py
says out '^1$'
says err '^NotImplementedError: a generator was left amid'
# Refused.
cat >star.py <<'K'
try:
    1 / 0
except* ValueError:
    pass
K
expect 1 $run star.py
says err "^NotImplementedError: there is no 'except\*' in programs: write 'except'$"
# Mistakes in arguments end a program with 2, as in Python.
cat >arguments.py <<'K'
import argparse
p = argparse.ArgumentParser(prog="tool")
p.add_argument("n", type=int)
p.parse_args(["x"])
K
expect 2 $run arguments.py
says err '^usage: tool \[-h\] n$' "^tool: error: argument n: invalid int value: 'x'$"
echo 'import argparse; p = argparse.ArgumentParser(); p.add_argument("n")
p.parse_args()' >arguments.py
expect 1 $run arguments.py
says err '^NotImplementedError: argument n is required, and programs are given none'
# What waits for another thread waits for ever in programs, which have one.
for waits in 'queue.Queue().get()' 'threading.Event().wait()'; do
    echo "import queue, threading; $waits" >waits.py
    expect 1 $run waits.py
    says err 'waits for ever: programs have one thread$'
done
# What a module of Python's has beside what is written here is an error, and not passed over.
echo 'import logging; logging.config_of("x")' >beyond.py
expect 1 $run beyond.py
says err '^NotImplementedError: logging.config_of is not there: docs/programs.md lists what is'
# A value of a module that kjit has not where a number is needed.
echo 'import numpy as np, somewhere; np.zeros((somewhere.f(), 2))' >beyond.py
expect 1 $run beyond.py
says err "^ModuleNotFoundError: kjit has no 'somewhere.f\(\)', whose value is needed here"
for asked in 'x in [1]' '[x] == [1]' 'x is 3' 'isinstance(x, int)' '[1, x].count(1)'; do
    echo "import somewhere; x = somewhere.f(); print('got', $asked)" >beyond.py
    expect 1 $run beyond.py
    silent out 'got'
    says err "^ModuleNotFoundError: kjit has no 'somewhere.f\(\)', whose value is needed here"
done
echo 'import numpy as np; np.dtype({"names": ["x"], "formats": ["f4"], "offsets": [4]})' >beyond.py
expect 1 $run beyond.py
says err "^NotImplementedError: a dtype's dictionary has names and formats here, and no offsets"
echo 'import hashlib; hashlib.blake2b(b"")' >beyond.py
expect 1 $run beyond.py
says err '^NotImplementedError: hashlib.blake2b is not there: docs/programs.md lists what is$'
# What stands for a name of NumPy's that is not there, or for a class of classes.
for asked in 'timedelta64(5, "D"): datetime.timedelta is' 'recarray((3,)): arrays with fields' \
    'rec.array([(1,)]): arrays with fields' 'zeros(3).view(np.recarray): arrays with fields'; do
    echo "import numpy as np; x = np.${asked%%: *}" >beyond.py
    expect 1 $run beyond.py
    says err "^NotImplementedError: np\..* is not there: ${asked##*: }"
done
printf 'print(1)\nclass Meta(type):\n    pass\n' >meta.py
printf 'class A: pass\nprint(1)\nclass B(metaclass=A): pass\n' >made.py
for file in meta made; do
    expect 1 $run $file.py
    says err '^NotImplementedError: metaclasses other than ABCMeta are not there: __init_subclass__'
done
echo 'import numpy as np; print(np.zeros(2, "datetime64[D]"))' >beyond.py
expect 1 $run beyond.py
says err '^NotImplementedError: arrays of datetime64.* are not printed here; or run the script by'
cat >beyond.py <<'K'
from numba import cuda
def main():
    @cuda.reduce
    def total(a, b):
        return a + b
main()
K
expect 1 $run beyond.py
says err 'Error: this decorates functions at the top level of a module alone, not those inside'
# A `with` makes a file a program; where a path is wanted a file that is open is none.
cat >beyond.py <<K
import os
with open("a.npy", "wb") as f:
    os.remove(f)
K
expect 1 $run beyond.py
says err '^NotImplementedError: this takes a path here, and no file that is open$'
echo 'async def f(): pass' >beyond.py
echo 'print(1)' >>beyond.py
expect 1 $run beyond.py
says err "^NotImplementedError: there is no 'async' in programs: write def, and call it"
echo 'import pickle, numpy as np; pickle.dumps(np.zeros(2, dtype=[("x", np.int8)]))' >beyond.py
expect 1 $run beyond.py
says err '^NotImplementedError: records are not pickled here: np.save\(\) writes them$'
