# Any number of threads by OMP_NUM_THREADS and the affinity, in programs too that have threads of
# their own, and loops by OpenMP.
cat >who.k <<'E'
from numba import cuda
@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i
E
cat >own.c <<'E'
#include <kjit.h>
#include <omp.h>
#include <stdio.h>

enum { N = 1 << 20 };
static float x[4][N];

/* Threads of the program launch side by side, and go on with loops of their own. */
int main(void)
{
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    int wrong = 0;
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };

    if (kjit_open(&options, &context) || kjit_load_file(context, "who.k", NULL, &module) ||
        kjit_get_kernel(module, "fill", &kernel))
        return fputs(kjit_error_message(), stderr), 2;
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
    for (int t = 0; t < 4; t++)
        for (int turn = 0; turn < 3; turn++)
            wrong += KJIT_CALL(kernel, KJIT_GRID(N / 256), KJIT_BLOCK(256),
                               KJIT_ARRAY(x[t], N)) != 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        wrong += x[0][i] != i || x[3][i] != i;
    kjit_close(context);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
E
# Where the library has a sanitizer in it, programs without one cannot use it.
case $BUILD in
*asan* | *tsan*) ;;
*)
    expect 0 ${CC:-cc} -fopenmp -I"$ROOT/include" own.c -o own -L"$ROOT/$BUILD" -lkjit \
        -Wl,-rpath,"$ROOT/$BUILD"
    for threads in 1 2 7; do
        expect 0 env OMP_NUM_THREADS=$threads ./own
        says out '^0 wrong$'
    done
    if command -v taskset >/dev/null; then
        expect 0 taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" ./own
        says out '^0 wrong$'
    fi
    ;;
esac

# Functions of math come to the same bits from any number of threads.
cat >waves.k <<'E'
from numba import cuda
import math
@cuda.jit
def waves(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = math.exp(math.sin(x[i])) + math.pow(abs(x[i]), 1.5) * math.log1p(abs(x[i]))
E
for threads in 1 2 7; do
    expect 0 env OMP_NUM_THREADS=$threads "$KJIT" run waves.k --device cpu --grid 400x256 \
        'x=normal(100003, seed=1)' 'y=zeros(100003)' --save "y=y$threads.npy"
    holds cmp y1.npy "y$threads.npy"
done
