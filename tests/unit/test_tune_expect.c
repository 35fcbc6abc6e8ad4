/* What is expected of launches by their shape: the factors of the table in docs/tuning.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "cli/search/tune.h"

enum { ALL = 1 << 18 }; /* threads of the grid, where each has the least to do */

/* How many times as long as in blocks of 32 x 8 a launch is expected to take. */
static double factor(int width, int threads, int blocks)
{
    json_t *shapes = json_pack("[i,i,i,i,i,i]", 32, 256, ALL / 256, width, threads, blocks);
    double *expected = expected_times(shapes, 2);

    assert_non_null(expected);
    double times = exp(expected[1] - expected[0]);
    json_decref(shapes);
    free(expected);
    return times;
}

static void expect_factor(double found, double wanted)
{
    if (!(fabs(found / wanted - 1) < 1e-12))
        fail_msg("%.15g, not %.15g", found, wanted);
}

static void blocks_have_a_size_that_suits(void **state)
{
    (void)state;
    expect_factor(factor(32, 64, ALL / 64), 1);
    expect_factor(factor(32, 128, ALL / 128), 1);
    expect_factor(factor(32, 512, ALL / 512), 1.05);
    expect_factor(factor(32, 1024, ALL / 1024), 1.05 * 1.05);
    expect_factor(factor(32, 32, ALL / 32), 1.2);
}

static void rows_are_as_long_as_a_warp(void **state)
{
    (void)state;
    expect_factor(factor(64, 256, ALL / 256), 1);
    expect_factor(factor(16, 256, ALL / 256), 1.15);
    expect_factor(factor(1, 256, ALL / 256), pow(1.15, 5));
}

static void idle_lanes_take_part(void **state)
{
    (void)state;
    expect_factor(factor(96, 96, ALL / 96), (1 + 96.0 * (ALL / 96) / ALL) / 2);
    double work = 80.0 * (ALL / 80) / ALL;
    expect_factor(factor(80, 80, ALL / 80), 96.0 / 80 * (1 + work) / 2);
}

static void half_of_the_work_is_shared_and_few_blocks_leave_processors_idle(void **state)
{
    (void)state;
    expect_factor(factor(32, 256, ALL / 256 / 2), (1 + 1 / 2.0) / 2);
    expect_factor(factor(32, 256, ALL / 256 / 8), (1 + 1 / 8.0) / 2);
    expect_factor(factor(32, 256, ALL / 256 / 16), (1 + 1 / 16.0) / 2 * 2);
    expect_factor(factor(32, 256, ALL / 256 / 32), (1 + 1 / 32.0) / 2 * 4);
}

static void what_is_not_known_is_as_good_as_the_others_on_average(void **state)
{
    json_t *shapes = json_pack("[i,i,i,i,i,i,i,i,i]", 32, 256, 512, 0, 0, 0, 16, 256, 512);
    double *expected = expected_times(shapes, 3);

    (void)state;
    assert_true(fabs(expected[1] - (expected[0] + expected[2]) / 2) < 1e-12);
    free(expected);
    assert_null(expected_times(shapes, 2));
    assert_null(expected_times(shapes, 0));
    json_decref(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_a_size_that_suits),
        cmocka_unit_test(rows_are_as_long_as_a_warp),
        cmocka_unit_test(idle_lanes_take_part),
        cmocka_unit_test(half_of_the_work_is_shared_and_few_blocks_leave_processors_idle),
        cmocka_unit_test(what_is_not_known_is_as_good_as_the_others_on_average),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
