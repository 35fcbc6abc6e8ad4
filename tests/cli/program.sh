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
# What is not there says what to write instead.
cat >refused.py <<'K'
print("before")
table = {1: 2}
K
expect 1 $run refused.py
says out '^before$'
says err '^NotImplementedError: there are no dictionaries: write a list'
# Modules that kjit does not know: what only uses them is passed over, with one note.
cat >foreign.py <<'K'
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()
print("done")
figure = plt.figure()
K
expect 1 $run foreign.py
says out '^done$'
says err "^foreign.py:2: note: .* 'matplotlib'"
silent err '^foreign.py:3'
says err "^ModuleNotFoundError: kjit has no .matplotlib.pyplot.figure."
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
says err '^race.py:7:5: race: ' '^1 finding in race.py$'
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

# Decorators that make something else of a function are refused.
for made in 'vectorize(["int32(int32, int32)"])' 'cuda.reduce' 'guvectorize([], "(n)->()")'; do
    printf 'from numba import cuda, vectorize, guvectorize\n@%s\ndef f(a, b):\n    return a / b\n' \
        "$made" >made.py
    printf 'print(f(1, 2))\n' >>made.py
    expect 1 $run made.py
    says err '^  File "made\.py", line 2' '^NotImplementedError: there is no @.* in programs: write'
done

# Without a kernel a file that computes is a program, too.
printf 'import numpy as np\na = np.ones(5) * 2\n' >alone.py
expect 0 $run alone.py --print a
says out '^\[2, 2, 2, 2, 2\]$'
printf 'import numpy as np\na = np.zeroes(3)\n' >misspelt.py
expect 1 $run misspelt.py
says err 'line 2, in <module>' 'np\.zeroes is not there'
