# Command lines that are wrong: status 2, and a message that says what would be right.
expect 2 "$KJIT"
says err "^kjit: which command"
expect 0 "$KJIT" --help
says out '^  run ' '^  build ' '^  test ' '^  check ' '^  bench ' '^  tune ' '^  cache ' \
    '^  doctor ' 'Exit status'
expect 0 "$KJIT" --version
says out 'BSD-2-Clause$' '^kjit [0-9]+\.[0-9]+\.[0-9]+$'

expect 2 "$KJIT" rum
says err "no command 'rum'; did you mean 'run'"
expect 2 "$KJIT" --hlep
says err "^kjit: there is no option '--hlep'; did you mean '--help'\\?$"
expect 2 "$KJIT" frobnicate
says err "no command 'frobnicate'"

for command in run build test check bench tune lsp cache doctor; do
    expect 0 "$KJIT" $command --help
    says out "^Usage: kjit $command"
    expect 0 "$KJIT" $command -h
    says out "^Usage: kjit $command"
    expect 2 "$KJIT" $command --no-such-option
done
expect 2 "$KJIT" run
says err 'which FILE'
expect 2 "$KJIT" build x.k
says err 'which stage\? say --emit STAGE, of tokens, ast,'
expect 2 "$KJIT" build x.k --emit llvm
says err 'tokens, ast, remarks, ir'
expect 2 "$KJIT" build x.k --emit ptx --arch gfx90a
says err 'sm_90'
expect 2 "$KJIT" cache
expect 2 "$KJIT" cache wipe
says err "ls, stats or clear, not 'wipe'"
expect 2 "$KJIT" doctor me
expect 2 "$KJIT" test
expect 3 "$KJIT" test nowhere
says err 'cannot find nowhere'
mkdir empty
expect 2 "$KJIT" test empty

for grid in 0x64 64 64x 64x64x 1,1,1,1x1 -1x4 64,x64 99999999999x1 '[64]' '[64, 64' 'axb'; do
    expect 2 "$KJIT" run x.k --grid "$grid"
    says err 'as 64x256'
done
for count in 0 -1 x 99999999999999999999 1e6 ''; do
    expect 2 "$KJIT" run x.k --forall "$count"
done
expect 2 "$KJIT" run x.k --shared many
expect 2 "$KJIT" run x.k --time 0
expect 2 "$KJIT" run x.k --grid 1x1 --forall 5
expect 2 "$KJIT" run x.k -D TPB
says err 'NAME=VALUE'
expect 2 "$KJIT" run x.k 5=x
expect 2 "$KJIT" run x.k n=
expect 2 "$KJIT" run x.k --save out
expect 2 "$KJIT" run x.k --print =3

# A file that is not there is told in one way, and ends every command in one way.
for command in run check bench tune 'build --emit cuda' 'test'; do
    expect 3 "$KJIT" $command nowhere.k
    says err "^kjit: (there is no file 'nowhere\.k'|cannot find nowhere\.k: )"
done

# A misspelt option is guessed at as a misspelt name is; what an option takes is none.
touch x.k
for command in run check bench tune; do
    expect 2 "$KJIT" $command x.k --gird 4x4
    says err "^kjit: there is no option '--gird'; did you mean '--grid'\\?$"
done
expect 2 "$KJIT" build x.k --emti=cuda
says err "'--emti'; did you mean '--emit'"
expect 2 "$KJIT" run x.k -grid 4x4
says err "'-grid'; did you mean '--grid'"
expect 2 "$KJIT" doctor --jsn
says err "did you mean '--json'"
expect 2 "$KJIT" run x.k --xyzzy
silent err 'did you mean'
expect 2 "$KJIT" run x.k -D --gird
says err "-D wants NAME=VALUE, not '--gird'"
expect 2 "$KJIT" run x.k -- --gird
silent err 'option'

# A grid as others write it.
while read -r grid meant; do
    expect 2 "$KJIT" run x.k --grid "$grid"
    says err "not '.*': did you mean $meant\\?$"
done <<'E'
4,256 4x256, which is numba's \[4, 256\]
<<<4,256>>> 4x256, which is numba's \[4, 256\]
4*256 4x256, which is numba's \[4, 256\]
(4,8),(16,32) 4,8x16,32, which is numba's \[\(4, 8\), \(16, 32\)\]
E
for grid in 4 4,5,6 0,64 -1x4 a,b; do
    expect 2 "$KJIT" run x.k --grid "$grid"
    silent err 'did you mean'
done

# Nothing is given twice.
cat >x.k <<'E'
N = 1
@example(x=zeros(4), n=3)
@cuda.jit
def k(x, n):
    x[0] = n
E
for command in run check bench; do
    expect 2 "$KJIT" $command x.k n=1 x='zeros(3)' n=2
    says err "^kjit: 'n' is given twice: n=1 and n=2"
    expect 2 "$KJIT" $command x.k -D N=1 -D N=2
    says err "^kjit: 'N' is given twice: -D N=1 and N=2"
done
twice() # command, what is said of an option, options...
{
    command=$1 said=$2
    shift 2
    expect 2 "$KJIT" $command "$@"
    says err "^kjit: $said; which one\?\$"
    silent out .
}
twice 'run x.k' '--grid is given twice: 1x1 and 2x2' --grid 1x1 --grid=2x2
twice 'run x.k' '--device is given twice: cpu and check' --device cpu --dev check
twice 'run x.k' '--time is given twice: 3 and 4' --time 3 --json --time 4
twice 'check x.k' '--orders is given twice: 1 and 1' --orders 1 --orders 1
twice 'bench x.k' '--samples is given twice: 2 and 3' --samples 2 --samples 3
twice 'build x.k' '--emit is given twice: ir and c' --emit ir --emit c
twice 'tune x.k' '--seed is given twice: 1 and 2' --seed 1 --seed 2
twice 'test x.k' '--jobs is given twice: 1 and 2' -j1 --jobs 2
# What may be repeated, and what only looks like an option.
expect 0 "$KJIT" run x.k --device cpu --print x --print x -q -q --json --json
expect 0 "$KJIT" build x.k --sig 'k(float32[::1], int64)' --sig 'k(float64[::1], int64)' --emit ir
expect 2 "$KJIT" run x.k --device --device --device cpu
says err "^kjit: --device is given twice: --device and cpu"
expect 2 "$KJIT" run x.k --save x=a.npy --save n=a.npy
says err "--save n=a.npy: 'x' goes to that file already"

# Files that are no arrays, as values.
for data in a.jpg d.bin; do
    expect 2 "$KJIT" run x.k x=$data
    says err "there is no file '$data'"
    touch $data
    expect 2 "$KJIT" run x.k x=$data
    says err 'it reads \.(npy|csv), \.np'
done
says err 'load\("d.bin", dtype=float32'
# A path may have any ending, or none, where it begins like one.
mkdir -p pics
for data in ./pics/one "$PWD/pics/two" ./pics/../pics/three.xyz; do
    expect 2 "$KJIT" run x.k "x=$data"
    says err "load: there is no file '.*pics/[a-z.]*'"
    touch "$data"
    expect 2 "$KJIT" run x.k "x=$data"
    says err 'it reads \.csv, \.npy and \.npz' "load\(\"$(basename "$data")\", dtype=float32"
done
expect 2 "$KJIT" run x.k x=./a.jpg
says err 'PIL.Image.open\("a.jpg"\).save\("a.png"\)'
expect 3 "$KJIT" run x.k x=./c.txt
says err "there is no file './c.txt'"
touch c.txt
expect 3 "$KJIT" run x.k x=./c.txt
says err 'c.txt: there are no numbers in it'
expect 2 "$KJIT" run x.k x=a.jpg
says err 'PIL.Image.open\("a.jpg"\)'
# An option of other tools' launches, and one that no tool has.
expect 2 "$KJIT" run x.k x=3 --block 32
says err "^kjit: there is no option '--block'; --grid says both, .*: --grid 64x256$"
expect 2 "$KJIT" doctor --block 32
says err "^kjit: there is no option '--block'; 'kjit doctor --help' lists them$"
expect 2 "$KJIT" run x.k --frobnicate
says err "^kjit: there is no option '--frobnicate'; 'kjit run --help' lists them$"
# What is not understood in the environment is refused; what cannot be used is reported.
cat >one.k <<'K'
@example(x=zeros(4), y=1, grid=1, block=4)
@cuda.jit
def one(x, y):
    x[cuda.threadIdx.x] = y
K
expect 2 env KJIT_PROGRESS=foo "$KJIT" run one.k
says err '^kjit: KJIT_PROGRESS=foo: it is a number of seconds, or 0'
expect 2 env KJIT_REHEARSE=foo "$KJIT" check one.k
says err "^kjit: KJIT_REHEARSE=foo: it is 'always' or 'never'$"
expect 0 env KJIT_CAHCE=/tmp KJIT_FROBNICATE=1 KJITTER=1 "$KJIT" build --emit ir one.k
says err '^note: KJIT_CAHCE: kjit knows no such variable; did you mean KJIT_CACHE\?$' \
    '^note: KJIT_FROBNICATE: kjit knows no such variable$'
silent err KJITTER
for count in two 0 -3 99999999999; do
    expect 0 env OMP_NUM_THREADS=$count "$KJIT" build --emit ir one.k
    says err "^note: OMP_NUM_THREADS=$count: it is no number of threads, and launches use all$"
done
for name in NVRTC DRIVER NVML MPI NCCL; do
    expect 0 env "KJIT_$name=/nope/lib.so" "$KJIT" build --emit ir one.k
    says err "^note: KJIT_$name=/nope/lib.so: there is no such file that can be read$"
done
expect 0 env KJIT_NCCL=none KJIT_MPI=libmpi.so OMP_NUM_THREADS=4,2 "$KJIT" build --emit ir one.k
silent err .
expect 0 env KJIT_CAPTURE_SIZE=9M "$KJIT" build --emit ir one.k
says err '^note: KJIT_CAPTURE_SIZE=9M: without KJIT_CAPTURE nothing is written down$'
expect 0 env KJIT_DEVICE=gpu "$KJIT" build --emit ir one.k
says err '^note: KJIT_DEVICE=gpu: the Python package takes cpu, check, cuda or cuda:N; the command'
for device in auto cpu check cuda cuda:1; do
    expect 0 env KJIT_DEVICE=$device "$KJIT" build --emit ir one.k
    silent err .
done
expect 0 env KJIT_PATH="$PWD:/nope" "$KJIT" build --emit ir one.k
says err "^note: KJIT_PATH names '/nope', which is no folder: imports are not found there$"
silent err "names '$PWD'"
expect 0 env KJIT_CACHE=/proc/nope "$KJIT" build --emit ir one.k
says err '^note: KJIT_CACHE=/proc/nope: nothing can be written there'
expect 0 env KJIT_CACHE="$PWD/new/folder" "$KJIT" build --emit ir one.k
silent err .
# Numbers of things, and what cannot be divided.
expect 2 "$KJIT" run one.k y=1/0
says err '<y>:1:1: error: division by zero$'
expect 2 "$KJIT" run one.k y=1.5%0.0
says err 'error: float modulo$'
cat >program.py <<'K'
import numpy as np
from numba import cuda


@cuda.jit
def one(x, y):
    x[cuda.threadIdx.x] = y


one[1, 4](np.zeros(3))
K
expect 1 "$KJIT" run program.py
says err '^TypeError: one\(x, y\) takes 2 arguments, and 1 was given$'
# A program's kernels are checked by what it launches.
expect 2 "$KJIT" check program.py
says err "^kjit: program.py is a program: 'kjit run --device check program.py' checks what it"

# A file that is not there may be misspelt, of the same kind and in the same folder.
mkdir -p near
: >near/hist.k
: >near/hist.csv
expect 3 "$KJIT" run near/hits.k
says err "^kjit: there is no file 'near/hits.k'; did you mean 'near/hist.k'\?$"
expect 3 "$KJIT" build near/h.k --emit ir
says err "^kjit: there is no file 'near/h.k'$"
expect 2 "$KJIT" doctor here
says err "doctor takes no argument, such as 'here'"
