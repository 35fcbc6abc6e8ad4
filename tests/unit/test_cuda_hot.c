/* Kernels that are launched again and again with the same extents and scalars: on a GPU that only
** pretends, and on the processor, where results can be seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "tests/unit/cuda.h"

enum { PLENTY = 100000 }; /* of two milliseconds and more each: a variant takes a compilation */

static const char text[] = "@cuda.jit\n"
                           "def k(x, n, f):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size:\n"
                           "        for j in range(n):\n"
                           "            x[i] += f\n";

typedef struct Hot {
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
} Hot;

static void open_hot(Hot *hot, const char *device, const char *passes)
{
    kjit_open_options open = { .size = sizeof open, .device = device, .no_disk_cache = 1 };
    kjit_load_options load = { .size = sizeof load, .passes = passes };
    expect_ok(kjit_open(&open, &hot->context));
    expect_ok(kjit_load_source(hot->context, text, "hot.k", &load, &hot->module));
    expect_ok(kjit_get_kernel(hot->module, "k", &hot->kernel));
}

/* Launches until there are `wanted` specialisations; how often, or 0 if that never happened. */
static int launch_until(const Hot *hot, size_t wanted, float *x, int64_t count)
{
    for (int i = 1; i <= PLENTY; i++) {
        expect_ok(KJIT_CALL(hot->kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, count),
                            (int64_t)3, 0.5f));
        if (kjit_specialisation_count(hot->kernel) >= wanted)
            return i;
        usleep(2000);
    }
    return 0;
}

static void the_variant_adds_what_the_kernel_adds(void **state)
{
    (void)state;
    float x[100] = { 0 };
    Hot hot;
    open_hot(&hot, "cpu", "constants");
    int launches = launch_until(&hot, 2, x, 100);
    assert_int_not_equal(launches, 0);
    for (int i = 0; i < 40; i++) /* timed, and with whichever was faster */
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, 100),
                            (int64_t)3, 0.5f));
    assert_true(x[0] == 1.5f * (float)(launches + 40));
    assert_true(x[99] == x[0]);
    kjit_close(hot.context);
}

static void other_values_are_not_taken_for_constants(void **state)
{
    (void)state;
    float x[100] = { 0 }, y[100] = { 0 };
    Hot hot;
    open_hot(&hot, "cpu", "constants");
    assert_int_not_equal(launch_until(&hot, 2, x, 100), 0);
    for (int i = 0; i < 60; i++) {
        int64_t n = i % 5;
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(y, 90 + i % 10), n,
                            0.25f));
    }
    assert_true(y[0] == 0.25f * 120);
    assert_true(y[98] == 0.25f * 24); /* of i % 10 == 9 alone, where n is 4 */
    kjit_close(hot.context);
}

static void without_the_pass_there_is_no_variant(void **state)
{
    (void)state;
    float x[100] = { 0 };
    Hot hot;
    open_hot(&hot, "cpu", "-constants");
    for (int i = 0; i < 200; i++)
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, 100),
                            (int64_t)3, 0.5f));
    assert_int_equal(kjit_specialisation_count(hot.kernel), 1);
    kjit_close(hot.context);
}

static void a_gpu_is_left_as_it_was_found(void **state)
{
    (void)state;
    float x[100] = { 0 };
    Hot hot;
    open_hot(&hot, "cuda", "constants");
    assert_int_not_equal(launch_until(&hot, 2, x, 100), 0);
    for (int i = 0; i < 40; i++) /* timed, until one is chosen and others may be made */
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, 100),
                            (int64_t)3, 0.5f));
    assert_int_not_equal(launch_until(&hot, 3, x, 50), 0);
    close_gpu(hot.context);
}

/* Neither what launches load and allocate nor what the thread behind them does. */
static void recordings_of_others_are_not_ended(void **state)
{
    (void)state;
    float x[100] = { 0 };
    Hot hot;
    fake_cuda_recorded_elsewhere(true);
    open_hot(&hot, "cuda", "constants");
    assert_int_not_equal(launch_until(&hot, 2, x, 100), 0);
    for (int i = 0; i < 40; i++)
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, 100),
                            (int64_t)3, 0.5f));
    fake_cuda_recorded_elsewhere(false);
    close_gpu(hot.context);
}

static void closing_does_not_wait_for_launches(void **state)
{
    (void)state;
    float x[100] = { 0 };
    Hot hot;
    open_hot(&hot, "cpu", "constants");
    for (int i = 0; i < 60; i++) /* enough to have the variant begun */
        expect_ok(KJIT_CALL(hot.kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, 100),
                            (int64_t)3, 0.5f));
    kjit_close_module(hot.module);
    kjit_close(hot.context);
    assert_true(x[0] == 90.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_variant_adds_what_the_kernel_adds),
        cmocka_unit_test(other_values_are_not_taken_for_constants),
        cmocka_unit_test(without_the_pass_there_is_no_variant),
        cmocka_unit_test(a_gpu_is_left_as_it_was_found),
        cmocka_unit_test(recordings_of_others_are_not_ended),
        cmocka_unit_test(closing_does_not_wait_for_launches),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}
