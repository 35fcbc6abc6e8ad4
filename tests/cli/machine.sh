# The cache and the doctor answer anywhere.
expect 0 "$KJIT" cache clear
expect 0 "$KJIT" cache stats
says out '^kernels +0$' '^directory  /'
expect 0 "$KJIT" cache ls
says out '^nothing in /'
cat >one.k <<'K'
@example(x=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def one(x):
    x[cuda.threadIdx.x] = 1
K
expect 0 "$KJIT" run one.k --device cpu
expect 0 "$KJIT" cache ls
says out ' one\('
expect 0 "$KJIT" cache stats
says out '^kernels +1$'
expect 0 "$KJIT" cache clear
says out '^removed 1 from /'
expect 0 "$KJIT" doctor
says out '^(found|missing) ' '^(found|missing) +movies +'
# Libraries that are loaded when they are needed, and what has them.
mkdir none
touch none/libcairo.so.2 none/libpng16.so.16
expect 0 env LD_LIBRARY_PATH="$PWD/none" PATH="$PWD/none" "$KJIT" doctor
says out '^missing +pictures +there is no libcairo\.so\.2$' 'package libcairo2 has it' \
    '^missing +\.png files ' '^missing +movies +there is no ffmpeg$' 'package ffmpeg has it'
expect 0 "$KJIT" doctor --json
says out '"what": ' '"found": '
mkdir folder
expect 0 env KJIT_PATH="$PWD/folder::/nope" KJIT_CACHE_SIZE=0 KJIT_NVRTC=/nope.so "$KJIT" doctor
says out "^found +imports +$PWD/folder$" '^missing +imports +/nope$' 'KJIT_CACHE_SIZE is 0$'
says out '^missing +NVRTC +not found.*; KJIT_NVRTC names /nope.so$' 'unset KJIT_CACHE_SIZE'
expect 0 env KJIT_PASSES=-narrow "$KJIT" doctor
says out '^found +passes +as KJIT_PASSES says: -narrow$'
expect 0 env KJIT_PASSES=all,quickly "$KJIT" doctor
says out "^missing +passes +KJIT_PASSES names 'quickly', which is no pass$" 'name some of inlined,'
for compiler in "$PWD/nowhere/cc" "$PWD/folder" /bin/true /bin/false; do
    expect 0 env KJIT_CC="$compiler" "$KJIT" doctor
    says out "^missing +C compiler .*$compiler.*KJIT_CC"
    expect 3 env KJIT_CC="$compiler" "$KJIT" run one.k --device cpu
    says err "$compiler" 'KJIT_CC'
done
# An -O and an -march= of its own hold in place of kjit's; @cuda.jit(opt=False) does beside them.
printf '#!/bin/sh\necho "$@" >>"%s/words"\nexec cc "$@"\n' "$PWD" >spying
chmod +x spying
for options in '' ' -O1' ' -march=x86-64 -O2'; do
    rm -f words
    expect 0 env KJIT_CC="$PWD/spying$options" KJIT_CACHE_SIZE=0 "$KJIT" run one.k --device cpu
    case $options in
    '') says words ' -march=native -O3 ' ;;
    ' -O1') says words '^-O1 .* -march=native ' && silent words ' -O3' ;;
    *) says words '^-march=x86-64 -O2 ' && silent words ' -O3| -march=native' ;;
    esac
    says words ' -fopenmp-simd '
done
# Loops of the longest kernels stay as they are: vectors of them take most of the compiler's time.
rm words
expect 0 env KJIT_CC="$PWD/spying -O0" KJIT_CACHE_SIZE=0 "$KJIT" run std:sort --device cpu
silent words ' -fopenmp-simd '
expect 0 "$KJIT" doctor
says out '^found +C compiler '
says out '^(found|missing) +vector math +math\.exp and the like are '
expect 0 env OMP_NUM_THREADS=3 "$KJIT" doctor
says out 'threads +blocks run on 3 threads at a time, as OMP_NUM_THREADS says$'
expect 3 env -u HOME -u XDG_CACHE_HOME -u KJIT_CACHE "$KJIT" cache ls
says err '^kjit: the cache cannot be used: no folder'
# A device is tried by a kernel.
expect 0 "$KJIT" doctor --try
says out '^found +kernel on cpu .*launches 1'
expect 0 "$KJIT" doctor --try --json
says out '"launches": 1'
expect 3 env KJIT_CC=/nowhere "$KJIT" doctor --try
says out '^missing +kernel on cpu .*KJIT_CC'
