# `kjit run`, from right to wrong.
cat >scale.k <<'K'
FACTOR = 3


@example(x=arange(10, dtype=float32), out=zeros(10, dtype=float32), grid=1, block=16)
@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = FACTOR * x[i]
K
expect 0 "$KJIT" run scale.k --device cpu
says out '^out  float32\[10\]  min 0  max 27  sum 135  \[0, 3, 6, 9, 12, 15, \.\.\.\]$'
expect 0 "$KJIT" run scale.k --device cpu -D FACTOR=2
says out 'max 18'
expect 0 "$KJIT" run scale.k:scale --device cpu --grid '[2, 8]' -q
holds test ! -s out
for grid in 2x8 '2,1x8' '[(2, 1), 8]' '(2,)x(8)' ' 2 x 8 '; do
    expect 0 "$KJIT" run scale.k --device cpu --grid "$grid"
    says out 'sum 135'
done
expect 0 "$KJIT" run scale.k --device cpu --forall 5
says out 'sum 30|sum 135'
expect 0 "$KJIT" run scale.k --device cpu n=4 'x=ones(n, dtype=float32)' \
    'out=zeros(n, dtype=float32)'
says out '^out  float32\[4\]  min 3  max 3  sum 12  \[3, 3, 3, 3\]$'
expect 0 "$KJIT" run scale.k --device cpu --print out --save out=out.npy --plot out=out.svg
says out '^\[0, 3, 6, 9, 12, 15, 18, 21, 24, 27\]$'
says out.svg '<svg'
expect 0 "$KJIT" run scale.k --device cpu x=out.npy --plot out=out.png
says out 'sum 405'
holds sh -c 'head -c 4 out.png | grep -q PNG'
# As many numbers as no line can be drawn through; some of them are none.
expect 0 timeout 600 "$KJIT" run scale.k --device cpu -q 'x=normal(1000000, dtype=float32)' \
    'out=full(1000000, inf, float32)' --grid 3000x256 --plot out=out.svg --plot x=out.png
says out.svg '<svg'
holds sh -c 'head -c 4 out.png | grep -q PNG'
expect 0 "$KJIT" run scale.k --device cpu --json --time 3
says out '"kernel": "scale"' '"dtype": "float32"' '"median_ms": '
expect 0 "$KJIT" run scale.k --device cpu --time 3
says out '^median .* ms of 3 launches'

expect 2 "$KJIT" run scale.k --device cpu ox=3
says err "no parameter 'ox'; did you mean 'x'"
expect 2 "$KJIT" run scale.k --device cpu X=3
says err "no parameter 'X'; did you mean 'x'"
expect 2 "$KJIT" run scale.k --device cpu 'x=x.npy[::2]'
says err "there is no value 'x'; did you mean 'load\(\"x\.npy\"\)\[::2\]'\?$"
expect 2 "$KJIT" run scale.k --device cpu 'x=data.csv * 2'
says err "there is no value 'data'; did you mean 'load\(\"data\.csv\"\)'\?$"
expect 2 "$KJIT" run scale.k --device cpu n=3
says err "no parameter 'n'"
expect 2 "$KJIT" run scale.k --device cpu --print y
says err "no array or number called 'y'$"
expect 2 "$KJIT" run scale.k --device cpu --print otu
says err "no array or number called 'otu'; did you mean 'out'\?$"
expect 2 "$KJIT" run scale.k --device cpu --plot out=out.gif
says err "one launch has one step"
expect 2 "$KJIT" run scale.k:scail --device cpu
says err 'scale'
expect 2 "$KJIT" run scale.k --device abacus
expect 3 "$KJIT" run nowhere.k --device cpu
says err 'nowhere.k'
expect 3 "$KJIT" run scale.k --device cpu x=nowhere.npy
expect 3 "$KJIT" run scale.k --device cpu --save out=nowhere/out.npy

expect 0 "$KJIT" run scale.k --device cpu --json --print out
says err '^\[0, 3, 6, 9, '
says out '^\{$'
expect 2 "$KJIT" run scale.k --device cpu --save out=out.txt
says err 'out=out.txt: it saves .npy'
mkdir folder.npy
expect 3 "$KJIT" run scale.k --device cpu --save out=folder.npy
expect 2 "$KJIT" run scale.k --device cpu --save out
says err "wants NAME=FILE.npy, not 'out'"
expect 2 "$KJIT" run scale.k --device cpu --print=out=x
says err "wants NAME, not 'out=x'"
expect 2 "$KJIT" run scale.k --device cpu --print out,x
says err "wants NAME, not 'out,x'; it may be said several times$"
expect 2 "$KJIT" run scale.k --device cpu --plot out=
says err '\[=FILE\]'
expect 2 "$KJIT" run scale.k --device cpu 'x=load("out.npy", dtype=int8)'
says err 'dtype and shape itself'
expect 2 "$KJIT" run scale.k --device cpu 'x=load("out.npy", "x")'
says err 'only a .npz has members'
expect 2 "$KJIT" run scale.k --device cpu FACTOR=4
says err "no parameter 'FACTOR'; .* -D 'FACTOR=4'"
expect 2 "$KJIT" run scale.k --device cpu y=4
says err "no parameter 'y', and"
cat >five.k <<'K'
@cuda.jit
def five(x):
    raise ValueError("five")
K
expect 3 "$KJIT" run five.k --device cpu 'x=zeros(1)' --debug --grid 1x1
says err 'ValueError: five \(block \(0, 0, 0\), thread \(0, 0, 0\)\)$'

cat >two.k <<'K'
@cuda.jit
def first(x):
    x[0] = 1


@cuda.jit
def second(x):
    x[0] = 2
K
expect 2 "$KJIT" run two.k --device cpu
says err '2 kernels' 'two\.k:first' 'two\.k:second'
expect 2 "$KJIT" run two.k:second --device cpu
says err 'second needs x'
expect 0 "$KJIT" run two.k:second --device cpu 'x=zeros(3)'
says out '^x  float64\[3\]  min 0  max 2  sum 2  \[2, 0, 0\]$'

cat >wrong.k <<'K'
@cuda.jit
def wrong(x):
    x[0] = undefined
    y[0] = 1
K
expect 1 "$KJIT" run wrong.k --device cpu 'x=zeros(3)'
says err '^wrong\.k:3:[0-9]+: error: ' 'undefined'
cat >tuples.k <<'K'
@cuda.jit
def both(t):
    a, (n, b) = t
    i = cuda.grid(1)
    b[i] = n * a[i]
K
expect 0 "$KJIT" run tuples.k --device cpu 'x=arange(4)' 't=(x, (2.5, zeros(4)))' --grid 1x4 \
    --print 't[1][1]' --save 't[1][1]=b.npy'
says out '^t\[1\]\[1\]  float64\[4\]  min 0  max 7.5' '^\[0, 2.5, 5, 7.5\]$'
expect 0 "$KJIT" run tuples.k --device cpu 't=(load("b.npy"), (2, zeros(4)))' --grid 1x4
says out 'max 15'
for name in 't[2]' 't[1][0]' 't[0][0]' 't[x]' 'u[0]'; do
    expect 2 "$KJIT" run tuples.k --device cpu 't=(ones(4), (2, ones(4)))' --grid 1x4 \
        --print "$name"
done
expect 2 "$KJIT" run tuples.k --device cpu 't=(ones(4), (2, ones(4)))' --grid 1x4 --print t
says err "'t' is a tuple; its items are called t\[0\]"
expect 2 "$KJIT" run tuples.k --device cpu 't[0]=4' --grid 1x4
expect 1 "$KJIT" run tuples.k --device cpu 't=(ones(4), 1)' --grid 1x4
says err 'cannot unpack an int64'
expect 2 "$KJIT" run tuples.k --device cpu 't=None' --grid 1x4
says err 'None is no argument'

printf 'def f(:\n' >broken.k
expect 1 "$KJIT" run broken.k --device cpu
says err '^broken\.k:1:[0-9]+: error: '
: >nothing.k
expect 1 "$KJIT" run nothing.k --device cpu

# Timing leaves the results alone, in tuples too, and measures the layout that was given.
cat >pair.k <<'K'
@cuda.jit
def f(t, a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        t[0][i] += 1
        a[i] += 1
K
expect 0 "$KJIT" run pair.k 't=(zeros(4), 1)' 'x=zeros(8)' 'a=x[::-2]' --grid 1x4 --time 3
says out '^t\[0\].* sum 4 ' '^a .* sum 4 ' '^median'
# Values may name the module's constants.
cat >constants.k <<'K'
N = 3
pair = np.dtype([("x", np.float32), ("y", np.int32)])
@cuda.jit
def fill(x):
    x[cuda.grid(1)].y = 7
K
expect 0 "$KJIT" run constants.k 'x=zeros(N, dtype=pair)' --device cpu --grid 1x3
says out '^x\.y  int32\[3\]  min 7 '
expect 0 "$KJIT" run constants.k 'x=zeros(N, dtype=pair)' --device cpu --grid 1x2 -D N=2
says out '^x\.y  int32\[2\]  min 7 '
# A kernel in a function, which closes over what -D gives it; one with a default.
cat >factory.k <<'K'
def make_kernel(n):
    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] = n
    return fill
K
expect 1 "$KJIT" run factory.k 'a=zeros(3)'
says err "error: 'n' is a parameter of 'make_kernel', and has no value: give it one with -D n=VALUE"
expect 0 "$KJIT" run factory.k:make_kernel.fill 'a=zeros(3)' -D n=7 --grid 1x3 --device cpu
says out '\[7, 7, 7\]$'
# What a factory is called for at module level, by the name that this gives it.
cat >made.k <<'K'
n = 2
def make_kernel(n, add=0, *, times=1):
    both = n * times
    def helper(a):
        return a + add
    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] = helper(both)
    @cuda.jit
    def other(a):
        a[0] = 1
    return fill
first = make_kernel(n + 1)
n = 5
second = make_kernel(n, add=100, times=2)
kernels = {k: make_kernel(k) for k in (1, 2)}
spread = make_kernel(*(1, 2))
lost = {k: make_kernel(k) for k in open("sizes")}[1]
from functools import partial
def add(a, n, m=2):
    a[0] = n + m
applied = [partial(make_kernel(8)), make_kernel(8)]
jitted = [cuda.jit(partial(add, m=40))]
def make_both(n):
    @cuda.jit
    def fill(a):
        a[0] = n
    @cuda.jit
    def more(a):
        a[0] = 10 * n
    if n > 4:
        return more, fill
    return fill, more
plain, ten = make_both(3)
turned, _ = make_both(5)
def make_odd(n):
    steps = 0
    for i in range(n):
        steps += 1
    def odd(a):
        a[0] = steps
    return cuda.jit(odd) if steps % 2 else second
def make_last(n, by):
    if n:
        n = n + by
        return make_kernel(n, n)
    return second
last = make_last(4, 1)
even, odd = make_odd(2), make_odd(5)
both = make_both(6)
picked = both[-1]
head, *rest = both
plain, ten = swapped = ten, plain
K
expect 0 "$KJIT" run made.k:first 'a=zeros(3)' --grid 1x3 --device cpu
says out '\[3, 3, 3\]$'
expect 0 "$KJIT" run made.k:second 'a=zeros(3)' --grid 1x3 --device cpu
says out '\[110, 110, 110\]$'
expect 0 "$KJIT" run made.k:second 'a=zeros(3)' --grid 1x3 --device cpu -D times=3
says out '\[115, 115, 115\]$'
expect 0 "$KJIT" run made.k:second 'a=zeros(3)' --grid 1x3 --device check
says out '\[110, 110, 110\]$'
for each in 'spread 3' 'kernels[2] 2' 'both[0] 60' 'plain 30' \
    'ten 3' 'turned 50' 'picked 6' 'head 60' 'odd 5' 'last 10'; do
    expect 0 "$KJIT" run "made.k:${each% *}" 'a=zeros(1)' --grid 1x1 --device cpu
    says out "\[${each#* }\]\$"
done
expect 2 "$KJIT" run made.k:gone 'a=zeros(3)' --grid 1x3 --device cpu
says err "has no kernel 'gone'; it has make_kernel.fill, make_kernel.other, make_both.fill, " \
    "make_both.more, make_odd.odd, first, second, turned, last, even, odd, picked, head, plain," \
    "plain, ten$"
expect 1 "$KJIT" run made.k:lost 'a=zeros(3)' --grid 1x3 --device cpu
says err "made.k:18:1: error: it is not known which kernel 'lost' is, as kjit cannot evaluate " \
    "note: kernels can be named where they are defined: make_kernel.fill -D n=VALUE, make_kernel"
# What partial() makes is no kernel, and no function that jit takes.
expect 1 "$KJIT" run 'made.k:jitted[0]' 'a=zeros(3)' n=8 --grid 1x3 --device cpu
says err "note: jit compiles functions, and what partial\(\) makes of 'add' is none: define a"
expect 2 "$KJIT" run 'made.k:applied[0]' 'a=zeros(3)' --grid 1x3 --device cpu
says err "has no kernel 'applied\[0\]'"
expect 0 "$KJIT" run 'made.k:applied[1]' 'a=zeros(1)' --grid 1x1 --device cpu
expect 2 "$KJIT" run 'made.k:make_both[0]' 'a=zeros(3)' --grid 1x3 --device cpu
says err "has no kernel 'make_both\[0\]'"
expect 2 "$KJIT" run made.k:secnod 'a=zeros(3)' --grid 1x3 --device cpu
says err "has no kernel 'secnod'; did you mean 'second'\? It has make_kernel.fill, "
expect 1 "$KJIT" run 'made.k:both[7]' 'a=zeros(3)' --grid 1x3 --device cpu
says err "error: it is not known which kernel 'both\[7\]' is"
# What is not known and takes more than a function makes another one of it, not that function.
cat >fused.k <<'K'
from functools import partial
import tools

@cuda.jit
def one(a, n=1):
    a[0] = n

@cuda.jit
def two(a):
    a[0] = 2

fused = tools.fuse(one, two)
later = partial(one, n=5)
same = tools.noted(one)
K
expect 1 "$KJIT" run fused.k:fused 'a=zeros(1)' --grid 1x1 --device cpu
says err "fused.k:12:1: error: it is not known which kernel 'fused' is" \
    "note: kernels can be named where they are defined: one, two$"
expect 2 "$KJIT" run fused.k:later 'a=zeros(1)' --grid 1x1 --device cpu
expect 0 "$KJIT" run fused.k:same 'a=zeros(1)' --grid 1x1 --device cpu
says out '\[1\]$'
# A kernel by any expression; of a table, which it holds.
cat >tables.k <<'K'
def make(n):
    @cuda.jit
    def step(a):
        a[0] = n
    return step

class Solver:
    def __init__(self, n):
        self.step = make(n)

steps = [make(1), make(2)]
table = {"a:b": make(3), "c": make(4)}
solver = Solver(5)
K
for each in 'steps[1] 2' 'table["a:b"] 3' 'solver.step 5' 'make(6) 6' 'make(n=7) 7' \
    'Solver(8).step 8'; do
    name=${each% *}
    expect 0 "$KJIT" run "tables.k:$name" 'a=zeros(1)' --grid 1x1 --device cpu
    says out "\[${each##* }\]\$"
    expect 0 "$KJIT" build "tables.k:$name" --emit c --sig 'float64[::1]' -o step.c
    expect 0 "$KJIT" build tables.k --emit c --sig "$name(float64[::1])" -o same.c
    expect 0 cmp step.c same.c
done
expect 2 "$KJIT" run tables.k:steps 'a=zeros(1)' --grid 1x1 --device cpu
says err "'steps' is no kernel of tables.k: name one that it holds: steps\[0\], steps\[1\]$"
expect 2 "$KJIT" run tables.k:table 'a=zeros(1)' --grid 1x1 --device cpu
says err "name one that it holds: table\['a:b'\], table\['c'\]$"
for stage in c binary; do
    expect 1 "$KJIT" build tables.k --emit $stage --sig 'steps[7](float64[::1])' -o none
    says err "it is not known which kernel 'steps\[7\]' is"
    expect 2 "$KJIT" build tables.k --emit $stage --sig 'nowhere[7](float64[::1])' -o none
    says err "tables.k has no kernel 'nowhere\[7\]'"
done
# A '/' of such a name is none of a path.
mkdir divided
expect 0 "$KJIT" build 'tables.k:make(n=6//2)' --sig 'float64[::1]' --emit c -o divided
holds test -s 'divided/make(n=6--2).c'
expect 0 env KJIT_CAPTURE=divided "$KJIT" run 'tables.k:make(n=6//2)' 'a=zeros(1)' --grid 1x1 \
    --device cpu
expect 0 "$KJIT" run divided/make*-*/ --device cpu
says out 'the same as captured'
for name in 'make(2' 'table["a:b"' 'steps['; do
    expect 2 "$KJIT" run "tables.k:$name" 'a=zeros(1)' --grid 1x1 --device cpu
    says err "^kjit: a bracket of '.*' is not closed$"
done
printf '%s\n' 'listed = [make(n) for n in (1, 2)]' 'keyed = {n: make(n) for n in (1, 2)}' \
    'sizes = [n * 2 for n in (1, 2)]' | cat tables.k - >comprehended.k
expect 2 "$KJIT" run comprehended.k:listed 'a=zeros(1)' --grid 1x1 --device cpu
says err "'listed' is no kernel of comprehended.k: name one that it holds: listed\[0\]$"
expect 2 "$KJIT" run comprehended.k:keyed 'a=zeros(1)' --grid 1x1 --device cpu
says err "name one that it holds: keyed\[KEY\]$"
expect 2 "$KJIT" run comprehended.k:sizes 'a=zeros(1)' --grid 1x1 --device cpu
says err "comprehended.k has no kernel 'sizes'"
expect 1 "$KJIT" run 'tables.k:make()' 'a=zeros(1)' --grid 1x1 --device cpu
says err "tables.k:1:5: error: it is not known which kernel 'make\(\)' is" \
    "^note: the call of 'make' lacks 'n'$"
for name in 'steps 1' 'Solver(8)'; do
    expect 2 "$KJIT" run "tables.k:$name" 'a=zeros(1)' --grid 1x1 --device cpu
    says err "tables.k has no kernel '"
done
expect 3 "$KJIT" run "nowhere.k:make.step" 'a=zeros(1)' --grid 1x1 --device cpu
says err "there is no file 'nowhere.k'"
# Factories that take what is left of the arguments.
cat >rest.k <<'K'
def make(n=1, **options):
    scale = options.get("scale", 2)
    more = options["more"] if "more" in options else 0
    @cuda.jit(fastmath=options.get("fastmath", False))
    def step(a):
        a[0] = n * scale + more
    return step

def many(first, *sizes, last=9):
    total = sum(sizes) * 10 + len(sizes)
    @cuda.jit
    def step(a):
        a[0] = first * 1000 + total if last == 9 else sizes[0]
    return step

def outer(**options):
    return make(**options)

S = 4
none = make()
scaled = make(3, scale=5)
named = make(more=7, n=2, scale=S, fastmath=True)
spread = make(1, **dict(scale=10))
passed = outer(n=2, scale=7)
alone = many(1)
three = many(1, 2, S)
keyword = many(1, 2, S, last=3)
tuple_ = many(1, *(5, 6))
wrong = make(1, 2)
S = 100
K
for each in 'none 2' 'scaled 15' 'named 15' 'spread 10' 'passed 14' 'alone 1000' 'three 1062' \
    'keyword 2' 'tuple_ 1112' 'make(2, scale=9) 18' 'many(1, 5, 6) 1112'; do
    expect 0 "$KJIT" run "rest.k:${each% *}" 'a=zeros(1)' --grid 1x1 --device cpu
    says out "\[${each##* }\]\$"
done
expect 1 "$KJIT" run rest.k:wrong 'a=zeros(1)' --grid 1x1 --device cpu
says err "note: 'make' takes 1 argument, and 2 were given"
expect 1 "$KJIT" run 'rest.k:make(2, x=1, n=3)' 'a=zeros(1)' --grid 1x1 --device cpu
says err "note: 'make' gets 'n' twice"
# Of a file whose names may stand for other kernels in the end none is taken silently.
cat >uncertain.k <<'K'
@cuda.jit
def one(a):
    a[0] = 1

@cuda.jit
def two(a):
    a[0] = 2

globals()["one"] = two
K
expect 2 "$KJIT" run uncertain.k 'a=zeros(1)' --grid 1x1 --device cpu
says err 'uncertain.k has 2 kernels; name one:$' '^    uncertain.k:one@2$' '^    uncertain.k:two$'
expect 1 "$KJIT" run uncertain.k:one 'a=zeros(1)' --grid 1x1 --device cpu
says err "uncertain.k:9:1: error: it is not known which kernel 'one' is" \
    "^note: 'one' is changed in place" 'they are defined: one@2, two$'
expect 0 "$KJIT" run uncertain.k:one@2 'a=zeros(1)' --grid 1x1 --device cpu
says out '\[1\]$'
sed -i 5,8d uncertain.k
sed -i 's/.*two/f = eval("one")/' uncertain.k
expect 1 "$KJIT" run uncertain.k 'a=zeros(1)' --grid 1x1 --device cpu
says err "error: it is not known which kernel 'one' is" \
    "^note: 'one' may be changed by exec\(\) or eval\(\), which kjit cannot run"
cat >imported.k <<'K'
@cuda.jit
def one(a):
    a[0] = 1

try:
    import cupy
    one = cuda.jit(lambda a: None)
except ImportError:
    pass
K
expect 1 "$KJIT" run imported.k 'a=zeros(1)' --grid 1x1 --device cpu
says err "imported.k:7:5: error: it is not known which kernel 'one' is"
# Kernels of one name in branches: the conditions say which, in modules and by what factories are
# called with; where they cannot, that is an error. Of several returns, too.
cat >branches.k <<'K'
WIDE = False
if WIDE:
    @cuda.jit
    def m(a):
        a[0] = 1
else:
    @cuda.jit
    def m(a, b):
        b[0] = a[0] + 2
def pick(n, known={}):
    if n in known:
        return known[n]
    if n == 1:
        @cuda.jit
        def k(a):
            a[0] = 10
        return k
    @cuda.jit
    def k(a):
        a[0] = n
    @cuda.jit
    def negative(a):
        a[0] = 2 - n
    return k if n > 0 else negative
class Held:
    if WIDE:
        @cuda.jit
        def k(a):
            a[0] = 1
    else:
        @cuda.jit
        def k(a):
            a[0] = 2
def outer(n):
    return pick(n + 1) if n else None
one, five, minus = pick(1), pick(5), pick(-5)
again = five
which = minus if WIDE else again
deep = outer(5)
def loop(n):
    for i in range(n):
        @cuda.jit
        def k(a):
            a[0] = i
        if i == 2:
            return k
    return k
looped = loop(4)
import absent
unknown = one
if absent.wanted():
    unknown = five
else:
    unknown = absent.kernels(0)
K
gives() # NAME VALUE OPTION...: what the kernel leaves
{
    name=$1 value=$2
    shift 2
    expect 0 "$KJIT" run "branches.k:$name" 'a=zeros(1)' --grid 1x1 --device cpu "$@"
    says out "\[$value\]\$"
}
gives m 2 'b=zeros(1)'
gives m 1 -D WIDE=True
gives m@4 1
gives m@8 2 'b=zeros(1)'
gives Held.k 2
gives Held.k 1 -D WIDE=True
gives one 10
gives five 5
gives minus 7
gives again 5
gives which 5
gives which 7 -D WIDE=True
gives deep 6
gives pick.k 10 -D n=1
gives pick.k 3 -D n=3
expect 1 "$KJIT" run branches.k:pick.k 'a=zeros(1)' --grid 1x1 --device cpu
says err "error: which 'k' is meant depends on a condition that kjit cannot evaluate: give the " \
    "names in it values with -D NAME=VALUE" \
    "note: 'n' is a parameter of 'pick', and has no value: give it one with -D n=VALUE"
gives looped 2
expect 1 "$KJIT" run branches.k:unknown 'a=zeros(1)' --grid 1x1 --device cpu
says err "error: which 'unknown' is meant depends on a condition that kjit cannot evaluate"
printf '@cuda.jit\ndef k(a, n=7):\n    a[cuda.grid(1)] = n\n' >default.k
expect 0 "$KJIT" run default.k 'a=zeros(3)' --grid 1x3 --device cpu
says out '\[7, 7, 7\]$'
expect 0 "$KJIT" run default.k 'a=zeros(3)' n=8 --grid 1x3 --device cpu
says out '\[8, 8, 8\]$'
# A file without a kernel: which function looks like one, and why it is none.
printf '@cuda.jit(device=True)\ndef f(a):\n    return a\n' >device.k
expect 1 "$KJIT" run device.k 'a=zeros(3)'
says err "note: 'f' is a device function; a kernel is"
printf 'from numba.cuda import *\n@jit\ndef k(a):\n    a[grid(1)] = 7\n' >star.k
expect 0 "$KJIT" run star.k 'a=zeros(3)' --grid 1x3 --device cpu
says out '\[7, 7, 7\]$'
expect 2 "$KJIT" run star.k --device cpu
says err 'k needs a: say NAME=VALUE in an @example above the kernel, or on the command line'

# What cannot be written is known before anything is launched, and what is there stays.
cat >endless.k <<'E'
@example(x=zeros(4), grid=1, block=1)
@cuda.jit
def endless(x):
    print("launched")
    x[0] = 1
E
mkdir -p folder.npy folder.svg
echo before >there.npy
for wrong in '--save x=nowhere/x.npy' '--save x=folder.npy' '--save x=there.npy/x.npy' \
    '--plot x=nowhere/x.svg' '--plot x=folder.svg' '--save x=there.npy --plot x=folder.svg'; do
    expect 3 "$KJIT" run endless.k --device cpu $wrong
    silent out launched
    says err '^kjit: --(save|plot): cannot write '
done
holds grep -q before there.npy
(mkdir plots && cd plots && mkdir x.svg)
expect 3 sh -c 'cd plots && "$KJIT" run ../endless.k --device cpu --plot x'
silent out launched
expect 3 "$KJIT" check endless.k --sarif nowhere/x.sarif
silent out launched
says err "there is no folder 'nowhere'"
expect 3 "$KJIT" build endless.k --emit ir -o nowhere/x.ir
says err "^kjit: -o: cannot write 'nowhere/x.ir': there is no folder 'nowhere'"
expect 0 "$KJIT" run endless.k --device cpu --save x=there.npy

# Kernels in functions are listed with what they have no value for.
cat >made.py <<'A'
def make(scale, taps, width=3, unused=None):
    @cuda.jit(device=True)
    def weight(i):
        return taps + i

    @cuda.jit
    def forward(x):
        unit = 2
        x[0] = scale * weight(unit) + width

    @cuda.jit
    def plain(x):
        for scale in range(3):
            x[scale] = width
    return forward
A
expect 2 "$KJIT" run made.py
says err '^    made.py:make.forward -D scale=VALUE -D taps=VALUE$' '^    made.py:make.plain$'
expect 2 "$KJIT" run made.py -D taps=3
says err '^    made.py:make.forward -D scale=VALUE$'

# Endings of files count whatever their case.
cat >upper.k <<'A'
@cuda.jit
def k(x):
    x[cuda.grid(1)] += 1
A
expect 0 "$KJIT" run --device cpu upper.k 'x=arange(4.0)' --grid 1x4 --save x=x.npy
mv x.npy X.NPY
expect 0 "$KJIT" run --device cpu upper.k x=X.NPY --grid 1x4 --print x
says out '2, 3, 4, 5'

# A kernel launched several times, two of its arrays in each other's place.
cat >grow.k <<'A'
@cuda.jit
def grow(u, v):
    i = cuda.grid(1)
    if i < u.size:
        v[i] = 2 * u[i] + 1
A
expect 0 "$KJIT" run --device cpu grow.k 'u=zeros(3)' 'v=zeros(3)' --repeat 5 --swap u,v --print v
says out '^\[31, 31, 31\]$'
expect 0 "$KJIT" run --device cpu grow.k 'u=zeros(3)' 'v=zeros(3)' --repeat 4 --swap u,v --print u
says out '^\[15, 15, 15\]$'
expect 0 "$KJIT" run --device cpu grow.k 'u=zeros(3)' 'v=zeros(3)' --repeat 4 --print v
says out '^\[1, 1, 1\]$'
expect 2 "$KJIT" run --device cpu grow.k 'u=zeros(3)' 'v=zeros(3)' --repeat 4 --swap u,w
says err "^kjit: --swap u,w: grow has no array 'w'$"
expect 2 "$KJIT" run --device cpu grow.k 'u=zeros(3)' 'v=zeros(3)' --swap u
says err '^kjit: --swap u: it takes the names of two arrays'

# Values are host code: arithmetic on arrays, functions of the module, text files.
cat >host.k <<'K'
N = 4


def ramp(n, by=2):
    return [by * i for i in range(n)]


def broken(n):
    return n // 0


@cuda.jit
def twice(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * x[i]
K
printf 'a;b\n\n1;2.5 # first\n3;-4\n' >two.csv
printf '1\n2\n3\n' >one.txt
twice() { # x, out: what comes of it
    expect 0 "$KJIT" run --device cpu host.k --grid 1x16 "x=$1" 'out=zeros_like(x)' --print out
}
twice 'ramp(N)'
says out '^\[0, 4, 8, 12\]$'
twice '2.5 * ones(9)[::4] + arange(3)'
says out '^\[5, 7, 9\]$'
twice 'np.where(arange(4) > 1, 1, -1)'
says out '^\[-2, -2, 2, 2\]$'
twice '[n ** 2 for n in range(N) if n]'
says out '^\[2, 8, 18\]$'
twice 'load("two.csv")[:, 1]'
says out '^\[5, -8\]$'
twice one.txt
says out '^\[2, 4, 6\]$'
twice 'load("one.txt", dtype=int8)'
says out '^\[2, 4, 6\]$'
printf '1,2\n3\n' >ragged.csv
printf '1,2\n3,x\n' >words.csv
expect 3 "$KJIT" run --device cpu host.k --grid 1x16 x=ragged.csv out=x
says err '^kjit: <x>:1:1: error: ragged\.csv:2: it has 1 number, and the rows before 2$'
expect 3 "$KJIT" run --device cpu host.k --grid 1x16 x=words.csv out=x
says err "words\.csv:2: 'x' is no number"
expect 2 "$KJIT" run --device cpu host.k --grid 1x16 'x=[1, "a"]' out=x
says err "<x>:1:1: error: an array is made of numbers, not of 'str'$"
expect 2 "$KJIT" run --device cpu host.k --grid 1x16 'x=broken(3) + 1' out=x
says err 'host\.k:9:12: error: integer division or modulo by zero' \
    '^<x>:1:1: note: broken\(\) is called here'
expect 2 "$KJIT" run --device cpu host.k --grid 1x16 'x=ones(3) + ones(4)' out=x
says err 'operands could not be broadcast together'

# Positive factors may have a product that wraps to 0, by which a processor does not divide: 0.
cat >wraps.k <<'K'
@cuda.jit
def wraps(c, o, h, n):
    i = cuda.grid(1)
    x = c[i]
    if x >= 0:
        m = h * h * n
        t = x // n
        o[0, i] = t % (h * h * n)
        o[1, i] = t // m
        o[2, i] = t % m
K
expect 0 "$KJIT" run --device cpu wraps.k --grid 2x16 'c=arange(32, dtype=int32)' \
    'o=ones((3, 32), dtype=int64)' h=4294967296 n=8 --print o
says out '^o  int64\[3, 32\]  min 0  max 0  sum 0 '
