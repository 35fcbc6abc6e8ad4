# Kernels for TVM FFI: what its loader does, by a program of C's that knows its conventions, on the
# processor and on a GPU that only pretends (tests/fake). tests/python/test_tvm_ffi.py has TVM FFI
# itself.
case $BUILD in /*) built=$BUILD ;; *) built=$ROOT/$BUILD ;; esac
fakes=$built/tests/fake

cat >many.k <<'K'
import math
from numba import cuda, float32, int32


@cuda.jit("void(float32[::1], float32[::1], float32)")
def scale(x, y, factor):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * factor


@cuda.jit("void(int32[::1], int32[::1])")
def total(x, out):
    tile = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    s = 64
    while s:
        if t < s:
            tile[t] += tile[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        cuda.atomic.add(out, 0, tile[0])


@cuda.jit("void(float32[:, :], float32[::1, :], bool, float16, uint8)")
def turn(a, b, on, h, u):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1] and on:
        b[i, j] = a[i, j] + h + u


@cuda.jit("void(int32[::1])")
def backwards(x):
    s = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    x[t] = s[cuda.blockDim.x - 1 - t]
K
cat >caller.c <<'C'
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Any {
    int32_t type;
    uint32_t padding;
    union {
        int64_t integer;
        double real;
        const void *pointer;
    } as;
} Any;

typedef struct Tensor {
    void *data;
    int32_t device, number, rank;
    uint8_t code, bits;
    uint16_t lanes;
    const int64_t *shape, *strides;
    uint64_t offset;
} Tensor;

typedef struct List {
    uint64_t counts;
    int32_t type;
    uint32_t padding;
    void *deleter;
    const void *data;
    int64_t size;
} List;

typedef struct Launch {
    const char *kernel;
    unsigned grid[3], block[3];
    size_t shared;
    void *const *params;
    int param_count;
} Launch;

static char said[4096];
static void *library;

/* What TVM FFI has for errors, and for the stream that is current. */
__attribute__((visibility("default"))) void TVMFFIErrorSetRaisedFromCStr(const char *kind,
                                                                         const char *message)
{
    snprintf(said, sizeof said, "%s: %s", kind, message);
}

static Any integer(int64_t value)
{
    return (Any){ .type = 1, .as.integer = value };
}

static Any real(double value)
{
    return (Any){ .type = 3, .as.real = value };
}

static Any tensor(const Tensor *given)
{
    return (Any){ .type = 7, .as.pointer = given };
}

static int call(const char *name, const Any *args, int count)
{
    char symbol[100];
    Any result = { 0 };

    snprintf(symbol, sizeof symbol, "__tvm_ffi_%s", name);
    int (*function)(void *, const Any *, int32_t, Any *) =
        (int (*)(void *, const Any *, int32_t, Any *))dlsym(library, symbol);
    *said = '\0';
    if (!function)
        return -2;
    return function(NULL, args, count, &result);
}

#define CALL(name, ...)                                                                            \
    call(name, (Any[]){ __VA_ARGS__ }, sizeof((Any[]){ __VA_ARGS__ }) / sizeof(Any))
#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            printf("line %d: %s; %s\n", __LINE__, #what, said);                                    \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define REFUSED(text, ...) CHECK(CALL(__VA_ARGS__) == -1 && strstr(said, text))

static int processor(void)
{
    static float x[1000], y[1000], a[5][14], b[7][5];
    static int32_t numbers[5000], sum[1], back[32];
    const int64_t thousand[] = { 1000 }, half[] = { 500 }, two[] = { 2 }, many[] = { 5000 },
                  one[] = { 1 };
    const int64_t shape[] = { 5, 7 }, by_two[] = { 14, 2 }, columns[] = { 1, 5 }, few[] = { 32 };
    Tensor xs = { x, 1, 0, 1, 2, 32, 1, thousand, NULL, 0 },
           ys = { y, 1, 0, 1, 2, 32, 1, thousand, NULL, 0 };
    Tensor gaps = { x, 1, 0, 1, 2, 32, 1, half, two, 0 },
           ns = { numbers, 1, 0, 1, 0, 32, 1, many, NULL, 0 };
    Tensor out = { sum, 1, 0, 1, 0, 32, 1, one, NULL, 0 },
           wide = { a, 1, 0, 2, 2, 32, 1, shape, by_two, 4 };
    Tensor tall = { b, 1, 0, 2, 2, 32, 1, shape, columns, 0 },
           rows = { b, 1, 0, 2, 2, 32, 1, shape, NULL, 0 };
    Tensor ends = { back, 3, 0, 1, 0, 32, 1, few, NULL, 0 },
           elsewhere = { y, 7, 0, 1, 2, 32, 1, thousand, NULL, 0 };
    int64_t sizes[] = { 8, 8, 1, 1 };
    Any items[] = { integer(8), real(2) };
    List grid = { .type = 69, .data = sizes, .size = 2 },
         block = { .type = 71, .data = items, .size = 1 };
    const Any g = { .type = 69, .as.pointer = &grid }, k = { .type = 71, .as.pointer = &block };
    int64_t expected = 0;

    for (int i = 0; i < 1000; i++)
        x[i] = (float)i;
    CHECK(CALL("scale", integer(8), integer(128), tensor(&xs), tensor(&ys), real(2.5)) == 0);
    for (int i = 0; i < 1000; i++)
        CHECK(y[i] == 2.5f * (float)i);
    CHECK(CALL("scale", g, integer(125), tensor(&xs), tensor(&ys), integer(3)) == 0 &&
          y[999] == 2997);
    CHECK(CALL("scale", integer(125), k, tensor(&xs), tensor(&ys), integer(4)) == 0 &&
          y[999] == 3996);
    for (int i = 0; i < 5000; i++)
        expected += numbers[i] = i * 7 % 1000;
    CHECK(CALL("total", integer(64), integer(128), tensor(&ns), tensor(&out)) == 0 &&
          sum[0] == expected);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            a[i][2 * j + 1] = (float)(10 * i + j);
    CHECK(CALL("turn", g, g, tensor(&wide), tensor(&tall), integer(1), real(0.1), integer(255)) ==
          0);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            CHECK(fabsf(b[j][i] - ((float)(10 * i + j) + 0.0999755859375f + 255)) < 1e-4f);
    for (int i = 0; i < 32; i++)
        back[i] = i;
    CHECK(CALL("backwards", integer(1), integer(32), integer(128), tensor(&ends)) == 0 &&
          back[0] == 31 && back[31] == 0);

    REFUSED("takes 3 arguments", "scale", integer(1), integer(1), tensor(&xs));
    REFUSED("no matching definition for scale(float32[:], float32[::1], float)", "scale",
            integer(1), integer(1), tensor(&gaps), tensor(&ys), real(1));
    REFUSED("there is scale(float32[::1], float32[::1], float32)", "scale", integer(1), integer(1),
            tensor(&ns), tensor(&ys), real(1));
    REFUSED("no matching", "turn", g, g, tensor(&wide), tensor(&rows), integer(1), real(1),
            integer(1));
    REFUSED("no matching", "turn", g, g, tensor(&wide), tensor(&tall), integer(2), real(1),
            integer(1));
    REFUSED("no matching", "turn", g, g, tensor(&wide), tensor(&tall), integer(1), real(1),
            integer(256));
    REFUSED("no matching", "turn", g, g, tensor(&wide), tensor(&tall), integer(1), real(1),
            integer(-1));
    REFUSED("another device", "scale", integer(1), integer(1), tensor(&xs),
            tensor(&(Tensor){ y, 2, 0, 1, 2, 32, 1, thousand, NULL, 0 }), real(1));
    REFUSED("kind 7", "scale", integer(1), integer(1), tensor(&elsewhere), tensor(&ys), real(1));
    REFUSED("the grid: 0 is not at least 1", "scale", integer(0), integer(1), tensor(&xs),
            tensor(&ys), real(1));
    REFUSED("the block is an integer", "scale", integer(1), real(1), tensor(&xs), tensor(&ys),
            real(1));
    block.size = 2;
    REFUSED("the block is an integer", "scale", integer(1), k, tensor(&xs), tensor(&ys), real(1));
    grid.size = 4;
    REFUSED("the grid has 4 axes", "scale", g, integer(1), tensor(&xs), tensor(&ys), real(1));
    REFUSED("1024 at the most", "scale", integer(1), integer(1025), tensor(&xs), tensor(&ys),
            real(1));
    REFUSED("dynamic shared memory", "scale", integer(1), integer(1), real(1), tensor(&xs),
            tensor(&ys), real(1));
    return 0;
}

static Launch seen;
static void *pointers[2];
static int64_t extent;
static float factor;

static void note(const Launch *launch)
{
    seen = *launch;
    memcpy(&pointers[0], launch->params[0], sizeof(void *));
    memcpy(&extent, launch->params[1], sizeof extent);
    memcpy(&pointers[1], launch->params[2], sizeof(void *));
    memcpy(&factor, launch->params[4], sizeof factor);
}

static int graphics(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    void (*watch)(const char *, void (*)(const Launch *)) =
        (void (*)(const char *, void (*)(const Launch *)))dlsym(driver, "fake_cuda_kernel");
    float x[10], y[10];
    const int64_t ten[] = { 10 };
    Tensor xs = { x, 2, 1, 1, 2, 32, 1, ten, NULL, 4 },
           ys = { y, 13, 1, 1, 2, 32, 1, ten, NULL, 0 };

    watch("scale", note);
    for (int i = 0; i < 3; i++) {
        CHECK(CALL("scale", integer(3 + i), integer(64), integer(256), tensor(&xs), tensor(&ys),
                   real(0.5)) == 0);
        CHECK(!strcmp(seen.kernel, "scale") && seen.grid[0] == 3u + (unsigned)i &&
              seen.grid[1] == 1 && seen.block[0] == 64);
        CHECK(seen.shared == 256 && pointers[0] == x + 1 && pointers[1] == y && extent == 10 &&
              factor == 0.5f);
    }
    xs.number = ys.number = 7;
    REFUSED("cuDeviceGet", "scale", integer(1), integer(64), tensor(&xs), tensor(&ys), real(0.5));
    xs.number = ys.number = -1;
    REFUSED("there is no GPU -1", "scale", integer(1), integer(64), tensor(&xs), tensor(&ys),
            real(0.5));
    return 0;
}

int main(int argc, char **argv)
{
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return puts(dlerror()), 2;
    return argc > 2 ? graphics() : processor();
}
C
expect 0 "$KJIT" build many.k --emit tvm-ffi --arch cpu -o many.so
# Nothing but its functions is to be seen, and it needs nothing but the C library.
nm -D --defined-only many.so >names
says names ' __tvm_ffi_scale$' ' __tvm_ffi_turn$'
expect 1 grep -v ' __tvm_ffi_' names
readelf -d many.so >parts
expect 1 grep -i 'NEEDED.*kjit' parts
holds ${CC:-cc} -std=gnu11 -Wall -Wextra -Wno-pedantic -rdynamic caller.c -o caller -ldl -lm
case $BUILD in *asan* | *tsan*) ;; *)
    for threads in 1 3; do
        expect 0 env OMP_NUM_THREADS=$threads ./caller ./many.so
    done
esac

# Several types of one kernel.
sed '/@cuda.jit/s/(.*//' many.k >two.k
expect 0 "$KJIT" build two.k:scale --emit tvm-ffi --arch cpu,cpu:x86-64-v3 -o two.so \
    --sig 'scale(float32[::1], float32[::1], float32)' \
    --sig 'scale(float64[:], float64[:], float64)'
"$KJIT" build many.k --emit tvm-ffi --arch cpu >piped.so
holds cmp piped.so many.so

# A GPU that only pretends: where the library finds the driver, what it is told, which code is
# taken.
if [ -e "$fakes/libcuda.so.1" ] && [ -e "$fakes/libnvrtc.so.13" ]; then
    expect 0 env KJIT_NVRTC="$fakes/libnvrtc.so.13" \
        "$KJIT" build many.k:scale --emit tvm-ffi -o gpu.so
    case $BUILD in
    *asan* | *tsan*) ;;
    *) expect 0 env LD_LIBRARY_PATH="$fakes" ./caller ./gpu.so gpu ;;
    esac
fi

# What such a library cannot have.
cat >not.k <<'K'
@cuda.jit("void(complex64, int32[::1])")
def number(z, x):
    x[0] = 1


@cuda.jit("void(UniTuple(int32[::1], 2))")
def several(x):
    x[0][0] = 1
K
expect 3 "$KJIT" build not.k:number --emit tvm-ffi --arch cpu -o not.so
says err "'z' of number is neither an array of numbers nor a number"
expect 3 "$KJIT" build not.k:several --emit tvm-ffi --arch cpu -o not.so
says err "'x' of several is neither"
expect 3 "$KJIT" build many.k:scale --emit tvm-ffi --arch cpu --debug -o not.so
says err 'is built with debug'
expect 3 env KJIT_CC=/dev/null/none "$KJIT" build many.k --emit tvm-ffi --arch cpu -o not.so
says err 'KJIT_CC'
expect 1 test -e not.so
