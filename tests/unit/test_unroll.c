/* Unrolled loops leave, bit for bit, what the loops as they stand do: every kernel runs both ways
** on the processor, at sizes around those of its chunks, on aligned and other arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { MOST = 1200, PAD = 16 };

static const char text[] = "from numba import cuda, float32\n"
                           "@cuda.jit\n"
                           "def add(x, y, z):\n"
                           "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                           "        z[i] = 3 * x[i] - y[i]\n"
                           "@cuda.jit\n"
                           "def in_place(x, y, z):\n"
                           "    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):\n"
                           "        if x[i] > 2:\n"
                           "            continue\n"
                           "        y[i] = y[i] * x[i]\n"
                           "@cuda.jit\n"
                           "def sums(x, y, z):\n"
                           "    mine = float32(0)\n"
                           "    last = 0\n"
                           "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                           "        mine += x[i] / (y[i] + 1)\n"
                           "        last = i\n"
                           "    if cuda.grid(1) < z.size:\n"
                           "        z[cuda.grid(1)] = mine + last\n"
                           "@cuda.jit\n"
                           "def prefix(x, y, z):\n"
                           "    if cuda.grid(1) == 0:\n"
                           "        for i in range(1, x.size):\n"
                           "            z[i] = z[i] + x[i] / 3\n"
                           "            y[i] += y[i - 1] * x[i]\n"
                           "        for i in range(-min(x.size, 4), x.size):\n"
                           "            x[i] += 1\n"
                           "@cuda.jit\n"
                           "def shifted(x, y, z):\n"
                           "    if cuda.grid(1) == 0:\n"
                           "        for i in range(x.size - 2):\n"
                           "            x[i + 2] = x[i] + y[i]\n"
                           "            z[i] = x[i + 1]\n";

static const char other_text[] = "from numba import cuda, float32\n"
                                 "@cuda.jit\n"
                                 "def table(data, factor, out):\n"
                                 "    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):\n"
                                 "        out[1, i] = factor[data[i]] + out[0, i]\n"
                                 "@cuda.jit\n"
                                 "def rows(a, x, y):\n"
                                 "    i = cuda.grid(1)\n"
                                 "    if i < y.size:\n"
                                 "        sum = float32(0)\n"
                                 "        for k in range(x.size):\n"
                                 "            sum += a[i, k] / x[k]\n"
                                 "        y[i] = sum\n";

static int wish; /* how many iterations are asked for at once; 0: none are */

static kjit_kernel *kernel_in(const char *source, const char *name, const char *passes)
{
    kjit_load_options options = { .size = sizeof options, .passes = passes, .unroll = wish };
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, source, "t.k", &options, &module) != KJIT_OK ||
        kjit_get_kernel(module, name, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kernel;
}

static void fill(float *x, int count, int seed)
{
    for (int i = 0; i < count; i++)
        x[i] = (float)((i * 37 + seed) % 19) * 0.37f - 1;
}

/* Three arrays with room around them, so that what is written beside them shows. */
typedef struct Arrays {
    _Alignas(16) float x[PAD + MOST], y[PAD + MOST], z[PAD + MOST];
} Arrays;

/* Runs kernel `name` on `n` elements that begin `offset` elements behind a multiple of 16 bytes. */
static void run(kjit_kernel *kernel, Arrays *a, int n, int offset)
{
    fill(a->x, PAD + MOST, 1);
    fill(a->y, PAD + MOST, 5);
    fill(a->z, PAD + MOST, 11);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(7), KJIT_ARRAY(a->x + offset, n),
                        KJIT_ARRAY(a->y + 2 * offset, n), KJIT_ARRAY(a->z, n)));
}

static void compare(const char *name)
{
    static const int sizes[] = { 0, 1, 3, 4, 5, 83, 84, 85, 84 * 8 - 1, 84 * 8, 84 * 8 + 5, 1001 };
    kjit_kernel *plain = kernel_in(text, name, "none"), *unrolled = kernel_in(text, name, "all");
    static Arrays wanted, got;

    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        for (int offset = 0; offset < 2; offset++) {
            run(plain, &wanted, sizes[i], offset);
            run(unrolled, &got, sizes[i], offset);
            if (memcmp(&got, &wanted, sizeof got) != 0)
                fail_msg("%s differs at %d elements, offset %d", name, sizes[i], offset);
        }
}

static void elementwise_loops_reach_every_element(void **state)
{
    (void)state;
    compare("add");
    compare("in_place");
}

static void sums_are_taken_in_order(void **state)
{
    (void)state;
    compare("sums");
}

static void what_a_turn_leaves_the_next_one_finds(void **state)
{
    (void)state;
    compare("prefix");
    compare("shifted");
}

/* Numbers that are no powers of two among them. */
static void as_many_turns_as_somebody_wants_do_the_same(void **state)
{
    static const int wishes[] = { 1, 3, 7, 64 };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(wishes); i++) {
        wish = wishes[i];
        compare("add");
        compare("sums");
        compare("shifted");
    }
    wish = 0;
}

static void elements_of_several_sizes_go_together(void **state)
{
    kjit_kernel *kernels[2] = { kernel_in(other_text, "table", "none"),
                                kernel_in(other_text, "table", "all") };
    static uint8_t data[1000];
    static float factor[256], out[2][2][1000];

    (void)state;
    fill(factor, 256, 3);
    for (int i = 0; i < 1000; i++)
        data[i] = (uint8_t)(i * 29);
    for (int n = 0; n <= 1000; n += 125)
        for (int k = 0; k < 2; k++) {
            fill(out[k][0], 2000, 7);
            expect_ok(KJIT_CALL(kernels[k], KJIT_GRID(2), KJIT_BLOCK(5), KJIT_ARRAY(data, n),
                                KJIT_ARRAY(factor, 256), KJIT_ARRAY(*out[k], 2, 1000)));
            if (k)
                assert_memory_equal(out[1], out[0], sizeof out[0]);
        }
}

static void rows_of_any_length_are_summed_in_order(void **state)
{
    kjit_kernel *kernels[2] = { kernel_in(other_text, "rows", "none"),
                                kernel_in(other_text, "rows", "all") };
    _Alignas(16) static float a[1000], x[64], y[2][12];

    (void)state;
    fill(a, 1000, 2);
    fill(x, 64, 4);
    for (int length = 0; length <= 40; length += length < 9 ? 1 : 7)
        for (int k = 0; k < 2; k++) {
            expect_ok(KJIT_CALL(kernels[k], KJIT_GRID(2), KJIT_BLOCK(6), KJIT_ARRAY(a, 12, length),
                                KJIT_ARRAY(x, length), KJIT_ARRAY(y[k], 12)));
            if (k)
                assert_memory_equal(y[1], y[0], sizeof y[0]);
        }
}

/* The same array twice: nothing may be loaded ahead of what writes it. */
static void arrays_that_overlap_are_read_when_it_is_their_turn(void **state)
{
    kjit_kernel *kernels[2] = { kernel_in(text, "add", "none"), kernel_in(text, "add", "all") };
    static float x[2][600];

    (void)state;
    for (int k = 0; k < 2; k++) {
        fill(x[k], 600, 1);
        expect_ok(KJIT_CALL(kernels[k], KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(x[k], 500),
                            KJIT_ARRAY(x[k] + 4, 500), KJIT_ARRAY(x[k] + 1, 500)));
    }
    assert_memory_equal(x[1], x[0], sizeof x[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementwise_loops_reach_every_element),
        cmocka_unit_test(sums_are_taken_in_order),
        cmocka_unit_test(what_a_turn_leaves_the_next_one_finds),
        cmocka_unit_test(as_many_turns_as_somebody_wants_do_the_same),
        cmocka_unit_test(elements_of_several_sizes_go_together),
        cmocka_unit_test(rows_of_any_length_are_summed_in_order),
        cmocka_unit_test(arrays_that_overlap_are_read_when_it_is_their_turn),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
