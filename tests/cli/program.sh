# Files with host code: programs.
cat >steps.py <<'K'
import numpy as np
from numba import cuda

N = 4
x = np.arange(N) * 1.5


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


for step in range(2):
    double[1, 32](x)
print(N, x)
K
run="$KJIT run --device cpu"
expect 0 $run steps.py
says out '^4 \[ 0\.  6\. 12\. 18\.\]$'
# One kernel is still one kernel.
expect 0 $run steps.py:double 'a=arange(3)'
says out '^a +int64\[3\]'
# Other values for the module's names, by -D and by NAME=VALUE, arrays too.
expect 0 $run steps.py -D N=2
says out '^2 \[0\. 6\.\]$'
expect 0 $run steps.py N=3
says out '^3 \['
expect 0 $run steps.py 'x=ones(2)'
says out '^4 \[4\. 4\.\]$'
expect 2 $run steps.py M=3
says err "assigns nothing to 'M'"
# One that is a program through a single statement: its kernel is launched by name. What nothing
# in its text binds is refused before it runs.
cat >hello.py <<'K'
from numba import cuda

@cuda.jit
def fill(x):
    x[cuda.grid(1)] = 1

print("hello")
K
expect 2 $run hello.py 'x=ones(2)'
says err "hello.py is a program, as line 7 does something, and assigns nothing to 'x'" \
    "; hello.py:fill launches the kernel that has such a parameter$"
printf 'n = 3\nprint(n)\n' >number.py
expect 2 $run number.py 20
says err "^kjit: an argument wants NAME=VALUE, not '20'$" 'python -m kjit number.py 20 gives them$'
expect 2 $run number.py --print n
says err "^kjit: --print n: 'n' is a number, and only arrays can be shown and saved$"
expect 2 $run hello.py --print x
silent out 'hello'
says err "^kjit: --print x: there is no value called 'x'$"
expect 2 $run hello.py --save x=x.npy
silent out 'hello'
expect 2 $run hello.py --plot x=x.svg
silent out 'hello'
says err "^kjit: --plot x: there is no value called 'x'$"
expect 2 $run number.py --plot n,m=x.svg
silent out '3'
says err "^kjit: --plot n,m: there is no value called 'm'$"
expect 1 $run steps.py 'N=1/0'
says err '^ZeroDivisionError: division by zero$'
# What its names hold at the end.
expect 0 $run steps.py --save x=x.npy --print x
says out '^\[0, 6, 12, 18\]$'
expect 0 $run steps.py x=x.npy
says out '^4 \[ 0\. 24\. 48\. 72\.\]$'
expect 2 $run steps.py --save y=y.npy
says err "no value called 'y'"
# Options of a launch are for its kernel.
expect 2 $run steps.py --grid 1x32 N=3
says err '^kjit: --grid launches a kernel by itself; without it steps.py runs as the program that'
expect 2 $run steps.py:NAME N=3
silent err 'runs as the program'
expect 0 $run steps.py --grid 1x32 'a=ones(4)'
says out '^a .*\[2, 2, 2, 2\]$'
expect 0 $run steps.py --json
says out '"output": "4 \[ 0\.  6\. 12\. 18\.\]\\n"' '"name": "x"' '"device": "cpu"'
# From the standard input.
printf 'print(6 * 7)\n' >answer.py
holds sh -c "$run - <answer.py >out"
says out '^42$'
# Errors have Python's form and exit status.
cat >wrong.py <<'K'
def half(n):
    return n / 0


print(half(3))
K
expect 1 $run wrong.py
says err '^Traceback \(most recent call last\):$' '^  File "wrong.py", line 5, in <module>$' \
    '^    return n / 0$' '^           ~~\^~~$' '^ZeroDivisionError: division by zero$'
# A parameter or variable of a kernel is none of the program's names, called the same or not.
cat >called.py <<'K'
import numpy as np
from numba import cuda
@cuda.jit
def double(u, v):
    i = cuda.grid(1)
    w = 2 * u[i]
    v[i] = w
u, v = cuda.to_device(np.arange(4)), cuda.to_device(np.arange(4))
w = cuda.to_device(np.ones(4))
double[1, 4](u, v)
print(v.copy_to_host())
K
rm -rf taken
KJIT_CAPTURE=taken expect 0 $run called.py
says out '^\[0 2 4 6\]$'
expect 0 cat taken/double-*/launch.txt
says out '^# double\(int64\[::1\], int64\[::1\]\)$'
silent out 'cuda.captured'
# What NumPy and Python have and kjit has not is no AttributeError.
cat >lacking.py <<'K'
import numpy as np
print(np.zeros(3).dump("x"))
K
expect 1 $run lacking.py
says err '^NotImplementedError: ndarray.dump is not there: docs/programs.md lists what is'
echo 'print("a".isprintable())' >lacking.py
expect 1 $run lacking.py
says err '^NotImplementedError: str.isprintable is not there: docs/programs.md lists what is'
# What is not there says what to write instead.
cat >refused.py <<'K'
print("before")
table = memoryview("text")
K
expect 1 $run refused.py
says out '^before$'
says err '^NotImplementedError: there is no memoryview in programs'
cat >refused.py <<'K'
from enum import Enum
class C(Enum):
    A = 1
print(C.__members__)
K
expect 1 $run refused.py
says err '^NotImplementedError: there is no __members__: {m.name: m for m in C} has the members'
cat >refused.py <<'K'
from dataclasses import dataclass
class Named:
    def __repr__(self):
        return "Named"
@dataclass
class Point(Named):
    x: int = 1
print(Point())
K
expect 1 $run refused.py
says err '^NotImplementedError: a data class of a class with __repr__ has one of its own: write it'
cat >refused.py <<'K'
class Sum:
    def add(self, other):
        return self
    __getattribute__ = add
print(1 + Sum())
K
expect 1 $run refused.py
says err '^NotImplementedError: classes in programs have no special method __getattribute__'
# What Python's modules have and kjit has not is no stand-in; streams are written to.
cat >refused.py <<'K'
import functools
import sys
sys.stdout.write("written\n")
sys.stderr.write("told\n")
functools.get_cache_token()
K
expect 1 $run refused.py
says out '^written$'
says err '^told$' '^NotImplementedError: functools.get_cache_token is not there'
# A generator whose body raises StopIteration has not ended by that.
cat >stop.py <<'K'
def g():
    raise StopIteration
    yield 1
print(next(g(), 5))
K
expect 1 $run stop.py
says err '^  File "stop.py", line 2, in g$' '^RuntimeError: generator raised StopIteration$'
cat >within.py <<'K'
def g():
    x = [(yield i) for i in range(3)]
print(list(g()))
K
expect 1 $run within.py
says err "^NotImplementedError: 'yield' stands alone, or is all that is assigned"
# What a module gives that kjit does not know is no argument of a kernel, and the message names it.
cat >stand_in.py <<'K'
from numba import cuda
from elsewhere import made


@cuda.jit
def f(a):
    pass


f[1, 1](made(1))
K
expect 1 $run stand_in.py
says err "^ModuleNotFoundError: kjit has no 'elsewhere.made\(\)', whose value is needed here"
# Modules that kjit does not know: what only uses them is passed over, with one note.
cat >foreign.py <<'K'
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()
plt.rcParams['font.size'] = 20
figure, axes = plt.subplots(2)
axes.title = "none"
if plt.isinteractive():
    print("is passed over")
for i in tqdm.tqdm(range(2)):
    print("round", i)
print("done with", plt.rcParams)
print(1 + figure)
K
sed -i '1i import tqdm' foreign.py
expect 1 $run foreign.py
says out '^round 1$' '^done with <matplotlib.pyplot.rcParams, which kjit has not>$'
silent out 'passed over'
says err "^foreign.py:3: note: .* 'matplotlib'" "^foreign.py:8: note: 'if' is passed over"
silent err '^foreign.py:4'
says err "^ModuleNotFoundError: kjit has no .matplotlib.pyplot.subplots\(\)., whose value is needed"
# A result of one is no text, however it is shown.
for shown in 'print(near)' 'print([near])' 'print(f"{near}")' 'text = str(near)'; do
    printf 'import difflib\nnear = difflib.ndiff("a", "b")\n%s\n' "$shown" >near.py
    expect 1 $run near.py
    silent out .
    says err 'line 3, in <module>' "^ModuleNotFoundError: kjit has no 'difflib.ndiff\(\)'"
done
# A file that does nothing but match is a program.
cat >matches.py <<'K'
match [1, 2]:
    case [a, b]:
        print(a + b)
K
expect 0 $run matches.py
says out '^3$'
# A name that is near to that of a module which is there says so where it is imported, once.
cat >near.py <<'K'
import numppy as np
from itertool import chain
import elsewhere
np.seterr(all="ignore")
print("after")
K
expect 0 $run near.py
says out '^after$'
says err "^near.py:1: note: kjit has no module 'numppy' \(did you mean 'numpy'\?\)" \
    "^near.py:2: note: kjit has no module 'itertool' \(did you mean 'itertools'\?\)"
silent err 'elsewhere' '^near.py:4'
# What may be a launch is not passed over.
cat >launches.py <<'K'
import numpy as np
import elsewhere
from elsewhere import step
from numba import cuda


@cuda.jit
def own(a):
    a[cuda.grid(1)] = 1


a = np.zeros(2)
figure, axes = elsewhere.subplots(2, 2)
axes[0, 1].plot(a)
print("drawn")
LAUNCH
print("launched", a)
K
while read -r launch name; do
    sed "s/^LAUNCH/$launch/; s/~/ /g" launches.py >launch.py
    expect 1 $run launch.py
    says out '^drawn$'
    silent out 'launched'
    says err "^ModuleNotFoundError: kjit has no 'elsewhere\.$name', whose value is needed"
done <<'E'
step[1,~2](a) step\[grid, block\]
g~=~step[1,~2];~g(a) step\[grid, block\]
step.forall(2)(a) step\.forall\(\)
elsewhere.wrap(own)[1,~2](a) wrap
f~=~elsewhere.wrap(own) wrap
elsewhere.launch(own,~a) launch
elsewhere.launch(a,~kernel=own) launch
elsewhere.launch([own],~a) launch
E
# Nor what calls a function of the program.
sed 's/^LAUNCH/def run(): own[1, 2](a)\nelsewhere.show(run())/' \
    launches.py >launch.py
expect 0 $run launch.py
says out '^launched \[1. 1.\]$'
# The checker looks at every launch.
cat >race.py <<'K'
import numpy as np
from numba import cuda


@cuda.jit
def race(a):
    a[0] = cuda.grid(1)


x = np.zeros(1)
race[1, 4](x)
print("launched")
K
expect 4 "$KJIT" run --device check race.py
says out '^launched$'
says err '^race.py:7:5: race: ' '^race.py:11:1: note: launched here$' '^1 finding in race.py$'
expect 0 "$KJIT" run --device check steps.py
says err '^no findings in steps.py$'
# A golden holds what a program prints.
cp steps.py steps.k
touch steps.out
expect 0 "$KJIT" test --device cpu --update steps.k
says steps.out '^4 \[ 0\.  6\. 12\. 18\.\]$'
expect 0 "$KJIT" test --device cpu steps.k

# The example of a program.
expect 0 "$KJIT" run --device cpu "$ROOT/examples/heat.py"
says out '^after 2000 steps 5304 of 9216 points are above 10 degrees$' \
    '^27\.384 degrees on average, 12\.166 in the middle$'
expect 0 "$KJIT" run --device cpu "$ROOT/examples/heat.py" steps=500 --plot plate=plate.svg
holds grep -q '<svg' plate.svg

# Its exit status is what exit() says; a text is printed, and is 1.
cat >leave.py <<'K'
import sys

print(len(sys.argv), sys.argv[0])
sys.exit(code)
K
sed 's/code/7/' leave.py >seven.py
expect 7 $run seven.py
says out '^1 seven\.py$'
sed 's/code/"no good"/' leave.py >text.py
expect 1 $run text.py
says err '^no good$'
sed 's/code/None/' leave.py >none.py
expect 0 $run none.py

# Decorators that make something else of a function: those that are not there are refused.
printf 'import numba\n@numba.stencil\ndef f(a):\n    return a[0]\nprint(f(1))\n' >made.py
expect 1 $run made.py
says err '^  File "made\.py", line 2' '^NotImplementedError: there is no @.* in programs: write'
printf 'from numba import vectorize\n@vectorize([3])\ndef f(a):\n    return a\n' >made.py
printf 'print(f(1))\n' >>made.py
expect 1 $run made.py
says err '^  File "made\.py", line 2' '^TypeError: a signature is needed here'
printf 'from numba import vectorize\n@vectorize(["int32(int32)"])\ndef f(a):\n' >made.py
printf '    return a\n' >>made.py
printf 'print(f(2.5))\n' >>made.py
expect 1 $run made.py
says err "^TypeError: ufunc 'f' did not contain a loop"
printf 'from numba import guvectorize\n@guvectorize(["(f8[:])"], "(n")\ndef f(a):\n' >made.py
printf '    pass\n' >>made.py
printf 'print(f(2.5))\n' >>made.py
expect 1 $run made.py
says err '^(Type|Value)Error: '

# What is asked of the device and of the system.
cat >asked.py <<'K'
import os
from numba import cuda

device = cuda.get_current_device()
free, total = cuda.current_context().get_memory_info()
print(device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK, device.MULTIPROCESSOR_COUNT > 0)
print(free <= total, len(device.compute_capability), cuda.detect())
os.makedirs("made/deep", exist_ok=True)
path = os.path.join("made", "deep", "x.npy")
print(os.path.isdir("made/deep"), os.path.exists(path), os.path.splitext(path))
os.makedirs("made/deep")
K
expect 1 $run asked.py
says out '^32 1024 True$' '^True 2 True$' "^True False \('made/deep/x', '.npy'\)$"
says err "^FileExistsError: .*File exists: 'made/deep'"

# Without a kernel a file that computes is a program, too.
printf 'import numpy as np\na = np.ones(5) * 2\n' >alone.py
expect 0 $run alone.py --print a
says out '^\[2, 2, 2, 2, 2\]$'
printf 'import numpy as np\na = np.zeroes(3)\n' >misspelt.py
expect 1 $run misspelt.py
says err 'line 2, in <module>' 'np\.zeroes is not there'
cat >launches.py <<'END'
import numpy as np
from numba import cuda


@cuda.jit
def k(x):
    x[0] = 1


x = np.zeros(3)
for wrong in (1, 1, "s"), (1, 1, 0, -5):
    try:
        k[wrong](x)
    except Exception as error:
        print(type(error).__name__, error)
cuda.grid(1)
END
expect 1 $run launches.py
says out "^TypeError 'str' object is no stream$" '^ValueError -5 bytes of shared memory: '
says err '^NotImplementedError: cuda.grid is not there for the host: docs'

# What launches took, by kernel and line. It takes long to measure a roof: this one is known.
expect 0 "$PACED" run --device cpu steps.py --profile
says out '^4 \['
says err '^kernel +line +calls +total +median +share +of the roof$' \
    '^double +16 +2 .*%  +[0-9.]+% (memory|float64)$' '^expression +5 +1 '

# A function by its name: what it is given, and what it gives.
mkdir -p lib
cat >lib/more.py <<'K'
"""What a file beside it has."""
from numba import cuda

__all__ = ["grown", "more"]
print("imported", __name__)


@cuda.jit
def more(x, by):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += by


def grown(x, by=1):
    """x, and x with more"""
    y = x.copy()
    more[1, 64](y, by)
    return x, y, y.sum()
K
printf 'from lib.more import grown\ndef f(x):\n    return grown(x, by=2)[1]\n' >calling.py
expect 0 "$KJIT" run --device check calling.py:f 'x=arange(3.0)' --print out
says out '^imported lib\.more$' '^out  float64\[3\]  min 2  max 4  sum 9  ' \
    '^\[2, 3, 4\]$'
says err '^no findings in calling\.py$'
expect 0 $run lib/more.py:grown 'x=ones(3)' 'by=x.size + 0.5' --save 'out[1]=y.npy'
says out '^imported __main__$' '^out\[1\]  float64\[3\]  min 4\.5 ' \
    '^out\[2\]  float64\[\]  min 13\.5 '
expect 0 $run lib/more.py:grown 'x=array([1.5, math.floor(2.5)])'
says out '^out\[1\]  float64\[2\]  min 2\.5  max 3 '
holds test -s y.npy
expect 1 $run lib/more.py:grown
says err "^TypeError: grown\(\) missing 1 required positional argument: 'x'$"
expect 1 $run lib/more.py:grown 'z=ones(3)'
says err "^TypeError: grown\(\) got an unexpected keyword argument 'z'$"
expect 1 $run lib/more.py:grown 'x=ones(3'
says err "^<x>:1:5: error: '\(' was never closed$"
# A kernel's name means the kernel.
expect 0 $run lib/more.py:more 'x=ones(3)' by=2 --grid 1x3
says out '^x  float64\[3\]  min 3 '
# A file that is not right says so where it is imported.
printf 'def f(:\n' >lib/broken.py
printf 'from lib.broken import f\nprint(1)\n' >calling.py
expect 1 $run calling.py
says err 'lib/broken\.py:1:7: error: '
printf 'from lib.more import less\n' >calling.py
printf 'print(less)\n' >>calling.py
expect 1 $run calling.py
says err "^ImportError: cannot import name 'less' from 'lib\.more'$"

# Functions of @njit: what they raise, and why one is interpreted.
cat >compiled.py <<'K'
import numpy as np
from numba import njit


@njit
def mean(a, n):
    if n > 3:
        raise ValueError("too many", n)
    total = 0.0
    for i in range(n):
        total += a[i]
    return total / n


@njit
def ramp(n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = i
    return out


@njit
def names(n):
    for i in range(n):
        print("no", i)


@njit
def print_width(n):
    return 8 * n


@njit
def columns(n):
    return 80 // print_width(n)


print(mean(np.arange(3.0), 3), ramp(3), columns(2))
names(1)
mean(ramp(2), N)
K
sed -i '4i N = 3' compiled.py
expect 1 $run compiled.py
says out '^1\.0 \[0\. 1\. 2\.\] 5$' '^no 0$'
says err '^  File "compiled\.py", line 12, in mean$' '^IndexError: index 2 is out of range'
expect 1 $run compiled.py N=0
says err '^  File "compiled\.py", line 13, in mean$' '^ZeroDivisionError: division by zero$'
expect 1 $run compiled.py N=5
says err '^  File "compiled\.py", line 9, in mean$' "^ValueError: \('too many', 5\)$"
expect 1 $run compiled.py --remarks
says err 'remark: ramp\(\) is interpreted, but for those of its loops that can be compiled$' \
    "note: compiled\.py:18:11: error: kernels cannot use 'np\.zeros'" \
    'remark: this loop of names\(\) is interpreted$' 'note: it prints$'
holds test "$(grep -c 'this loop' err)" -eq 1
silent err '(columns|print_width)\(\) is interpreted'

# What became of expressions: remarks, and the stages of their kernels.
cat >fused.py <<'K'
import numpy as np

u = np.linspace(0, 1, 1000)
v = np.zeros(1000)
v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
print(np.sqrt(v).max() > 0)
for _ in range(3):
    u[1:] = u[:-1] * 2
K
expect 0 $run fused.py --remarks
says out '^True$'
says err '^fused\.py:5:1: remark: 5 operations on the elements of 3 arrays are one kernel$' \
    '^fused\.py:6:1: remark: 1 operation .* is one kernel, with the reduction of what they give$' \
    '^fused\.py:8:5: note: it writes where it reads, so its elements are computed into an array' \
    '^fused\.py:5:1: remark: threads are loops'
silent err '<expression>'
holds test "$(grep -c '^fused.py:8:5: remark: .* one kernel' err)" -eq 1
cat >unwritten.py <<'K'
import numpy as np

a = np.empty(50, dtype=np.int32)
b = a + 1
K
expect 4 "$KJIT" run --device check unwritten.py
says err '^unwritten\.py:4:1: unwritten: ' '^    4 | b = a + 1'
silent err '<expression>'
# What an expression takes of the library is the library's, whatever file has that name.
mkdir beside
echo 'raise ValueError("not this one")' >beside/reduce.py
cat >beside/largest.py <<'K'
import numpy as np

print((np.arange(100000) * 2).max())
K
expect 0 sh -c 'cd beside && "$0" run --device check largest.py' "$KJIT"
says out "^199998$"
expect 0 $run fused.py --emit ir
says out '^# fused\.py:5: v\[1:-1\] = u' '^kernel expression\(out: float64\[::1\] restricted, ' \
    '^# fused\.py:6: print' '^kernel reduction\('
says err '^True$'
expect 0 $run fused.py --emit c
says out '^// fused\.py:5: v\[1:-1\] = u'
expect 2 $run fused.py --emit so
says err '^kjit: --emit so: that is no text$'
expect 2 $run lib/more.py:more 'x=ones(3)' by=2 --grid 1x3 --emit ir
says err '^kjit: --emit is for programs here: kjit build lib/more\.py --emit ir$'
expect 2 $run fused.py --emit nothing
says err 'nothing'
expect 1 "$KJIT" build fused.py --emit ir
says err 'fused\.py has no kernels: kjit run fused\.py --emit STAGE shows those of its expressions'

# Kernels see what the program holds at the first launch of each list of types, and lists of another
# file as they are then; an array of the device is given to it again as it is; a signature of the
# very types goes before one that they go into.
cat >held.py <<'K'
from numba import cuda
LIST = [1, 2]
@cuda.jit
def read(out):
    out[0] = LIST[0]
K
cat >computed.py <<'K'
import numpy as np
from numba import cuda, float64, int64, vectorize
from held import LIST, read
N = 5
@cuda.jit
def k(out):
    out[0] = N
@vectorize([float64(float64), int64(int64)], target="cuda")
def same(x):
    return x
a, b, c = np.zeros(1), np.zeros(1, np.int32), np.zeros(1)
k[1, 1](a)
N = 50
k[1, 1](b)
k[1, 1](c)
LIST[0] = 20
d = cuda.to_device(np.arange(2.0))
cuda.to_device(d)[0] = -1
e = np.zeros(1)
read[1, 1](e)
print(a[0], b[0], c[0], d.copy_to_host(), e[0], same(np.arange(2)).dtype)
K
expect 0 $run computed.py
says out '^5\.0 50 5\.0 \[-1\.  1\.\] 20\.0 int64$'

# .npy from the standard input, and to the standard output, which has nothing else then.
printf 'import numpy as np\nx = np.load("-")\ny = 2 * x\nprint("seen", x.sum())\n' >doubled.py
printf 'import numpy as np\nx = np.arange(5.0)\nnp.save("five.npy", x)\n' >five.py
expect 0 $run five.py
expect 0 sh -c "'$KJIT' run --device cpu doubled.py --save y=- <five.npy >ten.npy"
says err '^seen 10\.0$'
expect 0 sh -c "cat ten.npy | '$KJIT' run --device cpu doubled.py"
says out '^seen 20\.0$'
expect 0 sh -c "'$KJIT' run --device cpu lib/more.py:more x=- by=2 --grid 1x5 --save x=- <ten.npy |
    '$KJIT' run --device cpu lib/more.py:more 'x=load(\"-\")' by=1 --grid 1x5"
says out '^x  float64\[5\]  min 3  max 11  '
# What numba's simulator has not.
cat >events.py <<'K'
import numpy as np
from numba import cuda
event = cuda.event()
event.record()
event.synchronize()
x = cuda.to_device(np.zeros((2, 3)))
print(event.query(), x.is_c_contiguous(), x.is_f_contiguous(), x.T.is_f_contiguous(),
      x[:, 1].is_c_contiguous())
K
expect 0 $run events.py
says out '^True True False True False$'
# A golden of what a program prints, also of one that Python runs.
printf 'import numpy as np\nprint(np.arange(3) * 2)\n' >golden.py
echo '[0 2 4]' >golden.out
expect 0 "$KJIT" test golden.py
expect 0 "$KJIT" test golden.out
echo '[0 2 5]' >golden.out
expect 4 "$KJIT" test golden.py
says out '^golden\.out: differs$' '^0 passed, 1 failed$'

# The Python package has numba's names, and what is written for it runs without Python, too.
sed 's/numba/kjit/' "$ROOT/tests/programs/host/numba_types.py" >types.py
expect 0 $run types.py
says out '^\[3\. 4\. 5\.\]$' '^\[7 7 7\] \[2\.5 2\.5\] True$'
cat >package.py <<'K'
import kjit
from kjit import vectorize

@vectorize(["int64(int64)"], target="cuda")
def square(x):
    return x * x

print(square(kjit.int64(3)), kjit.rank)
K
expect 0 $run package.py
says out '^9 0$'
cat >package.py <<'K'
import kjit

@kjit.cuda.jit("void(int32[:])")
def k(x):
    x[0] = 1
K
expect 0 "$KJIT" build package.py --emit c
says out 'k_block_work'
# What the device has of memory is a pair whose items have names.
cat >memory.py <<'K'
from numba import cuda
info = cuda.current_context().get_memory_info()
free, total = info
print(info.free <= info.total, (free, total) == info, info._fields, type(info).__name__)
K
expect 0 $run memory.py
says out "^True True \('free', 'total'\) MemoryInfo$"
