# NAME=VALUE of programs: what statements of the module assign takes it, and nothing else does.
run="$KJIT run --device cpu"
cat >values.py <<'K'
import numpy as np

size: int = 3
low, high = 1, 2
if size > 2:
    extra = 4

def local():
    inner = 5
    return inner

for step in range(2):
    extra += step
x: object = np.arange(3) + size
print(size, low, high, extra, local(), step, x)
K
expect 0 $run values.py
says out '^3 1 2 5 5 1 \[3 4 5\]$'
expect 0 $run values.py size=7 extra=8 # where the module assigns it first
says out '^7 1 2 9 5 1 \[7 8 9\]$'
expect 0 $run values.py 'x=ones(3) * 2'
says out '^3 1 2 5 5 1 \[2\. 2\. 2\.\]$'
for name in low step inner local; do
    expect 2 $run values.py $name=6
    silent out '^'
    says err "^kjit: no statement of values.py outside of functions is '$name = \.\.\.'"
done
printf 'steps = 3\nfor step in range(steps):\n    print(step)\n' >steps.py
expect 2 $run steps.py step=1
says err "it cannot be given; did you mean 'steps'\?$"
expect 2 $run steps.py stepss=1
says err "assigns nothing to 'stepss', so it cannot be given; did you mean 'steps'\?$"
