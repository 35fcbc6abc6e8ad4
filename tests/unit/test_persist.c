/* Few threads that do the work of many: every kernel runs as it is written and with all passes, on
** the processor, launched with too few threads and too many, along one axis and two, and what they
** leave is compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { ROWS = 37, COLS = 53, SIZE = ROWS * COLS, BINS = 16 };

static const char text[] = "from numba import cuda\n"
                           "@cuda.jit\n"
                           "def guarded(x, n, bins, out):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size and i < n:\n"
                           "        cuda.atomic.add(bins, x[i], i)\n"
                           "        out[i] = x[i] + 1\n"
                           "@cuda.jit\n"
                           "def returned(x, n, bins, out):\n"
                           "    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x\n"
                           "    if i >= x.size or x[i] > 9 or i > n:\n"
                           "        return\n"
                           "    cuda.atomic.max(bins, x[i], i)\n"
                           "    cuda.atomic.max(bins, 3, cuda.gridsize(1))\n"
                           "@cuda.jit\n"
                           "def backwards(x, n, bins, out):\n"
                           "    i = x.size - 1 - cuda.grid(1)\n"
                           "    if i >= 0 and n > 5:\n"
                           "        cuda.atomic.add(bins, x[i], i % 7)\n"
                           "@cuda.jit\n"
                           "def set_twice(x, n, bins, out):\n"
                           "    i = cuda.grid(1)\n"
                           "    end = x.size\n"
                           "    end = end // 2\n"
                           "    last = end - 1\n"
                           "    if i < end and last > 3 and end > n:\n"
                           "        cuda.atomic.add(bins, x[i], last)\n"
                           "@cuda.jit\n"
                           "def strided(x, n, bins, out):\n"
                           "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                           "        if i != n:\n"
                           "            cuda.atomic.sub(bins, x[i], i)\n"
                           "            out[i] = x[i] * 2\n"
                           "@cuda.jit\n"
                           "def planes(x, n, bins, out):\n"
                           "    i, j = cuda.grid(2)\n"
                           "    if i < x.shape[0] and j < x.shape[1] and i + j != n:\n"
                           "        cuda.atomic.add(bins, x[i, j], cuda.gridsize(2)[0] + j)\n"
                           "        out[i, j] = x[i, j] + i\n"
                           "@cuda.jit\n"
                           "def turned(x, n, bins, out):\n"
                           "    j, i = cuda.grid(2)\n"
                           "    row = i * 2 // 2\n"
                           "    if row < x.shape[0]:\n"
                           "        if j < x.shape[1] and n > 0:\n"
                           "            for k in range(3):\n"
                           "                cuda.atomic.add(bins, (x[row, j] + k) % 16, row)\n"
                           "            out[row, j] = x[row, j] + j\n"
                           "@cuda.jit\n"
                           "def again(x, n, bins, out):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < n:\n"
                           "        cuda.atomic.add(bins, cuda.grid(2)[1] % 16, x[i])\n";

/* Whether the pass did something, for a launch of which all is known. */
static bool is_persistent(kjit_kernel *kernel, const char *array)
{
    char signature[200];
    char *message;
    size_t length;
    snprintf(signature, sizeof signature, "(int32[%s], int64, int32[::1], int32[%s])", array,
             array);
    kjit_emit_options options = {
        .size = sizeof options, .stage = "remarks", .signature = signature, .facts = "common"
    };
    expect_ok(kjit_emit(kernel, &options, &message, &length));
    bool is = strstr(message, "few blocks do the work of all") != NULL;
    kjit_free(message);
    return is;
}

static kjit_kernel *kernel_named(const char *name, const char *passes)
{
    kjit_load_options options = { .size = sizeof options, .passes = passes };
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, text, "t.k", &options, &module) != KJIT_OK ||
        kjit_get_kernel(module, name, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kernel;
}

typedef struct Arrays {
    int32_t x[SIZE], bins[BINS], out[SIZE];
} Arrays;

static void fill(Arrays *arrays)
{
    uint32_t seed = 7;
    memset(arrays, 0, sizeof *arrays);
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        arrays->x[i] = (int32_t)(seed >> 24) % 11;
    }
    for (int i = 0; i < BINS; i++)
        arrays->bins[i] = i - 5;
}

static void launch(kjit_kernel *kernel, const kjit_launch_config *shape, bool planes, int64_t n,
                   Arrays *arrays)
{
    kjit_array x = KJIT_ARRAY(arrays->x, SIZE).as.array;
    kjit_array out = KJIT_ARRAY(arrays->out, SIZE).as.array;
    if (planes) {
        x = KJIT_ARRAY(arrays->x, ROWS, COLS).as.array;
        out = KJIT_ARRAY(arrays->out, ROWS, COLS).as.array;
    }
    kjit_arg args[] = { kjit_arg_array(x), kjit_arg_int64(n), KJIT_ARRAY(arrays->bins, BINS),
                        kjit_arg_array(out) };
    expect_ok(kjit_launch(kernel, shape, args, 4));
}

static void compare(const char *name, bool planes)
{
    static const uint32_t shapes[][4] = { { 1, 1, 1, 1 },   { 40, 64, 1, 1 }, { 7, 33, 1, 1 },
                                          { 3, 8, 64, 1 },  { 64, 1, 4, 16 }, { 5, 16, 3, 16 },
                                          { 100, 64, 2, 1 } };
    kjit_kernel *plain = kernel_named(name, "none"), *other = kernel_named(name, "all");
    static Arrays wanted, got;

    assert_true(is_persistent(other, planes ? ":, ::1" : "::1"));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int64_t n = -3; n < SIZE; n = 2 * n + 13) {
            kjit_launch_config shape = { .size = sizeof shape,
                                         .grid = { shapes[i][0], shapes[i][2], 1 },
                                         .block = { shapes[i][1], shapes[i][3], 1 } };
            fill(&wanted);
            fill(&got);
            launch(plain, &shape, planes, n, &wanted);
            launch(other, &shape, planes, n, &got);
            assert_memory_equal(&got, &wanted, sizeof got);
        }
}

static void guards_become_the_end_of_a_loop(void **state)
{
    (void)state;
    compare("guarded", false);
    compare("returned", false);
    compare("backwards", false);
    compare("set_twice", false);
}

static void turns_are_shared_out_anew(void **state)
{
    (void)state;
    compare("strided", false);
}

static void lanes_go_along_either_axis(void **state)
{
    (void)state;
    compare("planes", true);
    compare("turned", true);
}

/* What each row of the grid does once more is done as often as before. */
static void other_axes_of_the_grid_stay(void **state)
{
    (void)state;
    compare("again", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_become_the_end_of_a_loop),
        cmocka_unit_test(turns_are_shared_out_anew),
        cmocka_unit_test(lanes_go_along_either_axis),
        cmocka_unit_test(other_axes_of_the_grid_stay),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
