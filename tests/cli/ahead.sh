# Kernels compiled ahead of time: programs and files that run where there is no compiler.
cp "$ROOT/examples/hist.k" hist.k
cat >hist.c <<'C'
#include "hist.h"
#include <stdio.h>

int main(void)
{
    static float x[1000];
    int32_t bins[150] = { 0 };
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_context *context;
    int failed = kjit_open(&options, &context) != KJIT_OK ||
                 kjit_histogram(context, KJIT_GRID(64), KJIT_BLOCK(64), x, 1000, -4.0f, 4.0f, bins,
                                150) != KJIT_OK;

    if (failed)
        fprintf(stderr, "%s\n", kjit_error_message());
    else
        printf("%d\n", bins[75]);
    kjit_close(context);
    return failed;
}
C
cat >hist.cc <<'C'
#include "hist.h"

int main()
{
    static float x[1000];
    int32_t bins[150] = { 0 };
    const uint32_t grid[3] = { 64, 1, 1 }, block[3] = { 64, 1, 1 };
    kjit_open_options options = kjit_open_options();
    kjit_context *context;

    options.size = sizeof options;
    options.device = "cpu";
    if (kjit_open(&options, &context) != KJIT_OK ||
        kjit_histogram(context, grid, block, x, 1000, -4.0f, 4.0f, bins, 150) != KJIT_OK)
        return 1;
    kjit_close(context);
    return bins[75] == 1000 ? 0 : 2;
}
C
case $BUILD in /*) library=$BUILD ;; *) library=$ROOT/$BUILD ;; esac
strict='-Wall -Wextra -pedantic -Werror'
compile()
{
    "$@" -I"$ROOT/include" -L"$library" -lkjit -Wl,-rpath,"$library"
}
bare='env -i KJIT_CC=/dev/null/none HOME=/dev/null/none TMPDIR=/dev/null/none'

# A header: C, C++, and no compiler when they run.
expect 0 "$KJIT" build hist.k --emit c-header --arch cpu -o hist.h
says hist.h '^static inline kjit_status kjit_histogram\(' '^/\* histogram\(float32\[::1\], ' \
    'for cpu\.$'
# Sanitizers want to be loaded first, which they are in programs that have them.
case $BUILD in *asan* | *tsan*) ;; *)
    holds compile ${CC:-cc} -std=c11 $strict hist.c -o hist
    expect 0 $bare ./hist
    says out '^1000$'
    holds compile c++ -std=c++17 $strict hist.cc -o hist++
    expect 0 $bare ./hist++
esac

# Several signatures: the functions are told apart by what differs.
expect 0 "$KJIT" build hist.k --emit c-header --arch cpu -o two.h \
    --sig 'histogram(float32[::1], float32, float32, int32[::1])' \
    --sig 'histogram(float64[:], float64, float64, int32[::1])'
says two.h '^static inline kjit_status kjit_histogram_float32\(' \
    '^static inline kjit_status kjit_histogram_float64\(' 'kjit_histogram_kernel' 'kjit_code_two'
cat >names.k <<'K'
@cuda.jit("void(int32[:, ::1], complex64, bool, float16)")
def launch(new, grid, on, new_shape0):
    new[0, 0] = 1


@cuda.jit("void(int32[::1, :], UniTuple(int32[::1], 2))")
def columns(a, t):
    t[0][0] = a[0, 0]


@cuda.jit("void(int64[:], int64, float32, float32, int32[:])")
def of_headers(int64_t, INT32_MAX, KJIT_OK, kjit_launch, memset):
    int64_t[0] = INT32_MAX + KJIT_OK + kjit_launch + memset[0]


@cuda.jit
def unknown(a):
    a[0] = 1
K
expect 0 "$KJIT" build names.k --emit c-header --arch cpu -o names.h
says err 'unknown is left out'
says names.h '^static inline kjit_status kjit_launch_\(' 'int32_t \*new_, int64_t new__shape0' \
    'float grid__real' 'kjit_columns_launch\(' 'const kjit_arg \*t\)' \
    'int64_t INT32_MAX_' 'float KJIT_OK_' 'float kjit_launch_'
printf '#include "names.h"\nint main(void)\n{\n    return 0;\n}\n' >names.c
cp names.c names.cc
holds ${CC:-cc} -std=c11 $strict -fsyntax-only -I"$ROOT/include" names.c
holds c++ -std=c++11 $strict -fsyntax-only -I"$ROOT/include" names.cc

# Kernels that expressions name have names of C there.
cat >made.k <<'K'
import math


def made(f):
    @cuda.jit
    def kernel(x, NULL):
        i = cuda.grid(1)
        if i < x.size:
            NULL[i] = f(x[i])
    return kernel


table = {"sin": made(math.sin)}
K
for stage in c-header tvm-ffi; do
    expect 0 "$KJIT" build 'made.k:table["sin"]' --sig '(float64[::1], float64[::1])' \
        --emit $stage --arch cpu -o made.$stage
done
says made.c-header '^static inline kjit_status kjit_table__sin__\(' '"table\[..sin..\]"'
printf '#include "made.c-header"\nint main(void)\n{\n    return 0;\n}\n' >made.c
holds ${CC:-cc} -std=c11 $strict -fsyntax-only -I"$ROOT/include" made.c

# A binary runs by itself, also from nothing but files.
expect 0 "$KJIT" build hist.k --emit binary --arch cpu,cpu:x86-64-v2 -o hist.kjit
expect 0 env KJIT_CC=/dev/null/none KJIT_CACHE_SIZE=0 "$KJIT" run hist.kjit --device cpu \
    --grid 64x64 'samples=zeros(1000, float32)' 'low=float32(-4)' 'high=float32(4)' \
    'counts=zeros(150, int32)'
says out 'counts .* sum 1000 '
expect 2 "$KJIT" run hist.kjit --device cpu --grid 1x1 'samples=zeros(9)' low=-4.0 high=4.0 \
    'counts=zeros(150, int32)'
says err 'no matching definition.*histogram\(float64\[::1\], float64, float64, int32\[::1\]\)' \
    '^note: there is histogram\(float32\[::1\], float32, float32, int32\[::1\]\)'
expect 2 "$KJIT" run hist.kjit --device cpu --debug
says err 'compiled already'
head -c 900 hist.kjit >cut.kjit
expect 3 "$KJIT" run cut.kjit --device cpu
says err 'cut\.kjit is no kjit binary that can be loaded: it is cut short'
: >empty.kjit
expect 3 "$KJIT" run empty.kjit
says err 'empty\.kjit is no kjit binary that can be loaded: it does not begin like one'
(head -c 500 hist.kjit && printf x && tail -c +502 hist.kjit) >bad.kjit
expect 3 "$KJIT" run bad.kjit --device cpu
says err 'checksum'
mkdir into
expect 0 "$KJIT" build hist.k names.k --emit binary --arch cpu -o into
holds test -s into/hist.kjit
expect 0 "$KJIT" build hist.k --emit so -o into
expect 0 env KJIT_CC=/dev/null/none "$KJIT" run into/histogram.so --device cpu --grid 64x64 \
    'samples=zeros(1000, float32)' 'low=float32(-4)' 'high=float32(4)' 'counts=zeros(150, int32)'
says out 'counts .* sum 1000 '
head -c -4 into/histogram.so >into/cut.so
expect 1 "$KJIT" run into/cut.so --device cpu
expect 0 "$KJIT" build hist.k --emit so --arch cpu,cpu:x86-64-v3 -o hist.so
holds test -s hist.cpu.so
holds test -s hist.cpu-x86-64-v3.so

# What is wrong with the command line.
expect 2 "$KJIT" build names.k:unknown --emit binary --arch cpu -o x.kjit
says err 'unknown has no @example'
expect 2 "$KJIT" build hist.k hist.k --emit binary --arch cpu -o x.kjit
says err "two kernels are called 'histogram'"
expect 2 "$KJIT" build hist.k --emit binary --arch sm_80,,cpu -o x.kjit
says err "not ''"
expect 2 "$KJIT" build hist.k --emit binary --arch cpu:pentium -o x.kjit
says err "no target 'cpu:pentium'"
expect 2 "$KJIT" build hist.k --emit so --arch sm_90 -o x.so
says err "not for 'sm_90'"
expect 2 "$KJIT" build hist.k --emit cubin --arch cpu -o x.cubin
says err "not for 'cpu'"
expect 3 env KJIT_NVRTC=/dev/null/none "$KJIT" build hist.k --emit c-header -o x.h
says err 'NVRTC' '--arch cpu'
expect 3 env KJIT_CC=/dev/null/none "$KJIT" build hist.k --emit so -o x.so
says err 'KJIT_CC'
expect 1 test -e x.kjit -o -e x.h -o -e x.so

# GPUs, where NVRTC is.
if "$KJIT" build hist.k --emit ptx --arch sm_80 >/dev/null 2>&1; then
    expect 0 "$KJIT" build hist.k --emit cubin --arch sm_80 --arch sm_90 -o hist.cubin
    # ELF: CUDA's machine number, and the architecture in its flags.
    for arch in 80 90; do
        holds test "$(od -An -tu2 -j18 -N2 hist.sm_$arch.cubin | tr -d ' ')" = 190
        holds grep -q "sm_$arch" hist.sm_$arch.cubin
    done
    expect 0 "$KJIT" build hist.k --emit cubin --arch sm_80,sm_90 -o into
    holds test -s into/histogram.sm_90.cubin
    expect 0 "$KJIT" build hist.k --emit binary --arch sm_90,compute_75 -o gpu.kjit
    holds grep -q 'target sm_75' gpu.kjit
    expect 3 "$KJIT" run gpu.kjit --device cpu
    says err 'gpu\.kjit has no code of histogram\(.* for cpu .*: it has sm_90, compute_75' \
        'note: kjit build --arch cpu'
    expect 0 "$KJIT" build hist.k --emit c-header
    says out 'for compute_75, sm_80, sm_90, cpu\.$'
fi
